// The image with everything (tests/bench/features): one session that uses all of it, wrong arguments and full pools
// included, and how much of the stack that takes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callFailure, connectEverything, listAll } from './everything.mjs';
import { assertBound, stackOf } from './stack.mjs';
import { command, limitMs, rejected } from './support.mjs';
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
const user = ({ mode }) => (mode === 'url' ? { action: 'accept' } : { action: 'accept', content: { confirmed: true } });

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
  const { task: second } = await unchecked(client, 'job', {});
  assert.equal((await tasks.cancelTask(second.taskId)).status, 'cancelled');
  assert.equal((await tasks.listTasks()).tasks.length, 2);
  // Those give their places to new ones; what still runs does not.
  const running = [await unchecked(client, 'job', {}), await unchecked(client, 'job', {})];
  assert.equal((await rejected(unchecked(client, 'form', {}))).code, -32603);
  for (const { task: { taskId } } of running) await tasks.cancelTask(taskId);
}

async function reachLimits({ client }) {
  const results = await Promise.all(['job', 'form', 'coroutine', 'job'].map((name) => client.callTool({ name })));
  assert.ok(results.some(({ isError }) => isError), 'four jobs at once, and room for two');
  const abort = new AbortController();
  await assert.rejects(client.callTool({ name: 'coroutine' }, undefined, {
    signal: abort.signal, onprogress: () => abort.abort(),
  }));
}

/** The wire without the official client, which knows no batches any more. */
function bareWire({ transport }) {
  const waiting = new Map();  // id -> resolve
  transport.onmessage = (message) => waiting.get(message.id)?.(message);
  transport.onerror = () => {};  // It takes an array for no message; what is in it tests/schema sees.
  const request = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
  return {
    request,
    send: (message) => transport.send(message),
    ask: (id, method, params) => {
      const answer = new Promise((resolve) => waiting.set(id, resolve));
      return transport.send(request(id, method, params)).then(() => within(10_000, `answer to ${id}`, answer));
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

async function callTooOften({ ask }) {
  const calls = Array.from({ length: 110 }, (_, index) => ask(index, 'tools/call', { name: 'content' }));
  const refused = (await Promise.all(calls)).filter(({ result }) => result.isError);
  assert.match(refused[0]?.result.content[0].text ?? '', /Too many calls/);
}

test('everything in one session', { timeout: 3 * limitMs }, async (t) => {
  const session = await connectEverything(t, {
    capabilities: {
      sampling: { tools: {} }, elicitation: { form: {}, url: {} }, roots: { listChanged: true },
    },
    answers: {
      'sampling/createMessage': model,
      'elicitation/create': user,
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
  await within(10_000, 'ping of the server', pinged);
  await reachLimits(session);
  const wire = bareWire(client);
  await useBatch(wire);
  await callTooOften(wire);
  const stack = stackOf(command[2]);
  const deepest = await within(5000, 'answer of the emulator', session.deepestStack(stack.reserved));
  assertBound(t, deepest, stack);
  assert.ok(deepest <= stackBudget, `${deepest} bytes`);
});
