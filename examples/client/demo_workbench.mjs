// SPDX-License-Identifier: Apache-2.0
// A conversation with the workbench on an emulated Raspberry Pi Pico, by the official client: what a person asks, what a
// model calls, what the board responds, and what the pins of the emulated chip then do. It ends with an error if a call
// has not its effect on a pin. The times are those of the chip.
//
// usage: node demo_workbench.mjs EMULATE IMAGE
import assert from 'node:assert/strict';
import { clientLibrary, within } from './session.mjs';
import { openBench } from './workbench.mjs';

const waitMs = 60_000;
const led = 25, servo = 2, pulses = 3, shorted = 6, heater = 15;
const leaseMs = 120_000;  // of the table in examples/workbench/pico/table.hpp
const stackSize = 4096;   // of examples/pico/CMakeLists.txt
const readings = 'bench://readings';
const library = clientLibrary();
const [emulate, image] = process.argv.slice(2);

const say = (who, text) => console.log(`  ${who.padEnd(7)} ${text.replaceAll('\n', `\n${' '.repeat(10)}`)}`);
const ask = (text) => console.log(`\n"${text}"`);
const shorten = (text) => (text.length > 400 ? `${text.slice(0, 400)} …` : text);
const seconds = (ms) => `${(ms / 1000).toFixed(3)} s`;
const show = (name, { ms, state }) =>
  say('wire', `${seconds(ms)}: ${name} ${state === 'input' ? 'is an input again' : `goes ${state}`}`);

async function connect(bench, name) {
  const client = new library.Client({ name, version: '1.0.0' });
  await within(waitMs, 'initialize', client.connect(bench.cable()));
  const call = async (tool, values = {}) => {
    say('model', `${tool} ${JSON.stringify(values)}`);
    const { isError = false, content } = await client.callTool({ name: tool, arguments: values }, undefined, { timeout: waitMs });
    const text = content.map((part) => part.text).join('\n');
    say(isError ? 'refused' : 'board', shorten(text));
    return { isError, text };
  };
  const works = async (tool, values, pattern) => {
    const { isError, text } = await call(tool, values);
    assert.ok(!isError, text);
    assert.match(text, pattern);
    return text;
  };
  const isRefused = async (tool, values, pattern) => {
    const { isError, text } = await call(tool, values);
    assert.ok(isError, text);
    assert.match(text, pattern);
  };
  const read = async (uri) => JSON.parse((await client.readResource({ uri })).contents[0].text);
  return { client, works, isRefused, read };
}

/** The changes of a pin after `count` of them, once there are as many as `states`, which they must be. */
async function expectChanges(bench, pin, count, states) {
  const changes = await bench.until(pin, `${states} at GPIO ${pin}`,
    (all) => (all.length >= count + states.length ? all.slice(count) : undefined));
  assert.deepEqual(changes.map(({ state }) => state), states);
  return changes;
}

async function showServer({ client, read }) {
  console.log('\nThe host starts');
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name),
    ['all_off', 'read_pins', 'set_pin', 'set_pwm', 'capture', 'scan_i2c', 'i2c', 'hold', 'watch']);
  say('tools', `${tools.map(({ name }) => name).join(', ')}: ${JSON.stringify(tools).length} bytes`);
  const pins = await read('bench://pins');
  for (const [name, { uses, note }] of Object.entries(pins)) say(name, `${uses.join(', ')}; ${note}`);
}

