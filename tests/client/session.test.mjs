// SPDX-License-Identifier: Apache-2.0
// One session that uses all features of the server, more than once. The server must keep nothing of them. On the board,
// the test prints the deepest stack.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectEverything, listAll, noRestOfCancelled } from './everything.mjs';
import { assertBound, stackOf } from './stack.mjs';
import { command, kind, limitMs, waitMs } from './support.mjs';
import { sdk, within } from '../../examples/client/session.mjs';

const { CallToolResultSchema, CreateTaskResultSchema } = sdk('types.js');

const model = ({ messages, toolChoice }) => (toolChoice?.mode === 'auto'
  ? {
    role: 'assistant', model: 'm', stopReason: 'toolUse',
    content: [{ type: 'tool_use', id: '1', name: 'get_weather', input: { city: 'Oslo' } }],
  }
  : { role: 'assistant', model: 'm', content: { type: 'text', text: `${messages.length} messages` } });
// The members that forms of the server require.
const filledIn = {
  confirmed: true, confirm: true, ok: true, name: 'Alice', color: 'blue', username: 'Alice', email: 'alice@example.com',
};
const user = ({ mode, requestedSchema }) => {
  if (mode === 'url') return { action: 'accept' };
  const known = Object.keys(requestedSchema.properties).every((name) => name in filledIn);
  if (!known) return { action: 'accept' };
  return {
    action: 'accept',
    content: Object.fromEntries(Object.keys(requestedSchema.properties).map((name) => [name, filledIn[name]])),
  };
};

const toolArguments = {
  test_sampling: { prompt: 'x'.repeat(128) },
  test_elicitation: { message: 'x'.repeat(128) },
  test_set_enabled: { what: 'prompt', enabled: true },
  greet: { name: 'x' },
  slow_compute: { seconds: 0, label: 'x' },
  confirm_delete: { filename: 'x' },
};

async function useTool({ client, inbox }, name) {
  const call = { name, arguments: toolArguments[name] };
  if (name === 'test_slow') {
    const abort = new AbortController();
    return assert.rejects(client.callTool(call, undefined, { signal: abort.signal, onprogress: () => abort.abort() }));
  }
  if (name === 'test_url_required') {
    await assert.rejects(client.callTool(call), { code: -32042 });
    await client.callTool({ name: 'test_sign_in' });
    while ((await inbox.next('notifications/elicitation/complete')).elicitationId !== 'sign-in');
  }
  const result = await client.callTool(call, undefined, { onprogress: () => {} });
  assert.equal(result.isError ?? false, name === 'test_error_handling', JSON.stringify(result));
}

async function useEverything(session) {
  const { client } = session;
  for (const { name, execution } of await listAll((params) => client.listTools(params), 'tools')) {
    const needsMore = name === 'test_sign_in' || execution?.taskSupport === 'required';
    if (!needsMore) await useTool(session, name);
  }
  for (const { uri } of await listAll((params) => client.listResources(params), 'resources')) {
    await client.readResource({ uri });
  }
  await listAll((params) => client.listResourceTemplates(params), 'resourceTemplates');
  await client.readResource({ uri: 'test://template/123/data' });
  for (const { name, arguments: wanted = [] } of await listAll((params) => client.listPrompts(params), 'prompts')) {
    await client.getPrompt({ name, arguments: Object.fromEntries(wanted.map((argument) => [argument.name, 'a:b'])) });
  }
  await client.complete({
    ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' }, argument: { name: 'arg1', value: 't' },
  });
  await client.sendRootsListChanged();
  await client.ping();
}

async function useTask({ client }, name) {
  const { task } = await client.request({ method: 'tools/call', params: { name } }, CreateTaskResultSchema, { task: {} });
  await client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema);
}

test('serves all features in one session, three times', { timeout: limitMs }, async (t) => {
  const session = await connectEverything(t, {
    tolerates: noRestOfCancelled,
    capabilities: {
      sampling: { tools: {} }, elicitation: { form: { applyDefaults: true }, url: {} }, roots: { listChanged: true },
    },
    answers: {
      'sampling/createMessage': model,
      'elicitation/create': user,
      'roots/list': () => ({ roots: [{ uri: 'file:///a' }] }),
    },
  });
  for (let times = 0; times < 3; ++times) await useEverything(session);
  for (const name of ['test_task_required', 'test_task_elicitation']) await useTask(session, name);
  if (kind !== 'board') return;
  const stack = stackOf(command[2]);
  assertBound(t, await within(waitMs, 'answer of the emulator', session.deepestStack(stack.reserved)), stack);
});
