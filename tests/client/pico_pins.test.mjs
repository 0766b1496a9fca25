// SPDX-License-Identifier: Apache-2.0
// The pins of an emulated Pico (tests/sdk/pico/images/pins.cpp).
//
// usage: node pico_pins.test.mjs pico EMULATE IMAGE uart
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { atEnd, command, connect, limitMs } from './support.mjs';

const button = 7;
const lamp = 25;

async function open(t) {
  const { server, session, client } = await connect(t);
  const call = async (name, toolArguments) => {
    const { isError, content } = await client.callTool({ name, arguments: toolArguments });
    return isError ? content[0].text : Number(content[0].text);
  };
  return { server, session, call };
}

test('drives outputs, and reads inputs and the wires of outputs', { timeout: limitMs }, async (t) => {
  const { server, call } = await open(t);
  for (const high of [true, false, true]) {
    assert.equal(await call('output', { pin: lamp, high }), high ? 1 : 0);
    assert.deepEqual(await server.execute({ level: lamp }), { high });
  }
  await server.execute({ pin: [lamp, false] });
  assert.equal(await call('level', { pin: lamp }), 0, 'a short circuit');

  for (const [pull, idle] of [['up', 1], ['down', 0], ['none', 0]]) {
    assert.equal(await call('input', { pin: button, pull }), 0);
    assert.equal(await call('level', { pin: button }), idle, pull);
    await server.execute({ pin: [button, idle === 0] });
    assert.equal(await call('level', { pin: button }), 1 - idle, pull);
    await server.execute({ pin: [button, null] });
  }
  assert.equal(await call('output', { pin: 0, high: true }), 'Something else uses the pin. Choose another pin.');
});

test('measures voltages', { timeout: limitMs }, async (t) => {
  const { server, call } = await open(t);
  for (const [pin, channel, steps, millivolts] of [[26, 0, 2048, 1650], [29, 3, 4095, 3299], [30, 4, 876, 706]]) {
    await server.execute({ adc: [channel, steps] });
    assert.equal(await call('millivolts', { pin }), millivolts);
  }
  assert.equal(await call('millivolts', { pin: 25 }), 'The chip cannot do this with this pin.');
});

test('stores the times of edges', { timeout: limitMs }, async (t) => {
  const { server, session, call } = await open(t);
  await call('input', { pin: button, pull: 'up' });
  for (let round = 0; round < 2; ++round) {
    await server.execute({ pin: [button, true] });
    assert.equal(await call('capture', { pin: button }), 0);
    const afterUs = [1000, 1500, 1510, 4000];
    await server.execute({ edges: [button, afterUs] });
    let edges;
    do edges = await session.readJson('pins://edges'); while (edges.times.length < afterUs.length);
    assert.equal(edges.lost, false);
    edges.times.forEach((time, i) => {
      const error = time - edges.times[0] - (afterUs[i] - afterUs[0]);
      assert.ok(Math.abs(error) <= 2, `${edges.times}`);
    });
  }
});

// The emulator prints what the chip does with its pins.
test('makes pulses, and outputs without a pulse of the other level', { timeout: limitMs }, async (t) => {
  const [emulate, image] = command;
  const emulator = spawn(emulate, ['pico', image, '--pins'], { stdio: ['pipe', 'pipe', 'pipe'] });
  atEnd(t, () => emulator.kill());
  const changes = [];
  const call = (id, name, toolArguments) => emulator.stdin.write(`${JSON.stringify({
    jsonrpc: '2.0', id, method: 'tools/call', params: {
      name, arguments: toolArguments, _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  })}\n`);
  call(1, 'output', { pin: lamp, high: true });
  call(2, 'pulses', { pin: 16, periodNs: 1_000_000, highNs: 250_000 });
  call(3, 'pulses', { pin: 17, periodNs: 1_000_000, highNs: 500_000 });
  for await (const line of createInterface({ input: emulator.stderr })) {
    const [, ms, pin, state] = /^emulate: (\d+\.\d{3}) ms: GPIO (\d+) is (low|high|input)$/.exec(line);
    changes.push({ ms: Number(ms), pin: Number(pin), state });
    if (changes.filter((change) => change.pin === 17).length === 12) break;
  }
  assert.equal(changes.find(({ pin }) => pin === lamp).state, 'high');
  for (const [pin, highMs] of [[16, 0.25], [17, 0.5]]) {
    const edges = changes.filter((change) => change.pin === pin).slice(-8);
    edges.slice(1).forEach(({ ms, state }, i) => {
      const expected = state === 'low' ? highMs : 1 - highMs;
      assert.ok(Math.abs(ms - edges[i].ms - expected) < 0.002, JSON.stringify(edges));
    });
  }
});
