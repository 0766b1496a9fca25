// SPDX-License-Identifier: Apache-2.0
// The port of the Raspberry Pi Pico on USB, which a program on the PC opens and closes.
//
// usage: node usb.test.mjs pico EMULATE IMAGE usb
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertServes, Lines, limitMs, thermometer, waitMs } from './support.mjs';
import { within } from '../../examples/client/session.mjs';

test('answers a program that never sets DTR', { timeout: limitMs }, async (t) => {
  const server = await thermometer(t);
  const lines = new Lines(t, server);
  await lines.initialize();
  await server.execute({ dtr: false });
  // The responses are longer than all buffers.
  for (let id = 0; id < 4; ++id) {
    const { id: of, result } = await lines.request(id, 'tools/list');
    assert.equal(of, id);
    assert.ok(result.tools.length > 0);
  }
});

test('sends no rest of a line to a program that opens the port', { timeout: limitMs }, async (t) => {
  const server = await thermometer(t);
  const lines = new Lines(t, server);
  await lines.initialize();
  await lines.send({ jsonrpc: '2.0', id: 'list', method: 'tools/list' });
  const text = await lines.line();
  const { result: list } = JSON.parse(text);
  assert.ok(list.tools.length > 0);
  // The responses are longer than all buffers, so one of them is cut. The input of this test is that of all programs. So a
  // cut line and the first line for the next program are one line here, unless a part of the cut line still waited for the
  // PC: then a line end separates them.
  const ids = [0, 1, 2, 3, 4, 5, 6, 7];
  for (const id of ids) await lines.send({ jsonrpc: '2.0', id, method: 'tools/list' });
  const responses = ids.map((id) => text.replace('"id":"list"', `"id":${id}`));
  let cuts = 0;
  await server.execute({ dtr: false });
  await server.execute({ dtr: true });
  await lines.send({ jsonrpc: '2.0', id: 'after', method: 'ping' });
  for (;;) {
    const line = await lines.line();
    const last = line.slice(Math.max(0, line.lastIndexOf('{"jsonrpc":')));
    if (responses.some((response) => response !== last && response.startsWith(last))) {
      assert.equal(++cuts, 1);
      continue;
    }
    const { id, result, error } = JSON.parse(last);
    // A request that the end of a program has cut gets an error.
    if (error === undefined || id === 'after') assert.deepEqual(result, id === 'after' ? {} : list);
    if (id === 'after') break;
  }
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
