// SPDX-License-Identifier: Apache-2.0
// usage: node lines.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expand, templateVariables } from '../../toolchains/attach/lib/additions.mjs';
import { LineReader } from '../../toolchains/attach/lib/lines.mjs';
import { headerValue } from '../../toolchains/attach/lib/links/http.mjs';
import { honoredOf, matches, union } from '../../toolchains/attach/lib/subscription.mjs';
import { brokerName, parseTarget } from '../../toolchains/attach/lib/target.mjs';
import { TextLog } from '../../toolchains/attach/lib/text_log.mjs';

const message = '{"jsonrpc":"2.0","id":1,"result":{"text":"é"}}';

function read(bytes, size = bytes.length, limit = undefined) {
  const got = { messages: [], texts: [], damaged: [] };
  const reader = new LineReader({
    message: (m) => got.messages.push(m), text: (line) => got.texts.push(line), damaged: (line) => got.damaged.push(line),
  }, limit);
  for (let at = 0; at < bytes.length; at += size) reader.feed(bytes.subarray(at, at + size));
  return got;
}

test('reads messages in pieces of any size', () => {
  const bytes = Buffer.from(`${message}\n\r\n${message}\r\n`);
  for (let size = 1; size <= bytes.length; ++size) {
    const got = read(bytes, size);
    assert.deepEqual(got.messages, [JSON.parse(message), JSON.parse(message)]);
    assert.deepEqual(got.texts, []);
  }
});

test('finds a message after a boot log without a line end', () => {
  const got = read(Buffer.from(`rst:0x1 {"jsonrpc" ${message}\n`));
  assert.deepEqual(got.messages, [JSON.parse(message)]);
  assert.deepEqual(got.texts, ['rst:0x1 {"jsonrpc" ']);
});

test('reads the message after each damaged byte of the line before', () => {
  const clean = Buffer.from(`${message}\n${message}\n`);
  for (let at = 0; at < message.length - 1; ++at) {
    const bytes = Buffer.from(clean);
    bytes[at] = 0x07;
    assert.deepEqual(read(bytes).messages.at(-1), JSON.parse(message), `byte ${at}`);
    assert.deepEqual(read(Buffer.concat([clean.subarray(0, at), clean.subarray(at + 1)])).messages.at(-1), JSON.parse(message));
  }
});

test('skips a line over the limit and reads the next one', () => {
  const got = read(Buffer.from(`${'x'.repeat(5000)}\n${message}\n`), 100, 1000);
  assert.equal(got.damaged.length, 1);
  assert.deepEqual(got.messages, [JSON.parse(message)]);
});

test('keeps the last bytes of the text', () => {
  const log = new TextLog(10);
  log.add('12345');
  assert.deepEqual(log.read(0, 100), { text: '12345\n', position: 6, lost: 0 });
  log.add('abcdefg');
  assert.deepEqual(log.read(0, 100), { text: '5\nabcdefg\n'.slice(-10), position: 14, lost: 4 });
  assert.deepEqual(log.read(6, 4), { text: 'efg\n', position: 14, lost: 4 });
  assert.deepEqual(log.read(14, 4), { text: '', position: 14, lost: 0 });
  assert.deepEqual(log.read(99, 4), { text: '', position: 14, lost: 0 });
});

test('keeps the last bytes of lines of any length, and copies only the bytes of a new line', (t) => {
  const log = new TextLog(64);
  let all = Buffer.alloc(0);
  for (let i = 0; i < 1000; ++i) {
    const line = 'x'.repeat((i * 37) % 150) + i;
    log.add(line);
    all = Buffer.concat([all, Buffer.from(`${line}\n`)]);
    for (const most of [1, 63, 64, 65]) {
      const kept = Math.min(64, most, all.length);
      const text = all.subarray(-kept).toString();
      assert.deepEqual(log.read(0, most), { text, position: all.length, lost: all.length - kept });
    }
  }
  const whole = new TextLog();
  whole.add('x'.repeat(70_000));
  let copied = 0;
  const { concat } = Buffer;
  t.mock.method(Buffer, 'concat', (parts, ...more) => {
    copied += parts.reduce((sum, { length }) => sum + length, 0);
    return concat(parts, ...more);
  });
  for (let i = 0; i < 100; ++i) whole.add('');
  assert.ok(copied <= 1000, `${copied} bytes`);
});

