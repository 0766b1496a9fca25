// SPDX-License-Identifier: Apache-2.0
// The check of each message that a device sends, for all links. A device may send what no server sends, and damaged bytes may
// be valid JSON. No part of attach reads a message that did not pass it.
import { numberOf, parse } from './json.mjs';
import { code } from './rpc.mjs';

/** @typedef {import('./rpc.mjs').Message} Message */

/** Sizes of one message: characters, levels of nesting, messages of a batch, and input requests of a result. */
export const limits = { size: 4 << 20, levels: 128, batch: 1000, requests: 16 };

const longestText = 1000;  // of a method
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const opens = new Set([0x5b, 0x7b]);
const closes = new Set([0x5d, 0x7d]);

/**
 * Whether JSON is nested in more than `most` levels. Some hosts reject 128 levels.
 * @param {string} text @param {number} [most]
 */
export function isDeep(text, most = limits.levels) {
  if (text.length <= 2 * most) return false;
  let levels = 0;
  let isString = false;
  for (let at = 0; at < text.length; ++at) {
    const letter = text.charCodeAt(at);
    if (letter === quote) isString = !isString;
    else if (letter === backslash) ++at;
    else if (isString || letter === comma) continue;
    else if (opens.has(letter) && ++levels > most) return true;
    else if (closes.has(letter)) --levels;
  }
  return false;
}

/** @param {any} value */
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** @param {any} value */
const isMissing = (value) => value === undefined;
/** @param {any} value */
const isId = (value) => value === undefined || value === null || typeof value === 'number' ||
  (typeof value === 'string' && value.length <= longestText);

/** Whether the members that attach reads have the types that it expects. @param {any} m */
export function isMessage(m) {
  if (!isObject(m) || m.jsonrpc !== '2.0' || !isId(m.id)) return false;
  for (const part of [m.params, m.result]) {
    if (!isMissing(part) && !(isObject(part) && (isMissing(part._meta) || isObject(part._meta)))) return false;
  }
  if (!isMissing(m.error) && !isObject(m.error)) return false;
  if (m.method === undefined) return m.result !== undefined || m.error !== undefined;
  return typeof m.method === 'string' && m.method.length <= longestText;
}

/** The error of a response, as hosts can read it. @param {any} error @returns {any} */
export function errorOf(error) {
  const { code: number, message } = error;
  const isNumber = Number.isInteger(numberOf(number));
  if (isNumber && typeof message === 'string') return error;
  const text = typeof message === 'string' ? message : 'The device sent an error without a message.';
  return { ...error, code: isNumber ? number : code.internal, message: text };
}

/** What is wrong with the input requests of a result, as a sentence. @param {any} requests @returns {string | undefined} */
export function requestsFault(requests) {
  const all = isObject(requests) ? Object.values(requests) : [undefined];
  const isRequest = (/** @type {any} */ each) => (
    isObject(each) && typeof each.method === 'string' && (isMissing(each.params) || isObject(each.params)));
  if (!all.every(isRequest)) return 'The device sent an input request that is not valid.';
  return all.length > limits.requests ? `The device sent more than ${limits.requests} input requests at once.` : undefined;
}

/** The id of a response that is no valid message, so that its request can end. @param {any} value */
const idOf = (value) => (isObject(value) && value.method === undefined && isId(value.id) ? value.id : undefined);

/**
 * Reads one message or one batch: the value that its JSON has, or the end of a sentence about its fault. `id` is that of a response
 * with a fault, if it can be read.
 * @param {string} text @param {number} [most] characters @returns {{value?: any, messages: Message[], fault?: string, id?: any}}
 */
export function read(text, most = limits.size) {
  if (text.length > most) return { messages: [], fault: `is longer than ${most >> 20} MiB` };
  if (isDeep(text)) return { messages: [], fault: `is nested in more than ${limits.levels} levels` };
  let value;
  try {
    value = parse(text);
  } catch {
    return { messages: [], fault: 'is not JSON' };
  }
  const messages = Array.isArray(value) ? value : [value];
  if (messages.length > limits.batch) return { messages: [], fault: `has more than ${limits.batch} messages` };
  if (messages.length > 0 && messages.every(isMessage)) return { value, messages };
  return { messages: [], fault: 'is not a JSON-RPC message', id: idOf(value) };
}
