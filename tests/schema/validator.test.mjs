// SPDX-License-Identifier: Apache-2.0
// The check of the check: messages that are wrong, each of which must be refused, and what is said of them.
//
// usage: node validator.test.mjs SCHEMAS
// Exits with 77 (skipped) when the schemas or the validator are missing.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../at_end.mjs';
import { Report } from './records.mjs';
import { ajvInstalled, Schemas } from './schemas.mjs';

const [folder] = process.argv.slice(2);
const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const missing = [...revisions, '2026-07-28', 'ext-tasks.schema'].filter((revision) => !existsSync(join(folder, `${revision}.json`)));
if (!ajvInstalled || missing.length > 0) {
  console.log(`skipped: ${ajvInstalled ? `not in ${folder}, and in no package: ${missing.join(', ')}` : 'ajv is not installed (tests/run installs it)'}`);
  process.exit(77);
}
const schemas = new Schemas(folder);

const message = (body) => JSON.stringify({ jsonrpc: '2.0', ...body });
const play = (first = {}) => JSON.stringify({ play: 'p', way: 'w', ...first });
const client = (body) => JSON.stringify({ in: `${typeof body === 'string' ? body : message(body)}\n` });
const server = (body) => JSON.stringify({ out: typeof body === 'string' ? body : message(body) });
const opened = (revision) => [
  play(),
  client({ id: 0, method: 'initialize', params: { protocolVersion: revision } }),
  server({ id: 0, result: { protocolVersion: revision, capabilities: {}, serverInfo: { name: 'n', version: '1' } } }),
];

