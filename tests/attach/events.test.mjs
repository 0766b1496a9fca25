// SPDX-License-Identifier: Apache-2.0
// The reader of event streams, which the HTTP link, doctor and mote-limits share. usage: node events.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventReader, isEventStream } from '../../toolchains/attach/lib/events.mjs';

/** The events of pieces, after each of them, and the reader. */
function read(...pieces) {
  const events = [];
  const reader = new EventReader((data) => events.push(data));
  for (const piece of pieces) reader.feed(Buffer.from(piece));
  return { events, reader };
}

test('reads what HTML allows, however it is cut', () => {
  const cases = [
    ['data: a\n\n', ['a']], ['data:a\n\n', ['a']], ['data:  a\n\n', [' a']], ['data: a\r\n\r\n', ['a']], ['data: a\r\r', ['a']],
    ['data: a\r\n\ndata: b\n\r\n', ['a', 'b']], ['data: a\ndata: b\n\n', ['a\nb']], ['data: a\rdata\rdata: b\r\r', ['a\n\nb']],
    ['\ufeffdata: a\n\n', ['a']], ['\ufeff\ufeffdata: a\n\ndata: b\n\n', ['b']], ['data: \ufeffa\n\n', ['\ufeffa']],
    ['data: a\u2028b\u2029c\u0085d\u000be\n\n', ['a\u2028b\u2029c\u0085d\u000be']], ['data: grün 🌡\n\n', ['grün 🌡']],
    [': hello\n\ndata: a\n\n', ['a']], ['event: message\nid: 1\ndata: a\nretry: 5\nother: x\n\n', ['a']],
    ['id: 1\ndata:\n\n', []], ['Data: a\n\n', []], ['data : a\n\n', []], ['data: a\n', []], ['data: a', []], ['\n\n\n', []],
  ];
  for (const [text, wanted] of cases) {
    const bytes = Buffer.from(text);
    for (let size = 1; size <= bytes.length; ++size) {
      const pieces = [];
      for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
      assert.deepEqual(read(...pieces).events, wanted, `${JSON.stringify(text)} in pieces of ${size}`);
    }
  }
});

test('gives an event to its taker before further bytes come', () => {
  for (const text of ['data: a\n\n', 'data: a\r\n\r\n', 'data: a\r\n\r', 'data: a\r\r']) assert.deepEqual(read(text).events, ['a']);
  assert.deepEqual(read('data: a\r\n\r', '\ndata: b\r\n\r', '\n').events, ['a', 'b']);
});

test('keeps the id of the last complete event, and the time of retry', () => {
  const { reader } = read('id: 1\ndata: a\n\nid: 2\nretry: 250\ndata:\n\nid: 3\ndata: b');
  assert.deepEqual([reader.lastId, reader.retryMs], ['2', 250]);
  reader.feed(Buffer.from('\n\ndata: c\n\nid: 4\0\nretry: -1\nretry: 1e3\nretry: 9999999999\n\n'));
  assert.deepEqual([reader.lastId, reader.retryMs], ['3', 250]);
  assert.equal(read('id: 1\n\nid\n\n').reader.lastId, '');
});

test('rejects an event that is too long, and no stream for its length', () => {
  const most = 1000;
  for (const line of ['x', ': ', 'data: ', 'data: a\n']) {
    const reader = new EventReader(() => {}, most);
    const feed = () => { for (let i = 0; i <= most; ++i) reader.feed(Buffer.from(i === 0 || line.endsWith('\n') ? line : 'x')); };
    assert.throws(feed, RangeError, JSON.stringify(line));
  }
  const events = [];
  const reader = new EventReader((data) => events.push(data), most);
  for (let i = 0; i < most; ++i) reader.feed(Buffer.from(`: ${'x'.repeat(most - 2)}\ndata: ${'x'.repeat(most - 6)}\n\n`));
  assert.equal(events.length, most);
});

test('takes the same time for one event of 4 MiB as for many short ones', () => {
  const millisecondsFor = (text) => {
    const bytes = Buffer.from(text);
    const { reader } = read();
    const begin = performance.now();
    for (let at = 0; at < bytes.length; at += 1460) reader.feed(bytes.subarray(at, at + 1460));
    return performance.now() - begin;
  };
  const short = 'data: '.padEnd(1022, 'A') + '\n\n';
  const many = millisecondsFor(short.repeat(4096));
  for (const end of ['\n\n', '\r\n\r\n', '\r\r']) {
    const one = millisecondsFor(`data: ${'A'.repeat(4 << 20)}${end}`);
    assert.ok(one < 20 * Math.max(many, 20), `${one} ms, and ${many} ms for short events`);
  }
});

test('knows the media type in each notation', () => {
  for (const type of ['text/event-stream', 'Text/Event-Stream', 'TEXT/EVENT-STREAM;charset=utf-8', 'text/event-stream ; charset=UTF-8']) {
    assert.ok(isEventStream(type), type);
  }
  for (const type of [undefined, '', 'application/json', 'text/event-streams', 'x-text/event-stream']) assert.ok(!isEventStream(type));
});
