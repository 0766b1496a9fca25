// SPDX-License-Identifier: Apache-2.0
// How a fleet names what its devices have. Each name leads back to one device:
//   tools and prompts   LABEL_NAME, such as boiler-7_set_level
//   resources           fleet:LABEL/URI, such as fleet:boiler-7/sensor://temperature
//   tasks and states    LABEL/ID
// LABEL is the id of the device. It has no `_` and no `/`, which end it. An id that cannot be a label has a part of its hash in
// it, and so does an id that ends like one with a hash, so that no id is the label of another device.
import { createHash } from 'node:crypto';
import { Fault, logLevels, longestName, whole } from './rpc.mjs';

/** @typedef {import('./rpc.mjs').Message} Message */

const longestLabel = 24;
const scheme = 'fleet:';
const byName = new Set(['tools/call', 'prompts/get']);
const hashDigits = 10;
const hashEnd = new RegExp(`-[0-9a-f]{${hashDigits}}$`);
/** Characters that change the direction of the text around them, so that it looks like another text. */
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Members that hosts show to a person. */
const textMembers = new Set(['title', 'description', 'enumNames', 'message', 'systemPrompt', 'text']);
/** Members with values for the device, and not for a person. */
const valueMembers = new Set(['const', 'default', 'enum', 'examples', '_meta']);
const mostLevels = 64;  // of nesting; a host that reads a row must not run out of stack
/** Tools that attach adds begin with these words and `_`. */
const reserved = new Set(['list', 'wait', 'device', 'read']);

/** `text` with a part of the hash of `whole`, at most `most` characters. @param {string} text @param {string} whole @param {number} most */
const hashed = (text, whole, most) => (
  `${text.slice(0, most - hashDigits - 1)}-${createHash('sha256').update(whole).digest('hex').slice(0, hashDigits)}`);

/** A text of a device without bidi control characters and halves of characters. @param {string} text */
export const visible = (text) => whole(text.replace(bidi, ''));

/**
 * A copy of `value` without bidi control characters in the members that hosts show. Throws if it is nested too deeply.
 * @param {any} value @param {{isText?: boolean, isValue?: boolean}} [where] @param {number} [levels] @returns {any}
 */
function plain(value, { isText = false, isValue = false } = {}, levels = mostLevels) {
  if (typeof value === 'string') return isText && !isValue ? visible(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) throw new Fault(`it has more than ${mostLevels} levels`);
  if (Array.isArray(value)) return value.map((each) => plain(each, { isText, isValue }, levels - 1));
  const all = Object.entries(value).map(([name, each]) => {
    const where = { isText: textMembers.has(name), isValue: isValue || valueMembers.has(name) };
    return [name, plain(each, where, levels - 1)];
  });
  return Object.fromEntries(all);
}

/**
 * A row or a link whose titles begin with the label: some hosts show the title in place of the name.
 * @param {string} label @param {any} row
 */
function titled(label, row) {
  const all = plain(row);
  for (const each of [all, all.annotations]) {
    if (typeof each?.title === 'string') each.title = `${label}: ${each.title}`;
  }
  return all;
}

/** The label of a device. Two ids have the same label only if 40 bits of their hashes are equal. @param {string} id */
export function labelOf(id) {
  const text = id.replace(/[^A-Za-z0-9-]/g, '-');
  const isLabel = text === id && id.length <= longestLabel && !hashEnd.test(id) && !reserved.has(id);
  return isLabel ? id : hashed(text, id, longestLabel);
}

/** @param {string} label @param {string} name */
export function shownName(label, name) {
  const most = longestName - label.length - 1;
  const text = name.replace(/[^A-Za-z0-9_-]/g, '-');
  return `${label}_${text === name && name.length <= most ? name : hashed(text, name, most)}`;
}

/** @param {string} label @param {string} uri */
export const shownUri = (label, uri) => `${scheme}${label}/${uri}`;

/** @param {string} label @param {string} id of a task, or a requestState */
export const shownId = (label, id) => `${label}/${id}`;

/** The label and the rest of a name. @param {any} name @param {string} end @returns {[string, string] | undefined} */
function split(name, end) {
  const at = typeof name === 'string' ? name.indexOf(end) : -1;
  return at < 0 ? undefined : [name.slice(0, at), name.slice(at + 1)];
}

/** The label and the URI of a resource. @param {any} uri */
export const splitUri = (uri) => (
  typeof uri === 'string' && uri.startsWith(scheme) ? split(uri.slice(scheme.length), '/') : undefined);

/** The label and the id of a task. @param {any} id */
export const splitId = (id) => split(id, '/');

/** The member that names what a request is for, its value, and the label and the name in it. @param {Message} m */
function placeOf({ method = '', params = {} }) {
  if (byName.has(method)) return { member: 'name', text: params.name, found: split(params.name, '_') };
  if (method === 'resources/read') return { member: 'uri', text: params.uri, found: splitUri(params.uri) };
  if (method.startsWith('tasks/')) return { member: 'taskId', text: params.taskId, found: splitId(params.taskId) };
  if (method !== 'completion/complete') return undefined;
  const { type, name, uri } = Object(params.ref);
  if (type === 'ref/prompt') return { member: 'name', text: name, found: split(name, '_') };
  return { member: 'uri', text: uri, found: splitUri(uri) };
}