function reportOf(lines) {
  const report = new Report(schemas);
  report.read('record', Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')])));
  return report;
}

function refused(what, complaint, lines) {
  test(`refused: ${what}`, () => {
    const { failures } = reportOf(lines);
    assert.equal(failures.length, 1, failures.join('\n'));
    assert.match(failures[0], complaint);
  });
}

function accepted(what, lines) {
  test(`accepted: ${what}`, () => assert.deepEqual(reportOf(lines).failures, []));
}

// A request of this method, and this result.
const answered = (method, result, params = {}) => [client({ id: 1, method, params }), server({ id: 1, result })];
const tools = (tool) => answered('tools/list', { tools: [tool] });
const error = (id, code = -32600) => server({ ...(id === undefined ? {} : { id }), error: { code, message: 'm' } });

for (const revision of revisions) {
  const refuses = (what, complaint, lines) => refused(`${revision}: ${what}`, complaint, [...opened(revision), ...lines]);
  const accepts = (what, lines) => accepted(`${revision}: ${what}`, [...opened(revision), ...lines]);

  accepts('a list of tools', tools({ name: 't', inputSchema: { type: 'object' } }));
  refuses('a tool without inputSchema', /no ListToolsResult.*inputSchema/, tools({ name: 't' }));
  refuses('an inputSchema that is no object', /no ListToolsResult/,
    tools({ name: 't', inputSchema: { type: 'array' } }));
  refuses('an inputSchema that is no schema', /t: no JSON Schema/,
    tools({ name: 't', inputSchema: { type: 'object', properties: { a: { type: 'word' } } } }));
  refuses('an inputSchema of a dialect of its own', /dialect/,
    tools({ name: 't', inputSchema: { $schema: 'https://s.example', type: 'object' } }));
  refuses('a list of tools without tools', /no ListToolsResult/, answered('tools/list', {}));
  refuses('a result without content', /no CallToolResult.*content/, answered('tools/call', { isError: false }));
  refuses('content of no known type', /no CallToolResult/,
    answered('tools/call', { content: [{ type: 'smell', text: 'x' }] }));
  refuses('content without its text', /no CallToolResult/, answered('tools/call', { content: [{ type: 'text' }] }));
  refuses('an image that is not base64', /no CallToolResult/,
    answered('tools/call', { content: [{ type: 'image', mimeType: 'image/png', data: '%%' }] }));
  refuses('a resource without contents', /no ReadResourceResult/, answered('resources/read', {}));
  refuses('a resource without text and blob', /no ReadResourceResult/,
    answered('resources/read', { contents: [{ uri: 'a:b' }] }));
  refuses('a URI that is none', /no ListResourcesResult/,
    answered('resources/list', { resources: [{ name: 'n', uri: 'no uri' }] }));
  refuses('a template that is none', /no ListResourceTemplatesResult/,
    answered('resources/templates/list', { resourceTemplates: [{ name: 'n', uriTemplate: 'a:{' }] }));
  refuses('a prompt without messages', /no GetPromptResult/, answered('prompts/get', {}));
  refuses('a prompt without a name', /no ListPromptsResult/, answered('prompts/list', { prompts: [{}] }));
  refuses('completion without values', /no CompleteResult/, answered('completion/complete', { completion: {} }));
  refuses('more than 100 values', /101 values/,
    answered('completion/complete', { completion: { values: Array(101).fill('v') } }));
  refuses('an empty result that is no object', /no JSONRPC(Result)?Response/, answered('ping', []));
  refuses('a result for a method that does not exist', /no\/such\/method/, answered('no/such/method', {}));
  refuses('an initialize without serverInfo', /no InitializeResult/,
    answered('initialize', { protocolVersion: revision, capabilities: {} }));
  refuses('a result that nobody asked for', /not sent/, [server({ id: 1, result: {} })]);
  refuses('a second answer', /not sent, or is answered/, [...answered('ping', {}), server({ id: 1, result: {} })]);
  refuses('an error that nobody asked for', /not sent/, [error(1)]);
  refuses('an answer to a cancelled call', /not sent/, [
    client({ id: 1, method: 'tools/call' }), client({ method: 'notifications/cancelled', params: { requestId: 1 } }), server({ id: 1, result: { content: [] } })]);

  refuses('an error with id null', /not sent/, [error(null)]);
  refuses('an error with id null for a request with id null', /no JSONRPCError/,
    [client({ id: null, method: 'ping' }), error(null)]);
  accepts('an error without an id', [client('{'), error(undefined, -32700)]);
  accepts('an error with the id of a line that is no JSON', [client('{"id": 1,'), error(1, -32700)]);
  refuses('an error with another id than that line', /not sent/, [client('{"id":1,'), error(2, -32700)]);
  refuses('another error for that line', /not sent/, [client('{"id":1,'), error(1, -32600)]);
  refuses('a second error for that line', /not sent/, [client('{"id":1,'), error(1, -32700), error(1, -32700)]);
  refuses('an error without an id where it was read', /without the id/,
    [client({ id: 1, method: 'ping' }), error(undefined, -32603)]);
  refuses('an error without a message', /no JSONRPCError/,
    [client({ id: 1, method: 'ping' }), server({ id: 1, error: { code: 1 } })]);
  refuses('a code that is no integer', /no JSONRPCError/, [client({ id: 1, method: 'ping' }), error(1, 1.5)]);
  refuses('result and error', /not 2/,
    [client({ id: 1, method: 'ping' }), server({ id: 1, result: {}, error: { code: 1, message: 'm' } })]);
  refuses('no member of a message', /not 0/, [server({ id: 1 })]);
  refuses('another jsonrpc', /no jsonrpc/, [server('{"jsonrpc":"1.0","method":"notifications/tools/list_changed"}')]);

  accepts('a notification', [server({ method: 'notifications/tools/list_changed' })]);
  accepts('a notification of MQTT', [server({ method: 'notifications/disconnected' })]);
  refuses('an unknown notification', /no ServerNotification notifications\/no-such/,
    [server({ method: 'notifications/no-such' })]);
  refuses('a notification of the client', /no ServerNotification/, [server({ method: 'notifications/initialized' })]);
  refuses('an update without its URI', /no ResourceUpdatedNotification/,
    [server({ method: 'notifications/resources/updated', params: {} })]);
  refuses('a log message of no level', /no LoggingMessageNotification/,
    [server({ method: 'notifications/message', params: { level: 'loud', data: 1 } })]);
  refuses('progress without a token', /no ProgressNotification/,
    [server({ method: 'notifications/progress', params: { progress: 1 } })]);
  accepts('a request of the server', [server({ id: 1, method: 'roots/list' })]);
  refuses('a request of the client', /no ServerRequest tools\/list/, [server({ id: 1, method: 'tools/list' })]);
  refuses('sampling without messages', /no CreateMessageRequest/,
    [server({ id: 1, method: 'sampling/createMessage', params: { maxTokens: 1 } })]);
  refuses('an id of the server used twice', /second time/,
    [server({ id: 1, method: 'ping' }), server({ id: 1, method: 'ping' })]);

  refuses('a line that is not JSON', /not JSON/, [server('{"jsonrpc":"2.0"')]);
  refuses('a line that is not UTF-8', /not UTF-8/,
    [Buffer.concat([Buffer.from('{"out":"'), Buffer.from([0xC0, 0x80]), Buffer.from('"}')])]);
  refuses('a value that is no object', /no object/, [server('42')]);

  const batch = [client('[{"jsonrpc":"2.0","id":1,"method":"ping"},1]'),
    server('[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","error":{"code":-32600,"message":"m"}}]')];
  if (revision === '2025-03-26') {
    accepts('a batch', batch);
    refuses('a bad message in a batch', /not sent/, [...batch, server('[{"jsonrpc":"2.0","id":1,"result":{}}]')]);
    refuses('an empty batch', /without messages/, [server('[]')]);
  } else {
    refuses('a batch', /has no batches/, batch);
  }
}

const latest = opened('2025-11-25');
const listed = tools({ name: 't', inputSchema: { type: 'object' }, outputSchema: { type: 'object', required: ['x'] } });
const called = (result) => [client({ id: 2, method: 'tools/call', params: { name: 't' } }), server({ id: 2, result: { content: [], ...result } })];
accepted('structured content as the tool declares it',
  [...latest, ...listed, ...called({ structuredContent: { x: 1 } })]);
accepted('a failure has no structured content', [...latest, ...listed, ...called({ isError: true })]);
refused('structured content that is missing', /nothing of it/, [...latest, ...listed, ...called({})]);
refused('structured content of another shape', /required property 'x'/,
  [...latest, ...listed, ...called({ structuredContent: {} })]);

const asTask = (result) => [client({ id: 2, method: 'tools/call', params: { name: 't', task: {} } }), server({ id: 2, result })];
const task = { taskId: 'i', status: 'working', createdAt: '2026-01-02T03:04:05Z', lastUpdatedAt: '2026-01-02T03:04:05Z', ttl: null };
accepted('a task', [...latest, ...asTask({ task })]);
accepted('a call whose task is ignored', [...latest, ...asTask({ content: [] })]);
refused('a task without ttl', /no CreateTaskResult.*ttl/,
  [...latest, ...asTask({ task: { ...task, ttl: undefined } })]);
accepted('the result of a task', [...latest, ...answered('tasks/result', { content: [] })]);
refused('a result of a task that is not its own', /no CallToolResult/,
  [...latest, ...answered('tasks/result', { task })]);
refused('an elicitation of an object in an object', /no ElicitRequest/, [...latest,
  server({ id: 1, method: 'elicitation/create', params: { message: 'm', requestedSchema: { type: 'object', properties: { a: { type: 'object' } } } } })]);
refused('-32042 without what it needs', /no URLElicitationRequiredError/,
  [...latest, client({ id: 1, method: 'tools/call' }), error(1, -32042)]);
refused('elicitation in a revision before it', /no ServerRequest elicitation/, [...opened('2025-03-26'),
  server({ id: 1, method: 'elicitation/create', params: { message: 'm', requestedSchema: { type: 'object', properties: {} } } })]);

const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
const alone = (method, result) => [play(), ...answered(method, result, { _meta: meta })];
const detached = { resultType: 'task', taskId: 'i', status: 'working', createdAt: 'c', lastUpdatedAt: 'l', ttlMs: 1 };
const completed = { ...detached, resultType: 'complete', status: 'completed' };
accepted('a task without a session', alone('tools/call', detached));
refused('a task without a session and ttlMs', /no CreateTaskResult.*ttlMs/, alone('tools/call', { ...detached, ttlMs: undefined }));
accepted('a result in tasks/get', alone('tasks/get', { ...completed, result: { resultType: 'complete', content: [] } }));
refused('a result in tasks/get that is no result of a call', /no CallToolResult/, alone('tasks/get', { ...completed, result: {} }));
refused('tasks/list without a session', /tasks.list, which 2026-07-28 does not have/, alone('tasks/list', { resultType: 'complete', tasks: [] }));
refused('news of a task without its state', /no TaskStatusNotification/, [play(), client({ id: 1, method: 'subscriptions/listen', params: { _meta: meta } }),
  server({ method: 'notifications/tasks', params: { taskId: 'i', _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } } })]);

