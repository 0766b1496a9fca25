// SPDX-License-Identifier: Apache-2.0
// The official client of the second generation in each way that it negotiates: with `initialize` (legacy), by asking
// first what the server speaks (auto), and with revision 2026-07-28 alone (pin). And clients of both eras at once.
//
// usage: node eras.test.mjs v2 host|http BINARY
//        node eras.test.mjs v2 board|http EMULATE BOARD IMAGE
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { clientLibrary, openSession, within } from '../../examples/client/session.mjs';
import { callFailure, callText, connectEverything, listAll, startEverything } from './everything.mjs';
import { Network } from './network.mjs';
import { assertBound, stackOf } from './stack.mjs';
import { atEnd, cannotAsk, command, kind, library, limitMs, rejected, waitMs } from './support.mjs';

const newest = '2026-07-28';
const modes = [
  { mode: 'legacy', era: 'legacy', version: '2025-11-25' },
  { mode: 'auto', era: 'modern', version: newest },
  { mode: { pin: newest }, era: 'modern', version: newest },
];
const nameOf = (mode) => (typeof mode === 'string' ? mode : 'pin');
const callsAtOnce = 21;  // more than any of the servers has slots for

// Over stdio, a client that negotiates automatically starts the command twice; a shell counts the starts. Over HTTP,
// `network` is the path between client and server.
async function connect(t, mode, options = {}) {
  const server = { ...(options.server ?? (kind === 'http' ? await startEverything(t) : spawned(t))) };
  const network = new Network();
  if (server.url) server.fetch = network.fetch;
  // Streams that end with their calls are errors to this client.
  const connection = await connectEverything(t, {
    ...options, server, options: { versionNegotiation: { mode } }, tolerates: () => Boolean(server.url),
  });
  return { ...connection, network };
}

function spawned(t) {
  const folder = mkdtempSync(join(tmpdir(), 'mote-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const log = join(folder, 'started');
  const args = kind === 'host' ? [command[0], '--stdio'] : command;
  return { command: 'sh', args: ['-c', 'echo started >>"$0"; exec "$@"', log, ...args], starts: () =>
    readFileSync(log, 'utf8').split('\n').length - 1 };
}

const filledIn = { username: 'Ann', email: 'a@b.c', name: 'Ann', color: 'red', ok: true };
const answers = {
  'elicitation/create': ({ requestedSchema }) => ({ action: 'accept', content: Object.fromEntries(
    Object.keys(requestedSchema.properties).map((name) => [name, filledIn[name]])) }),
  'roots/list': () => ({ roots: [{ uri: 'file:///a', name: 'a' }] }),
  'sampling/createMessage': () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'Paris' } }),
};
const capabilities = { elicitation: { form: {} }, roots: {}, sampling: {} };

const lists = {
  tools: (client) => (params) => client.listTools(params), prompts: (client) => (params) => client.listPrompts(params),
  resources: (client) => (params) => client.listResources(params),
  resourceTemplates: (client) => (params) => client.listResourceTemplates(params),
};
let legacyNames;

for (const { mode, era, version } of modes) {
  const way = nameOf(mode);

  test(`${way}: negotiates the era and lists all features`, { timeout: limitMs }, async (t) => {
    const { client, server } = await connect(t, mode);
    assert.equal(client.getProtocolEra(), era);
    assert.equal(client.getNegotiatedProtocolVersion(), version);
    assert.ok(client.getServerCapabilities().tools);
    const names = {};
    for (const [key, list] of Object.entries(lists)) {
      names[key] = (await listAll(list(client), key)).map((item) => item.uri ?? item.uriTemplate ?? item.name);
      assert.ok(names[key].length > 0, key);
    }
    if (server.starts) assert.equal(server.starts(), way === 'legacy' ? 1 : 2);
    legacyNames ??= names;
    assert.deepEqual(names, legacyNames);  // the same for all clients, in the same order
  });

  test(`${way}: serves calls, reads, prompts and completions`, { timeout: limitMs }, async (t) => {
    const { client } = await connect(t, mode);
    assert.equal(await callText(client, 'test_simple_text'), 'This is a simple text response for testing.');
    await callFailure(client, 'test_error_handling');
    const { contents } = await client.readResource({ uri: 'test://static-text' });
    assert.equal(contents[0].uri, 'test://static-text');
    const { messages } = await client.getPrompt({
      name: 'test_prompt_with_arguments', arguments: { arg1: 'one', arg2: 'two' } });
    assert.match(messages[0].content.text, /one.*two/);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' }, argument: { name: 'arg1', value: '' } });
    assert.ok(Array.isArray(completion.values));
    assert.equal(await callText(client, 'test_headers', { region: 'Bärlin', priority: 5, urgent: true }),
      'Done in Bärlin.');
  });

  test(`${way}: sends progress`, { timeout: limitMs }, async (t) => {
    const { client } = await connect(t, mode);
    const told = [];
    await callText(client, 'test_tool_with_progress', undefined, { onprogress: (news) => told.push(news.progress) });
    assert.deepEqual(told, [0, 50, 100]);
  });

  test(`${way}: sends input requests to the handlers of the client`, { timeout: limitMs }, async (t) => {
    const { client } = await connect(t, mode, { capabilities, answers });
    assert.match(await callText(client, 'test_elicitation', { message: 'Who?' }), /action=accept.*"username":"Ann"/);
    assert.equal(await callText(client, 'test_sampling', { prompt: 'Where?' }), 'LLM response: Paris');
    assert.match(await callText(client, 'test_list_roots'), /file:\/\/\/a/);
  });

  test(`${way}: sends no input request to a client without capabilities`, { timeout: limitMs }, async (t) => {
    const { client } = await connect(t, mode);
    assert.equal(await callFailure(client, 'test_elicitation', { message: 'Who?' }), cannotAsk);
  });

  test(`${way}: returns errors`, { timeout: limitMs }, async (t) => {
    const { client } = await connect(t, mode);
    assert.equal((await rejected(client.callTool({ name: 'none' }))).code, -32602);
    assert.equal((await rejected(client.getPrompt({ name: 'none' }))).code, -32602);
    assert.equal((await rejected(client.readResource({ uri: 'test://none' }))).code, library.notFound);
  });

  test(`${way}: a cancelled call releases its slot`, { timeout: limitMs }, async (t) => {
    const { client } = await connect(t, mode);
    for (let i = 0; i < callsAtOnce; ++i) {
      const abort = new AbortController();
      const begun = Promise.withResolvers();
      const call = client.callTool({ name: 'test_slow' }, undefined, { onprogress: begun.resolve, signal: abort.signal });
      call.catch(begun.reject);
      await within(waitMs, `begin of call ${i}`, begun.promise);
      abort.abort();
      await assert.rejects(call);
      assert.ok(await callText(client, 'test_simple_text'));
    }
  });
}

