// SPDX-License-Identifier: Apache-2.0
// An LM75 and a BME280 on the I2C bus of an emulated Pico, as rows (tests/sdk/pico/images/sensors.cpp).
//
// usage: node pico_sensors.test.mjs pico EMULATE IMAGE uart
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSession } from '../../examples/client/session.mjs';
import { atEnd, command, connect, library, limitMs, rejected } from './support.mjs';

const room = 'sensor://room';
const noDevice = 'No device acknowledges the address. Check the address, the power and the wires.';

const plugLm75 = (server, celsius) => server.execute({ lm75: [0x48, celsius === null ? null : { celsius }] });
const plugBme280 = (server, values) => server.execute({ bme280: [0x76, values] });

test('reads an LM75 that is plugged in, unplugged and plugged in again', { timeout: limitMs }, async (t) => {
  const { server, session, client } = await connect(t);
  await client.subscribeResource({ uri: room });
  const temperature = async () => (await session.readJson(room)).temperature;
  // Each new error is an update, and so is each measurement. An older one may still be on its way.
  const untilIt = async (holds) => {
    while (!await holds().catch(() => false)) await session.nextUpdate(room);
  };
  const fails = () => session.readJson(room).then(() => false, () => true);

  await untilIt(fails);
  assert.match((await rejected(session.readJson(room))).message, new RegExp(`LM75 at address 0x48: ${noDevice}`));
  for (const celsius of [21.5, -40]) {
    await plugLm75(server, celsius);
    await untilIt(async () => (await temperature()).value === celsius);
    assert.deepEqual(await temperature(), { value: celsius, unit: 'Cel' });
    await plugLm75(server, null);
    await untilIt(fails);
    assert.match((await rejected(session.readJson(room))).message, new RegExp(`LM75 at address 0x48: ${noDevice}`));
  }
});

// BST-BME280-DS002, section 8.1, with the parameters of the device in toolchains/rp2040/i2c_devices.mjs.
function humidityOf(rawTemperature, raw) {
  const linear = (rawTemperature / 16384 - 27504 / 1024) * 26435;
  const square = (rawTemperature / 131072 - 27504 / 8192) ** 2 * -1000;
  const t = linear + square - 76800;
  const base = raw - (314 * 64 + 50 / 16384 * t);
  const h = base * (367 / 65536 * (1 + 30 / 67108864 * t * (1 + 0 * t)));
  return h * (1 - 75 * h / 524288);
}

test('reads a BME280 with the numbers of the data sheet', { timeout: limitMs }, async (t) => {
  const { server, session, client } = await connect(t);
  const read = async () => {
    const { isError, content } = await client.callTool({ name: 'read_air', arguments: {} });
    return isError ? content[0].text : JSON.parse(content[0].text);
  };
  const readUntil = async (holds) => {
    for (;;) {
      const result = await read();
      if (holds(result)) return result;
    }
  };
  assert.equal(await readUntil((result) => typeof result === 'string' && result.includes('acknowledges')),
    `BME280 at address 0x76: ${noDevice}`);

  await plugBme280(server, {});
  const first = await readUntil((result) => typeof result === 'object');
  assert.deepEqual(first.temperature, { value: 25.08, unit: 'Cel' });
  assert.deepEqual(first.pressure, { value: 1006.53, unit: 'hPa' });
  assert.equal(first.humidity.unit, '%');
  assert.ok(Math.abs(first.humidity.value - humidityOf(519888, 30000)) < 0.01, first.humidity.value);

  await plugBme280(server, { humidity: 25_000 });
  const { temperature, humidity } = await readUntil((result) => result.humidity?.value !== first.humidity.value);
  assert.deepEqual(temperature, first.temperature);
  assert.ok(Math.abs(humidity.value - humidityOf(519888, 25000)) < 0.01, humidity.value);

  await plugBme280(server, null);
  assert.equal(await readUntil((result) => typeof result === 'string'), `BME280 at address 0x76: ${noDevice}`);
  await plugBme280(server, {});
  assert.deepEqual((await readUntil((result) => typeof result === 'object')).temperature, first.temperature);
  assert.deepEqual((await session.readJson('sensor://air')).pressure, first.pressure);
  assert.ok(await server.stackUse(2048) < 2048);
});

test('reads a device of the command line', { timeout: limitMs }, async (t) => {
  const [emulate, image] = command;
  const device = '{"lm75":[72,{"celsius":3.5}]}';
  const session = await openSession({ command: emulate, args: ['pico', image, '--execute', device] }, undefined, library);
  atEnd(t, () => session.close());
  await session.client.subscribeResource({ uri: room });
  await session.nextUpdate(room);
  assert.deepEqual((await session.readJson(room)).temperature, { value: 3.5, unit: 'Cel' });
});
