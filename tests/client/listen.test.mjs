// SPDX-License-Identifier: Apache-2.0
// Subscriptions of stateless clients (subscriptions/listen, 2026-07-28), on the wire of a session: bare lines, because
// the official client of these tests does not support this revision.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertServes, command, kind, limitMs, Lines } from './support.mjs';

const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';
const claim = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

async function start(t) {
  const [program, ...args] = command;
  const lines = new Lines(t, { command: program, args: kind === 'board' ? args : ['--stdio'] });
  await lines.initialize();
  return lines;
}

const stateless = (lines, id, method, params = {}) => lines.request(id, method, { ...params, _meta: claim });

const newsOf = ({ method, params }) => `${method} ${params?._meta?.[subscriptionKey] ?? 'session'}`;

test('notifies a stateless client and a session of the same changes', { timeout: limitMs }, async (t) => {
  const lines = await start(t);
  const uri = 'test://watched-resource';
  const acknowledgement = await stateless(lines, 'listen', 'subscriptions/listen', {
    notifications: { toolsListChanged: true, resourceSubscriptions: [uri, 'test://static-text'] },
  });
  assert.equal(acknowledgement.method, 'notifications/subscriptions/acknowledged');
  assert.deepEqual(acknowledgement.params, {
    notifications: { toolsListChanged: true, resourceSubscriptions: [uri] }, _meta: { [subscriptionKey]: 'listen' },
  });
  assert.deepEqual((await lines.request(1, 'resources/subscribe', { uri })).result, {});

  const calls = [
    ['test_trigger_tool_change', ['notifications/tools/list_changed listen', 'notifications/tools/list_changed session']],
    ['test_trigger_prompt_change', ['notifications/prompts/list_changed session']],
    ['test_update_resource', ['notifications/resources/updated listen', 'notifications/resources/updated session']],
  ];
  for (const [index, [name, news]] of calls.entries()) {
    const call = await lines.request(`call ${index}`, 'tools/call', { name, arguments: {} });
    assert.ok(!call.result.isError, JSON.stringify(call));
    const came = [];
    while (came.length < news.length) came.push(newsOf(await lines.message()));
    assert.deepEqual(came.sort(), news);
  }

  await lines.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'listen' } });
  await lines.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'test_trigger_tool_change' } });
  assert.ok((await lines.message()).result);
  assert.equal(newsOf(await lines.message()), 'notifications/tools/list_changed session');
  await assertServes(lines);
});