for (const { mode, era } of modes.filter(({ era: which }) => which === 'modern')) {
  const way = nameOf(mode);

  test(`${way}: sends URLs that the user opens`, { timeout: limitMs }, async (t) => {
    const opened = [];
    const { client } = await connect(t, mode, {
      capabilities: { elicitation: { url: {} } },
      answers: {
        'elicitation/create': async ({ url }) => {
          opened.push(url);
          if (url.endsWith('sign-in')) assert.equal(await callText(client, 'test_sign_in'), 'Signed in.');
          return { action: 'accept' };
        },
      },
    });
    for (let i = 0; i < 4; ++i) {
      assert.equal(await callText(client, 'test_elicitation_url'),
        'URL elicitation completed: action=accept, content={}');
      assert.equal(await callText(client, 'test_url_required'), 'You were signed in.');
    }
    const both = ['https://example.com/confirm', 'https://example.com/sign-in'];
    assert.deepEqual(opened, [...both, ...both, ...both, ...both]);
  });

  test(`${way}: ends multi round-trip requests with a result or an error`, { timeout: limitMs }, async (t) => {
    const { client, server } = await connect(t, mode, { capabilities, answers });
    for (const name of ['elicitation', 'sampling', 'list_roots', 'multiple_inputs', 'multi_round']) {
      const result = await client.callTool({ name: `test_input_required_result_${name}` });
      assert.ok(!result.isError && result.content.length > 0, `${name}: ${JSON.stringify(result)}`);
    }
    assert.equal(client.getProtocolEra(), era);
    if (!server.deepestStack) return;
    // What is read comes from far below: the deepest that a call goes.
    const stack = stackOf(command[2]);
    const deepest = await within(waitMs, 'answer of the emulator', server.deepestStack(stack.reserved));
    assertBound(t, deepest, stack);
    assert.ok(deepest >= stack.reserved / 4, `${deepest} bytes`);
  });

  test(`${way}: sends changes until the stream is closed`, { timeout: limitMs }, async (t) => {
    const { client, inbox } = await connect(t, mode);
    const uri = 'test://watched-resource';
    const subscription = await client.listen({
      toolsListChanged: true, resourceSubscriptions: [uri, 'test://static-text'] });
    assert.deepEqual(subscription.honoredFilter, { toolsListChanged: true, resourceSubscriptions: [uri] });
    for (let i = 0; i < 3; ++i) {
      await callText(client, 'test_trigger_tool_change');
      await inbox.next('notifications/tools/list_changed');
      await callText(client, 'test_update_resource');
      assert.equal((await inbox.next('notifications/resources/updated')).uri, uri);
    }
    await callText(client, 'test_trigger_prompt_change');  // not in the filter
    await subscription.close();
    assert.equal(await subscription.closed, 'local');
    await callText(client, 'test_trigger_tool_change');

    // Its place is free again: there are two.
    const others = [];
    for (let i = 0; i < 2; ++i) others.push(await client.listen({ promptsListChanged: true }));
    await callText(client, 'test_trigger_prompt_change');
    await inbox.next('notifications/prompts/list_changed');
    assert.deepEqual(inbox.unread('notifications/tools/list_changed'), []);
    for (const other of others) await other.close();
  });
}

