// SPDX-License-Identifier: Apache-2.0
// A link to a device: events `message`, `text`, `damaged`, `boot` and, once, `close` with the reason.
import { EventEmitter } from 'node:events';
import { stringify } from '../json.mjs';
import { bootId, LineReader } from '../lines.mjs';
import { envelope } from '../rpc.mjs';

/** @typedef {import('../rpc.mjs').Message} Message */

/** One message per line. */
export class LineLink extends EventEmitter {
  #write;
  #end;
  #closed = false;
  /** Whether the device can be reset behind this link. */
  canReset = true;

  /** @param {(data: string) => void} write @param {() => void} end */
  constructor(write, end) {
    super();
    this.#write = write;
    this.#end = end;
    this.reader = new LineReader({
      message: (message) => this.emit('message', message),
      damaged: (line) => this.emit('damaged', line),
      text: (line) => {
        this.emit('text', line);
        const id = bootId(line);
        if (id) this.emit('boot', id);
      },
    });
  }

  /** @param {Buffer} data */
  take(data) {
    if (!this.#closed) this.reader.feed(data);
  }

  /** @param {Message} message */
  send(message) {
    if (!this.#closed) this.#write(`${stringify(message)}\n`);
  }

  /** Ends what the device may have received of a line before. */
  clear() {
    if (!this.#closed) this.#write('\n');
  }

  /** Cancels a request of the 2026-07-28 revision. @param {any} requestId */
  cancel(requestId) {
    this.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, _meta: envelope() } });
  }

  /** @param {string} reason */
  lose(reason) {
    if (this.#closed) return;
    this.#closed = true;
    this.emit('close', reason);
    this.#end();
  }

  close() {
    if (this.#closed) return;
    this.#closed = true;
    this.#end();
  }
}
