// SPDX-License-Identifier: Apache-2.0
// Text of devices and hosts for a terminal. No character of it controls the terminal or changes the direction of text.

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\u3000-\u303f\uff01-\uff60]/u;

/** A text in one line. Escapes replace characters that control or hide text. A letter has at most 3 marks. @param {unknown} text */
export const shown = (text) => String(text)
  .replace(/[\p{Cc}\p{Cf}\p{DI}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, (c) => {
    const known = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[c];
    return known ?? `\\u{${/** @type {number} */ (c.codePointAt(0)).toString(16)}}`;
  })
  .replace(/(\p{M}{3})\p{M}+/gu, '$1');

/** Columns of a terminal for a character: at least as many as it takes. @param {string} c */
const columnsOf = (c) => (c > '\u1100' && wide.test(c) ? 2 : 1);

/** @param {string} text */
export function width(text) {
  let columns = 0;
  for (const c of text) columns += columnsOf(c);
  return columns;
}

/** The begin of a shown text, with an ellipsis if it is longer. @param {string} text @param {number} columns */
export function cutTo(text, columns) {
  if (text.length <= columns && width(text) <= columns) return text;
  let kept = '';
  let used = 1;
  for (const c of text) {
    used += columnsOf(c);
    if (used > columns) break;
    kept += c;
  }
  return `${kept}…`;
}
