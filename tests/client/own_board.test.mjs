// SPDX-License-Identifier: Apache-2.0
// The board of examples/own_board in the emulator: the tool, the resource and its notifications, and input that is longer
// than the receive ring. tests/package builds the images.
//
// usage: node own_board.test.mjs board EMULATE BOARD IMAGE IMAGE_THAT_FAULTS
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSession, within } from '../../examples/client/session.mjs';
import { atEnd, kind, library, limitMs, Lines, waitMs } from './support.mjs';

const [emulate, board, image, faults] = process.argv.slice(3);
const state = 'board://state';
assert.ok(kind === 'board' && faults, 'usage: node own_board.test.mjs board EMULATE BOARD IMAGE IMAGE_THAT_FAULTS');

async function connect(t) {
  const session = await openSession({ command: emulate, args: [board, image] }, undefined, library);
  atEnd(t, () => session.close());
  return session;
}

test('switches the LED, notifies the subscriber and shows the state', { timeout: limitMs }, async (t) => {
  const session = await connect(t);
  const { tools } = await session.client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), ['set_led']);
  assert.equal((await session.readJson(state)).led, false);
  await session.client.subscribeResource({ uri: state });
  const { content } = await session.client.callTool({ name: 'set_led', arguments: { on: true } });
  assert.deepEqual(content, [{ type: 'text', text: 'The LED is on.' }]);
  await session.nextUpdate(state);
  const { led, stack_bytes: stack } = await session.readJson(state);
  assert.equal(led, true);
  assert.ok(stack > 256 && stack < 2048, `${stack} bytes of stack`);
});

test('rejects a wrong argument and an unknown resource', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  assert.equal((await client.callTool({ name: 'set_led', arguments: { on: 'yes' } })).isError, true);
  await assert.rejects(client.readResource({ uri: 'board://none' }), library.McpError);
});

test('the clock of the board runs', { timeout: limitMs }, async (t) => {
  const session = await connect(t);
  const { uptime_ms: first } = await session.readJson(state);
  while ((await session.readJson(state)).uptime_ms < first + 20);
});

test('loses no byte of 40 requests at once', { timeout: limitMs }, async (t) => {
  const lines = new Lines(t, { command: emulate, args: [board, image] });
  await lines.initialize();
  const requests = Array.from({ length: 40 }, (_, id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }));
  await lines.write(`${requests.join('\n')}\n`);
  for (let id = 0; id < 40; ++id) assert.equal((await lines.message()).id, id);
  lines.closeInput();
  assert.deepEqual(await within(waitMs, 'end', lines.ended), { code: 0, signal: null });
});

const endings = { n: 'a write through a null pointer', c: 'a write to flash', s: 'a stack overflow', j: 'a jump to nowhere' };
for (const [how, name] of Object.entries(endings)) {
  test(`${name} ends in a report`, { timeout: limitMs }, async (t) => {
    const lines = new Lines(t, { command: emulate, args: [board, faults] });
    await lines.write(how);
    assert.equal(await lines.anyLine(), '');
    const report = /^mote: fault pc=(0x[0-9a-f]{8}) lr=(0x[0-9a-f]{8}) cfsr=/.exec(await lines.line());
    assert.ok(report, 'the report of a fault');
    const isCode = (address) => address >= 0x0800_0000 && address < 0x0802_0000;
    // A full stack has no space for the program counter, and a jump leaves only the return address.
    assert.ok(isCode(Number(how === 's' || how === 'j' ? report[2] : report[1])), report[0]);
    assert.deepEqual(await within(waitMs, 'end', lines.ended), { code: 101, signal: null });
  });
}