/**
 * The label of the device that a request is for, and the parameters in the words of that device. The label is undefined if
 * the request names no device, and the result is undefined if requests of this method never do.
 * @param {Message} m @param {(label: string, shown: string) => string | undefined} nameOf finds names that were cut
 */
export function route(m, nameOf) {
  const place = placeOf(m);
  if (!place) return undefined;
  const { member, text, found } = place;
  if (!found) return { text: String(text) };
  const [label, rest] = found;
  const name = member === 'name' ? nameOf(label, text) ?? rest : rest;
  const { requestState, ref, ...params } = m.params;
  const [owner, state] = splitId(requestState) ?? [];
  return { label, text, params: {
    ...params, ...(ref ? { ref: { ...ref, [member]: name } } : { [member]: name }),
    ...(requestState !== undefined && { requestState: owner === label ? state : requestState }),
  } };
}

const asksPerson = new Set(['elicitation/create', 'sampling/createMessage']);

/** @param {string} label @param {any} request for input */
function shownInputRequest(label, request) {
  const { method, params } = Object(request);
  if (params === undefined && !asksPerson.has(method)) return request;
  const all = plain(params);
  const { message, systemPrompt } = Object(all);
  // A person has to see which device asks. Sampling has no message; hosts that let a person review it show its prompt.
  if (method === 'sampling/createMessage') {
    const text = typeof systemPrompt === 'string' ? systemPrompt : 'The messages are from this device.';
    return { ...request, params: { ...all, systemPrompt: `${label}: ${text}` } };
  }
  const text = typeof message === 'string' ? message : '';
  const isLabelled = typeof message === 'string' || asksPerson.has(method);
  return { ...request, params: isLabelled ? { ...all, message: `${label}: ${text}` } : all };
}

/** @param {string} label @param {any} resource with a URI */
const shownResource = (label, resource) => (
  typeof resource?.uri === 'string' ? { ...resource, uri: shownUri(label, resource.uri) } : resource);

/** @param {string} label @param {any} item of the content of a result */
function shownContent(label, item) {
  if (item?.type === 'resource') return { ...item, resource: shownResource(label, item.resource) };
  if (item?.type !== 'resource_link') return item;
  const link = titled(label, item);
  if (typeof link.title !== 'string' && typeof link.name === 'string') link.title = `${label}: ${visible(link.name)}`;
  // Hosts open links to the web themselves.
  return /^https?:/i.test(item.uri) ? link : shownResource(label, link);
}

/** @param {any} value @param {(each: any) => any} change */
const mapped = (value, change) => (Array.isArray(value) ? value.map(change) : value);

/** A result, or the state of a task, in the words of hosts. @param {string} label @param {any} result @returns {any} */
export function shownResult(label, result) {
  const { content, contents, messages, taskId, requestState, inputRequests, result: inner, statusMessage } = result;
  const all = { ...result };
  if (content) all.content = mapped(content, (item) => shownContent(label, item));
  if (contents) all.contents = mapped(contents, (each) => shownResource(label, each));
  if (messages) all.messages = mapped(messages, (each) => ({ ...each, content: shownContent(label, each?.content) }));
  if (typeof taskId === 'string') all.taskId = shownId(label, taskId);
  if (typeof statusMessage === 'string') all.statusMessage = visible(statusMessage);
  if (typeof requestState === 'string') all.requestState = shownId(label, requestState);
  if (inputRequests) {
    const requests = Object.entries(inputRequests).map(([name, each]) => [name, shownInputRequest(label, each)]);
    all.inputRequests = Object.fromEntries(requests);
  }
  if (typeof taskId === 'string' && inner) all.result = shownResult(label, inner);
  return all;
}

/** @param {string} label @param {any} error */
export function shownError(label, error) {
  const uri = error?.data?.uri;
  const all = typeof error?.message === 'string' ? { ...error, message: visible(error.message) } : error;
  return typeof uri === 'string' ? { ...all, data: { ...error.data, uri: shownUri(label, uri) } } : all;
}

/** @param {any} params of a progress notification */
export const shownProgress = (params) => (
  typeof params?.message === 'string' ? { ...params, message: visible(params.message) } : params);

/** The parameters of a notification in the words of hosts. @param {string} label @param {any} params */
export function shownNotification(label, params) {
  const all = typeof params.taskId === 'string' ? shownResult(label, params) : { ...params };
  if (typeof params.uri === 'string') all.uri = shownUri(label, params.uri);
  if (logLevels.includes(params.level)) {
    all.logger = params.logger === undefined ? label : visible(`${label}/${params.logger}`);
  }
  return all;
}

/**
 * A row of a list in the words of hosts. Throws if it is nested too deeply.
 * @param {{label: string, name: string}} device @param {string} kind @param {any} row
 */
export function shownRow({ label, name }, kind, row) {
  const about = [row.description, row.title].find((each) => typeof each === 'string') ?? row.name;
  const description = visible(`${name.slice(0, 200)}: ${about}`);
  const all = { ...titled(label, row), name: shownName(label, row.name), description };
  if (kind === 'resources') all.uri = shownUri(label, row.uri);
  if (kind === 'resourceTemplates') all.uriTemplate = shownUri(label, row.uriTemplate);
  return all;
}
