// SPDX-License-Identifier: Apache-2.0
// JSON-RPC and the names of MCP that all parts of attach share.
import { numberOf } from './json.mjs';

/**
 * One JSON-RPC message, with members that attach does not know, too.
 * @typedef {{jsonrpc?: string, id?: any, method?: string, params?: any, result?: any, error?: any}} Message
 */
/** The end of a request. @typedef {{result: any} | {error: {code: number, message: string, data?: any}}} Ending */

const prefix = 'io.modelcontextprotocol/';

/** The name of attach, as a client and as the server of a fleet. */
export const self = { name: 'mote-attach', version: '0.1.0' };
export const modernVersion = '2026-07-28';
/** Revisions with sessions, the newest first. */
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
/** Keys of `_meta`. */
export const key = {
  version: `${prefix}protocolVersion`,
  clientInfo: `${prefix}clientInfo`,
  capabilities: `${prefix}clientCapabilities`,
  serverInfo: `${prefix}serverInfo`,
  subscription: `${prefix}subscriptionId`,
  logLevel: `${prefix}logLevel`,
  tasks: `${prefix}tasks`,
  relatedTask: `${prefix}related-task`,
  retryAfter: 'mote/retryAfterMs',
  boot: 'mote/boot',
  meta: 'mote/meta',
};
export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
/** Members of a subscription filter, by the notification that they ask for. */
export const listChanges = /** @type {Record<string, string>} */ ({
  'notifications/tools/list_changed': 'toolsListChanged',
  'notifications/prompts/list_changed': 'promptsListChanged',
  'notifications/resources/list_changed': 'resourcesListChanged',
});
/** The capability of a client that an input request needs. */
export const capabilityOf = /** @type {Record<string, string>} */ ({
  'elicitation/create': 'elicitation', 'sampling/createMessage': 'sampling', 'roots/list': 'roots',
});
export const code = {
  parse: -32700, request: -32600, method: -32601, params: -32602, internal: -32603, notFound: -32002, version: -32022,
};

/** @param {number} number @param {string} message @param {any} [data] @returns {{error: any}} */
export const failure = (number, message, data) => ({
  error: { code: number, message, ...(data !== undefined && { data }) },
});

/** Characters that a host may put before the name of a tool, such as `mcp__board__`. */
export const hostPrefix = 20;
export const longestName = 64 - hostPrefix;  // APIs of models reject a longer name of a tool

/** An error whose message is a sentence for hosts. */
export class Fault extends Error {}

/** The error that hosts get: the text of an error of JavaScript says nothing to them. @param {unknown} error */
export const failed = (error) => (
  failure(code.internal, error instanceof Fault ? error.message : 'The request, or the response of the device, is not valid.'));

/** A string in which U+FFFD replaces halves of characters, which some hosts cannot read. @param {string} text */
export const whole = (text) => text.replace(/\p{Surrogate}/gu, '\ufffd');

/**
 * The first characters of a string, as a copy: a part of a string keeps all of it in memory.
 * @param {string} text @param {number} most
 */
export const cut = (text, most) => structuredClone(whole(text.slice(0, most)));

/** @param {Message} message */
export const metaOf = (message) => message.params?._meta ?? {};

/** The envelope of a stateless request. @param {any} [capabilities] @param {any} [clientInfo] */
export const envelope = (capabilities = {}, clientInfo = undefined) => ({
  [key.version]: modernVersion, [key.capabilities]: capabilities, ...(clientInfo && { [key.clientInfo]: clientInfo }),
});

/** Milliseconds after which a busy device wants to be asked again; undefined if it is not busy. @param {Message} m */
export function busyFor(m) {
  const value = m.error?.data?.[key.retryAfter] ?? (m.result?.isError ? m.result._meta?.[key.retryAfter] : undefined);
  const ms = numberOf(value);
  return ms !== undefined && ms >= 0 ? ms : undefined;
}
