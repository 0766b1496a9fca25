// SPDX-License-Identifier: Apache-2.0
// A device with Streamable HTTP, for hosts that speak stdio only.
//
// usage: node http.test.mjs EVERYTHING_SERVER
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { startHttp } from '../../examples/client/http.mjs';
import { environment, Host, limitMs, meta, prefix, server } from './support.mjs';

const watched = 'test://watched-resource';
const updated = 'notifications/resources/updated';

async function start(t) {
  const process = await startHttp(server, ['--port', '0']);
  t.after(() => process.end());
  return process;
}

test('serves two hosts of both eras', { timeout: limitMs }, async (t) => {
  const env = environment(t);
  const target = ['http', String((await start(t)).url)];
  const [a, b] = [new Host(t, env, target), new Host(t, env, target)];
  await a.initialize({ elicitation: {} });
  assert.equal(await b.tool('test_simple_text', {}, { _meta: meta() }), 'This is a simple text response for testing.');
  await a.result('resources/subscribe', { uri: watched });
  b.begin('subscriptions/listen', { notifications: { resourceSubscriptions: [watched] }, _meta: meta() }).response.catch(() => {});
  await b.next('notifications/subscriptions/acknowledged');
  await b.tool('test_update_resource', {}, { _meta: meta() });
  await Promise.all([a, b].map((host) => host.next(updated)));
  const call = a.tool('test_elicitation', { message: 'who?' });
  const asked = await a.next('elicitation/create');
  a.send({ id: asked.id, result: { action: 'accept', content: { username: 'ann', email: 'a@b.cd' } } });
  assert.match(await call, /ann/);
  const progress = b.begin('tools/call', { name: 'test_tool_with_progress', arguments: {}, _meta: meta({ progressToken: 3 }) });
  assert.ok((await progress.response).result);
  assert.deepEqual(b.unread('notifications/progress').map(({ params }) => params.progress), [0, 50, 100]);
  const slow = b.begin('tools/call', { name: 'test_slow', arguments: {}, _meta: meta({ progressToken: 4 }) });
  slow.response.catch(() => {});
  await b.next('notifications/progress', ({ params }) => params.progressToken === 4);
  b.send({ method: 'notifications/cancelled', params: { requestId: slow.id } });
  assert.equal(await b.tool('test_simple_text', {}, { _meta: meta() }), 'This is a simple text response for testing.');
});

test('sends parameters of tools as headers where the tool wants it', { timeout: limitMs }, async (t) => {
  const host = new Host(t, environment(t), ['http', String((await start(t)).url)]);
  const tools = [];
  for (let cursor; ;) {
    const page = await host.result('tools/list', { ...(cursor && { cursor }), _meta: meta() });
    tools.push(...page.tools);
    cursor = page.nextCursor;
    if (!cursor) break;
  }
  const { inputSchema } = tools.find(({ name }) => name === 'test_headers');
  const args = Object.fromEntries(Object.entries(inputSchema.properties).map(([name, { type }]) => (
    [name, { string: 'grün', integer: 7, number: 1.5, boolean: true }[type]])));
  const result = await host.result('tools/call', { name: 'test_headers', arguments: args, _meta: meta() });
  assert.ok(!result.isError, JSON.stringify(result));
});

test('opens the device again after it was gone', { timeout: limitMs }, async (t) => {
  const first = await startHttp(server, ['--port', '0']);
  const host = new Host(t, environment(t), ['http', String(first.url)]);
  await host.initialize();
  await host.result('resources/subscribe', { uri: watched });
  const slow = host.begin('tools/call', { name: 'test_slow', arguments: {}, _meta: { progressToken: 1 } });
  await host.next('notifications/progress');
  await first.end();
  assert.match((await slow.response).error.message, /lost/);
  const second = await startHttp(server, ['--port', new URL(first.url).port]);
  t.after(() => second.end());
  await host.next(updated);
  assert.equal(await host.tool('test_simple_text'), 'This is a simple text response for testing.');
});

test('sends the token of its file, also after a rotation, and passes a rejection on', { timeout: limitMs }, async (t) => {
  const tokens = [];
  let status = 200;
  const fake = createServer((request, response) => {
    if (request.method !== 'POST') return response.end();
    tokens.push(request.headers.authorization);
    let body = '';
    request.on('data', (data) => { body += data; });
    request.on('end', () => {
      const { id } = JSON.parse(body);
      const result = {
        resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {}, ttlMs: 0, cacheScope: 'private',
        _meta: { [`${prefix}serverInfo`]: { name: 'fake', version: '1' } },
      };
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(status === 200 ? JSON.stringify({ jsonrpc: '2.0', id, result }) : 'Forbidden: Host');
    });
  });
  await new Promise((resolve) => fake.listen(0, '127.0.0.1', resolve));
  t.after(() => fake.close());
  t.after(() => fake.closeAllConnections());
  const env = environment(t);
  const file = join(env.XDG_RUNTIME_DIR, 'token');
  writeFileSync(file, 'first\n');
  const url = `http://127.0.0.1:${fake.address().port}/mcp`;
  const host = new Host(t, env, ['http', url, '--token-file', file, '--plain']);
  await host.result('prompts/list', { _meta: meta() });
  writeFileSync(file, 'second\n');
  await host.result('prompts/list', { _meta: meta() });
  assert.equal(tokens[0], 'Bearer first');
  assert.equal(tokens.at(-1), 'Bearer second');
  status = 403;
  const { error } = await host.request('prompts/list', { _meta: meta() });
  assert.match(error.message, /HTTP 403 Forbidden: Host/);
});
