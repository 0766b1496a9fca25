// SPDX-License-Identifier: Apache-2.0
// The port of the Raspberry Pi Pico on USB, which a program on the PC opens and closes.
//
// usage: node usb.test.mjs pico EMULATE IMAGE usb
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertServes, Lines, limitMs, thermometer, waitMs } from './support.mjs';
import { within } from '../../examples/client/session.mjs';

test('sends no rest of a line to a program that opens the port', { timeout: limitMs }, async (t) => {
  const server = await thermometer(t);
  const lines = new Lines(t, server);
  await assertServes(lines, 'before');
  await server.execute({ dtr: false });
  // The responses are longer than all buffers, so the port opens before the last of them is sent.
  for (let id = 0; id < 8; ++id) await lines.send({ jsonrpc: '2.0', id, method: 'tools/list' });
  await server.execute({ dtr: true });
  await lines.send({ jsonrpc: '2.0', id: 'after', method: 'ping' });
  let message;
  do message = await lines.message(); while (message.id !== 'after');
  assert.deepEqual(message, { jsonrpc: '2.0', id: 'after', result: {} });
});

test('ends the line of a program that closes the port', { timeout: limitMs }, async (t) => {
  const server = await thermometer(t);
  const lines = new Lines(t, server);
  const text = '{"jsonrpc":"2.0","id":1,"met';
  await lines.write(text);
  await server.execute({ read: text.length });
  await server.execute({ dtr: false });
  await server.execute({ dtr: true });
  await lines.send({ jsonrpc: '2.0', id: 'after', method: 'ping' });
  // The error for the line that has no end may be read by the next program.
  let message = await lines.message();
  if (message.error !== undefined) message = await lines.message();
  assert.deepEqual(message, { jsonrpc: '2.0', id: 'after', result: {} });
});

test('resets into the boot loader at 1200 baud', { timeout: limitMs }, async (t) => {
  const server = await thermometer(t);
  const lines = new Lines(t, server);
  await assertServes(lines);
  await server.execute({ baud: 115_200 });
  await assertServes(lines, 'at another speed');
  await server.execute({ baud: 1200 }).catch(() => {});  // it does not end the request
  assert.deepEqual(await within(waitMs, 'end of the emulator', lines.ended), { code: 103, signal: null });
});
