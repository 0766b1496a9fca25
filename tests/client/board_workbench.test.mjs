// SPDX-License-Identifier: Apache-2.0
// The workbench on an emulated board: a key of the emulator is its SELECT button, whose edges the tool capture records.
//
// usage: node board_workbench.test.mjs board EMULATE BOARD IMAGE
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, limitMs } from './support.mjs';

const mostEdges = 32;  // of the table
const longestMs = 10_000;

async function open(t) {
  const { server, client } = await connect(t);
  const call = async (name, toolArguments) => {
    const { content } = await client.callTool({ name, arguments: toolArguments });
    return content[0].text;
  };
  /** Changes the key, once for each level. The board has taken the interrupt when this ends: it has sent a response. */
  const press = async (...levels) => {
    const beforeUs = performance.now() * 1000;
    const events = levels.map((down) => ({ type: 'key', data: { down, key: { type: 'qcode', data: 'ctrl' } } }));
    await server.execute('input-send-event', { events });
    await client.ping();
    return { beforeUs, afterUs: performance.now() * 1000 };
  };
  /** Begins a capture. Returns a promise of its result. */
  const begin = async (edges) => {
    const text = call('capture', { pin: 'BUTTON', edges, for_ms: longestMs });
    while (!(await call('read_pins', { pins: ['BUTTON'] })).includes(', captured'));
    return { text };
  };
  // The emulated line is low until its first edge.
  await press(true, false);
  return { call, press, begin };
}

const timesOf = (text) => /Times in us:((?: \d+)+)$/.exec(text)[1].trim().split(' ').map(Number);

/** Each time is that of its key, which the clock of this machine has measured, too. */
function assertTimes(text, keys) {
  const times = timesOf(text);
  assert.equal(times.length, keys.length);
  times.forEach((time, i) => {
    assert.ok(time >= keys[i].beforeUs - keys[0].afterUs - 2 && time <= keys[i].afterUs - keys[0].beforeUs + 2,
      `edge ${i} of ${text}: ${JSON.stringify(keys)}`);
  });
}

test('records the edges of a button', { timeout: limitMs }, async (t) => {
  const { call, press, begin } = await open(t);
  // On the way the clock of the board begins new periods, of 320 ms.
  for (let round = 0; round < 2; ++round) {
    const capture = await begin('both');
    assert.match(await call('capture', { pin: 'PD5', for_ms: 1 }), /^Another capture is in progress/);
    const keys = [];
    for (let i = 0; i < mostEdges; ++i) keys.push(await press(i % 2 === 0));
    const text = await capture.text;
    assert.match(text, /^32 edges in \d+ ms, and the memory is full\. \d+(\.\d)? Hz, periods of \d+ to \d+ us\. Times/);
    assertTimes(text, keys);
  }
});

test('records edges of one kind', { timeout: limitMs }, async (t) => {
  const { press, begin } = await open(t);
  const capture = await begin('rising');
  const keys = [];
  while (keys.length < mostEdges) {
    await press(true);
    keys.push(await press(false));
  }
  assertTimes(await capture.text, keys);
});

// The board stands still while the emulator takes the two events of one command.
test('reports edges that came before the interrupt', { timeout: limitMs }, async (t) => {
  const { press, begin } = await open(t);
  const capture = await begin('both');
  const keys = [await press(true, false)];
  while (keys.length < mostEdges) keys.push(await press(keys.length % 2 !== 0));
  const text = await capture.text;
  assert.match(text, /^32 edges in \d+ ms, and the memory is full\. Some edges were too fast, and are missing\./);
  assertTimes(text, keys);
});

test('says the level of a button without edges', { timeout: limitMs }, async (t) => {
  const { call, press } = await open(t);
  const capture = { pin: 'BUTTON', for_ms: 20 };
  assert.match(await call('capture', capture), /^No edge in \d+ ms\. BUTTON is high\.$/);
  await press(true);
  assert.match(await call('capture', capture), /^No edge in \d+ ms\. BUTTON is low\.$/);
});

test('measures a voltage, which is noise in the emulator', { timeout: limitMs }, async (t) => {
  const { call } = await open(t);
  for (const samples of [1, 16, 64]) {
    const [, volts] = /^A0: (1\.5\d*) V$/m.exec(await call('read_pins', { pins: ['A0'], samples }));
    assert.ok(Number(volts) <= 1.521, volts);
  }
});
