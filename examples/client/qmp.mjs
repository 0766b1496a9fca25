// SPDX-License-Identifier: Apache-2.0
// The control socket of QEMU (QMP: one JSON object per line). Knows no board and no MCP.
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * Listens on the Unix socket `path` for the one emulator that connects to it, and sends it commands in order.
 * We listen and QEMU connects, so that there is never a moment at which the socket has to be waited for.
 */
export class Qmp {
  #server;
  #socket;
  #replies = [];  // one { resolve, reject } per command sent and not answered yet
  #connected;     // resolves once QEMU accepts commands

  static async listen(path) {
    const qmp = new Qmp();
    qmp.#connected = new Promise((resolve, reject) => {
      qmp.#server = createServer((socket) => {
        qmp.#socket = socket;
        const lines = createInterface({ input: socket });
        lines.on('line', (line) => qmp.#receive(JSON.parse(line), resolve));
        // An emulator that ends may reset the socket (readline reports it once more); 'close' follows in any case.
        socket.on('error', () => {});
        lines.on('error', () => {});
        socket.on('close', () => qmp.#fail());
        qmp.#send('qmp_capabilities').catch(reject);
      });
    });
    qmp.#connected.catch(() => {});  // Reported by the execute() that needs it.
    await new Promise((resolve, reject) => qmp.#server.once('error', reject).listen(path, resolve));
    return qmp;
  }

  #receive(message, ready) {
    if ('QMP' in message || 'event' in message) return;
    const reply = this.#replies.shift();
    if ('error' in message) reply.reject(new Error(`QMP: ${message.error.desc}`));
    else reply.resolve(message.return);
    ready();
  }

  #fail() {
    for (const { reject } of this.#replies.splice(0)) reject(new Error('the emulator ended'));
  }

  #send(command, parameters) {
    return new Promise((resolve, reject) => {
      this.#replies.push({ resolve, reject });
      this.#socket.write(`${JSON.stringify({ execute: command, arguments: parameters })}\n`);
    });
  }

  /** Runs one QMP command and resolves with what it returns. Waits for the emulator to connect first. */
  async execute(command, parameters = {}) {
    await this.#connected;
    if (this.#socket.destroyed) throw new Error('the emulator ended');
    return this.#send(command, parameters);
  }

  close() {
    this.#socket?.destroy();
    this.#server.close();
  }
}
