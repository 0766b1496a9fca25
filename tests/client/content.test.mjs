// SPDX-License-Identifier: Apache-2.0
// Results of tools, and lists of tools (spec: server/tools).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callFailure, callText, connectEverything, listAll } from './everything.mjs';
import { library, limitMs } from './support.mjs';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

test('lists tools over several pages', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t);
  let pages = 0;
  const tools = await listAll((params) => (++pages, client.listTools(params)), 'tools');
  t.diagnostic(`${tools.length} tools on ${pages} pages`);
  assert.ok(pages > 1 || library.joinsPages);
  assert.equal(new Set(tools.map(({ name }) => name)).size, tools.length);
  for (const { name, description, inputSchema } of tools) {
    assert.match(name, /^[a-z0-9_]+$/);
    assert.ok(description.length > 0, name);
    assert.equal(inputSchema.type, 'object', name);
    assert.equal(inputSchema.additionalProperties, false, name);
  }
});

test('lists the task support of tools', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t);
  const tools = await listAll((params) => client.listTools(params), 'tools');
  const support = tools.filter(({ execution }) => execution).map(({ name, execution }) => [name, execution.taskSupport]);
  assert.deepEqual(Object.fromEntries(support), {
    test_task: 'optional', test_task_required: 'required', test_task_elicitation: 'optional', test_slow: 'optional',
    slow_compute: 'optional', failing_job: 'required', protocol_error_job: 'required', confirm_delete: 'optional',
    multi_input: 'optional', test_tool_with_task: 'required',
  });
});

test('lists a handwritten schema unchanged on the first page', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t);
  const { tools } = await client.listTools();
  const { inputSchema } = tools.find(({ name }) => name === 'json_schema_2020_12_tool');
  assert.deepEqual(inputSchema, {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  });
  assert.equal(await callText(client, 'json_schema_2020_12_tool', { name: 'é"x', phone: '1' }),
    'JSON Schema 2020-12 tool called with: {"name":"é\\"x","phone":"1"}');
  assert.equal(await callText(client, 'json_schema_2020_12_tool'), 'JSON Schema 2020-12 tool called with: {}');
});

const contents = {
  test_simple_text: [{ type: 'text', text: 'This is a simple text response for testing.' }],
  test_image_content: [{ type: 'image', data: png, mimeType: 'image/png' }],
  test_audio_content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
  test_embedded_resource: [{
    type: 'resource',
    resource: {
      uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.',
    },
  }],
  test_multiple_content_types: [
    { type: 'text', text: 'Multiple content types test:' },
    { type: 'image', data: png, mimeType: 'image/png' },
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource', mimeType: 'application/json', text: '{"test":"data","value":123}',
      },
    },
  ],
  test_resource_link: [
    {
      type: 'text',
      text: 'This text is for the user.',
      annotations: { audience: ['user'], priority: 0.8, lastModified: '2025-11-25T00:00:00Z' },
    },
    {
      type: 'resource_link', uri: 'test://static-binary', name: 'static-binary', title: 'Static binary',
      description: 'A picture.', mimeType: 'image/png', size: 70,
    },
    { type: 'resource', resource: { uri: 'test://embedded-blob', mimeType: 'image/png', blob: png } },
  ],
  test_reconnection: [{ type: 'text', text: 'Reconnection test completed successfully.' }],
};
test('returns every type of content unchanged', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t);
  for (const [name, content] of Object.entries(contents)) assert.deepEqual(await client.callTool({ name }), { content });
});

test('returns a struct that is valid in its output schema', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t);
  const find = ({ tools }) => tools.find(({ name }) => name === 'test_structured_content');
  let page = await client.listTools();
  // The client checks results against the schemas of its last list.
  while (!find(page)) page = await client.listTools({ cursor: page.nextCursor });
  const { outputSchema, annotations, icons, _meta } = find(page);
  assert.deepEqual(outputSchema, {
    type: 'object',
    properties: {
      celsius: { type: 'number', title: 'Temperature', minimum: -90, maximum: 60 },
      conditions: { type: 'string', description: 'In a word' },
    },
    required: ['celsius', 'conditions'],
    additionalProperties: false,
  });
  assert.deepEqual(annotations, { readOnlyHint: true, openWorldHint: false });
  assert.deepEqual(icons, [{ src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] }]);
  assert.deepEqual(_meta, { 'com.example/unit': 'celsius' });

  const { content, structuredContent } = await client.callTool({ name: 'test_structured_content' });
  assert.deepEqual(structuredContent, { celsius: 22.5, conditions: 'sunny' });
  assert.deepEqual(JSON.parse(content[0].text), structuredContent);
});

test('returns name, title, icons and website of the server', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t);
  assert.deepEqual(client.getServerVersion(), {
    name: 'everything', title: 'Everything', version: '1.0.0', description: 'Shows what a server can do.',
    websiteUrl: 'https://example.com/everything',
    icons: [{ src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] }],
  });
  assert.match(client.getInstructions(), /server for tests/);
  assert.deepEqual(client.getServerCapabilities(), {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
    tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
  });
});

test('returns the error of a failed tool to the model', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t);
  assert.equal(await callFailure(client, 'test_error_handling'),
    'This tool intentionally returns an error for testing');
});
