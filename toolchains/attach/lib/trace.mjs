// SPDX-License-Identifier: Apache-2.0
// The records of `--trace FILE` and `attach watch`: what one host and its device send, one line of JSON each, without secrets.
import { isObject } from './incoming.mjs';
import { parse, stringify } from './json.mjs';
import { hasMark } from './secret_words.mjs';
import { hideAll, hideSecrets, newKey } from './secrets.mjs';
import { timeNow } from './watchers.mjs';

/** @typedef {import('./rpc.mjs').Message} Message */
/** @typedef {import('./watchers.mjs').Time} Time */

/** The first member of the first record of each process and of each file. */
export const title = 'mote-attach 1';

/**
 * JSON without characters that control a terminal or change the direction of text. In JSON, they are in strings, or white space between
 * its parts.
 * @param {string} json
 */
export const safeJson = (json) => json.replace(/[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}]/gu, (letters) => (
  letters.replace(/[^]/g, (unit) => (/[\t\n\r]/.test(unit) ? ' ' : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`))));

/**
 * Hides what a schema marks. If it is not known where a mark applies, as in `anyOf`, all of the value is hidden.
 * @param {any} value @param {any} schema @returns {any}
 */
function hideMarked(value, schema) {
  if (!hasMark(schema)) return value;
  const { items, ...aroundItems } = schema;
  if (Array.isArray(value) && !Array.isArray(items) && !hasMark(aroundItems)) return value.map((each) => hideMarked(each, items));
  const { properties, additionalProperties, ...aroundMembers } = schema;
  if (!isObject(value) || hasMark(aroundMembers)) return hideAll(value);
  const known = new Map(Object.entries(Object(properties)));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => (
    [name, hideMarked(member, known.has(name) ? known.get(name) : additionalProperties)])));
}

/** The records of one process. Its sinks take lines without line ends. */
export class Trace {
  /** @type {Set<(line: string) => void>} */ sinks = new Set();
  #key = newKey();

  /**
   * @param {{session: string, target: string, version: string, schemas: Map<string, any>, client: () => any}} about `schemas` are
   *   those of tools that mark arguments as secret, and `client` returns the name and version of the host, if it is known
   */
  constructor(about) {
    this.about = about;
  }

  /** The record that begins a file, or what a watcher gets. @param {boolean} isContinued whether records are missing before */
  begin(isContinued) {
    const { session, target, version } = this.about;
    const { name, version: release } = this.about.client() ?? {};
    return this.#line({
      trace: title, ...this.#head(timeNow()), target, version, pid: process.pid,
      ...(name !== undefined && { client: { name, version: release } }), ...(isContinued && { continued: true }), session,
    });
  }

  /** @param {Time} time */
  #head({ at, ms }) {
    return { time: new Date(at).toISOString(), ms, session: this.about.session };
  }

  /** @param {any} record */
  #line(record) {
    return safeJson(hideSecrets(JSON.stringify(record), this.#key));
  }

  /** The record of a message. @param {'host' | 'device'} from @param {string} line its JSON @param {Time} [time] */
  message(from, line, time = timeNow()) {
    const shown = hideSecrets(from === 'host' ? this.#withoutMarked(line) : line, this.#key);
    return safeJson(`${JSON.stringify({ ...this.#head(time), from }).slice(0, -1)},"message":${shown.trim()}}`);
  }

  /** @param {string} line */
  #withoutMarked(line) {
    const { schemas } = this.about;
    if (schemas.size === 0) return line;
    const shown = (/** @type {any} */ m) => {
      const schema = m?.method === 'tools/call' ? schemas.get(m.params?.name) : undefined;
      return schema ? { ...m, params: { ...m.params, arguments: hideMarked(m.params.arguments, schema) } } : m;
    };
    const value = parse(line);
    return stringify(Array.isArray(value) ? value.map(shown) : shown(value));
  }

  /** @param {string} line */
  #give(line) {
    for (const sink of this.sinks) sink(line);
  }

  /** @param {'host' | 'device'} from @param {string} line */
  add(from, line) {
    if (this.sinks.size > 0) this.#give(this.message(from, line));
  }

  /** Text beside the messages. @param {'host' | 'device'} from @param {string} text */
  text(from, text) {
    if (this.sinks.size > 0) this.#give(this.#line({ ...this.#head(timeNow()), from, text }));
  }

  /** @param {string} reason */
  end(reason) {
    if (this.sinks.size > 0) this.#give(this.#line({ ...this.#head(timeNow()), end: reason }));
    this.sinks.clear();
  }
}
