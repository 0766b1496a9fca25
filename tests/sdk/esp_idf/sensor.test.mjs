// SPDX-License-Identifier: Apache-2.0
// The sensor of examples/esp_idf/sensor with the official client: its row, its history and its tool. The image has a bus
// with an LM75 that measures 21.5 degrees.
//
// usage: node sensor.test.mjs board EMULATE DESCRIPTION IMAGE
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSession } from '../../../examples/client/session.mjs';
import { atEnd, kind, library, limitMs } from '../../client/support.mjs';

const [emulate, description, image] = process.argv.slice(3);
assert.ok(kind === 'board' && image, 'usage: node sensor.test.mjs board EMULATE DESCRIPTION IMAGE');

test('reads the sensor as a resource and as a tool', { timeout: limitMs }, async (t) => {
  const session = await openSession({ command: emulate, args: [description, image] }, undefined, library);
  atEnd(t, () => session.close());
  const { client } = session;
  // The first measurement is over after 300 ms. The client may be faster.
  const uri = 'sensor://room';
  await client.subscribeResource({ uri });
  await session.nextUpdate(uri);
  const { temperature, secondsAgo } = await session.readJson(uri);
  assert.deepEqual(temperature, { value: 21.5, unit: 'Cel' });
  assert.ok(secondsAgo <= 1);
  const result = await client.callTool({ name: 'read_room' });
  assert.ok(!result.isError);
  assert.deepEqual(JSON.parse(result.content[0].text).temperature, temperature);
  const history = await session.readJson('sensor://room/history');
  assert.deepEqual([history.unit, history.values[0][1], history.level], ['Cel', 21.5, 'normal']);
});