test('takes of an acknowledgement only what was in the filter', () => {
  const wanted = { toolsListChanged: true, resourceSubscriptions: ['a', 'b'], other: ['c'] };
  const accepted = {
    toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['b', 'x'], other: true, more: ['d'],
  };
  assert.deepEqual(honoredOf(wanted, accepted), { toolsListChanged: true, resourceSubscriptions: ['b'] });
  for (const resourceSubscriptions of [5, [{}], true]) {
    assert.deepEqual(honoredOf(wanted, { resourceSubscriptions }), {});
  }
});

test('joins subscription filters and splits their notifications', () => {
  const all = union([
    { toolsListChanged: true, resourceSubscriptions: ['b', 'a'] },
    { toolsListChanged: false, promptsListChanged: true, resourceSubscriptions: ['a', 'c'], taskIds: ['t'] },
  ]);
  assert.deepEqual(all, { promptsListChanged: true, resourceSubscriptions: ['a', 'b', 'c'], taskIds: ['t'], toolsListChanged: true });
  assert.ok(matches({ method: 'notifications/resources/updated', params: { uri: 'a' } }, all));
  assert.ok(!matches({ method: 'notifications/resources/updated', params: { uri: 'd' } }, all));
  assert.ok(matches({ method: 'notifications/tasks', params: { taskId: 't' } }, all));
  assert.ok(!matches({ method: 'notifications/resources/list_changed' }, all));
  assert.ok(!matches({ method: 'notifications/unknown' }, all));
});

test('expands URI templates', () => {
  assert.deepEqual(templateVariables('a://{x,y}/{/z}{?q}'), ['x', 'y', 'z', 'q']);
  const values = { x: 'a b', y: 'ü', z: 'm/n', q: '1&2' };
  assert.equal(expand('s://{x}', values), 's://a%20b');
  assert.equal(expand('s://{x,y}', values), 's://a%20b,%C3%BC');
  assert.equal(expand('s://d{/x,z}{?q,none}{&q}', values), 's://d/a%20b/m%2Fn?q=1%262&q=1%262');
  assert.equal(expand('s://{+z}{#z}{none}{?none}', values), 's://m/n#m/n');
});

test('encodes header values that are not plain ASCII', () => {
  assert.equal(headerValue('plain text'), 'plain text');
  for (const text of ['', ' x', 'ü', 'a\nb', '=?base64?eA==?=']) {
    assert.equal(headerValue(text), `=?base64?${Buffer.from(text).toString('base64')}?=`);
  }
  assert.equal(headerValue(true), 'true');
});

test('reads targets, and rejects others with a sentence', () => {
  assert.deepEqual(parseTarget(['serial', '--usb', '2e8a:000a', '--baud', '9600', '--plain']).baud, 9600);
  assert.equal(parseTarget(['http', 'http://127.0.0.1/mcp']).url, 'http://127.0.0.1/mcp');
  assert.equal(parseTarget(['mdns', 'boiler']).host, 'boiler');
  assert.deepEqual(parseTarget(['exec', 'a', '--b']).args, ['--b']);
  assert.notEqual(brokerName(parseTarget(['exec', 'a'])), brokerName(parseTarget(['exec', '--plain', 'a'])));
  for (const argv of [[], ['http'], ['exec'], ['serial', 'a', 'b'], ['serial', '--baud', 'x'], ['serial', '--baud', '1200'],
    ['serial', 'a', '--usb', '1:2'], ['http', 'ftp://x'], ['mdns'], ['ftp', 'x']]) {
    assert.throws(() => parseTarget(argv), Error);
  }
});
