// SPDX-License-Identifier: Apache-2.0
// The client's model and the client's roots (spec: client/sampling, client/roots).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callFailure, callText, connectEverything } from './everything.mjs';
import { cannotAsk, library, limitMs } from './support.mjs';

const say = (text) => ({ role: 'assistant', model: 'test-model', stopReason: 'endTurn', content: { type: 'text', text } });

/** A client with a model, and what it was asked. */
async function connectModel(t, sampling, answer) {
  const asked = [];
  const connection = await connectEverything(t, {
    capabilities: { sampling },
    answers: { 'sampling/createMessage': (params) => (asked.push(params), answer(params)) },
  });
  return { ...connection, asked };
}

test('returns the response of a model to the tool', { timeout: limitMs }, async (t) => {
  const { client, asked } = await connectModel(t, {}, () => say('This is a "test" response.\nFrom the client €'));
  assert.equal(await callText(client, 'test_sampling', { prompt: 'Are you "there"?' }),
    'LLM response: This is a "test" response.\nFrom the client €');
  assert.deepEqual(asked, [{
    messages: [{ role: 'user', content: { type: 'text', text: 'Are you "there"?' } }], maxTokens: 100,
  }]);
});

test('passes a rejection by the user to the tool', { timeout: limitMs }, async (t) => {
  const { client } = await connectModel(t, {}, () => { throw new library.McpError(-1, 'User rejected sampling request'); });
  assert.equal(await callFailure(client, 'test_sampling', { prompt: 'x' }),
    'The client sent the error -1 instead of an input response. Tell the user before you call again.');
});

const use = { type: 'tool_use', id: 'use-1', name: 'get_weather', input: { city: 'Paris' } };

for (const content of [[{ type: 'text', text: 'I look.' }, use], use]) {
  const form = Array.isArray(content) ? 'in a list of content' : 'alone';
  test(`lets a model use a tool (${form})`, { timeout: limitMs }, async (t) => {
    const { client, asked } = await connectModel(t, { tools: {} }, ({ messages }) => (messages.length === 1
      ? { role: 'assistant', model: 'test-model', stopReason: 'toolUse', content }
      : say('It rains.')));
    assert.equal(await callText(client, 'test_sampling_with_tools'), 'LLM response: It rains.');
    const question = { role: 'user', content: { type: 'text', text: 'What is the weather in Paris?' } };
    assert.equal(asked.length, 2);
    assert.deepEqual(asked[0].messages, [question]);
    assert.deepEqual(asked[0].toolChoice, { mode: 'auto' });
    assert.deepEqual(asked[0].tools.map(({ name }) => name), ['get_weather']);
    assert.deepEqual(asked[0].tools[0].inputSchema.required, ['city']);
    assert.deepEqual(asked[1].toolChoice, { mode: 'none' });
    assert.deepEqual(asked[1].messages, [
      question,
      { role: 'assistant', content },
      {
        role: 'user',
        content: [
          { type: 'tool_result', toolUseId: 'use-1', content: [{ type: 'text', text: 'It rains in Paris.' }] },
        ],
      },
    ]);
  });
}

test('returns an error to a model that uses an unknown tool', { timeout: limitMs }, async (t) => {
  const { client, asked } = await connectModel(t, { tools: {} }, ({ messages }) => (messages.length === 1
    ? { role: 'assistant', model: 'test-model', stopReason: 'toolUse', content: [{ ...use, name: 'get_time' }] }
    : say('I do not know.')));
  assert.equal(await callText(client, 'test_sampling_with_tools'), 'LLM response: I do not know.');
  assert.equal(asked[1].messages[2].content[0].isError, true);
});

test('sends no sampling request to a client without the capability', { timeout: limitMs }, async (t) => {
  const { client } = await connectModel(t, {}, () => assert.fail('nobody asks'));
  assert.equal(await callFailure(client, 'test_sampling_with_tools'), cannotAsk);
  const { client: other } = await connectEverything(t);
  assert.equal(await callFailure(other, 'test_sampling', { prompt: 'x' }), cannotAsk);
});

test('lists roots again after they changed', { timeout: limitMs }, async (t) => {
  let roots = [{ uri: 'file:///home/user/a%20b', name: 'A "b"' }, { uri: 'file:///srv' }];
  const { client, inbox } = await connectEverything(t, {
    capabilities: { roots: { listChanged: true } },
    answers: { 'roots/list': () => ({ roots }) },
  });
  assert.equal(await callText(client, 'test_list_roots'), 'file:///home/user/a%20b A "b"\nfile:///srv ');
  roots = [];
  await client.setLoggingLevel('info');
  await client.sendRootsListChanged();
  assert.deepEqual(await inbox.next('notifications/message'),
    { level: 'info', logger: 'roots', data: 'The roots of a client changed.' });
  assert.equal(await callText(client, 'test_list_roots'), '');
});

test('sends no roots request to a client without roots', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t);
  assert.equal(await callFailure(client, 'test_list_roots'), cannotAsk);
});