accepted('of two calls with one id, the later refused', [...latest, client({ id: 1, method: 'tools/call' }),
  client({ id: 1, method: 'ping' }), error(1), server({ id: 1, result: { content: [] } })]);
const refusedGet = JSON.stringify({ out: message({ error: { code: -32600, message: 'm' } }), to: 0 });
accepted('an error for a GET while a request waits',
  [...latest, client({ id: 1, method: 'ping' }), refusedGet, server({ id: 1, result: {} })]);
refused('a result after an error for its request', /not sent, or is answered/,
  [...latest, client({ id: 1, method: 'ping' }), error(), server({ id: 1, result: {} })]);
const lateError = JSON.stringify({ out: message({ error: { code: -32600, message: 'm' } }), to: 2 });
accepted('an error for the request before the last one',
  [...latest, client({ id: 1, method: 'ping' }), client({ id: 2, method: 'ping' }), lateError, server({ id: 2, result: {} })]);
refused('a result for the request before the last one, after its error', /not sent, or is answered/,
  [...latest, client({ id: 1, method: 'ping' }), client({ id: 2, method: 'ping' }), lateError, server({ id: 1, result: {} })]);
accepted('what is said before initialize', [play(), client({ id: 1, method: 'tools/list' }), error(1)]);
refused('a record without a message', /not one message/, [play()]);

