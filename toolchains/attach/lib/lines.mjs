// SPDX-License-Identifier: Apache-2.0
// The framing of a UART (core/README.md): a line that begins with { is a message, and every other line is text.
import { StringDecoder } from 'node:string_decoder';
import { limits, read } from './incoming.mjs';

/** @typedef {import('./rpc.mjs').Message} Message */

/**
 * @typedef {object} LineHandlers
 * @property {(message: Message, line: string) => void} message one JSON-RPC message, and its text
 * @property {(line: string) => void} [text] a line, or the begin of one, that is no message
 * @property {(line: string) => void} [damaged] a line that looks like the rest of a message
 */

export const longestLine = limits.size;  // characters
const mostTries = 8;  // to find a message in one line
const bootMark = /# mote boot ([0-9a-f]{8})/;

/** The id of the boot that a line of text marks, or undefined. @param {string} text */
export const bootId = (text) => bootMark.exec(text)?.[1];

/** Splits a stream of bytes into lines, and each line into text and a message. */
export class LineReader {
  #decoder = new StringDecoder('utf8');
  /** @type {string[]} the pieces of a line whose end has not come */ #rest = [];
  #length = 0;  // of these pieces
  #skipping = false;

  /**
   * @param {LineHandlers} handlers @param {number} limit the longest line, in characters; a longer one is damaged
   * @param {boolean} isWire whether text without a line end may be before a message
   */
  constructor(handlers, limit = longestLine, isWire = true) {
    this.handlers = handlers;
    this.isWire = isWire;
    this.limit = limit;
  }

  /** @param {Buffer | string} bytes */
  feed(bytes) {
    const pieces = this.#decoder.write(bytes).split('\n');
    const last = /** @type {string} */ (pieces.pop());
    for (const piece of pieces) {
      // A line is joined once, so that the time is linear in its length.
      const line = this.#rest.length > 0 ? this.#rest.join('') + piece : piece;
      this.#forget();
      if (this.#skipping) this.#skipping = false;
      else if (line.length > this.limit) this.handlers.damaged?.(line.slice(0, 200));
      else this.#line(line);
    }
    if (last === '' || this.#skipping) return;
    this.#rest.push(last);
    this.#length += last.length;
    if (this.#length <= this.limit) return;
    this.handlers.damaged?.(this.#rest.join('').slice(0, 200));
    this.#skipping = true;
    this.#forget();
  }

  #forget() {
    this.#rest = [];
    this.#length = 0;
  }

  /** @param {string} line */
  #line(line) {
    if (line.trim() === '') return;
    const whole = line.startsWith('{') ? read(line, this.limit).value : undefined;
    if (whole) return this.handlers.message(whole, line);
    // A boot log without a line end may stand before a message.
    let tries = this.isWire ? mostTries : 0;
    for (let at = line.indexOf('{"jsonrpc"'); at >= 0 && tries > 0; at = line.indexOf('{"jsonrpc"', at + 1), --tries) {
      const message = read(line.slice(at), this.limit).value;
      if (!message) continue;
      if (line.slice(0, at).trim() !== '') this.#noMessage(line.slice(0, at));
      return this.handlers.message(message, line.slice(at));
    }
    this.#noMessage(line);
  }

  /** @param {string} line */
  #noMessage(line) {
    if (/["{}]/.test(line)) this.handlers.damaged?.(line);
    this.handlers.text?.(line.replace(/\r$/, ''));
  }
}
