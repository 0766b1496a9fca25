// SPDX-License-Identifier: Apache-2.0
// mote-sensors with the official client. Its /sys is a folder, see sysfs.mjs.
//
// usage: node sensors.test.mjs host BINARY
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Sysfs, raspberryPi } from './sysfs.mjs';
import { atEnd, command, library, limitMs, rejected } from './support.mjs';
import { openSession } from '../../examples/client/session.mjs';

const [program] = command;

/** A client of a fresh server. `stderr` resolves with all that the server has written there, when it ends. */
async function connect(t, root, ...more) {
  const args = ['--root', root, ...more];
  let text = '';
  const transport = new library.StdioClientTransport({ command: program, args, stderr: 'pipe' });
  transport.stderr.on('data', (data) => { text += data; });
  const ended = new Promise((resolve) => transport.stderr.on('end', resolve));
  const session = await openSession({ transport: () => transport }, undefined, library);
  atEnd(t, () => session.close());
  const call = async (name, args) => {
    const { content: [{ text: said }], isError } = await session.client.callTool({ name, arguments: args });
    return isError ? { error: said } : said;
  };
  const stderr = async () => {
    await session.close();
    await ended;
    return text;
  };
  return { session, client: session.client, call, stderr };
}

/** All pages of resources/list. */
async function listAll(client) {
  const all = [];
  let cursor;
  do {
    const page = await client.listResources({ cursor });
    all.push(...page.resources);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}

test('serves a Raspberry Pi as resources', { timeout: limitMs }, async (t) => {
  const { session, client, stderr } = await connect(t, raspberryPi(t).root);
  const resources = await listAll(client);
  assert.deepEqual(resources.map(({ name }) => name), [
    'hwmon/cpu_thermal/virtual/temp1',
    'hwmon/ina219/1-0040/curr1', 'hwmon/ina219/1-0040/in0', 'hwmon/ina219/1-0040/in1', 'hwmon/ina219/1-0040/power1',
    'iio/ads1015/1-0048/in_voltage0', 'iio/ads1015/1-0048/in_voltage0-voltage1',
    'iio/bmp280/1-0076/in_pressure', 'iio/bmp280/1-0076/in_temp',
    'iio/mpu6050/1-0068/in_accel_x', 'iio/mpu6050/1-0068/in_accel_y', 'iio/mpu6050/1-0068/in_accel_z',
    'iio/mpu6050/1-0068/in_temp',
  ]);
  assert.deepEqual(resources.find(({ name }) => name.endsWith('/in1')), {
    uri: 'sensor://hwmon/ina219/1-0040/in1', name: 'hwmon/ina219/1-0040/in1', title: 'solar',
    description: 'Voltage, in mV.', mimeType: 'application/json',
  });
  const values = {};
  for (const { name, uri } of resources) values[name] = await session.readJson(uri);
  assert.deepEqual(values, {
    'hwmon/cpu_thermal/virtual/temp1': { value: 48.686, unit: 'Cel', crit: 110 },
    'hwmon/ina219/1-0040/curr1': { value: -101, unit: 'mA' },
    'hwmon/ina219/1-0040/in0': { value: 10, unit: 'mV' },
    'hwmon/ina219/1-0040/in1': { value: 12004, unit: 'mV' },
    'hwmon/ina219/1-0040/power1': { value: 1220000, unit: 'uW' },
    'iio/ads1015/1-0048/in_voltage0': { value: 1650, unit: 'mV' },
    'iio/ads1015/1-0048/in_voltage0-voltage1': { value: -6, unit: 'mV' },
    'iio/bmp280/1-0076/in_pressure': { value: 100.653265625, unit: 'kPa' },
    'iio/bmp280/1-0076/in_temp': { value: 25.08, unit: 'Cel' },
    'iio/mpu6050/1-0068/in_accel_x': { value: 9.797632, unit: 'm/s2' },
    'iio/mpu6050/1-0068/in_accel_y': { value: -9.797632, unit: 'm/s2' },
    'iio/mpu6050/1-0068/in_accel_z': { value: 0, unit: 'm/s2' },
    'iio/mpu6050/1-0068/in_temp': { value: 32.0588184, unit: 'Cel' },
  });
  const { code } = await rejected(client.readResource({ uri: 'sensor://hwmon/ina219/1-0040/in2' }));
  assert.equal(code, library.notFound);
  assert.equal(await stderr(), '');
});

test('serves the tools for hosts without resources', { timeout: limitMs }, async (t) => {
  const sysfs = raspberryPi(t);
  const { client, call } = await connect(t, sysfs.root);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name, annotations }) => [name, annotations.readOnlyHint]),
    [['list_sensors', true], ['read_sensor', true]]);
  assert.equal((await call('list_sensors', {})).split('\n').length, 14);
  assert.equal(await call('list_sensors', { contains: 'ina219' }),
    'hwmon/ina219/1-0040/curr1: current in mA\nhwmon/ina219/1-0040/in0: voltage in mV\n' +
    'hwmon/ina219/1-0040/in1: voltage in mV, solar\nhwmon/ina219/1-0040/power1: power in uW\n');
  assert.equal(await call('list_sensors', { contains: 'solar' }), 'hwmon/ina219/1-0040/in1: voltage in mV, solar\n');
  assert.equal(await call('list_sensors', { contains: 'moon' }), 'There is no such sensor.\n');
  assert.equal(await call('read_sensor', { name: 'hwmon/cpu_thermal/virtual/temp1' }), '48.686 Cel, crit 110');
  assert.equal(await call('read_sensor', { name: 'sensor://iio/bmp280/1-0076/in_temp' }), '25.08 Cel');
  assert.deepEqual(await call('read_sensor', { name: 'hwmon/cpu_thermal/virtual' }),
    { error: 'There is no sensor of this name. Call list_sensors.' });
});

