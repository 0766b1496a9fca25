// SPDX-License-Identifier: Apache-2.0
// Official clients of both generations at one device through attach, each feature with two hosts at once. Prints the
// matrix of revisions and features.
//
// usage: node official.test.mjs EVERYTHING_SERVER
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { attach, environment, limitMs, prefix, server, within } from './support.mjs';

const folder = (name) => fileURLToPath(new URL(`../../build/${name}/`, import.meta.url));
const [v1, v2] = ['node', 'node22'].map((name) => createRequire(join(folder(name), 'package.json')));
if (!existsSync(join(folder('node22'), 'node_modules/@modelcontextprotocol/client/package.json'))) {
  console.log('skipped: the official clients are not installed (tests/run installs them)');
  process.exit(77);
}
const types = v1('@modelcontextprotocol/sdk/types.js');
const { Client: ClientV1 } = v1('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport: TransportV1 } = v1('@modelcontextprotocol/sdk/client/stdio.js');
const { Client: ClientV2 } = v2('@modelcontextprotocol/client');
const { StdioClientTransport: TransportV2 } = v2('@modelcontextprotocol/client/stdio');
const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const target = ['exec', server, '--stdio'];
const watched = 'test://watched-resource';

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

const hosts = {
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

async function open(t, kind, name, env) {
  const host = { kind, name, inbox: new Inbox(), asked: [], ...hosts[kind](name) };
  const { client } = host;
  const on = (method, schema, handler) => client.setRequestHandler(host.named ? host.named(schema) : method, handler);
  on('elicitation/create', 'ElicitRequestSchema', ({ params }) => {
    host.asked.push(params.message);
    return { action: 'accept', ...(params.mode !== 'url' && { content: form(params, name) }) };
  });
  on('sampling/createMessage', 'CreateMessageRequestSchema', ({ params }) => {
    host.asked.push(JSON.stringify(params.messages[0].content));
    return { role: 'assistant', model: 'm', content: { type: 'text', text: `model of ${name}` } };
  });
  on('roots/list', 'ListRootsRequestSchema', () => ({ roots: [{ uri: `file:///${name}`, name }] }));
  client.fallbackNotificationHandler = async (notification) => host.inbox.put(notification);
  const args = [attach, ...target];
  await client.connect(new host.transport({ command: process.execPath, args, env, stderr: 'ignore' }));
  t.after(() => client.close());
  return host;
}

const text = (result) => result.content[0].text;
const call = ({ client }, name, args = {}, options = {}, meta = undefined) => {
  const params = { name, arguments: args, ...(meta && { _meta: meta }) };
  return client instanceof ClientV1 ? client.callTool(params, undefined, options) : client.callTool(params, options);
};

/** Each takes all hosts and the number of one of them, and all hosts run it at once. */
const features = {
  async tools(host) {
    const names = [];
    for (let cursor; ;) {
      const page = await host.client.listTools(cursor ? { cursor } : {});
      names.push(...page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
      if (!cursor) break;
    }
    assert.ok(names.length > 40 && names.includes('list_devices'));
    assert.equal((await call(host, 'test_structured_content')).structuredContent.celsius, 22.5);
  },
  async progress(host) {
    const seen = [];
    await call(host, 'test_tool_with_progress', {}, { onprogress: ({ progress }) => seen.push(progress) });
    assert.deepEqual(seen.filter((value, i) => value !== seen[i - 1]).slice(0, 2), [0, 50]);
  },
  async elicitation(host) {
    const message = `question for ${host.name}`;
    assert.match(text(await call(host, 'test_elicitation', { message })), new RegExp(host.name));
    assert.ok(host.asked.includes(message));
  },
  async urls(host) {
    assert.match(text(await call(host, 'test_elicitation_url')), /action=accept/);
  },
  async sampling(host) {
    assert.equal(text(await call(host, 'test_sampling', { prompt: `for ${host.name}` })), `LLM response: model of ${host.name}`);
  },
  async roots(host) {
    assert.match(text(await call(host, 'test_list_roots')), new RegExp(`file:///${host.name}`));
  },
  async prompts(host) {
    assert.ok((await host.client.getPrompt({ name: 'test_prompt_with_arguments', arguments: { arg1: 'a', arg2: 'b' } })).messages);
    assert.equal((await host.client.getPrompt({ name: 'test_input_required_result_prompt' })).messages.length, 1);
    const ref = { type: 'ref/prompt', name: 'test_prompt_with_arguments' };
    assert.ok((await host.client.complete({ ref, argument: { name: 'arg1', value: 'test' } })).completion.values.length > 0);
  },
  async resources(host) {
    assert.match((await host.client.readResource({ uri: 'test://static-text' })).contents[0].text, /static text/);
    await assert.rejects(host.client.readResource({ uri: 'test://none' }));
  },
  async logging(host) {
    const level = host.modern ? { [`${prefix}logLevel`]: 'info' } : undefined;
    if (!host.modern) await host.client.setLoggingLevel('info');
    await call(host, 'test_tool_with_logging', {}, {}, level);
    for (let i = 0; i < 3; ++i) await host.inbox.next('notifications/message');
  },
  async subscriptions(host) {
    if (host.modern) await host.client.listen({ toolsListChanged: true, resourceSubscriptions: [watched] });
    else await host.client.subscribeResource({ uri: watched });
    await call(host, 'test_update_resource');
    await host.inbox.next('notifications/resources/updated');
    await call(host, 'test_trigger_tool_change');
    await host.inbox.next('notifications/tools/list_changed');
  },
  async cancellation(host) {
    const abort = new AbortController();
    let slow;
    await new Promise((onprogress) => { slow = call(host, 'test_slow', {}, { onprogress, signal: abort.signal }); slow.catch(() => {}); });
    abort.abort('enough');
    await assert.rejects(slow);
    assert.match(text(await call(host, 'test_simple_text')), /simple text/);
  },
  async tasks(host) {
    if (host.modern) return 'the SDK has no client for the extension';
    if (!(host.client instanceof ClientV1)) return 'the SDK has no tasks';
    const stream = host.client.experimental.tasks.callToolStream({ name: 'test_task', arguments: {} }, types.CallToolResultSchema, { task: {} });
    const kinds = [];
    for await (const { type } of stream) kinds.push(type);
    assert.equal(kinds[0], 'taskCreated');
    assert.equal(kinds.at(-1), 'result');
    return undefined;
  },
  async errors(host) {
    const unknown = await call(host, 'none').catch((error) => ({ isError: true, error }));
    assert.ok(unknown.isError);
  },
};

test('serves official clients of both generations at once', { timeout: 2 * limitMs }, async (t) => {
  const env = environment(t);
  const all = await Promise.all(Object.keys(hosts).map((kind, i) => open(t, kind, `host${i}`, env)));
  const rows = [];
  for (const [feature, use] of Object.entries(features)) {
    const cells = await Promise.all(all.map(async (host) => {
      try {
        return await use(host) ?? 'ran';
      } catch (error) {
        throw new Error(`${feature}, ${host.kind}: ${error.stack}`);
      }
    }));
    rows.push([feature, ...cells]);
  }
  const others = all.map(({ name }) => name);
  for (const host of all) {
    const foreign = host.asked.filter((message) => others.some((name) => name !== host.name && message.includes(name)));
    assert.deepEqual(foreign, [], `${host.name} was asked a question for another host`);
  }
  const table = [['feature', ...Object.keys(hosts)], ...rows].map((row) => `| ${row.join(' | ')} |`);
  for (const line of table) t.diagnostic(line);
});
