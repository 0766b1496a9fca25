// SPDX-License-Identifier: Apache-2.0
// What `attach watch` prints for records, and what a hostile device, host or file cannot do to a terminal. usage: node watch_view.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutTo, shown, width } from '../../toolchains/attach/lib/shown.mjs';
import { View } from '../../toolchains/attach/lib/watch_view.mjs';

process.env.TZ = 'UTC';
const session = '7-abc';
const begin = { trace: 'mote-attach 1', target: 'serial /dev/ttyACM0', version: '1', pid: 7 };
const key = 'io.modelcontextprotocol/clientInfo';

/** The lines for records, each 10 ms after the one before. */
function linesOf(records, options = {}, more = {}) {
  const lines = [];
  const view = new View({ write: (line) => lines.push(line), columns: () => 100, ...options });
  records.forEach((record, i) => {
    const time = new Date(Date.UTC(2026, 10, 30, 13, 45, 55, 10 * i)).toISOString();
    assert.equal(view.take({ time, ms: 1000 + 10 * i, session, ...record, ...more }), true, JSON.stringify(record));
  });
  view.end();
  return lines;
}

const host = (message) => ({ from: 'host', message: { jsonrpc: '2.0', ...message } });
const device = (message) => ({ from: 'device', message: { jsonrpc: '2.0', ...message } });
const call = (id, name, args, meta) => host({ id, method: 'tools/call', params: { name, arguments: args, ...(meta && { _meta: meta }) } });
const text = (id, words, more) => device({ id, result: { content: [{ type: 'text', text: words }], ...more } });
const initialize = host({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', clientInfo: { name: 'claude-ai', version: '0.1.0' } } });

test('prints one block for each request', () => {
  const elicitation = { id: 9, method: 'elicitation/create', params: { message: 'Open the valve?' } };
  assert.deepEqual(linesOf([
    begin, initialize, device({ id: 1, result: { protocolVersion: '2025-11-25', serverInfo: { name: 'thermo', version: '1.0' } } }),
    host({ method: 'notifications/initialized' }),
    call(2, 'set_led', { percent: 50 }), text(2, 'The LED is at 50 %.'),
    call(3, 'set_led', { percent: 500 }), text(3, 'percent must be an integer\nfrom 0 to 100.', { isError: true }),
    host({ id: 4, method: 'resources/read', params: { uri: 'sensor://temperature' } }),
    device({ id: 4, result: { contents: [{ uri: 'sensor://temperature', text: '{"celsius":21.5}' }] } }),
    host({ id: 5, method: 'tools/list' }), device({ id: 5, result: { tools: [{ name: 'a' }, { name: 'b' }] } }),
    call(6, 'open_valve', {}, { progressToken: 'p' }),
    device({ method: 'notifications/progress', params: { progressToken: 'p', progress: 1, total: 2 } }),
    device(elicitation), host({ id: 9, result: { action: 'accept', content: { sure: true } } }),
    device({ method: 'notifications/progress', params: { progressToken: 'p', progress: 2, total: 2, message: 'open' } }),
    text(6, 'The valve is open.'),
    device({ method: 'notifications/resources/updated', params: { uri: 'sensor://temperature' } }),
    device({ method: 'notifications/tools/list_changed' }),
    device({ method: 'notifications/message', params: { level: 'info', logger: 'pump', data: 'started' } }),
    host({ id: 7, method: 'resources/read', params: { uri: 'x://y' } }), device({ id: 7, error: { code: -32002, message: 'Resource not found.' } }),
    host({ id: 8, method: 'ping' }), device({ id: 8, result: {} }),
    call(9, 'hang', {}), host({ method: 'notifications/cancelled', params: { requestId: 9 } }),
    { from: 'device', text: 'attach: The connection to the device was lost.' },
    call(10, 'last', {}), { end: 'stdin or stdout has ended' },
  ]), [
    '--- 2026-11-30',
    '13:45:55.000  host 7  begins with serial /dev/ttyACM0 (process 7)',
    '13:45:55.010  claude-ai 0.1.0  initialize 2025-11-25  10 ms',
    '    thermo 1.0, revision 2025-11-25',
    '13:45:55.040  claude-ai 0.1.0  set_led {"percent":50}  10 ms',
    '    The LED is at 50 %.',
    '13:45:55.060  claude-ai 0.1.0  set_led {"percent":500}  10 ms',
    '    error: percent must be an integer',
    '    from 0 to 100.',
    '13:45:55.080  claude-ai 0.1.0  read sensor://temperature  10 ms',
    '    {"celsius":21.5}',
    '13:45:55.100  claude-ai 0.1.0  tools/list  10 ms',
    '    2 tools: a, b',
    '13:45:55.120  claude-ai 0.1.0  open_valve {}  50 ms',
    '    asks: Open the valve?',
    '    answer: {"action":"accept","content":{"sure":true}}  10 ms',
    '    progress, 2 messages: 2 of 2 open',
    '    The valve is open.',
    '13:45:55.180  claude-ai 0.1.0  changed: sensor://temperature',
    '13:45:55.190  claude-ai 0.1.0  changed: the list of tools',
    '13:45:55.200  claude-ai 0.1.0  log info pump: started',
    '13:45:55.210  claude-ai 0.1.0  read x://y  10 ms',
    '    error -32002: Resource not found.',
    '13:45:55.250  claude-ai 0.1.0  hang {}  10 ms',
    '    the host has cancelled it',
    '13:45:55.270  claude-ai 0.1.0  text: attach: The connection to the device was lost.',
    '13:45:55.280  claude-ai 0.1.0  last {}',
    '    no response',
    '13:45:55.290  claude-ai 0.1.0  ends: stdin or stdout has ended',
  ]);
});

test('prints input requests and responses of a stateless host', () => {
  const meta = { [key]: { name: 'Code', version: '2' } };
  const asks = { yes: { method: 'elicitation/create', params: { message: 'Sure?' } } };
  const lines = linesOf([
    call(1, 'open', {}, meta), device({ id: 1, result: { resultType: 'input_required', requestState: 's', inputRequests: asks } }),
    host({ id: 2, method: 'tools/call', params: {
      name: 'open', arguments: {}, requestState: 's', inputResponses: { yes: { action: 'decline' } }, _meta: meta } }),
    text(2, 'Not opened.'),
  ]);
  assert.deepEqual(lines.slice(1), [
    '13:45:55.000  Code 2  open {}  10 ms', '    asks: Sure?',
    '13:45:55.020  Code 2  open {}  10 ms', '    answers yes: {"action":"decline"}', '    Not opened.',
  ]);
});

test('tells hosts of the same name from each other', () => {
  const lines = [];
  const view = new View({ write: (line) => lines.push(line) });
  for (const pid of [7, 8]) view.take({ ...begin, pid, session: `${pid}`, client: { name: 'a', version: '1' } });
  for (const id of ['7', '8']) view.take({ session: id, ms: 1, ...call(1, 'x', {}) });
  for (const id of ['8', '7']) view.take({ session: id, ms: 2, ...text(1, `result of ${id}`) });
  assert.deepEqual(lines.slice(-4).map((line) => line.replace(/^.*---  /, '')),
    ['a 1 (8)  x {}  1.0 ms', '    result of 8', 'a 1 (7)  x {}  1.0 ms', '    result of 7']);
});

test('prints JSON for programs, with exact numbers of a request', () => {
  const [first, last] = linesOf([begin, initialize, call(2, 'a', { n: 1 }), text(2, 'ok')], { isJson: true }).map((line) => JSON.parse(line)).slice(0, 2);
  assert.deepEqual(first, { kind: 'begin', time: '2026-11-30T13:45:55.000Z', session, target: begin.target, pid: '7', continued: false });
  assert.deepEqual(last, { kind: 'request', time: '2026-11-30T13:45:55.020Z', session, host: { name: 'claude-ai', version: '0.1.0' },
    target: begin.target, method: 'tools/call', params: { name: 'a', arguments: { n: 1 } }, durationMs: 10,
    result: { content: [{ type: 'text', text: 'ok' }] } });
});

test('shortens each line to the terminal, also of wide characters', () => {
  const long = '\u6e29\u5ea6'.repeat(5000);
  const many = Array.from({ length: 30 }, (_, i) => `line ${i} ${'x'.repeat(300)}`).join('\n');
  for (const columns of [40, 80, 200]) {
    const lines = linesOf([begin, initialize, call(2, long, { long }), text(2, many), text(3, 'x'), { from: 'device', text: long }],
      { columns: () => columns });
    const most = Math.max(columns, 72);  // time, host and duration are never shortened
    for (const line of lines) assert.ok(width(line) <= most, `${width(line)} of ${most}: ${line}`);
    assert.ok(lines.includes('    … 22 more lines'));
  }
  assert.equal(cutTo('abc', 3), 'abc');
  assert.equal(cutTo('abcd', 3), 'ab…');
  assert.equal(cutTo('\u6e29\u5ea6\u6e29', 4), '\u6e29…');
});

// ---- Attacks --------------------------------------------------------------------------------------------------------

/** Characters that control a terminal, hide text or change its direction. */
const isDangerous = /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe0f\ufeff\ufff9-\ufffb\u{e0001}-\u{e007f}]/u;

/** Records in which each text is `bad`. */
const attacks = (bad) => [
  { trace: bad, target: bad, version: bad, pid: bad, client: { name: bad, version: bad } },
  host({ id: bad, method: 'initialize', params: { protocolVersion: bad, clientInfo: { name: bad, version: bad } } }),
  device({ id: bad, result: { protocolVersion: bad, serverInfo: { name: bad, version: bad } } }),
  call(2, bad, { [bad]: bad }), text(2, bad), call(3, bad, {}), text(3, bad, { isError: true }),
  ...['prompts/get', 'resources/read', 'completion/complete', bad].flatMap((method, i) => [
    host({ id: 10 + i, method, params: { name: bad, uri: bad, [bad]: bad } }),
    device({ id: 10 + i, result: { contents: [{ uri: bad, text: bad }, { mimeType: bad, blob: bad, uri: bad }], [bad]: [{ name: bad }] } })]),
  host({ id: 20, method: 'x' }), device({ id: 20, error: { code: bad, message: bad, data: bad } }),
  host({ id: 21, method: 'tools/list' }), device({ id: 21, result: { tools: [{ name: bad }, bad] } }),
  call(22, 'y', {}, { progressToken: bad }),
  device({ method: 'notifications/progress', params: { progressToken: bad, progress: bad, total: bad, message: bad } }),
  device({ id: bad, method: 'elicitation/create', params: { message: bad } }), host({ id: bad, result: { [bad]: bad } }),
  device({ id: 23, method: 'sampling/createMessage', params: { messages: [{ content: { text: bad } }] } }), host({ id: 23, result: {} }),
  device({ method: 'notifications/message', params: { level: bad, logger: bad, data: bad } }),
  device({ method: 'notifications/resources/updated', params: { uri: bad } }),
  device({ method: `notifications/${bad}`, params: { [bad]: bad } }),
  device({ id: 22, result: { content: [{ type: bad, uri: bad }, { mimeType: bad, data: bad }, { resource: { uri: bad, text: bad } }, bad] } }),
  { from: 'device', text: bad }, { from: 'host', text: bad }, { end: bad },
];

test('prints no character that controls the terminal', () => {
  const range = (from, size) => Array.from({ length: size }, (_, i) => from + i);
  const codes = [...range(0, 0xa0), 0xad, 0x34f, 0x61c, 0x180e, ...range(0x2000, 0x70), 0xfe0f, 0xfeff, 0xfff9, 0xe0001, 0xe0020, 0xd800, 0xdfff];
  const all = codes.map((code) => String.fromCodePoint(code)).filter((c) => isDangerous.test(c) || /\p{Cs}/u.test(c));
  const sequences = [...all, '\u001b[2J\u001b]0;title\u0007', '\u001bP+q544e\u001b\\', '\u009b31m', 'a\r13:00:00.000  claude-ai', '\u202eabc'];
  for (const bad of sequences) {
    for (const isJson of [false, true]) {
      const lines = linesOf(attacks(`a${bad}b`), { isJson });
      assert.ok(lines.length >= (isJson ? 15 : 40), `${lines.length}`);
      for (const line of lines) {
        assert.ok(!isDangerous.test(line), JSON.stringify(line));
        if (isJson) assert.doesNotThrow(() => JSON.parse(line));
      }
    }
  }
  assert.equal(shown('\u001b[2J\t\n'), '\\u{1b}[2J\\t\\n');
});

test('lets no text look like another block', () => {
  const fake = '13:46:00.000  claude-ai 0.1.0  set_led {}\n--- 2027-01-01\n    ok';
  const own = /^(--- 2026-11-30$|13:45:5\d|    )/;
  for (const line of linesOf(attacks(fake))) assert.match(line, own);
});

test('shows records of any type, and reports what is none', () => {
  const values = [undefined, null, 0, -1, 1e400, true, '', 'x', [], {}, [null], [[]], { a: null }, { toString: 5 }, '__proto__'];
  for (const isJson of [false, true]) {
    const view = new View({ write: (line) => assert.equal(typeof line, 'string'), isJson });
    for (const value of values) {
      view.take(value);
      view.take({ session: value });
    }
    for (const a of values) {
      for (const b of values) {
        view.take({ session, time: a, ms: b, from: a, message: b });
        view.take({ session, trace: a, target: b, pid: b, client: a, end: undefined });
        view.take({ session, trace: 1, client: { name: a, version: b } });
        for (const method of ['initialize', 'tools/call', 'prompts/get', 'resources/read', 'sampling/createMessage', 'elicitation/create', 'x']) {
          view.take({ session, ms: 1, from: 'host', message: { id: b, method, params: a } });
          view.take({ session, ms: 1, from: 'host', message: { id: b, method, params: { name: a, uri: b, arguments: a, messages: a, _meta: b,
            inputResponses: a, clientInfo: b } } });
          view.take({ session, ms: 2, from: 'device', message: { id: b, result: a } });
          view.take({ session, ms: 1, from: 'host', message: { id: b, method, params: b } });
          view.take({ session, ms: 2, from: 'device', message: { id: b, result: { content: a, contents: b, tools: a, inputRequests: b,
            serverInfo: a, supportedVersions: b, _meta: a, isError: b } } });
          view.take({ session, ms: 1, from: 'host', message: { id: b, method } });
          view.take({ session, ms: 2, from: 'device', message: { id: b, error: a } });
        }
        for (const method of ['cancelled', 'progress', 'message', 'resources/updated', 'tasks', 'tools/list_changed']) {
          view.take({ session, from: 'device', message: { method: `notifications/${method}`, params: a } });
          view.take({ session, from: 'host', message: { method: `notifications/${method}`, params: { requestId: a, progressToken: b, level: a, data: b,
            uri: a } } });
        }
      }
    }
    view.end();
  }
  const view = new View({ write: () => {} });
  for (const none of [undefined, 5, {}, { session }, { session: 5, end: 'x' }, { session, message: 'x' }]) assert.equal(view.take(none), false);
});

test('counts no progress without a token for a request', () => {
  const lines = linesOf([begin, call(1, 'x', {}), device({ method: 'notifications/progress', params: { progress: 1 } }), text(1, 'done')]);
  assert.ok(!lines.some((line) => line.includes('progress, 1 messages')), lines.join('\n'));
  assert.ok(lines.some((line) => line.includes('gets notifications/progress {"progress":1}')), lines.join('\n'));
});

test('keeps a limit of requests and of hosts', () => {
  const lines = [];
  const view = new View({ write: (line) => lines.push(line) });
  for (let i = 0; i < 1000; ++i) view.take({ session, ms: i, ...call(i, 'x', {}) });
  assert.equal(lines.filter((line) => line === '    no response').length, 800);
  for (let i = 0; i < 3000; ++i) view.take({ session: `s${i}`, ...begin });
  assert.equal([...Array(3000).keys()].filter((i) => view.has(`s${i}`)).length, 1000);
});
