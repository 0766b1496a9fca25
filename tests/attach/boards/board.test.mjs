// SPDX-License-Identifier: Apache-2.0
// An emulated board at a serial port: reset with the port kept, and unplugged, in the middle of a call. The times that it
// prints are those of a quiet machine at best. hostile.test.mjs and serial.test.mjs have their limits, with a time that they set.
//
// usage: node board.test.mjs EMULATE BOARD VALVE
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environment, Host, limitMs } from '../support.mjs';
import { SerialPort } from './serial_port.mjs';

const [emulate, board, valve] = process.argv.slice(2);

async function start(t) {
  const env = environment(t);
  const port = new SerialPort(t, env.XDG_RUNTIME_DIR, async () => [emulate, board, valve]);
  await port.plug();
  const target = ['serial', port.path];
  const [host, idle] = [new Host(t, env, target), new Host(t, env, target)];
  await Promise.all([host, idle].map((each) => each.initialize({ elicitation: {} })));
  return { port, host, idle };
}

const move = (host, percent) => host.begin('tools/call', { name: 'move_valve', arguments: { percent }, _meta: { progressToken: 1 } });

/** The valve is at 0 % after a reset; a repeated call would move it. */
async function serves(host) {
  const { response } = move(host, 1);
  assert.equal((await response).result.content[0].text, 'The valve is at 1 %.');
}

test('ends a call of a board that is reset, and never repeats it', { timeout: limitMs }, async (t) => {
  const { port, host, idle } = await start(t);
  const { response } = move(host, 80);
  await host.next('notifications/progress');
  const begun = Date.now();
  await port.reset();
  const booted = Date.now();
  assert.match((await response).error.message, /reset.*may have taken effect/);
  t.diagnostic(`seen ${Date.now() - begun} ms after the reset, ${Date.now() - booted} ms after the start of the emulator`);
  await serves(host);
  assert.deepEqual(idle.unread('notifications/progress'), []);
  assert.deepEqual(await idle.result('ping'), {});
});

test('sees that the port of a board vanished, and another one with its name', { timeout: limitMs }, async (t) => {
  const { port, host, idle } = await start(t);
  const { response } = move(host, 80);
  await host.next('notifications/progress');
  const begun = Date.now();
  const pulled = port.pull();
  assert.match((await response).error.message, /connection to the device was lost/);
  t.diagnostic(`seen after ${Date.now() - begun} ms`);
  await pulled;
  await port.plug();
  await serves(host);
  assert.deepEqual(await idle.result('ping'), {});
});
