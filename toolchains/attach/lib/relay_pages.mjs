// SPDX-License-Identifier: Apache-2.0
// Whole lists of a device without 2026-07-28, as lists.mjs has them of others: the pages that follow the first one are asked for here.
import { limits, memberOf, Pages } from './lists.mjs';

/** @typedef {import('./rpc.mjs').Message} Message */
/** @typedef {{id: any, method: string, first: Message, pages: Pages, count: number}} List */

export class RelayPages {
  /** @type {Map<any, List>} by the id of the request for the next page */ #lists = new Map();
  /** @type {Set<any>} ids of requests for pages of dropped lists */ #late = new Set();

  /** @param {(method: string, cursor: any) => any} ask sends a request for a page and returns its id */
  constructor(ask) {
    this.ask = ask;
  }

  /**
   * Takes a response of the device. Returns what the host gets: the response, the whole list, or nothing yet.
   * @param {Message} m @param {Message | undefined} request of the host with this id
   */
  take(m, request) {
    if (this.#late.delete(m.id)) return undefined;
    const list = this.#lists.get(m.id) ?? this.#begin(m, request);
    this.#lists.delete(m.id);
    if (!list) return m;
    if (!Array.isArray(m.result?.[list.pages.member]) || ++list.count > limits.pages) return list.first;
    list.pages.add(m.result);
    if (list.pages.isLarge) return list.first;
    const cursor = m.result.nextCursor ?? undefined;
    if (cursor === undefined) return { ...list.first, result: list.pages.result() };
    this.#lists.set(this.ask(list.method, cursor), list);
    return undefined;
  }

  /** The begin of a list with more than one page. @param {Message} m @param {Message | undefined} request @returns {List | undefined} */
  #begin(m, request) {
    const { method = '', params } = request ?? {};
    const isFirst = Object.hasOwn(memberOf, method) && (params?.cursor ?? undefined) === undefined;
    if (!isFirst || (m.result?.nextCursor ?? undefined) === undefined) return undefined;
    return { id: m.id, method, first: m, pages: new Pages(memberOf[method]), count: 0 };
  }

  /** The device was lost, or the host has left. */
  clear() {
    for (const id of this.#lists.keys()) this.#late.add(id);
    this.#lists.clear();
  }
}
