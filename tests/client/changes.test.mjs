// SPDX-License-Identifier: Apache-2.0
// Lists and resources that change while a client is connected (spec: server/tools, server/resources, server/prompts).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callText, connectEverything, listAll } from './everything.mjs';
import { command, library, limitMs, rejected } from './support.mjs';

const switched = {
  tool: {
    list: (client) => listAll((params) => client.listTools(params), 'tools'),
    use: (client) => client.callTool({ name: 'test_switched_tool' }),
    notification: 'notifications/tools/list_changed',
    code: -32602,
  },
  resource: {
    list: (client) => listAll((params) => client.listResources(params), 'resources'),
    use: (client) => client.readResource({ uri: 'test://switched' }),
    notification: 'notifications/resources/list_changed',
    code: library.notFound,
  },
  prompt: {
    list: (client) => listAll((params) => client.listPrompts(params), 'prompts'),
    use: (client) => client.getPrompt({ name: 'test_switched_prompt' }),
    notification: 'notifications/prompts/list_changed',
    code: -32602,
  },
};
for (const [what, { list, use, notification, code }] of Object.entries(switched)) {
  test(`hides a disabled ${what} and lists it again when enabled`, { timeout: limitMs }, async (t) => {
    const { client, inbox } = await connectEverything(t);
    const before = await list(client);
    await use(client);

    await callText(client, 'test_set_enabled', { what, enabled: false });
    await inbox.next(notification);
    const without = await list(client);
    assert.equal(without.length, before.length - 1);
    assert.ok(!without.some(({ name }) => name.includes('switched')));
    assert.equal((await rejected(use(client))).code, code);

    await callText(client, 'test_set_enabled', { what, enabled: true });
    await inbox.next(notification);
    assert.deepEqual(await list(client), before);
    await use(client);

    // Already in this state: the server sends no notification.
    await callText(client, 'test_set_enabled', { what, enabled: true });
    await client.ping();
    assert.deepEqual(inbox.unread(notification), []);
  });
}

// It reads the first page, which is short on a board.
const shortPage = command.length > 1 && 'the tool is on another page';
test('the client keeps its list up to date', { timeout: limitMs, skip: shortPage }, async (t) => {
  let told;
  const onChanged = (error, tools) => told(error ?? tools.map(({ name }) => name));
  const { client } = await connectEverything(t, {
    options: { listChanged: { tools: { autoRefresh: true, debounceMs: 0, onChanged } } },
  });
  for (const enabled of [false, true]) {
    const refreshed = new Promise((resolve) => { told = resolve; });
    await callText(client, 'test_set_enabled', { what: 'tool', enabled });
    assert.equal((await refreshed).includes('test_switched_tool'), enabled);
  }
});

test('reads resources as text, bytes and by template', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t);
  const read = async (uri) => (await client.readResource({ uri })).contents;
  assert.deepEqual(await read('test://static-text'), [{
    uri: 'test://static-text', mimeType: 'text/plain', text: 'This is the content of the static text resource.',
  }]);
  const [binary] = await read('test://static-binary');
  assert.equal(binary.mimeType, 'image/png');
  assert.equal(Buffer.from(binary.blob, 'base64').length, 70);
  const [data] = await read('test://template/123/data');
  assert.equal(data.uri, 'test://template/123/data');
  assert.equal(data.mimeType, 'application/json');
  assert.deepEqual(JSON.parse(data.text), { id: '123', templateTest: true, data: 'Data for ID: 123' });
  assert.deepEqual(JSON.parse((await read('test://template/a%22b/data'))[0].text).id, 'a"b');
  const { resources } = await client.listResources();
  const { size, annotations } = resources.find(({ uri }) => uri === 'test://static-binary');
  assert.equal(size, 70);
  assert.deepEqual(annotations, { audience: ['user'], priority: 0.5 });
});

test('streams a body larger than the transmit buffer and serves others', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t);
  const large = Array.from({ length: 1000 }, (_, index) => `line ${String(index).padStart(3, '0')}\n\n`).join('');
  const [first, pong, second] = await Promise.all([
    client.readResource({ uri: 'test://large' }), client.ping(), client.readResource({ uri: 'test://large' }),
  ]);
  assert.deepEqual(first.contents, [{ uri: 'test://large', mimeType: 'text/plain', text: large }]);
  assert.deepEqual(second, first);
  assert.deepEqual(pong, {});
});

test('notifies only subscribers of a change', { timeout: limitMs }, async (t) => {
  const { client, inbox } = await connectEverything(t);
  const uri = 'test://watched-resource';
  const update = 'notifications/resources/updated';
  const text = async () => (await client.readResource({ uri })).contents[0].text;
  await callText(client, 'test_update_resource');
  await client.ping();
  assert.deepEqual(inbox.unread(update), []);

  assert.deepEqual(await client.subscribeResource({ uri }), {});
  await callText(client, 'test_update_resource');
  assert.deepEqual(await inbox.next(update), { uri });
  assert.equal(await text(), 'Updated 2 times.');

  assert.deepEqual(await client.unsubscribeResource({ uri }), {});
  await callText(client, 'test_update_resource');
  await client.ping();
  assert.deepEqual(inbox.unread(update), []);
  assert.equal(await text(), 'Updated 3 times.');
});
