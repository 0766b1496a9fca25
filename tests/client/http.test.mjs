// SPDX-License-Identifier: Apache-2.0
// Tests the parts of Streamable HTTP that other transports do not have: sessions, resumed streams, several clients.
// Source: basic/transports#streamable-http, 2025-11-25.
//
// usage: node http.test.mjs [v2] http EVERYTHING_SERVER
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callText, connectEverything, startEverything } from './everything.mjs';
import { Network } from './network.mjs';
import { limitMs, waitMs } from './support.mjs';
import { within } from '../../examples/client/session.mjs';

const uri = 'test://watched-resource';
const update = 'notifications/resources/updated';
const reconnectionOptions = {
  initialReconnectionDelay: 10, maxReconnectionDelay: 10, reconnectionDelayGrowFactor: 1, maxRetries: 5,
};
const isLost = ({ message }) => /terminated|aborted/.test(message);
const isResumption = ({ method, headers }) => method === 'GET' && headers.has('last-event-id');

/** A client whose network can be cut, of a server of its own if none is given. */
async function connectOver(t, network, { server, ...others } = {}) {
  const { url } = server ?? await startEverything(t);
  const running = { url, fetch: network.fetch, reconnectionOptions };
  return connectEverything(t, { server: running, tolerates: isLost, ...others });
}

