// SPDX-License-Identifier: Apache-2.0
// Prompts and completion (spec: server/prompts, server/utilities/completion).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectEverything, listAll } from './everything.mjs';
import { limitMs, rejected } from './support.mjs';

const user = (content) => ({ role: 'user', content });
const text = (words) => ({ type: 'text', text: words });

test('lists prompts with their arguments', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t);
  const prompts = await listAll((params) => client.listPrompts(params), 'prompts');
  assert.deepEqual(prompts.map(({ name }) => name), [
    'test_simple_prompt', 'test_prompt_with_arguments', 'test_prompt_with_embedded_resource', 'test_prompt_with_image',
    'test_switched_prompt',
    'test_input_required_result_prompt',
  ]);
  for (const { description } of prompts) assert.ok(description.length > 0);
  assert.deepEqual(prompts[1].arguments, [
    { name: 'arg1', description: 'First test argument', required: true },
    { name: 'arg2', description: 'Second test argument', required: true },
  ]);
});

test('returns prompts with every kind of content', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t);
  const messages = async (name, promptArguments) => {
    const result = await client.getPrompt({ name, arguments: promptArguments });
    return result.messages;
  };
  assert.deepEqual(await messages('test_simple_prompt'), [user(text('This is a simple prompt for testing.'))]);
  assert.deepEqual(await messages('test_prompt_with_arguments', { arg1: 'testValue1', arg2: 'test "Value" 2 €' }),
    [user(text('Prompt with arguments: arg1=\'testValue1\', arg2=\'test "Value" 2 €\''))]);
  assert.deepEqual(await messages('test_prompt_with_embedded_resource', { resourceUri: 'test://example-resource' }), [
    user({
      type: 'resource',
      resource: {
        uri: 'test://example-resource', mimeType: 'text/plain', text: 'Embedded resource content for testing.',
      },
    }),
    user(text('Please process the embedded resource above.')),
  ]);
  const [image, request] = await messages('test_prompt_with_image');
  assert.equal(image.content.type, 'image');
  assert.equal(image.content.mimeType, 'image/png');
  assert.equal(Buffer.from(image.content.data, 'base64').length, 70);
  assert.deepEqual(request, user(text('Please analyze the image above.')));
  assert.deepEqual(await messages('test_switched_prompt'),
    [user(text('Are you there?')), { role: 'assistant', content: text('I am.') }]);
});

test('rejects an unknown prompt and a missing argument', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t);
  for (const request of [
    { name: 'test_prompt_with_arguments' }, { name: 'test_prompt_with_arguments', arguments: { arg1: 'x' } },
    { name: 'no_such_prompt' },
  ]) {
    assert.equal((await rejected(client.getPrompt(request))).code, -32602);
  }
});

test('completes arguments and variables', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t);
  const complete = async (ref, name, value, context) => {
    const { completion } = await client.complete({ ref, argument: { name, value }, context });
    assert.equal(completion.hasMore ?? false, false);
    return completion.values;
  };
  const prompt = { type: 'ref/prompt', name: 'test_prompt_with_arguments' };
  assert.deepEqual(await complete(prompt, 'arg1', 'test'), ['test', 'testValue1']);
  assert.deepEqual(await complete(prompt, 'arg1', ''), ['test', 'testValue1', 'other']);
  assert.deepEqual(await complete(prompt, 'arg1', 'nothing'), []);
  assert.deepEqual(await complete(prompt, 'arg2', ''), []);
  assert.deepEqual(await complete(prompt, 'arg2', '', { arguments: { arg1: 'testValue1' } }), ['testValue2']);
  const template = { type: 'ref/resource', uri: 'test://template/{id}/data' };
  assert.deepEqual(await complete(template, 'id', '12'), ['12', '123']);
  for (const ref of [{ type: 'ref/prompt', name: 'no_such_prompt' }, { type: 'ref/resource', uri: 'test://no/{id}' }]) {
    assert.equal((await rejected(complete(ref, 'id', ''))).code, -32602);
  }
});
