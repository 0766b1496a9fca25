// SPDX-License-Identifier: Apache-2.0
// Event streams (HTML, section 9.2.6), for attach and for mote-limits, which runs without packages.
//
// eventsource-parser 3.1.1 is not used, because it keeps an event back whose lines end with CR until the next byte, and takes
// U+FEFF for a part of the first field (4.1.3 needs Node.js 22).
import { StringDecoder } from 'node:string_decoder';

/** The longest event, in characters. */
export const longestEvent = 16 << 20;

/** Whether a Content-Type is that of an event stream. Media types have no case. @param {string} [type] */
export const isEventStream = (type = '') => /^\s*text\/event-stream\s*(;|$)/i.test(type);

/**
 * Splits bytes into events. The time is linear in the number of bytes, whatever the pieces are.
 * Errors: feed() throws a RangeError for an event that is longer than `most` characters.
 */
export class EventReader {
  /** The id of the last event, for Last-Event-ID. Events without data have one, too. */
  lastId = '';
  /** @type {number | undefined} milliseconds until the stream is opened again, if the server has sent them */ retryMs;
  #decoder = new StringDecoder('utf8');
  #begun = false;
  #afterReturn = false;  // the last piece ended with CR: LF is a part of this line end
  /** @type {string[]} pieces of a line without an end */ #line = [];
  /** @type {string[]} */ #data = [];
  #id = '';
  #size = 0;

  /** @param {(data: string) => void} take @param {number} [most] */
  constructor(take, most = longestEvent) {
    this.take = take;
    this.most = most;
  }

  /** @param {Buffer} bytes */
  feed(bytes) {
    let text = this.#decoder.write(bytes);
    if (text === '') return;
    if (!this.#begun && text.startsWith('\ufeff')) text = text.slice(1);
    this.#begun = true;
    let at = this.#afterReturn && text.startsWith('\n') ? 1 : 0;
    if (text !== '') this.#afterReturn = text.endsWith('\r');
    const ends = /\r\n?|\n/g;
    ends.lastIndex = at;
    for (let end = ends.exec(text); end; end = ends.exec(text)) {
      this.#add(text.slice(at, end.index));
      this.#endLine();
      at = ends.lastIndex;
    }
    this.#add(text.slice(at));
  }

  /** @param {string} piece */
  #add(piece) {
    this.#size += piece.length;
    if (this.#size > this.most) throw new RangeError(`An event is longer than ${this.most} characters.`);
    if (piece !== '') this.#line.push(piece);
  }

  #endLine() {
    const line = this.#line.join('');
    this.#line = [];
    if (line === '') return this.#endEvent();
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') this.#data.push(value);
    else this.#size -= line.length;  // it keeps nothing
    if (name === 'id' && !value.includes('\0')) this.#id = value;
    if (name === 'retry' && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
  }

  #endEvent() {
    const data = this.#data.join('\n');
    this.#data = [];
    this.#size = 0;
    this.lastId = this.#id;
    if (data !== '') this.take(data);
  }
}