test('DELETE ends a session', { timeout: limitMs }, async (t) => {
  const network = new Network();
  const { client, transport, server } = await connectOver(t, network, { tolerates: () => true });
  const { sessionId } = transport;
  assert.match(sessionId, /^[0-9a-f]{32}$/);
  await client.ping();
  await transport.terminateSession();
  const { status } = await network.exchange(({ method }) => method === 'DELETE');
  assert.ok(status === 200 || status === 204, `${status}`);

  // A client that still uses the id gets 404 and starts a new session.
  const headers = {
    'mcp-session-id': sessionId, 'content-type': 'application/json', accept: 'application/json, text/event-stream',
  };
  const answer = await fetch(server.url, { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' });
  assert.equal(answer.status, 404);
  await answer.text();
  const again = await connectOver(t, new Network(), { server });
  assert.notEqual(again.transport.sessionId, sessionId);
  await again.client.ping();
});

test('a client whose session has ended gets 404 and connects again', { timeout: limitMs }, async (t) => {
  const network = new Network();
  const { client, transport, server } = await connectOver(t, network, { tolerates: () => true });
  const ended = await fetch(server.url, { method: 'DELETE', headers: { 'mcp-session-id': transport.sessionId } });
  assert.ok(ended.ok);
  await assert.rejects(client.ping(), (error) => /404|Not Found|session/i.test(`${error.code} ${error.message}`));
  await network.exchange(({ status }) => status === 404);
  await client.close();
  const again = await connectOver(t, new Network(), { server });
  assert.equal(await callText(again.client, 'test_simple_text'), 'This is a simple text response for testing.');
});

test('a call continues without loss when its connection is cut', { timeout: limitMs }, async (t) => {
  const network = new Network();
  const { client } = await connectOver(t, network);
  // The call is not over before it is cut, however slow this machine is.
  network.holdBehind(/"progress":0\b/);
  const told = [];
  const text = await callText(client, 'test_tool_with_progress', undefined, {
    onprogress: ({ progress }) => {
      told.push(progress);
      if (told.length === 1) assert.equal(network.cut({ get: false }), 1);
    },
  });
  assert.equal(text, 'Tool with progress executed successfully.');
  assert.deepEqual(told, [0, 50, 100]);
  assert.equal((await network.exchange(isResumption)).status, 200);
});

test('sends a result after repeated cuts of its connection', { timeout: limitMs }, async (t) => {
  const network = new Network();
  const { client } = await connectOver(t, network);
  network.holdBehind(/"progress":/);
  const told = [];
  let cuts = 0;
  await callText(client, 'test_tool_with_progress', undefined, {
    onprogress: ({ progress }) => {
      told.push(progress);
      cuts += network.cut({ get: false }) + network.cut({ get: true });
    },
  });
  assert.deepEqual(told, [0, 50, 100]);
  assert.ok(cuts >= told.length);
});

test('accepts an input response after the connection of its call is cut', { timeout: limitMs }, async (t) => {
  const network = new Network();
  const { client } = await connectOver(t, network, {
    capabilities: { elicitation: {} },
    answers: {
      'elicitation/create': () => {
        assert.equal(network.cut({ get: false }), 1);
        return { action: 'accept', content: { username: 'a', email: 'b' } };
      },
    },
  });
  assert.equal(await callText(client, 'test_elicitation', { message: 'Who?' }),
    'User response: action=accept, content={"username":"a","email":"b"}');
});

test('the client gets the result after the server closed the connection', { timeout: limitMs }, async (t) => {
  const network = new Network();
  const { client } = await connectOver(t, network);
  assert.equal(await callText(client, 'test_reconnection'), 'Reconnection test completed successfully.');
  assert.ok(network.exchanges.some(isResumption));
});

test('sends changes after the standalone stream was cut', { timeout: limitMs }, async (t) => {
  const network = new Network();
  const { client, inbox } = await connectOver(t, network);
  await network.exchange(({ method }) => method === 'GET');
  await client.subscribeResource({ uri });
  await callText(client, 'test_update_resource');
  assert.deepEqual(await inbox.next(update), { uri });

  assert.equal(network.cut({ get: true }), 1);
  await callText(client, 'test_update_resource');
  assert.deepEqual(await inbox.next(update), { uri });
  assert.equal((await network.exchange(isResumption)).status, 200);
  assert.deepEqual(inbox.unread(update), []);
});

test('sends no client the messages of another', { timeout: limitMs }, async (t) => {
  const server = await startEverything(t);
  const connections = [];
  for (const name of ['first', 'second']) {
    const asked = [];
    const connection = await connectEverything(t, {
      server,
      capabilities: { sampling: {}, roots: {} },
      answers: {
        'sampling/createMessage': ({ messages }) => {
          asked.push(messages[0].content.text);
          return { role: 'assistant', model: 'm', content: { type: 'text', text: name } };
        },
        'roots/list': () => ({ roots: [{ uri: `file:///${name}` }] }),
      },
    });
    connections.push({ ...connection, name, asked });
  }
  const [first, second] = connections;
  assert.notEqual(first.transport.sessionId, second.transport.sessionId);

  // Both at once, with the same ids and the same progress tokens.
  await Promise.all(connections.map(async ({ client, name }) => {
    const told = [];
    await callText(client, 'test_tool_with_progress', undefined, { onprogress: ({ progress }) => told.push(progress) });
    assert.deepEqual(told, [0, 50, 100]);
    assert.equal(await callText(client, 'test_sampling', { prompt: `of ${name}` }), `LLM response: ${name}`);
    assert.equal(await callText(client, 'test_list_roots'), `file:///${name} `);
  }));
  for (const { name, asked } of connections) assert.deepEqual(asked, [`of ${name}`]);

  // The client that subscribes later gets only later notifications: this is its first one.
  await first.client.subscribeResource({ uri });
  await callText(second.client, 'test_update_resource');
  assert.deepEqual(await first.inbox.next(update), { uri });
  await second.client.subscribeResource({ uri });
  await first.client.unsubscribeResource({ uri });
  await callText(first.client, 'test_update_resource');
  assert.deepEqual(await second.inbox.next(update), { uri });
  await first.client.subscribeResource({ uri });
  await callText(second.client, 'test_update_resource');
  for (const { inbox } of connections) {
    assert.deepEqual(await inbox.next(update), { uri });
    assert.deepEqual(inbox.unread(update), []);
  }
});

test('ending a session ends no other session', { timeout: limitMs }, async (t) => {
  const server = await startEverything(t);
  const [staying, leaving] = [await connectEverything(t, { server }), await connectEverything(t, { server })];
  const running = new Promise((resolve, reject) => {
    callText(staying.client, 'test_tool_with_progress', undefined, {
      onprogress: ({ progress }) => { if (progress === 0) leaving.transport.terminateSession().catch(reject); },
    }).then(resolve, reject);
  });
  await within(waitMs, 'answer', running);
  await staying.client.ping();
});
