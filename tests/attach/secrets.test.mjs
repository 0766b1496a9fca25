// SPDX-License-Identifier: Apache-2.0
// What the records of attach hide: the cases of the traces of devices, from their test. usage: node secrets.test.mjs
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { keepMarked, secretWords } from '../../toolchains/attach/lib/secret_words.mjs';
import { hideSecrets, newKey } from '../../toolchains/attach/lib/secrets.mjs';
import { parseTarget, targetText } from '../../toolchains/attach/lib/target.mjs';
import { safeJson, Trace } from '../../toolchains/attach/lib/trace.mjs';

const sourceOf = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The cases of a table of C++: { what, text, stored }. */
function casesOf(source, table) {
  const [, body] = new RegExp(`constexpr Case ${table}\\[\\] = \\{([^]*?)\\n\\};`).exec(source);
  const literal = /R"\(([^]*?)\)"|"((?:[^"\\]|\\.)*)"/g;
  const codes = { n: '\n', r: '\r', t: '\t' };
  const plain = (text) => text.replace(/\\(?:x([0-9A-Fa-f]{2})|(.))/g, (_, hex, c) => (
    hex ? String.fromCharCode(parseInt(hex, 16)) : codes[c] ?? c));
  const valueOf = (text) => [...text.matchAll(literal)].map(([, raw, escaped]) => raw ?? plain(escaped)).join('');
  const one = '(?:(?:R"\\([^]*?\\)"|"(?:[^"\\\\]|\\\\.)*")\\s*)+';
  const cases = [...body.matchAll(new RegExp(`^ {4}\\{(${one}),\\s*(${one}),\\s*(${one})\\}`, 'gm'))];
  assert.equal(cases.length, body.match(/^ {4}\{/gm).length, 'each case is read');
  return cases.map(([, ...parts]) => parts.map(valueOf)).map(([what, text, stored]) => ({ what, text, stored }));
}

test('hides what the trace of a device hides', () => {
  const cases = casesOf(sourceOf('tests/core/trace/redaction_test.cpp'), 'json_cases');
  assert.ok(cases.length > 50);
  for (const { what, text, stored } of cases) assert.equal(hideSecrets(text), stored, what);
});

test('has the words of the trace of a device', () => {
  const [, list] = /secrets\[\] = \{([^}]*)\}/.exec(sourceOf('core/kit/trace/secret_finder.cpp'));
  assert.deepEqual([...secretWords].sort(), [...list.matchAll(/"(\w+)"/g)].map(([, word]) => word).sort());
});

test('hides a setting whose name comes after its value', () => {
  assert.equal(hideSecrets('{"value":"ab1","name":"wifi_password"}'), '{"value":"xx1","name":"wifi_password"}');
  assert.equal(hideSecrets('{"value":"ab1","name":"level"}'), '{"value":"ab1","name":"level"}');
});

test('gives an id the same stand-in in a process, and another one in the next', () => {
  const text = '{"taskId":"0123456789abcdef0123456789ABCDEF"}';
  const [one, other] = [newKey(), newKey()];
  assert.equal(hideSecrets(text, one), hideSecrets(text, one));
  assert.match(hideSecrets(text, one), /^\{"taskId":"[0-9a-f]{16}[0-9a-f]{10}[0-9A-F]{6}"\}$/i);
  assert.notEqual(hideSecrets(text, one), text);
  assert.notEqual(hideSecrets(text, one), hideSecrets(text, other));
});

// A parser of JSON must read what is stored, whatever a device sends.
for (const first of [1, Math.floor(Date.now() / 86_400_000)]) test(`keeps JSON valid, and the size of each text, seed ${first}`, () => {
  let seed = first;
  const random = (most) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % most;
  };
  const names = ['password', 'a', 'pin', 'tokens', 'taskId', 'requestState', 'value', 'setting', 'k"ey', 'p\\u0061ssword', '\u00fc'];
  const make = (depth) => {
    const kind = random(depth > 3 ? 5 : 8);
    if (kind === 0) return random(1e6) / 7;
    if (kind === 1) return [true, false, null][random(3)];
    if (kind < 5) return JSON.stringify({ [names[random(names.length)]]: ['x', 'a\\"b', '\n\u0001', 'token=abc def', 7][random(5)] }).slice(random(3));
    if (kind === 5) return Array.from({ length: random(4) }, () => make(depth + 1));
    return Object.fromEntries(Array.from({ length: random(4) }, () => [names[random(names.length)], make(depth + 1)]));
  };
  for (let i = 0; i < 2000; ++i) {
    const text = JSON.stringify(make(0));
    const hidden = hideSecrets(text, newKey());
    assert.equal(hidden.length, text.length, text);
    assert.doesNotThrow(() => JSON.parse(hidden), text);
    assert.deepEqual(JSON.parse(safeJson(hidden)), JSON.parse(hidden), text);
  }
});

