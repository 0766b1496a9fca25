// SPDX-License-Identifier: Apache-2.0
// The mark of a boot on the UART of an emulated board, and what the official client makes of it.
//
// usage: node boot.test.mjs board EMULATE BOARD IMAGE
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd, library, limitMs, Lines, thermometer } from './support.mjs';

const stateless = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {},
  },
};

/** Reads the lines up to the mark, which an empty line precedes, and returns the boot id. */
async function bootId(lines) {
  assert.equal(await lines.anyLine(), '');
  const [, id] = /^# mote boot ([0-9a-f]{8})$/.exec(await lines.anyLine()) ?? [];
  assert.ok(id !== undefined && id !== '00000000', `boot id ${id}`);
  return id;
}

async function assertNamesBoot(lines, id) {
  assert.equal((await lines.initialize()).result._meta['mote/boot'], id);
  const { result } = await lines.request('discover', 'server/discover', stateless);
  assert.equal(result._meta['mote/boot'], id);
}

test('a reset marks a boot with another id, which the results name', { timeout: limitMs }, async (t) => {
  const server = await thermometer(t);
  const lines = new Lines(t, server);
  const ids = [await bootId(lines)];
  await assertNamesBoot(lines, ids[0]);
  for (let resets = 1; resets <= 3; ++resets) {
    await server.execute('system_reset');
    const reset = performance.now();
    ids.push(await bootId(lines));
    t.diagnostic(`mark ${(performance.now() - reset).toFixed(0)} ms after the reset`);
    await assertNamesBoot(lines, ids.at(-1));
  }
  for (let i = 1; i < ids.length; ++i) assert.notEqual(ids[i], ids[i - 1]);
});

test('the official client reports the mark as an error, and continues', { timeout: limitMs }, async (t) => {
  const server = await thermometer(t);
  const client = new library.Client({ name: 'mote-tests', version: '0.1.0' });
  const errors = [];
  client.onerror = (error) => errors.push(error);
  const transport = new library.StdioClientTransport({ command: server.command, args: server.args });
  await client.connect(transport);
  atEnd(t, () => client.close());
  assert.equal((await client.listTools()).tools.length, 2);
  for (const error of errors) t.diagnostic(`onerror: ${error}`);
  assert.ok(errors.length > 0 && errors.every((error) => error instanceof SyntaxError), `${errors}`);
});