const isOverHttp = kind === 'http' ? {} : { skip: 'over HTTP alone' };

test('opens no session for a stateless client', { timeout: limitMs, ...isOverHttp }, async (t) => {
  const { client, network } = await connect(t, { pin: newest });
  await callText(client, 'test_simple_text');
  await client.listTools();
  assert.ok(network.exchanges.length >= 3);
  for (const { method, headers, status } of network.exchanges) {
    assert.equal(method, 'POST');
    assert.equal(status, 200);
    assert.equal(headers.get('mcp-session-id'), null);
    assert.equal(headers.get('mcp-protocol-version'), newest);
  }
});

// A request as in a conformance suite: bare, with the usual id.
async function raw(url, method, params = {}, headers = {}, id = 1) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json', Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': newest, 'Mcp-Method': method, ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: {
      'io.modelcontextprotocol/protocolVersion': newest, 'io.modelcontextprotocol/clientCapabilities': {}, ...params._meta,
    } } }),
  });
  const text = await response.text();
  const messages = response.headers.get('content-type').startsWith('text/event-stream')
    ? text.split('\n\n').filter(Boolean).map((event) => JSON.parse(event.replace(/^data: /, ''))) : [JSON.parse(text)];
  return { status: response.status, messages, answer: messages.at(-1), session: response.headers.get('mcp-session-id') };
}

test('serves both eras at once in one process', { timeout: limitMs, ...isOverHttp }, async (t) => {
  const server = await startEverything(t);
  const legacy = await connect(t, 'legacy', { server, capabilities, answers });
  const pinned = await connect(t, { pin: newest }, { server, capabilities, answers });
  assert.equal(legacy.client.getProtocolEra(), 'legacy');
  assert.equal(pinned.client.getProtocolEra(), 'modern');
  const url = String(server.url);
  const uri = 'test://watched-resource';
  await legacy.client.subscribeResource({ uri });
  const subscription = await pinned.client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] });

  // Two calls at the same time that take a while: more no board has slots for.
  const told = [];
  const headers = { 'Mcp-Name': 'test_tool_with_progress', 'Mcp-Session-Id': 'of nobody' };
  const [ofLegacy, ofPinned, ofRaw] = await Promise.all([
    callText(legacy.client, 'test_tool_with_progress', undefined, { onprogress: (news) => told.push(news) }),
    pinned.client.readResource({ uri: 'test://static-text' }),
    raw(url, 'tools/call', { name: 'test_tool_with_progress', _meta: { progressToken: 'p' } }, headers),
  ]);
  assert.match(ofLegacy, /successfully/);
  assert.equal(told.length, 3);
  assert.equal(ofPinned.contents.length, 1);
  assert.equal(ofRaw.status, 200);
  assert.equal(ofRaw.session, null);
  assert.deepEqual(ofRaw.messages.map(({ method }) => method ?? 'answer'), [
    ...Array(3).fill('notifications/progress'), 'answer']);
  assert.equal(ofRaw.answer.result.resultType, 'complete');
  assert.equal(await callText(pinned.client, 'test_sampling', { prompt: 'Where?' }), 'LLM response: Paris');
  assert.match(await callText(legacy.client, 'test_elicitation', { message: 'Who?' }), /action=accept/);

  // Each client gets the notification in the form of its era.
  await raw(url, 'tools/call', { name: 'test_update_resource' }, { 'Mcp-Name': 'test_update_resource' });
  await callText(legacy.client, 'test_trigger_tool_change');
  for (const { inbox } of [legacy, pinned]) {
    assert.equal((await inbox.next('notifications/resources/updated')).uri, uri);
    await inbox.next('notifications/tools/list_changed');
  }

  // An error of one client does not affect the others.
  const wrong = [
    ['ping', {}, {}, 404, -32601], ['tools/list', {}, { 'Mcp-Method': 'tools/call' }, 400, -32020],
    ['tools/list', {}, { 'MCP-Protocol-Version': '2025-11-25' }, 400, -32020],
    ['tools/call', { name: 'test_missing_capability' }, { 'Mcp-Name': 'test_missing_capability' }, 400, -32021],
  ];
  for (const [method, params, more, status, code] of wrong) {
    const refused = await raw(url, method, params, more);
    assert.deepEqual([refused.status, refused.answer.error?.code], [status, code], `${method}: ${JSON.stringify(refused)}`);
  }
  assert.deepEqual((await raw(url, 'server/discover')).answer.result.supportedVersions, [newest]);

  // The client of SDK v1 has the legacy era, too. Its session ends without ending others.
  const first = await openSession({ url: server.url }, undefined, clientLibrary());
  atEnd(t, () => first.close());
  assert.ok((await first.client.listTools()).tools.length > 0);
  await subscription.close();
  await legacy.client.ping();
  assert.ok(await callText(pinned.client, 'test_simple_text'));
});