test('notifies a client when a device comes and goes', { timeout: limitMs }, async (t) => {
  const sysfs = raspberryPi(t);
  const { client, call } = await connect(t, sysfs.root);
  const changes = [];
  const waiting = [];
  client.setNotificationHandler(library.ResourceListChangedNotificationSchema, () => {
    if (waiting.length > 0) waiting.shift()();
    else changes.push(true);
  });
  const change = () => (changes.pop() ? undefined : new Promise((resolve) => waiting.push(resolve)));
  const probe = sysfs.device('devices/w1_bus_master1/28-0000051e015b', 'w1');
  sysfs.hwmon(9, probe, { name: 'w1_slave_temp', temp1_input: 21437 });
  await change();
  assert.equal(await call('read_sensor', { name: 'hwmon/w1_slave_temp/28-0000051e015b/temp1' }), '21.437 Cel');
  rmSync(join(sysfs.root, 'class/hwmon/hwmon9/temp1_input'));
  assert.deepEqual(await call('read_sensor', { name: 'hwmon/w1_slave_temp/28-0000051e015b/temp1' }),
    { error: 'w1_slave_temp at 28-0000051e015b, temp1: The device is gone (ENOENT). List the sensors again.' });
  await change();
  assert.equal((await listAll(client)).length, 13);
});

test('lists some hundred channels, and names those that have no space', { timeout: limitMs }, async (t) => {
  const sysfs = new Sysfs(t);
  const files = { name: 'many' };
  for (let number = 1; number <= 1026; ++number) files[`temp${number}_input`] = number * 1000;
  sysfs.hwmon(0, 'devices/platform/many', files);
  const { client, call, stderr } = await connect(t, sysfs.root);
  const resources = await listAll(client);
  assert.equal(resources.length, 1024);
  assert.equal(new Set(resources.map(({ uri }) => uri)).size, 1024);
  const leftOut = /^(hwmon\/many\/virtual\/temp\d+) and 1 more are left out: there are at most 1024 sensors\.$/;
  let seen = 0;
  for (let from = 0; from < 1024; from += 100) {
    const lines = (await call('list_sensors', { from })).split('\n');
    assert.match(lines.pop(), leftOut);
    if (from < 1000) {
      assert.equal(lines.pop(), `${924 - from} more: call list_sensors with from = ${from + 100}.`);
      assert.equal(lines.length, 100);
    }
    seen += lines.filter((line) => line.endsWith(': temperature in Cel')).length;
  }
  assert.equal(seen, 1024);
  assert.match(await stderr(),
    /^mote-sensors: left out, because there are at most 1024: hwmon\/many\/virtual\/temp\d+ and 1 more\n$/);
});

test('answers in time when a driver does not return', { timeout: limitMs }, async (t) => {
  const sysfs = new Sysfs(t);
  const folder = sysfs.hwmon(0, 'devices/platform/slow', { name: 'slow', temp2_input: 7000 });
  const file = join(sysfs.root, folder, 'temp1_input');
  assert.equal(spawnSync('mkfifo', [file]).status, 0);
  const { client, call } = await connect(t, sysfs.root, '--wait', '100');
  assert.deepEqual(await call('read_sensor', { name: 'hwmon/slow/virtual/temp1' }),
    { error: 'slow at virtual, temp1: The driver has not returned in time. Read it again later.' });
  const { code, message } = await rejected(client.readResource({ uri: 'sensor://hwmon/slow/virtual/temp1' }));
  assert.equal(code, -32603);
  assert.match(message, /The driver has not returned in time/);
  assert.equal(await call('read_sensor', { name: 'hwmon/slow/virtual/temp2' }), '7 Cel');
});

test('rejects wrong options', { timeout: limitMs }, () => {
  const cases = [
    [['--root'], 'unknown option, or an option without a value: --root'],
    [['--port', '1'], 'unknown option --port'],
    [['--wait', '99'], '--wait is a number from 100 to 60000, not 99'],
    [['--wait', '1s'], '--wait is a number from 100 to 60000, not 1s'],
    [['--sensor', 'lm75'], '--sensor is TYPE@/dev/i2c-N:ADDRESS, not lm75'],
    [['--sensor', 'lm75@/dev/i2c-1'], '--sensor is TYPE@/dev/i2c-N:ADDRESS, not lm75@/dev/i2c-1'],
    [['--sensor', 'lm99@/dev/i2c-1:0x48'], '--sensor: unknown type: lm99@/dev/i2c-1:0x48'],
    [['--sensor', 'lm75@/dev/i2c-1:0x50'], '--sensor: the device cannot have this address: lm75@/dev/i2c-1:0x50'],
    [['--sensor', 'lm75@/dev/i2c-1:x'], '--sensor: the device cannot have this address: lm75@/dev/i2c-1:x'],
    [['--sensor', 'lm75@/dev/no-such-bus:0x48'],
      '--sensor: there is no such I2C bus, or the program may not open it: lm75@/dev/no-such-bus:0x48'],
  ];
  for (const [args, error] of cases) {
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    assert.equal(status, 2);
    assert.equal(stderr.split('\n')[0], error);
  }
});
