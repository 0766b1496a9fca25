// SPDX-License-Identifier: Apache-2.0
// The image with everything (tests/bench/features): one session that uses all of it, wrong arguments and full pools
// included, and how much of the stack that takes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callFailure, connectEverything, listAll } from './everything.mjs';
import { assertBound, stackOf } from './stack.mjs';
import { command, limitMs, rejected, waitMs } from './support.mjs';
import { sdk, within } from '../../examples/client/session.mjs';

const { CallToolResultSchema, CreateTaskResultSchema, PingRequestSchema } = sdk('types.js');

const stackBudget = 2048;

const rightArguments = {
  integer: { value: 1 },
  float: { value: 1.5 },
  double: { value: 1e-300 },
  text: { text: 'x', mode: 'on' },
  others: { number: 2 ** 53, flag: true, text: 'x' },
  nested: { list: [1, 2], inner: { value: 3 } },
};
const wrongArguments = {
  plain: { value: 1 },
  integer: { value: 2 ** 31 },
  float: { value: 1e300 },
  double: { value: 'x' },
  text: { text: 'x', mode: 'x' },
  others: { number: -1, flag: true, text: 'x' },
  nested: { list: [1, 2], inner: { value: 'x' } },
  job: { value: 1 },
};

const model = ({ tools }) => ({
  role: 'assistant', model: 'm',
  content: tools ? [{ type: 'tool_use', id: '1', name: 'x', input: {} }] : { type: 'text', text: 'x' },
});
const decide = ({ mode }) => (mode === 'url' ? { action: 'accept' } : { action: 'accept', content: { confirmed: true } });

// A user that responds at once, or after the time that the test needs: the job waits meanwhile, on every machine.
class User {
  #thoughts = [];  // one function for each input request without a response
  #thinks = false;
  #asked = () => {};

