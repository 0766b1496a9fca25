// SPDX-License-Identifier: Apache-2.0
// The framing of a UART (core/README.md): a line that begins with { is a message, and every other line is text.
import { StringDecoder } from 'node:string_decoder';

/** @typedef {import('./rpc.mjs').Message} Message */

/**
 * @typedef {object} LineHandlers
 * @property {(message: Message, line: string) => void} message one JSON-RPC message, and its text
 * @property {(line: string) => void} [text] a line, or the begin of one, that is no message
 * @property {(line: string) => void} [damaged] a line that looks like the rest of a message
 */

export const longestLine = 4 << 20;  // characters
const mostTries = 8;  // to find a message in one line
const bootMark = /# mote boot ([0-9a-f]{8})/;

/** The id of the boot that a line of text marks, or undefined. @param {string} text */
export const bootId = (text) => bootMark.exec(text)?.[1];

/** Members that attach reads have the type that it expects; damaged bytes may be valid JSON. @param {any} m */
export function isMessage(m) {
  const isObject = (/** @type {any} */ value) => value === undefined || (typeof value === 'object' && value !== null);
  return isObject(m) && m?.jsonrpc === '2.0' && isObject(m.params) && isObject(m.result) && isObject(m.error)
    && isObject(m.params?._meta) && isObject(m.result?._meta)
    && (m.method === undefined ? m.result !== undefined || m.error !== undefined : typeof m.method === 'string');
}

/** @param {string} text @returns {Message | undefined} */
function parse(text) {
  try {
    const value = JSON.parse(text);
    const all = Array.isArray(value) ? value : [value];
    return all.length > 0 && all.every(isMessage) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Splits a stream of bytes into lines, and each line into text and a message. */
export class LineReader {
  #decoder = new StringDecoder('utf8');
  #rest = '';
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
    const pieces = (this.#rest + this.#decoder.write(bytes)).split('\n');
    this.#rest = /** @type {string} */ (pieces.pop());
    for (const piece of pieces) {
      if (this.#skipping) this.#skipping = false;
      else this.#line(piece);
    }
    if (this.#rest.length <= this.limit) return;
    if (!this.#skipping) this.handlers.damaged?.(this.#rest.slice(0, 200));
    this.#skipping = true;
    this.#rest = '';
  }

  /** @param {string} line */
  #line(line) {
    if (line.trim() === '') return;
    const whole = line.startsWith('{') ? parse(line) : undefined;
    if (whole) return this.handlers.message(whole, line);
    // A boot log without a line end may stand before a message.
    let tries = this.isWire ? mostTries : 0;
    for (let at = line.indexOf('{"jsonrpc"'); at >= 0 && tries > 0; at = line.indexOf('{"jsonrpc"', at + 1), --tries) {
      const message = parse(line.slice(at));
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
