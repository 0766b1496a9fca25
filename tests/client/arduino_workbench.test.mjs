// SPDX-License-Identifier: Apache-2.0
// The Arduino sketch Workbench with the official client: what a call does is seen on the pins of the emulated chip.
//
// usage: node arduino_workbench.test.mjs arduino EMULATE IMAGE
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd, command, library, limitMs } from './support.mjs';
import { openBench } from '../../examples/client/workbench.mjs';

const led = 13, relay = 14, button = 15;
const leaseMs = 120_000;

async function connect(t) {
  const bench = await openBench(...command, 'uart', 21.5);
  atEnd(t, () => bench.close());
  const client = new library.Client({ name: 'mote-tests', version: '0.1.0' });
  await client.connect(bench.cable());
  const call = async (name, toolArguments = {}) => {
    const { content } = await client.callTool({ name, arguments: toolArguments });
    return content[0].text;
  };
  return { bench, call };
}

test('finds the sensors, and reads one', { timeout: limitMs }, async (t) => {
  const { bench, call } = await connect(t);
  await bench.skip(3000);
  assert.match(await call('scan_i2c'), /^0x48: LM75[^]*^0x76: BME280/m);
  assert.match(await call('watch', { reading: 'lm75_temperature' }), /^lm75_temperature is 21\.5 Cel/);
});

test('drives a pin, and puts it to rest when its time is over', { timeout: limitMs }, async (t) => {
  const { bench, call } = await connect(t);
  assert.match(await call('set_pin', { pin: 'D13', level: 'high', for_ms: 300 }), /^D13 is high/);
  await bench.skip(500);
  const [high, low] = await bench.until(led, 'pulse at D13',
    (all) => (all.length >= 3 ? all.slice(-2) : undefined));
  assert.deepEqual([high.state, low.state], ['high', 'low']);
  // The sketch of the tests sleeps for at most 60 ms.
  assert.ok(low.ms - high.ms >= 299 && low.ms - high.ms < 370, `${low.ms - high.ms} ms`);
});

test('records the edges of an input', { timeout: limitMs }, async (t) => {
  const { bench, call } = await connect(t);
  await bench.drivePulses(button, 10_000, 3000, 20_000);
  assert.match(await call('capture', { pin: 'D15', for_ms: 300 }), / 100 Hz, [^]* High for (29\.9|30|30\.1) % /);
});

test('puts the pins of a client that is gone to rest', { timeout: limitMs }, async (t) => {
  const { bench, call } = await connect(t);
  await call('set_pin', { pin: 'D14', level: 'high' });
  const { ms } = await bench.until(relay, 'high level of D14', (all) => all.find(({ state }) => state === 'high'));
  await bench.skip(leaseMs - 2000);
  assert.equal(await bench.isHigh(relay), true);
  await bench.skip(3000);
  const rest = await bench.until(relay, 'low level of D14', (all) => all.find((one) => one.ms > ms && one.state === 'low'));
  assert.ok(rest.ms - ms <= leaseMs + 1000, `${rest.ms - ms} ms`);
});