  answer = (question) => {
    if (!this.#thinks) return decide(question);
    const answer = new Promise((resolve) => this.#thoughts.push(() => resolve(decide(question))));
    this.#asked();
    return answer;
  };

  think() {
    this.#thinks = true;
  }

  /** Resolves when there are so many questions to think about. */
  async isAsked(count) {
    while (this.#thoughts.length < count) await new Promise((resolve) => { this.#asked = resolve; });
  }

  /** Answers what was asked, and from now on at once. */
  decide() {
    this.#thinks = false;
    for (const answer of this.#thoughts.splice(0)) answer();
  }
}

const unchecked = (client, name, task) => client.request(
  { method: 'tools/call', params: { name } }, task ? CreateTaskResultSchema : CallToolResultSchema, task && { task });


async function useTools({ client, inbox }) {
  const tools = await listAll((params) => client.listTools(params), 'tools');
  for (const { name } of tools) {
    if (name === 'url_first') continue;
    const call = { name, arguments: rightArguments[name] };
    const result = await client.callTool(call, undefined, { onprogress: () => {} });
    assert.ok(!result.isError, `${name}: ${JSON.stringify(result)}`);
  }
  for (const [name, wrong] of Object.entries(wrongArguments)) await callFailure(client, name, wrong);
  assert.equal((await rejected(client.callTool({ name: 'url_first' }))).code, -32042);
  assert.equal((await inbox.next('notifications/elicitation/complete')).elicitationId, 'x');
  assert.equal((await inbox.next('notifications/message')).data, 'x');
  assert.equal((await inbox.next('notifications/resources/updated')).uri, 'x:y');
  await inbox.next('notifications/tools/list_changed');
  assert.equal((await rejected(client.callTool({ name: 'none' }))).code, -32602);
}

async function useResources({ client }) {
  await listAll((params) => client.listResources(params), 'resources');
  await listAll((params) => client.listResourceTemplates(params), 'resourceTemplates');
  const read = async (uri) => (await client.readResource({ uri })).contents[0].text;
  assert.equal(await read('x:y'), 'x');
  assert.equal(await read('t:a%20b'), 'a b');
  const bodies = await Promise.all([read('x:z'), read('x:z')]);
  assert.ok(bodies.every((body) => body === 'x'.repeat(3000)), `${bodies.map((body) => body.length)} bytes`);
  assert.equal((await rejected(client.readResource({ uri: 'x:none' }))).code, -32002);
}

async function usePrompts({ client }) {
  await listAll((params) => client.listPrompts(params), 'prompts');
  const { messages } = await client.getPrompt({ name: 'prompt', arguments: { x: 'a\u00e9\n' } });
  assert.equal(messages[0].content.text, 'a\u00e9\n');
  for (const ref of [{ type: 'ref/prompt', name: 'prompt' }, { type: 'ref/resource', uri: 't:{x}' }]) {
    assert.deepEqual((await client.complete({ ref, argument: { name: 'x', value: '' } })).completion.values, ['x']);
  }
}

async function useTasks({ client, inbox }) {
  const { tasks } = client.experimental;
  const { task } = await unchecked(client, 'sampling_tools', {});
  const result = await tasks.getTaskResult(task.taskId, CallToolResultSchema);
  assert.ok(!result.isError, JSON.stringify(result));
  while ((await inbox.next('notifications/tasks/status')).taskId !== task.taskId);
  assert.equal((await tasks.getTask(task.taskId)).status, 'completed');
  // A task with an input request waits for a tasks/result.
  const { task: second } = await unchecked(client, 'form', {});
  assert.equal((await tasks.cancelTask(second.taskId)).status, 'cancelled');
  assert.equal((await tasks.listTasks()).tasks.length, 2);
  // Ended tasks are replaced by new ones. Running tasks are not.
  const running = [await unchecked(client, 'form', {}), await unchecked(client, 'form', {})];
  assert.equal((await rejected(unchecked(client, 'job', {}))).code, -32603);
  for (const { task: { taskId } } of running) await tasks.cancelTask(taskId);
}

async function reachLimits({ client }, user) {
  user.think();
  const running = ['form', 'form'].map((name) => client.callTool({ name }));
  await user.isAsked(running.length);
  for (const name of ['job', 'coroutine']) await callFailure(client, name);
  user.decide();
  for (const { isError } of await Promise.all(running)) assert.ok(!isError);
  // The coroutine sleeps then. On a machine that is slow enough it has ended, and its answer is one too many.
  const abort = new AbortController();
  await assert.rejects(client.callTool({ name: 'coroutine' }, undefined, {
    signal: abort.signal, onprogress: () => abort.abort(),
  }));
}
const isTooLate = ({ message }) => /response for an unknown message ID/.test(message);

/** The wire without the official client, which knows no batches any more. */
function bareWire({ transport }) {
  const waiting = new Map();  // id -> resolve
  // The server sends pings with its own ids after a silence. At the end the client does not respond.
  transport.onmessage = ({ method, ...message }) => {
    if (method === undefined) waiting.get(message.id)?.(message);
    else if (message.id !== undefined) transport.send({ jsonrpc: '2.0', id: message.id, result: {} }).catch(() => {});
  };
  transport.onerror = () => {};  // It rejects an array as a message; tests/schema checks the content.
  const request = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
  return {
    request,
    send: (message) => transport.send(message),
    ask: (id, method, params) => {
      const answer = new Promise((resolve) => waiting.set(id, resolve));
      return transport.send(request(id, method, params)).then(() => answer);
    },
  };
}

async function useBatch({ ask, send, request }) {
  const clientInfo = { name: 'mote-tests', version: '0.1.0' };
  const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo };
  assert.equal((await ask('i', 'initialize', params)).result.protocolVersion, '2025-03-26');
  await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const call = (name) => request(name, 'tools/call', { name, arguments: wrongArguments[name] });
  await send([call('double'), call('nested')]);
  assert.deepEqual((await ask('p', 'ping')).result, {});
}

// A burst of 100 is allowed, and another call every second.
async function callTooOften({ ask }) {
  const burst = 110;
  const refused = [];
  for (let calls = 0; refused.length === 0 && calls < 10 * burst; calls += burst) {
    const answers = Array.from({ length: burst }, (_, index) => ask(calls + index, 'tools/call', { name: 'content' }));
    refused.push(...(await Promise.all(answers)).filter(({ result }) => result.isError));
  }
  assert.match(refused[0]?.result.content[0].text ?? '', /Too many calls/);
}

test('serves all features in one session', { timeout: limitMs }, async (t) => {
  const user = new User();
  const session = await connectEverything(t, {
    tolerates: isTooLate,
    capabilities: {
      sampling: { tools: {} }, elicitation: { form: {}, url: {} }, roots: { listChanged: true },
    },
    answers: {
      'sampling/createMessage': model,
      'elicitation/create': user.answer,
      'roots/list': () => ({ roots: [{ uri: 'file:///x', name: 'x' }] }),
    },
  });
  const { client } = session;
  const pinged = new Promise((resolve) => client.setRequestHandler(PingRequestSchema, () => {
    resolve();
    return {};
  }));
  await client.setLoggingLevel('debug');
  await client.subscribeResource({ uri: 'x:y' });
  for (let times = 0; times < 2; ++times) {
    await useTools(session);
    await useResources(session);
    await usePrompts(session);
  }
  await useTasks(session);
  await client.sendRootsListChanged();
  await client.ping();
  await within(waitMs, 'ping of the server', pinged);
  await reachLimits(session, user);
  const wire = bareWire(client);
  await useBatch(wire);
  await callTooOften(wire);
  const stack = stackOf(command[2]);
  const deepest = await within(waitMs, 'answer of the emulator', session.deepestStack(stack.reserved));
  assertBound(t, deepest, stack);
  assert.ok(deepest <= stackBudget, `${deepest} bytes`);
});
