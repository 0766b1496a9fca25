// SPDX-License-Identifier: Apache-2.0
// The configuration files of hosts: an entry is added in place, so comments, order and spaces of the rest stay as they are.
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify, parse as parseJson } from 'jsonc-parser';
import { parse as parseToml, stringify as writeToml } from 'smol-toml';
import { parseDocument, stringify as writeYaml } from 'yaml';

/**
 * `parse` returns the object in a text, and throws if there is none. `add` returns the text with an entry under `key` and `name`.
 * `print` returns an entry for the user to add.
 * @typedef {{parse: (text: string) => any, add: (text: string, key: string, name: string, entry: any) => string,
 *   print: (key: string, name: string, entry: any) => string}} Format
 */

/** The indentation and the line end of a file. @param {string} text */
function styleOf(text) {
  const [, indent = '  '] = /^([ \t]+)\S/m.exec(text.replace(/^\s*\/[/*].*$/gm, '')) ?? [];
  return { insertSpaces: !indent.startsWith('\t'), tabSize: Math.min(indent.length, 8), eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** JSON with comments and commas after the last element, as VS Code, Zed and opencode read it. @type {Format} */
const json = {
  parse(text) {
    /** @type {any[]} */ const errors = [];
    const object = parseJson(text, errors, { allowTrailingComma: true });
    if (errors.length > 0) throw new Error('is not JSON');
    return object;
  },
  add(text, key, name, entry) {
    const formattingOptions = styleOf(text);
    const next = applyEdits(text, modify(text, [key, name], entry, { formattingOptions }));
    return next.endsWith('\n') ? next : `${next}\n`;
  },
  print: (key, name, entry) => `${JSON.stringify({ [key]: { [name]: entry } }, null, 2)}\n`,
};

/** The lines of a table are those from its header to the next one. @param {string} text @param {string} key @param {string} name */
function withoutTable(text, key, name) {
  const header = new RegExp(`^\\s*\\[\\s*${key}\\s*\\.\\s*(?:${name}|"${name}"|'${name}')\\s*(?:\\.[^\\]]*)?\\]`);
  let isInside = false;
  return text.split('\n').filter((line) => {
    if (/^\s*\[/.test(line)) isInside = header.test(line);
    return !isInside;
  }).join('\n');
}

/** @type {Format} */
const toml = {
  parse: (text) => plainOf(parseToml(text, { integersAsBigInt: true })),
  add(text, key, name, entry) {
    const isThere = Object.hasOwn(Object(toml.parse(text)[key]), name);
    const rest = (isThere ? withoutTable(text, key, name) : text).trimEnd();
    return `${rest === '' ? '' : `${rest}\n\n`}${toml.print(key, name, entry)}`;
  },
  print: (key, name, entry) => `${writeToml({ [key]: { [name]: entry } }).trim()}\n`,
};

/** @type {Format} */
const yaml = {
  parse(text) {
    const document = parseDocument(text);
    if (document.errors.length > 0) throw new Error('is not YAML');
    return document.toJS() ?? {};
  },
  add(text, key, name, entry) {
    const document = parseDocument(text);
    document.setIn([key, name], document.createNode(entry));
    return document.toString({ lineWidth: 0 });
  },
  print: (key, name, entry) => writeYaml({ [key]: { [name]: entry } }, { lineWidth: 0 }),
};

export const formats = { json, toml, yaml };

/** @param {unknown} value */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Adds an entry to the text of a file. If another entry has the name, the name gets a number, unless `isReplaced`. Returns the new
 * text and the name, or no text if the file has the entry. Errors: the end of a sentence about the file.
 * @param {string} text @param {Format} format @param {string} key @param {string} wanted @param {(name: string) => any} entryOf
 * @param {boolean} [isReplaced] @returns {{text?: string, name: string}}
 */
export function withEntry(text, format, key, wanted, entryOf, isReplaced = false) {
  const plain = text.replace(/^\ufeff/, '');
  let object;
  try {
    object = plain.trim() === '' ? {} : format.parse(plain);
  } catch {
    throw new Error(`is not valid ${Object.entries(formats).find(([, each]) => each === format)?.[0].toUpperCase()}`);
  }
  if (!isObject(object) || (object[key] !== undefined && !isObject(object[key]))) {
    throw new Error(`does not hold an object with the object "${key}"`);
  }
  const entries = object[key] ?? {};
  let name = wanted;
  for (let count = 2; Object.hasOwn(entries, name) && !isReplaced; ++count) {
    if (isDeepStrictEqual(plainOf(entries[name]), plainOf(entryOf(name)))) return { name };
    name = `${wanted}-${count}`;
  }
  const entry = entryOf(name);
  const expected = { ...object, [key]: { ...entries, [name]: entry } };
  // A file is never written that a host would read in another way.
  const next = added(format, plain.trim() === '' && format === json ? '{}' : plain, [key, name], entry, expected);
  if (next === undefined) throw new Error(`has a form in which attach cannot add to "${key}"`);
  return { text: next, name };
}

/** @param {Format} format @param {string} text @param {[string, string]} place @param {any} entry @param {any} expected */
function added(format, text, place, entry, expected) {
  try {
    const next = format.add(text, ...place, entry);
    return isDeepStrictEqual(plainOf(format.parse(next)), plainOf(expected)) ? next : undefined;
  } catch {
    return undefined;
  }
}

/** A copy with the prototypes of JSON. @param {any} value */
const plainOf = (value) => JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each)));
