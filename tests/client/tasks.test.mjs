// SPDX-License-Identifier: Apache-2.0
// Calls that tasks answer (spec: basic/utilities/tasks), through the experimental API of the official client.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectEverything } from './everything.mjs';
import { kind, limitMs, rejected } from './support.mjs';
import { sdk } from '../../examples/client/session.mjs';

const { CallToolResultSchema, CreateTaskResultSchema } = sdk('types.js');
const status = 'notifications/tasks/status';

/** Calls a tool as a task, and returns the task. */
async function createTask(client, name, task = {}) {
  const result = await client.request({ method: 'tools/call', params: { name } }, CreateTaskResultSchema, { task });
  return result.task;
}

/** The messages of callToolStream. */
async function stream(client, name, options) {
  const messages = [];
  for await (const message of client.experimental.tasks.callToolStream({ name }, undefined, { task: {}, ...options })) {
    messages.push(message);
  }
  return messages;
}

const text = (result) => result.content[0].text;

for (const name of ['test_task', 'test_task_required']) {
  test(`follows ${name} to its end`, { timeout: limitMs }, async (t) => {
    const { client } = await connectEverything(t);
    const told = [];
    const [created, ...messages] = await stream(client, name, { onprogress: (progress) => told.push(progress) });
    assert.equal(created.type, 'taskCreated');
    assert.equal(created.task.status, 'working');
    const result = messages.pop();
    assert.equal(result.type, 'result', JSON.stringify(result));
    assert.equal(text(result.result), 'Task completed.');
    assert.equal(result.result._meta['io.modelcontextprotocol/related-task'].taskId, created.task.taskId);
    assert.equal(messages.at(-1).task.status, 'completed');
    assert.deepEqual(told.map(({ progress, total, message }) => ({ progress, total, message })),
      [{ progress: 1, total: 2, message: 'working' }]);
  });
}

test('returns id, dates and time to live of a task', { timeout: limitMs }, async (t) => {
  const { client, inbox } = await connectEverything(t);
  const before = Date.now();
  const task = await createTask(client, 'test_task', { ttl: 60_000 });
  assert.match(task.taskId, /^[0-9a-f]{32}$/);
  assert.equal(task.ttl, 60_000);
  // The clock of the board knows whole seconds.
  const created = Date.parse(task.createdAt);
  assert.ok(created >= before - 1000 && created <= Date.now(), task.createdAt);
  const ended = await inbox.next(status);
  assert.equal(ended.taskId, task.taskId);
  assert.equal(ended.status, 'completed');
  const { tasks } = client.experimental;
  const got = await tasks.getTask(task.taskId);
  assert.equal(got.status, 'completed');
  assert.equal(got.createdAt, task.createdAt);
  assert.ok(Date.parse(got.lastUpdatedAt) > Date.parse(task.createdAt));
  assert.deepEqual((await tasks.listTasks()).tasks.map(({ taskId }) => taskId), [task.taskId]);
  for (let times = 0; times < 2; ++times) {
    assert.equal(text(await tasks.getTaskResult(task.taskId, CallToolResultSchema)), 'Task completed.');
  }
});

test('tasks/result waits for the result', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t);
  const tasks = [await createTask(client, 'test_task'), await createTask(client, 'test_task_required')];
  assert.notEqual(tasks[0].taskId, tasks[1].taskId);
  const results = tasks.map(({ taskId }) => client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema));
  for (const result of await Promise.all(results)) assert.equal(text(result), 'Task completed.');
});

for (const [answer, said] of [
  [{ action: 'accept', content: { confirmed: true } }, 'Task completed: confirmed=true'],
  [{ action: 'accept', content: { confirmed: false } }, 'Task completed: confirmed=false'],
  [{ action: 'decline' }, 'Task ended: action=decline, content={}'],
]) {
  test(`a task requests input from the user: ${said}`, { timeout: limitMs }, async (t) => {
    let asked;
    const { client, inbox } = await connectEverything(t, {
      capabilities: { elicitation: {} },
      answers: { 'elicitation/create': (params) => (asked = params, answer) },
    });
    const { taskId } = await createTask(client, 'test_task_elicitation');
    assert.equal((await inbox.next(status)).status, 'input_required');
    // The server sends the input request when the client waits for the result.
    await client.ping();
    assert.equal(asked, undefined);
    assert.equal(text(await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)), said);
    assert.equal(asked.message, 'Shall the task go on?');
    assert.equal(asked._meta['io.modelcontextprotocol/related-task'].taskId, taskId);
  });
}

test('the task stream of the client responds to an input request', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t, {
    capabilities: { elicitation: {} },
    answers: { 'elicitation/create': () => ({ action: 'accept', content: { confirmed: true } }) },
  });
  const result = (await stream(client, 'test_task_elicitation')).at(-1);
  assert.equal(result.type, 'result', JSON.stringify(result));
  assert.equal(text(result.result), 'Task completed: confirmed=true');
});

test('cancels a task', { timeout: limitMs }, async (t) => {
  const { client, inbox } = await connectEverything(t);
  await client.setLoggingLevel('info');
  const { tasks } = client.experimental;
  const { taskId } = await createTask(client, 'test_slow');
  assert.equal((await tasks.getTask(taskId)).status, 'working');
  assert.equal((await tasks.cancelTask(taskId)).status, 'cancelled');
  assert.equal((await inbox.next('notifications/message')).data, 'cancelled');
  assert.equal((await inbox.next(status)).status, 'cancelled');
  assert.equal((await rejected(tasks.getTaskResult(taskId, CallToolResultSchema))).code, -32603);
  assert.equal((await rejected(tasks.cancelTask(taskId))).code, -32602);
  assert.equal((await rejected(tasks.getTask('0'.repeat(32)))).code, -32602);
});

test('runs calls as tasks only where the tool allows it', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t);
  assert.deepEqual(client.getServerCapabilities().tasks, { list: {}, cancel: {}, requests: { tools: { call: {} } } });
  assert.equal(text(await client.callTool({ name: 'test_task' })), 'Task completed.');
  assert.equal((await rejected(client.callTool({ name: 'test_task_required' }))).code, -32601);
  assert.equal((await rejected(createTask(client, 'test_simple_text'))).code, -32601);
});

test('rejects a task when all slots are in use', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t);
  let room = 0;
  let error;
  while (error === undefined && room < 100) {
    await createTask(client, 'test_slow').then(() => (room += 1), (reason) => (error = reason));
  }
  assert.ok(room >= 2);
  assert.equal(error.code, -32603);
  const share = kind === 'host' || kind === 'board' ? '' : ' for one client';  // the others are left to others
  assert.match(error.message, new RegExp(`All ${room} task slots${share} are in use`));
});
