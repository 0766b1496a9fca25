// SPDX-License-Identifier: Apache-2.0
// The workbench on an emulated Pico: its pins are at rest after a fault and a failed assertion, before the chip resets,
// and its watchdog resets a chip that hangs. A reset makes each pin of an RP2040 an input.
//
// usage: node pico_workbench.test.mjs pico EMULATE IMAGE usb
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd, command, library, limitMs, waitMs } from './support.mjs';
import { within } from '../../examples/client/session.mjs';
import { addressOf } from '../../examples/client/stack.mjs';
import { openBench } from '../../examples/client/workbench.mjs';

const led = 25, load = 15;
const watchdogStatus = 104;
const [emulate, image] = command;

// A board whose pins are away from rest.
async function openHigh(t) {
  const bench = await openBench(emulate, image, 'usb', 20);
  atEnd(t, () => bench.close());
  const client = new library.Client({ name: 'mote-tests', version: '0.1.0' });
  await client.connect(bench.cable());
  for (const [pin, number] of [['LED', led], ['GP15', load]]) {
    await client.callTool({ name: 'set_pin', arguments: { pin, level: 'high' } });
    assert.equal(await bench.isHigh(number), true);
  }
  return bench;
}

for (const name of ['isr_hardfault', 'mcp_assert_failed']) {
  test(`puts the pins to rest in ${name}`, { timeout: limitMs }, async (t) => {
    const bench = await openHigh(t);
    await bench.execute({ jump: Number(addressOf(image, name)) });
    assert.equal(await within(waitMs, 'reset', bench.ended), watchdogStatus);
    for (const pin of [led, load]) assert.equal(bench.changesOf(pin).at(-1).state, 'low');
  });
}

test('resets a chip whose main loop hangs', { timeout: limitMs }, async (t) => {
  const bench = await openHigh(t);
  await bench.execute({ hang: true });
  await bench.execute({ skip: 1500 });
  bench.execute({ skip: 1000 }).catch(() => {});  // the chip resets before
  assert.equal(await within(waitMs, 'reset', bench.ended), watchdogStatus);
});
