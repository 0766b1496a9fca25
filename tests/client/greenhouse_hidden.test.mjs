// SPDX-License-Identifier: Apache-2.0
// examples/greenhouse with `.hide_out_of_scope`: a token sees the rows that it allows, and no others.
//
// usage: node greenhouse_hidden.test.mjs [v2] http BINARY
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, call, connect, eras, readJson, start, textOf, tokens } from './greenhouse.mjs';
import { limitMs, rejected } from './support.mjs';

for (const era of eras) {
  test(`${era.revision}: hides the rows that a token does not allow`, { timeout: limitMs }, async (t) => {
    const server = await start(t);
    const { client: reader } = await connect(t, { era, server, token: tokens.reader });
    const { client: operator } = await connect(t, { era, server });
    const acting = ['set_valve', 'set_crop', 'water_bed', 'fill_tank', 'set_schedule', 'set_targets', 'cancel_scheduled',
      'dose_0'];
    const namesOf = async (client) => (await all(client, 'tools')).map(({ name }) => name);
    const everything = await namesOf(operator);
    assert.deepEqual(await namesOf(reader), everything.filter((name) => !acting.includes(name)));
    for (const name of acting) assert.ok(everything.includes(name), name);
    const unknown = await rejected(call(reader, 'no_tool'));
    for (const name of ['fill_tank', 'dose_0']) {
      const hidden = await rejected(call(reader, name));
      assert.equal(hidden.code, unknown.code);
      assert.equal(hidden.message.replace(name, 'no_tool'), unknown.message);
    }
    assert.equal((await readJson(reader, 'bed://all')).beds.length, 4);
    assert.equal(textOf(await call(operator, 'fill_tank')), 'The tank has 40 liters.');
  });
}