async function scan(bench, { read, works }) {
  ask('What is on the bus?');
  // Sensors have values after their first measurement.
  await bench.skip(3000);
  await works('scan_i2c', {}, /^0x48: LM75[^]*^0x76: BME280/m);
  ask('How warm is it?');
  await works('watch', { reading: 'lm75_temperature' }, /lm75_temperature is 20 Cel/);
  await works('watch', { reading: 'bme280_temperature' }, /bme280_temperature is 25\.08 Cel/);
  const { lm75_temperature: lm75 } = await read(readings);
  assert.equal(lm75.value, 20);
  ask('Which number does the LM75 really send?');
  await works('i2c', { address: '0x48', write: '00', read: 2 }, /^14 00 \(big-endian: 5120/);
}

async function blink(bench, { works }) {
  ask('Make the LED blink twice.');
  for (let i = 0; i < 2; ++i) {
    const before = bench.changesOf(led).length;
    await works('set_pin', { pin: 'LED', level: 'high', for_ms: 500 }, /^LED is high, and goes to rest in 500 ms/);
    await bench.skip(700);
    const changes = await expectChanges(bench, led, before, ['high', 'low']);
    changes.forEach((change) => show('LED', change));
    const [high, low] = changes;
    assert.ok(Math.abs(low.ms - high.ms - 500) < 50, 'the LED is on for 500 ms');
  }
}

async function turnServo(bench, { works }) {
  ask('Turn the servo at GP2 to the middle.');
  const before = bench.changesOf(servo).length;
  await works('set_pwm', { pin: 'GP2', hz: 50, percent: 7.5 }, /7\.5 % of the time, at 50 Hz/);
  await bench.skip(100);
  const edges = await bench.until(servo, 'pulses at GP2',
    (all) => (all.length >= before + 8 ? all.slice(before + 1, before + 8) : undefined));
  const highs = edges.filter(({ state }) => state === 'high');
  const [highMs, periodMs] = [edges[edges.indexOf(highs[0]) + 1].ms - highs[0].ms, highs[1].ms - highs[0].ms];
  say('wire', `GP2: pulses of ${highMs.toFixed(2)} ms each ${periodMs.toFixed(2)} ms`);
  assert.ok(Math.abs(highMs - 1.5) < 0.01 && Math.abs(periodMs - 20) < 0.01);
  await works('set_pin', { pin: 'GP2', level: 'rest' }, /^GP2 is at rest/);
  show('GP2', await bench.until(servo, 'rest of GP2', (all) => (all.at(-1).state === 'input' ? all.at(-1) : undefined)));
}

async function capture(bench, { works }) {
  ask('What does the fan report at GP3?');
  say('wire', 'GP3: something sends 100 pulses per second, high for 3 of 10 ms');
  await bench.drivePulses(pulses, 10_000, 3000, 20_000);
  await works('capture', { pin: 'GP3', for_ms: 300 }, /100(\.0)? Hz, periods of \d+ to \d+ us\. High for (29\.\d|30(\.\d)?) %/);
}

async function makeMistakes(bench, { works, isRefused }) {
  ask('What if the model makes a mistake?');
  await isRefused('set_pin', { pin: 'GP99', level: 'high' }, /LED/);
  await isRefused('set_pin', { pin: 'GP15', level: 'high', for_ms: 3_600_000 }, /^GP15 may be away from rest for at most 600000 ms/);
  await isRefused('i2c', { address: '0x50', write: '0000', read: 1 }, /only read 0x50/);
  say('wire', 'GP6: a wire connects it to ground');
  await bench.execute({ pin: [shorted, false] });
  const before = bench.changesOf(shorted).length;
  await isRefused('set_pin', { pin: 'GP6', level: 'high' }, /short circuit[^]*It is at rest again/);
  (await expectChanges(bench, shorted, before, ['high', 'input'])).forEach((change) => show('GP6', change));
  await works('read_pins', { pins: ['GP6', 'A0'] }, /^GP6: low, input[^]*^A0: 1\.65/m);
}

/** The box with a heater: its temperature depends on the wire of GP15, and the board sees only the sensor. */
async function hold(bench, { works, read }) {
  const target = 30, within = 0.5;
  ask(`Keep the box at ${target} degrees. The heater is at GP15.`);
  const before = bench.changesOf(heater).length;
  await works('hold', { reading: 'lm75_temperature', at: target, within, pin: 'GP15', action: 'raise', minutes: 60 },
    /^GP15 is on, and keeps lm75_temperature at 30 Cel for 60 min/);
  let celsius = 20, least = Infinity, most = -Infinity, shown = before;
  for (let second = 0; second < 100; ++second) {
    const { high } = await bench.execute({ skip: 1000, level: heater });
    celsius += high ? 0.4 : -0.2;
    await bench.setCelsius(celsius);
    if (second >= 40) [least, most] = [Math.min(least, celsius), Math.max(most, celsius)];
    for (const change of bench.changesOf(heater).slice(shown)) {
      ++shown;
      say('wire', `${seconds(change.ms)}: GP15 goes ${change.state}, the box has ${celsius.toFixed(1)} degrees`);
    }
  }
  const switches = bench.changesOf(heater).length - before;
  say('box', `from ${least.toFixed(1)} to ${most.toFixed(1)} degrees after the first 40 s, ${switches} switches`);
  assert.ok(least > target - 2 && most < target + 2, 'the box stays near the target');
  assert.ok(switches >= 4, 'the heater is switched on and off');
  const { holds } = await read(readings);
  assert.equal(holds.GP15.at, target);
  // Now it is cold, so the heater is on when the cable is pulled.
  await bench.setCelsius(20);
  await bench.skip(5000);
  assert.equal(await bench.isHigh(heater), true, 'the heater is on again');
}

async function unplug(bench, { client, works }) {
  ask('(The user pulls the cable. The heater is on, the LED is on, the servo has pulses.)');
  await works('set_pwm', { pin: 'GP2', hz: 10, percent: 10 }, /10 Hz/);
  const before = bench.changesOf(led).length;
  await works('set_pin', { pin: 'LED', level: 'high' }, /^LED is high/);
  const [{ ms: lastMs }] = await expectChanges(bench, led, before, ['high']);
  await client.close();
  await bench.skip(leaseMs - 2000);
  say('wire', `${seconds(leaseMs - 2000)} later: LED is ${await bench.isHigh(led) ? 'high' : 'low'}, GP15 is ${await bench.isHigh(heater) ? 'high' : 'low'}`);
  assert.ok(await bench.isHigh(led), 'the lease is not over yet');
  await bench.skip(3000);
  for (const [name, pin, rest] of [['LED', led, 'low'], ['GP15', heater, 'low'], ['GP2', servo, 'input']]) {
    const change = await bench.until(pin, `rest of ${name}`, (all) => (all.at(-1).state === rest ? all.at(-1) : undefined));
    say('wire', `${seconds(change.ms - lastMs)} after the last request: ${name} is at rest (${rest})`);
    assert.ok(change.ms - lastMs <= leaseMs + 1000, `${name} is at rest within the lease and 1 s`);
  }
  const counts = [led, heater, servo].map((pin) => bench.changesOf(pin).length);
  await bench.skip(5000);
  assert.deepEqual([led, heater, servo].map((pin) => bench.changesOf(pin).length), counts, 'the pins stay at rest');
}

async function returnTo(bench) {
  ask('(The cable is back.) What happened?');
  const session = await connect(bench, 'second-host');
  await session.works('read_pins', { pins: ['LED', 'GP2', 'GP15'] },
    /^LED: low, at rest \(its client was gone\)\nGP2: low, input \(its client was gone\)\nGP15: low, at rest \(its client was gone\)$/);
  const { holds } = await session.read(readings);
  assert.equal(holds.GP15.ended, 'its client was gone');
  ask('Switch everything off.');
  await session.works('all_off', {}, /^All pins are at rest/);
  await session.client.close();
}

const bench = await openBench(emulate, image, 'usb', 20);
try {
  const session = await connect(bench, 'demo-host');
  await showServer(session);
  await scan(bench, session);
  await blink(bench, session);
  await turnServo(bench, session);
  await capture(bench, session);
  await makeMistakes(bench, session);
  await hold(bench, session);
  await unplug(bench, session);
  await returnTo(bench);
  const used = await bench.stackUse(stackSize);
  console.log(`\nEach call had its effect on the pins. The firmware used ${used} of ${stackSize} bytes of stack.`);
  assert.ok(used < stackSize);
} finally {
  for (const text of bench.said) console.error(text);
  await bench.close();
}
