// SPDX-License-Identifier: Apache-2.0
// MCP over TCP, one message per line, for the official client: the other end of examples/own_transport. Knows no
// temperature.
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * A transport for the official client: to the server at `port` of this machine. Calls watch('in' or 'out', bytes), if it
 * is set, with each message.
 */
export class LineClientTransport {
  #port;
  #socket;

  constructor(port) {
    this.#port = port;
  }

  async start() {
    this.#socket = connect(this.#port, '127.0.0.1');
    this.#socket.setNoDelay(true);
    this.#socket.on('error', (error) => this.onerror?.(error));
    this.#socket.on('close', () => this.onclose?.());
    createInterface({ input: this.#socket }).on('line', (line) => {
      this.watch?.('out', Buffer.from(line));
      this.onmessage?.(JSON.parse(line));
    });
    await once(this.#socket, 'connect');
  }

  /** Sends text as it is. Resolves when the system has it. */
  write(text) {
    return new Promise((resolve, reject) => this.#socket.write(text, (error) => (error ? reject(error) : resolve())));
  }

  async send(message) {
    const text = JSON.stringify(message);
    this.watch?.('in', Buffer.from(text));
    await this.write(`${text}\n`);
  }

  async close() {
    if (this.#socket.closed) return;
    this.#socket.end();
    await once(this.#socket, 'close');
  }
}
