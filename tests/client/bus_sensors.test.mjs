// SPDX-License-Identifier: Apache-2.0
// Drivers of sensors against the devices of the emulator, whose values change while the board runs: rows, their history
// and their tools, and devices that are absent, of another type, unplugged and plugged in again.
//
// usage: node bus_sensors.test.mjs board EMULATE BOARD IMAGE (tests/firmware/sensors.cpp)
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd, command, library, limitMs, rejected } from './support.mjs';
import { openSession } from '../../examples/client/session.mjs';
import { boardThermometer } from '../../examples/client/thermometer.mjs';

// t0 is the TMP105 of the board, at 0x48. The second one has its initial 9 bits, as an LM75. The third device has the
// address of a BME280. No device has the address of `cellar`, 0x4F.
const devices = ['tmp105,id=t1,address=0x49', 'tmp422,id=t2,address=0x4c', 'emc1414,id=t3,address=0x4d',
  'dps310,id=t4,address=0x77'].flatMap((device) => ['-device', `${device},bus=i2c`]);

const steps = (celsius, size) => Math.floor(celsius / size) * size;
const rounded = (celsius) => Math.round(celsius * 100) / 100;

/** The board and the client. Both end with the test `t`. */
async function connect(t, celsius = 21.5) {
  const server = await boardThermometer(...command, celsius, devices);
  atEnd(t, () => server.close());
  const session = await openSession(server, undefined, library);
  atEnd(t, () => session.close());
  const set = (id, property, value) => server.execute('qom-set', { path: `/machine/peripheral/${id}`, property, value });
  return {
    server, session, client: session.client,
    /** Changes a temperature of the device `id`. */
    heat: (id, celsius, property = 'temperature') => set(id, property, Math.round(celsius * 1000)),
    /** Moves the device `id` to another address. It resets, and then measures 0 degrees. */
    move: async (id, address) => {
      await set(id, 'realized', false);
      await set(id, 'address', address);
      await set(id, 'realized', true);
    },
  };
}

/** Reads a row of which each measurement is an update, until `is` is true of the values or of the error. */
async function readUntil({ session, client }, name, is) {
  const uri = `sensor://${name}`;
  await client.subscribeResource({ uri });
  let seen;
  do {
    seen = await session.readJson(uri).catch((error) => {
      if (!(error instanceof library.McpError)) throw error;
      return error.message;
    });
    if (!is(seen)) await session.nextUpdate(uri);
  } while (!is(seen));
  await client.unsubscribeResource({ uri });
  return seen;
}

const values = (body) => typeof body === 'object';
const shows = (celsius, name = 'temperature') => (body) => values(body) && body[name].value === celsius;
const says = (text) => (body) => typeof body === 'string' && body.includes(text);

test('reads each temperature that the device measures', { timeout: limitMs }, async (t) => {
  const board = await connect(t, -40);
  for (const celsius of [-40, -0.0625, 0, 0.0625, 21.0625, 85.9375, 125, -25.25]) {
    await board.heat('t0', celsius);
    const body = await readUntil(board, 'room', shows(rounded(celsius)));
    assert.equal(body.temperature.unit, 'Cel');
    assert.equal(body.secondsAgo, 0);
  }
});

test('reads the half degrees of a device with 9 bits', { timeout: limitMs }, async (t) => {
  const board = await connect(t);
  for (const celsius of [25.9375, -7.25, -55, 125]) {
    await board.heat('t1', celsius);
    await readUntil(board, 'coarse', shows(steps(celsius, 0.5)));
  }
});

test('reads devices with drivers of the application', { timeout: limitMs }, async (t) => {
  const board = await connect(t);
  const of = {
    t2: ['diodes', ['local', 'first', 'second'], 0.0625],
    t3: ['processor', ['internal', 'first', 'second', 'third'], 1],
  };
  for (const [id, [name, channels, size]] of Object.entries(of)) {
    for (const [index, channel] of channels.entries()) {
      const celsius = 30.6875 + 10 * index;
      await board.heat(id, celsius, `temperature${index}`);
      await readUntil(board, name, shows(rounded(steps(celsius, size)), channel));
    }
    // Each channel keeps its own value.
    const body = await board.session.readJson(`sensor://${name}`);
    assert.deepEqual(channels.map((channel) => body[channel].value),
      channels.map((_, index) => rounded(steps(30.6875 + 10 * index, size))));
  }
});

test('notifies of a crossed threshold, and calls the tool of a row', { timeout: limitMs }, async (t) => {
  const board = await connect(t);
  const { session, client } = board;
  const uri = 'sensor://room/history';
  await readUntil(board, 'room', shows(21.5));
  await client.subscribeResource({ uri });
  for (const [celsius, level] of [[31, 'above'], [29, 'normal']]) {
    await board.heat('t0', celsius);
    await session.nextUpdate(uri);
    const history = await session.readJson(uri);
    assert.equal(history.level, level);
    assert.deepEqual([history.unit, history.values[0][1]], ['Cel', celsius]);
  }
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name), ['read_room', 'read_cellar']);
  const result = await client.callTool({ name: 'read_room' });
  assert.ok(!result.isError);
  assert.deepEqual(JSON.parse(result.content[0].text).temperature, { value: 29, unit: 'Cel' });
});

test('says which device is absent, and reads it when it is plugged in', { timeout: limitMs }, async (t) => {
  const board = await connect(t);
  const text = 'LM75B at address 0x4F: No device acknowledges the address. Check the address, the power and the wires.';
  await readUntil(board, 'cellar', says(text));
  const { message } = await rejected(board.client.readResource({ uri: 'sensor://cellar' }));
  assert.ok(message.endsWith(text), message);
  const failed = await board.client.callTool({ name: 'read_cellar' });
  assert.ok(failed.isError);
  assert.equal(failed.content[0].text, text);

  await board.move('t1', 0x4f);
  await board.heat('t1', 12.5);
  await readUntil(board, 'cellar', shows(12.5));
  const result = await board.client.callTool({ name: 'read_cellar' });
  assert.ok(!result.isError);
  await readUntil(board, 'coarse', says('LM75 at address 0x49: No device acknowledges the address.'));
});

test('notifies when a device is unplugged, and sets it up when it is back', { timeout: limitMs }, async (t) => {
  const board = await connect(t, 20.0625);
  await readUntil(board, 'room', shows(20.06));
  for (const celsius of [19.9375, 30.0625]) {
    await board.move('t0', 0x50);
    await readUntil(board, 'room', says('TMP105 at address 0x48: No device acknowledges the address.'));
    // The device that comes back has its initial 9 bits, and would measure half degrees.
    await board.move('t0', 0x48);
    await board.heat('t0', celsius);
    await readUntil(board, 'room', shows(rounded(celsius)));
  }
});

test('says that a device is of another type, and which value is outside of its bounds', { timeout: limitMs },
  async (t) => {
    const board = await connect(t);
    await readUntil(board, 'air',
      says('BME280 at address 0x77: Another type of device has this address. Check the type and the address.'));
    await board.heat('t0', 126);
    await readUntil(board, 'room',
      says('TMP105 at address 0x48: Its temperature is 126 Cel, outside of the bounds of the data sheet, -40 to 125 Cel.'));
    await board.heat('t0', 21);
    await readUntil(board, 'room', shows(21));
  });
