// SPDX-License-Identifier: Apache-2.0
// Official clients of both generations as hosts of attach.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../at_end.mjs';
import { attach, within } from './support.mjs';

const folder = (name) => fileURLToPath(new URL(`../../build/${name}/`, import.meta.url));
const [v1, v2] = ['node', 'node22'].map((name) => createRequire(join(folder(name), 'package.json')));
if (!existsSync(join(folder('node22'), 'node_modules/@modelcontextprotocol/client/package.json'))) {
  console.log('skipped: the official clients are not installed (tests/run installs them)');
  process.exit(77);
}
export const types = v1('@modelcontextprotocol/sdk/types.js');
const { Client: ClientV1 } = v1('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport: TransportV1 } = v1('@modelcontextprotocol/sdk/client/stdio.js');
const { Client: ClientV2 } = v2('@modelcontextprotocol/client');
const { StdioClientTransport: TransportV2 } = v2('@modelcontextprotocol/client/stdio');
const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

/** A promise that resolves with the first value that `put` takes. */
class Inbox {
  #values = [];
  #waiting = [];

  put(value) {
    const at = this.#waiting.findIndex(({ wanted }) => wanted(value));
    if (at < 0) this.#values.push(value);
    else this.#waiting.splice(at, 1)[0].resolve(value);
  }

  next(method) {
    const wanted = (value) => value.method === method;
    const at = this.#values.findIndex(wanted);
    if (at >= 0) return Promise.resolve(this.#values.splice(at, 1)[0]);
    return within(method, new Promise((resolve) => this.#waiting.push({ wanted, resolve })));
  }
}

const form = (params, name) => (params.mode === 'url' ? undefined : Object.fromEntries(
  Object.entries(params.requestedSchema.properties).map(([key, { type }]) => [key, { boolean: true, string: name }[type] ?? 1])));

export const hosts = {
  '2025-11-25, SDK v1': (name) => {
    const client = new ClientV1({ name, version: '1' }, { capabilities });
    return { client, transport: TransportV1, schema: types, modern: false, named: (schema) => types[schema] };
  },
  '2025-11-25, SDK v2': (name) => {
    const client = new ClientV2({ name, version: '1' }, { capabilities, versionNegotiation: { mode: 'legacy' } });
    return { client, transport: TransportV2, modern: false };
  },
  '2026-07-28, SDK v2': (name) => {
    const client = new ClientV2({ name, version: '1' }, { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } });
    return { client, transport: TransportV2, modern: true };
  },
};

/**
 * Connects a host of this kind. `answer` replaces how it answers questions: it takes the parameters of an elicitation.
 * `wrapped` returns a transport in place of that of the client.
 * The host is closed after the test, as far as it was connected.
 */
export async function open(t, kind, name, env, target, answer = undefined, wrapped = (Transport) => Transport) {
  const host = { kind, name, inbox: new Inbox(), asked: [], ...hosts[kind](name) };
  const { client } = host;
  const on = (method, schema, handler) => client.setRequestHandler(host.named ? host.named(schema) : method, handler);
  on('elicitation/create', 'ElicitRequestSchema', ({ params }) => {
    host.asked.push(params.message);
    return answer?.(params) ?? { action: 'accept', ...(params.mode !== 'url' && { content: form(params, name) }) };
  });
  on('sampling/createMessage', 'CreateMessageRequestSchema', ({ params }) => {
    host.asked.push(JSON.stringify(params.messages[0].content));
    return { role: 'assistant', model: 'm', content: { type: 'text', text: `model of ${name}` } };
  });
  on('roots/list', 'ListRootsRequestSchema', () => ({ roots: [{ uri: `file:///${name}`, name }] }));
  client.fallbackNotificationHandler = async (notification) => host.inbox.put(notification);
  const args = [attach, ...target];
  atEnd(t, () => client.close());
  const Transport = wrapped(host.transport);
  await client.connect(new Transport({ command: process.execPath, args, env, stderr: 'ignore' }));
  return host;
}

export const text = (result) => result.content[0].text;
export const call = ({ client }, name, args = {}, options = {}, meta = undefined) => {
  const params = { name, arguments: args, ...(meta && { _meta: meta }) };
  return client instanceof ClientV1 ? client.callTool(params, undefined, options) : client.callTool(params, options);
};
