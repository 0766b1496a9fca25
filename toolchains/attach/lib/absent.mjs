// SPDX-License-Identifier: Apache-2.0
// What a host gets while the device is away since before the host came. Many hosts give a server up whose first requests fail.
import { memberOf } from './lists.mjs';
import { failure, code, key, listChanges, modernVersion, self } from './rpc.mjs';

/** @typedef {import('./rpc.mjs').Message} Message */
/** @typedef {import('./rpc.mjs').Ending} Ending */

/** Requests that need no device. */
const first = new Set(['initialize', 'server/discover', 'ping', 'logging/setLevel', 'subscriptions/listen', ...Object.keys(memberOf)]);
/** Added tools that need no device. */
export const ownTools = new Set(['device_log', 'list_devices']);

/** Whether a host may begin, or go on, without the device. @param {Message} m */
export const isServed = ({ method = '', params }) => first.has(method) || (method === 'tools/call' && ownTools.has(params?.name));

/** @param {string | undefined} reason why the device is away */
const sentence = (reason) => `The device is away${reason ? `: ${reason.replace(/[.]$/, '')}` : ' or does not respond'}. ` +
  'Its tools, resources and prompts are listed when it is there.';

/**
 * The response to server/discover: that of the device before, or one with everything that a device may have.
 * @param {any} before @param {string | undefined} reason
 */
export function discoverOf(before, reason) {
  const changes = { listChanged: true };
  const all = { tools: changes, prompts: changes, resources: { ...changes, subscribe: true }, logging: {}, completions: {} };
  const { capabilities, instructions = '', _meta } = before ?? { capabilities: all, _meta: { [key.serverInfo]: self } };
  return {
    resultType: 'complete', supportedVersions: [modernVersion], capabilities: { ...all, ...capabilities },
    instructions: `${sentence(reason)} ${instructions}`.trim(), ttlMs: 0, cacheScope: 'private', _meta,
  };
}

/** An empty list. @param {string} method @returns {Ending} */
export const emptyList = (method) => ({ result: { resultType: 'complete', [memberOf[method]]: [], ttlMs: 0, cacheScope: 'private' } });

/** The changes of lists in a filter: they are sent when the device comes. @param {Record<string, any>} filter */
export const changesIn = (filter) => Object.fromEntries(Object.values(listChanges).flatMap((name) => (filter[name] ? [[name, true]] : [])));

/** @param {string | undefined} reason @returns {Ending} */
export const isAway = (reason) => failure(code.internal, sentence(reason));