test('a line that breaks off is named where the conversation says so', () => {
  const { failures, cuts } = reportOf([play({ cut: 'no memory' }), client({ id: 1, method: 'ping' }), server('{"jsonrpc')]);
  assert.deepEqual(failures, []);
  assert.deepEqual(cuts, ['p, w: no memory: {"jsonrpc']);
});
refused('a conversation that says that a line breaks off, and none does', /none does/,
  [play({ cut: 'no memory' }), ...latest.slice(1)]);
test('half of a line at the end of a server that was ended is named', () => {
  const { failures, cuts } = reportOf([...latest, '{"half":"{\\"jsonrpc"}']);
  assert.deepEqual(failures, []);
  assert.match(cuts[0], /ended the server/);
});

test('what the program says, and its status', (t) => {
  const work = mkdtempSync(join(tmpdir(), 'mote-'));
  atEnd(t, () => rmSync(work, { recursive: true }));
  const record = (name, lines) => {
    writeFileSync(join(work, name), lines.map((line) => `${line}\n`).join(''));
    return join(work, name);
  };
  const good = record('good', [...opened('2025-11-25'), ...opened('2025-06-18')]);
  const bad = record('bad', [...latest, server('{')]);
  copyFileSync(join(folder, '2025-11-25.json'), join(work, '2025-11-25.json'));
  const run = (...command) => {
    const { status, stdout } = spawnSync(process.execPath, [fileURLToPath(new URL('validate.mjs', import.meta.url)), ...command], { encoding: 'utf8' });
    return [status, stdout];
  };
  const says = (status, text, ...command) => {
    const [came, output] = run(...command);
    assert.equal(came, status, output);
    assert.match(output, text);
  };
  says(0, /2025-06-18: 1 messages checked\n2025-11-25: 1 messages checked/, folder, good);
  says(1, /refused: p, w: not JSON/, folder, good, bad);
  says(1, /left no record/, folder, good, join(work, 'none'));
  says(77, /skipped: no folder .*none/, join(work, 'none'), good);
  says(77, /skipped: not in .*2025-06-18.json, 1 messages not checked/, work, good);
  says(1, /not JSON/, work, good, bad);
});
