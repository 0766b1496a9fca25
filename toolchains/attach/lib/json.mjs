// SPDX-License-Identifier: Apache-2.0
// JSON whose numbers keep their source text. JavaScript would round 9007199254740993 and write 1.0 as 1; such a number is a string
// here, which begins with a mark of this process, so that it can be a key, be compared and be copied. Others are numbers.

/** The mark. The first such number makes it, because its random bytes need `crypto`. It is short, because a message may have a million. */
let mark = '';
const number = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?';
/** Text that may have such a number: one with 16 digits, a fraction or an exponent, or -0. */
const suspect = /(?:^|[[:,\s])(?:-?(?:\d{16}|\d+[.eE])|-0)/;
const token = new RegExp(`"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"|${number}`, 'g');
/** @type {RegExp} */ let marked;

/** @param {string} text a string of JSON, or a number */
const exact = (text) => (text.startsWith('"') || String(Number(text)) === text ? text : `"${mark}${text}"`);

/** JSON.parse() for exact numbers. @param {string} text @returns {any} */
export function parse(text) {
  const value = JSON.parse(text);
  if (!suspect.test(text)) return value;
  if (mark === '') {
    mark = `~${Buffer.from(crypto.getRandomValues(new Uint8Array(9))).toString('base64url')}~`;
    marked = new RegExp(`"${mark}(${number})"`, 'g');
  }
  const kept = text.replace(token, exact);
  return kept === text ? value : JSON.parse(kept);
}

/** JSON.stringify() for exact numbers. @param {any} value @returns {string} */
export function stringify(value) {
  const text = JSON.stringify(value);
  return mark !== '' && text.includes(mark) ? text.replace(marked, '$1') : text;
}

/** @param {string} text */
const isMarked = (text) => mark !== '' && text.startsWith(mark);

/** The number that a value is, or undefined. @param {any} value @returns {number | undefined} */
export function numberOf(value) {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && isMarked(value) ? Number(value.slice(mark.length)) : undefined;
}

/** A value as text: of a number, its source. @param {any} value */
export function textOf(value) {
  const text = String(value);
  return isMarked(text) ? text.slice(mark.length) : text;
}
