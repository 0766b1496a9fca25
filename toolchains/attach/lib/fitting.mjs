// SPDX-License-Identifier: Apache-2.0
// Requests that fit in the message buffer of a device, which may have 1 KiB: some hosts add 650 bytes of `_meta` to each call.
import { code, key, metaOf } from './rpc.mjs';
import { stringify } from './json.mjs';

/** @typedef {import('./rpc.mjs').Message} Message */

const ours = /^(io\.modelcontextprotocol|mote)\//;
const stated = /^Message too long: at most (\d+) bytes/;
const byHttp = /^The device answered with HTTP 413\b/;

/** @param {Message} message */
const sizeOf = (message) => Buffer.byteLength(stringify({ jsonrpc: '2.0', ...message }));

/** A request with another `_meta`. @param {Message} m @param {any} _meta */
const withMeta = (m, _meta) => ({ ...m, params: { ...m.params, _meta } });

export class Fitting {
  /** @type {Set<any> | undefined} the other keys of `_meta` that the device reads; undefined if it does not say so */ #keys;
  #most = Infinity;  // bytes of a message
  #isStated = false;  // whether the device has said this number

  /** The device has told about itself. @param {any} discover */
  met(discover) {
    const keys = discover?._meta?.[key.meta];
    this.#keys = Array.isArray(keys) ? new Set(keys) : undefined;
    this.#most = Infinity;
  }

  /** What to send for a request, or the reason why nothing is sent. @param {Message} message @returns {Message | string} */
  fit(message) {
    const read = this.#keys ? this.#trimmed(message, this.#keys) : message;
    if (this.#most === Infinity || sizeOf(read) <= this.#most) return read;
    const least = this.#shortest(message);
    return sizeOf(least) <= this.#most ? least : this.reason(least);
  }

  /**
   * Whether a response says that the request was too long, so that the device has not run it.
   * @param {Message} sent @param {Message} response
   */
  refuses(sent, { error }) {
    if (typeof error?.message !== 'string') return false;
    const most = error.code === code.request ? Number(stated.exec(error.message)?.[1] ?? 0) : 0;
    if (most === 0 && !byHttp.test(error.message)) return false;
    this.#isStated = most > 0;
    this.#most = this.#isStated ? most : sizeOf(sent) - 1;
    return true;
  }

  /** @param {Message} m @param {Set<any>} keys */
  #trimmed(m, keys) {
    const entries = Object.entries(metaOf(m)).filter(([name]) => ours.test(name) || name === 'progressToken' || keys.has(name));
    return entries.length === Object.keys(metaOf(m)).length ? m : withMeta(m, Object.fromEntries(entries));
  }

  // Without the members that the device does not read or, if it does not say which, without those of others than MCP and mote.
  /** @param {Message} m */
  #shortest(m) {
    const least = this.#trimmed(m, this.#keys ?? new Set());
    const { [key.clientInfo]: client, ...others } = metaOf(least);
    return client ? withMeta(least, { ...others, [key.clientInfo]: { name: client.name, version: client.version } }) : least;
  }

  /** Why a request cannot be sent. @param {Message} message the shortest one */
  reason(message) {
    const size = sizeOf(message);
    const most = this.#isStated ? `at most ${this.#most} bytes` : `fewer than ${this.#most + 1} bytes`;
    return `The device accepts messages of ${most}, and this request has ${size} bytes. Call again with shorter arguments.`;
  }
}
