// SPDX-License-Identifier: Apache-2.0
// Each kind of message of a host in other texts with the same meaning: attach and the device do the same as with the plain text.
// unit.encodings does the same without attach, and with batches, which attach accepts from no host.
//
// usage: node encodings.test.mjs EVERYTHING_SERVER
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Host, environment, limitMs, meta, server } from './support.mjs';

/** A string as it is, with `\/`, with its first character as an escape, or with all of them. */
const escapes = {
  none: JSON.stringify,
  slashes: (text) => JSON.stringify(text).replaceAll('/', '\\/'),
  first: (text) => JSON.stringify(text).replace(/^"([ -~])/, (_, c) => `"${unit(c)}`),
  lower: (text) => `"${[...text].map(unit).join('')}"`,
  upper: (text) => `"${[...text].map((c) => `\\u${unit(c).slice(2).toUpperCase()}`).join('')}"`,
};
const unit = (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;

const encodings = {
  'an escape in each key': { keys: 'first' },
  'keys in lower-case digits': { keys: 'lower' },
  'keys in upper-case digits': { keys: 'upper' },
  'escaped slashes': { keys: 'slashes', values: 'slashes' },
  'an escape in each value': { values: 'first' },
  'values in lower-case digits': { values: 'lower' },
  'values in upper-case digits': { values: 'upper' },
  'white space': { space: ' \t' },
  'reverse order': { reverse: true },
  'all of it': { keys: 'upper', values: 'lower', space: ' \t', reverse: true },
};

function encode(value, encoding) {
  const { keys = 'none', values = 'none', space = '', reverse = false } = encoding;
  if (typeof value === 'string') return escapes[values](value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const join = (items, [open, close]) => `${open}${space}${items.join(`${space},${space}`)}${space}${close}`;
  if (Array.isArray(value)) return join(value.map((item) => encode(item, encoding)), '[]');
  const members = Object.entries(value).map(([key, item]) => `${escapes[keys](key)}${space}:${space}${encode(item, encoding)}`);
  return join(reverse ? members.reverse() : members, '{}');
}

const call = (id, name, args = {}, more = {}) => ({ id, method: 'tools/call', params: { name, arguments: args, ...more } });
const initialize = {
  id: 'b/1', method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo: { name: 'c/d', version: '1' } },
};
const accept = { result: { action: 'accept', content: { username: 'a/b' } } };

/** Requests, notifications, and what a form of the device gets. */
const sessionMessages = [
  initialize, { method: 'notifications/initialized' }, { id: 'p/1', method: 'ping' },
  { id: 2, method: 'tools/list' }, call(3, 'test_simple_text'), { id: 4, method: 'resources/list' },
  { id: 5, method: 'resources/templates/list' }, { id: 6, method: 'resources/read', params: { uri: 'test://static-text' } },
  { id: 7, method: 'resources/subscribe', params: { uri: 'test://watched-resource' } },
  { id: 8, method: 'prompts/list' },
  { id: 9, method: 'prompts/get', params: { name: 'test_prompt_with_arguments', arguments: { arg1: 'a/b', arg2: 'c' } } },
  { id: 10, method: 'logging/setLevel', params: { level: 'error' } }, { id: 11, method: 'x-acme/unknown' },
  { method: 'notifications/x-acme/unknown' }, { id: 12, method: 'tools/call', params: { name: 'none/such' } },
  call('e/1', 'test_elicitation', { message: 'm/n' }),
  { id: 14, method: 'ping' },
];
const statelessMessages = [
  { id: 1, method: 'server/discover' }, { id: 'l/1', method: 'tools/list' }, call(3, 'test_simple_text'),
  { id: 4, method: 'resources/read', params: { uri: 'test://static-text' } }, { id: 5, method: 'x-acme/unknown' },
].map((m) => ({ ...m, params: { ...m.params, _meta: meta() } }));
/** The responses by id, and the requests of the device, of one host that sends each message in this encoding. */
async function outcome(t, messages, encoding) {
  const host = new Host(t, environment(t), ['exec', server, '--stdio']);
  const send = (m) => host.child.stdin.write(`${encoding ? encode(m, encoding) : JSON.stringify(m)}\n`);
  const got = [];
  for (const m of messages) {
    const response = m.id !== undefined && host.response(m.id);
    send({ jsonrpc: '2.0', ...m });
    if (m.params?.name === 'test_elicitation') {
      const { id, params } = await host.next('elicitation/create');
      got.push(params);
      send({ jsonrpc: '2.0', id, ...accept });
    }
    if (response) got.push(await response);
  }
  return got;
}

/** A call that the host cancels gets no response. */
async function cancelled(t, encoding) {
  const host = new Host(t, environment(t), ['exec', server, '--stdio']);
  const send = (m) => host.child.stdin.write(`${encode({ jsonrpc: '2.0', ...m }, encoding)}\n`);
  const begun = host.response('b/1');
  send(initialize);
  await begun;
  send({ method: 'notifications/initialized' });
  send(call('e/2', 'test_elicitation', { message: 'm' }));
  const { id } = await host.next('elicitation/create');
  send({ method: 'notifications/cancelled', params: { requestId: 'e/2' } });
  await host.next('notifications/cancelled', (m) => m.params.requestId === id);
}

for (const [what, messages] of Object.entries({ sessionMessages, statelessMessages })) {
  test(`serves each encoding: ${what}`, { timeout: limitMs }, async (t) => {
    const plain = await outcome(t, messages);
    assert.ok(plain.length >= 4);
    for (const [name, encoding] of Object.entries(encodings)) assert.deepEqual(await outcome(t, messages, encoding), plain, name);
  });
}

test('cancels in each encoding', { timeout: limitMs }, async (t) => {
  for (const encoding of Object.values(encodings)) await cancelled(t, encoding);
});