test('hides what the schema of a tool marks', () => {
  const schemas = new Map();
  const inputSchema = { type: 'object', properties: {
    user: {}, code: { type: 'string', writeOnly: true }, list: { items: { properties: { digits: { format: 'password' } } } } } };
  const list = (tools) => keepMarked(tools, JSON.stringify({ result: { tools } }), schemas);
  list([{ name: 'login', inputSchema }, { name: 'plain', inputSchema: { properties: { code: {} } } }, 5, null]);
  assert.deepEqual([...schemas.keys()], ['login']);
  const trace = new Trace({ session: 's', target: 'x', version: '1', schemas, client: () => undefined });
  const shownOf = (params) => JSON.parse(trace.message('host', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))).message.params;
  const args = { user: 'ann', code: 'ab12', list: [{ digits: 47.5, other: 3 }] };
  assert.deepEqual(shownOf({ name: 'login', arguments: args }).arguments, { user: 'ann', code: 'xx11', list: [{ digits: 1, other: 3 }] });
  assert.deepEqual(shownOf({ name: 'plain', arguments: args }).arguments, args);
  for (const odd of [null, 5, 'x', [], { code: { deep: ['a'] } }]) assert.doesNotThrow(() => shownOf({ name: 'login', arguments: odd }));
  assert.deepEqual(shownOf({ name: 'login', arguments: { code: { deep: ['a'] } } }).arguments, { code: { xxxx: ['x'] } });
  list([{ name: 'login', inputSchema: {} }]);
  assert.equal(schemas.size, 0);
});

test('hides what a schema marks in any of its parts, and in each notation of the call', () => {
  const schemas = new Map();
  const trace = new Trace({ session: 's', target: 'x', version: '1', schemas, client: () => undefined });
  const secret = { type: 'string', format: 'password' };
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'join', arguments: { wpa: 'ab12', ssid: 'home' } } });
  const shownOf = (inputSchema, line = call) => {
    const tools = [{ name: 'join', inputSchema }];
    keepMarked(tools, JSON.stringify({ result: { tools } }), schemas);
    return JSON.parse(trace.message('host', line)).message.params.arguments;
  };
  const hidden = { wpa: 'xx11', ssid: 'home' };
  const plain = { type: 'object', properties: { wpa: secret } };
  assert.deepEqual(shownOf(plain), hidden);
  assert.deepEqual(shownOf(plain, call.replace('tools/call', 'tools\\/call')), hidden);
  assert.deepEqual(shownOf(plain, call.replace('tools/call', 't\\u006fols/call')), hidden);
  assert.deepEqual(shownOf({ properties: { wpa: { anyOf: [secret, { type: 'null' }] } } }), hidden);
  assert.deepEqual(shownOf({ properties: { wpa: { type: ['string', 'null'], oneOf: [{}, { allOf: [secret] }] } } }), hidden);
  assert.deepEqual(shownOf({ properties: {}, additionalProperties: secret }), { wpa: 'xx11', ssid: 'xxxx' });
  // It is not known where a definition or a pattern applies.
  for (const others of [{ $defs: { s: secret }, properties: { wpa: { $ref: '#/$defs/s' } } }, { patternProperties: { '^w': secret } }]) {
    assert.deepEqual(shownOf(others), { xxx: 'xx11', xxxx: 'xxxx' });
  }
});

test('makes a record of a message with white space between its parts', () => {
  const trace = new Trace({ session: 's', target: 'x', version: '1', schemas: new Map(), client: () => undefined });
  for (const space of [' ', '\t', '\r', '\t\r ']) {
    const record = trace.message('host', `{${space}"jsonrpc":${space}"2.0","method":"ping",${space}"id":1${space}}`);
    assert.deepEqual(JSON.parse(record).message, { jsonrpc: '2.0', method: 'ping', id: 1 });
  }
});

test('shows no secret of a command', () => {
  const textOf = (...argv) => targetText(parseTarget(argv));
  assert.equal(textOf('exec', '/opt/server', '--token', 'abc', '--api-key=def', '--port', '1'), 'exec server --token *** --api-key=*** --port 1');
  assert.equal(textOf('exec', 'env', 'API_KEY=abc', 'A=1', 'npx', 'remote', '--header', 'Authorization: Bearer abc'),
    'exec env API_KEY=*** A=1 npx remote --header Authorization:***');
  assert.equal(textOf('exec', 'curl', '-HX-Api-Key:abc', 'https://a/b?c=1&access_token=abc#d'), 'exec curl -HX-Api-Key:*** https://a/b?c=1&access_token=***#d');
  assert.equal(textOf('http', 'https://a/mcp?key=abc'), 'http https://a/mcp?key=***');
  assert.equal(textOf('mqtt', 'mqtts://ann@broker/a', '--password-file', 'p'), 'mqtt mqtts://broker/a');
});
