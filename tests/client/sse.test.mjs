// SPDX-License-Identifier: Apache-2.0
// Tests of HTTP+SSE alone: the path to post to, sessions, and their end (spec: basic/transports of 2024-11-05). The
// other files with `sse` test the rest.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { callText, connectEverything, startSse } from './everything.mjs';
import { atEnd, limitMs, waitMs } from './support.mjs';
import { sdk, within } from '../../examples/client/session.mjs';

const { Client } = sdk('client/index.js');
const { SSEClientTransport } = sdk('client/sse.js');

/** A client of a server that runs already, and where it posts. It ends with the test `t`. */
async function connectTo(t, url) {
  const client = new Client({ name: 'mote-tests', version: '0.1.0' });
  const transport = new SSEClientTransport(url);
  atEnd(t, () => client.close());
  await client.connect(transport);
  return { client, target: transport._endpoint };
}

const post = (target) => fetch(target, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
});

test('serves lists, calls with progress, sampling and elicitation', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t, {
    capabilities: { sampling: {}, elicitation: {} },
    answers: {
      'sampling/createMessage': () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'Yes.' } }),
      'elicitation/create': () => ({ action: 'decline' }),
    },
  });
  assert.ok((await client.listTools()).tools.length > 1);
  assert.ok((await client.listResources()).resources.length > 1);
  assert.ok((await client.listPrompts()).prompts.length > 1);
  const told = [];
  await callText(client, 'test_tool_with_progress', undefined, { onprogress: ({ progress }) => told.push(progress) });
  assert.deepEqual(told, [0, 50, 100]);
  assert.equal(await callText(client, 'test_sampling', { prompt: 'Well?' }), 'LLM response: Yes.');
  assert.equal(await callText(client, 'test_elicitation', { message: 'Who?' }),
    'User response: action=decline, content={}');
});

test('sends two clients their own results', { timeout: limitMs }, async (t) => {
  const url = await startSse(t);
  const [a, b] = await Promise.all([connectTo(t, url), connectTo(t, url)]);
  assert.notEqual(a.target.href, b.target.href);
  const calls = [a, b].map(({ client }) => {
    const told = [];
    return callText(client, 'test_tool_with_progress', undefined, { onprogress: ({ progress }) => told.push(progress) })
      .then(() => told);
  });
  // The SDK drops a notification that comes in one read with the result.
  for (const told of await Promise.all(calls)) assert.deepEqual([...told.slice(0, 2), 100], [0, 50, 100]);
});

test('closing the stream ends the session', { timeout: limitMs }, async (t) => {
  const url = await startSse(t);
  const socket = connect({ host: url.hostname, port: url.port });
  atEnd(t, () => socket.destroy());
  socket.write(`GET /sse HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
  let text = '';
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    text += piece;
    if (/\ndata: .*\n\n/.test(text)) break;
  }
  const target = new URL(/\ndata: (.*)\n/.exec(text)[1], url);
  assert.equal((await post(target)).status, 202);
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.destroy();
  await within(waitMs, 'end of the connection', closed);
  // The server sees this end before a request that is sent after it.
  assert.equal((await post(target)).status, 404);
});

test('rejects Streamable HTTP so that a client falls back', { timeout: limitMs }, async (t) => {
  const url = await startSse(t);
  const answer = await post(url);
  assert.equal(answer.status, 405);
  assert.equal(answer.headers.get('allow'), 'GET, OPTIONS');
  const { client } = await connectTo(t, url);
  await client.ping();
});
