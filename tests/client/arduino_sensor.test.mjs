// SPDX-License-Identifier: Apache-2.0
// The Arduino sketch Sensor with the official client: an LM75 that is absent, plugged in, and unplugged again. The error
// names the device, its address and what to do (spec: server/resources, server/tools).
//
// usage: node arduino_sensor.test.mjs arduino EMULATE IMAGE
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd, command, limitMs } from './support.mjs';
import { arduinoThermometer } from '../../examples/client/pico.mjs';
import { sdk } from '../../examples/client/session.mjs';

const missing = 'LM75 at address 0x48: No device acknowledges the address. Check the address, the power and the wires.';
const uri = 'sensor://room';

test('reads an LM75 that is absent, plugged in, and unplugged', { timeout: limitMs }, async (t) => {
  const { Client } = sdk('client/index.js');
  const { StdioClientTransport } = sdk('client/stdio.js');
  const board = await arduinoThermometer(...command, 21.5);  // of it only the emulator
  atEnd(t, () => board.close());
  const client = new Client({ name: 'mote-tests', version: '0.1.0' });
  atEnd(t, () => client.close());

  // Resolves at the next update of the row.
  let updated = () => {};
  client.setNotificationHandler(sdk('types.js').ResourceUpdatedNotificationSchema, () => updated());
  const nextUpdate = () => new Promise((resolve) => { updated = resolve; });
  const celsius = async () => {
    const { contents } = await client.readResource({ uri });
    const { temperature, secondsAgo } = JSON.parse(contents[0].text);
    assert.equal(temperature.unit, 'Cel');
    assert.ok(secondsAgo <= 1, `${secondsAgo}`);
    return temperature.value;
  };

  await client.connect(new StdioClientTransport({ command: board.command, args: board.args }));
  const { resources } = await client.listResources();
  assert.deepEqual(resources.map((row) => [row.uri, row.title]), [[uri, 'Room']]);
  await assert.rejects(client.readResource({ uri }), (error) => error.message.includes(missing));
  await client.subscribeResource({ uri });
  for (const value of [21.5, -12]) {
    await board.execute({ lm75: [0x48, { celsius: value }] });
    // The first update may be that of a measurement from before.
    do await nextUpdate(); while (await celsius() !== value);
  }
  const { content, isError = false } = await client.callTool({ name: 'read_room', arguments: {} });
  assert.equal(isError, false);
  assert.ok(content[0].text.includes('"value":-12,'), content[0].text);

  await board.execute({ lm75: [0x48, null] });
  const read = () => client.callTool({ name: 'read_room', arguments: {} });
  let last;
  do {
    await nextUpdate();
    last = await read();
  } while (!last.isError);
  assert.ok(last.content[0].text.includes(missing), last.content[0].text);
});
