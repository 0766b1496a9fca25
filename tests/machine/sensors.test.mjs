// SPDX-License-Identifier: Apache-2.0
// mote-sensors on Linux, with the official client. i2c-stub has the registers of the devices, and no functions of its
// own. The drivers of the kernel and those of mote read the same registers, each by its own code, so each is the oracle
// of the other. A BMP280 of mote cannot run with it: its measurement would never end.
//
// usage: node sensors.test.mjs FOLDER PROGRAM
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { clientLibrary, openSession, sdkInstalled, within } from '../../examples/client/session.mjs';
import { LinuxMachine, missing } from './linux_machine.mjs';

const [folder, program] = process.argv.slice(2);
const why = sdkInstalled ? missing(folder) : 'the official client is not installed (tests/run installs it)';
if (why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

const modules = [
  'i2c-dev', 'i2c-stub chip_addr=0x48,0x49,0x4a,0x4b,0x76', 'lm75', 'industrialio', 'kfifo_buf',
  'industrialio-triggered-buffer', 'ti-ads1015', 'bmp280', 'bmp280-i2c',
];
const limitMs = 280_000;

// The parameters, the raw values and the results of the example in the data sheet BST-BMP280-DS001, section 3.12.
const bmp280 = [27504, 26435, -1000, 36477, -10685, 3024, 2855, 140, -7, 15500, -14600, 6000];
const raw = { pressure: 415148, temperature: 519888 };

function bmp280Bytes() {
  const bytes = { 0xd0: 0x58 };
  bmp280.forEach((value, i) => {
    bytes[0x88 + 2 * i] = value & 0xff;
    bytes[0x89 + 2 * i] = (value >> 8) & 0xff;
  });
  [[0xf7, raw.pressure], [0xfa, raw.temperature]].forEach(([at, value]) => {
    bytes[at] = value >> 12;
    bytes[at + 1] = (value >> 4) & 0xff;
    bytes[at + 2] = (value & 0xf) << 4;
  });
  return bytes;
}

test('reads devices by drivers of the kernel, and by its own', { timeout: limitMs }, async (t) => {
  const machine = await LinuxMachine.boot(t, { folder, modules, programs: [program] });
  const stub = await machine.run('grep -l SMBus.stub /sys/class/i2c-adapter/*/name | cut -d/ -f5');
  const { bus } = /^i2c-(?<bus>\d+)$/m.exec(stub).groups;
  const adapter = `/sys/class/i2c-adapter/i2c-${bus}`;
  const at = (address) => `${bus}-00${address}`;
  const set = (address, register, value, size = 'b') =>
    `i2cset -y -f ${bus} 0x${address} 0x${Number(register).toString(16)} 0x${value.toString(16)} ${size}`;
  // The first byte on the wire is the high byte of a register, and the low one of a word of SMBus.
  const setWord = (address, register, value) =>
    set(address, register, ((value & 0xff) << 8) | ((value >> 8) & 0xff), 'w');

  await machine.run(Object.entries(bmp280Bytes()).map(([register, byte]) => set('76', register, byte)).join('; '));
  for (const [address, value] of [['48', 0x1580], ['49', 0x1580], ['4a', 0xe3f0], ['4b', 0x4000]]) {
    await machine.run(setWord(address, 0, value));
  }
  for (const [type, address] of [['lm75', '48'], ['ads1015', '4b'], ['bmp280', '76']]) {
    await machine.run(`echo ${type} 0x${address} > ${adapter}/new_device`);
  }
  const own = [['lm75', '49'], ['tmp105', '4a'], ['lm75b', '48'], ['lm75', '4c']].map(
    ([type, address]) => `--sensor ${type}@/dev/i2c-${bus}:0x${address}`);
  const command = `${basename(program)} ${own.join(' ')}`;
  const session = await openSession({ transport: await machine.serve(command).then((way) => () => way) });
  const { client } = session;
  const read = async (name) => {
    const { content: [{ text }], isError } = await client.callTool({ name: 'read_sensor', arguments: { name } });
    return isError ? { error: text } : text;
  };
  const list = async () => (await client.listResources()).resources.map(({ name }) => name);

  const names = await list();
  const kernelLm75 = `hwmon/lm75/${at(48)}/temp1`;
  const kernelBmp280 = `iio/bmp280/${at(76)}/in_`;
  for (const name of [
    kernelLm75, `${kernelBmp280}temp`, `${kernelBmp280}pressure`, `iio/ads1015/${at('4b')}/in_voltage0`,
    `i2c/lm75/i2c-${bus}/0x49`, `i2c/lm75b/i2c-${bus}/0x48`,
  ]) {
    assert.ok(names.includes(name), `${name} is not in ${names.join(' ')}`);
  }

  // The example of the data sheet is 100653.27 Pa.
  assert.equal(await read(`${kernelBmp280}temp`), '25.08 Cel');
  assert.match(await read(`${kernelBmp280}pressure`), /^100\.6532\d+ kPa$/);
  // 12 bits in the upper part of the register, 1 mV each.
  assert.equal(await read(`iio/ads1015/${at('4b')}/in_voltage0`), '1024 mV');

  // mote writes the configuration of a TMP105, and reads it back. The register is -28.0625.
  let tmp105;
  do {
    tmp105 = await read(`i2c/tmp105/i2c-${bus}/0x4a`);
  } while (typeof tmp105 !== 'string');
  assert.equal(tmp105, 'temperature -28.06 Cel');

  // Both drivers have the same values for an LM75.
  const own75 = `sensor://i2c/lm75/i2c-${bus}/0x49`;
  for (const steps of [-110, -51, -1, 0, 1, 43, 160, 250]) {
    const word = (steps << 7) & 0xffff;
    await machine.run(`${setWord('48', 0, word)}; ${setWord('49', 0, word)}`);
    assert.match(await read(kernelLm75), new RegExp(`^${steps / 2} Cel(,|$)`));
    let value;
    do {
      ({ temperature: { value } } = await session.readJson(own75));
    } while (value !== steps / 2);
  }

  // mote leaves a device alone that a driver of the kernel uses, and reports one that is absent.
  const used = `i2c/lm75b/i2c-${bus}/0x48`;
  assert.match((await read(used)).error, /^LM75B at address 0x48: /);
  assert.match((await read(`i2c/lm75/i2c-${bus}/0x4c`)).error,
    /^LM75 at address 0x4C: No device acknowledges the address\./);

  // The kernel's driver gives the device back.
  const changed = new Promise((resolve) => {
    client.setNotificationHandler(clientLibrary().ResourceListChangedNotificationSchema, resolve);
  });
  await machine.run(`echo 0x48 > ${adapter}/delete_device`);
  await within(60_000, 'notification of the list', changed);
  assert.ok(!(await list()).includes(kernelLm75));
  assert.deepEqual(await read(kernelLm75), { error: 'There is no sensor of this name. Call list_sensors.' });
  let again;
  do {
    again = await read(used);
  } while (typeof again !== 'string');
  assert.equal(again, 'temperature 125 Cel');

  // Devices in another order have the same names, and other numbers.
  await machine.run(`echo 0x76 > ${adapter}/delete_device; echo 0x4b > ${adapter}/delete_device`);
  for (const [type, address] of [['bmp280', '76'], ['lm75', '48'], ['ads1015', '4b']]) {
    await machine.run(`echo ${type} 0x${address} > ${adapter}/new_device`);
  }
  await session.close();
  assert.equal(await machine.stop(), '');
  const second = await openSession({ transport: await machine.serve(command).then((way) => () => way) });
  assert.deepEqual((await second.client.listResources()).resources.map(({ name }) => name), names);
  await second.close();
  await machine.stop();

  // One sensor and one bus more than there is space for.
  const starts = async (sensors) => machine.run(
    `${basename(program)} ${sensors.map((sensor) => `--sensor ${sensor}`).join(' ')} </dev/null 2>&1 | head -n 1`);
  const addresses = ['0x48', '0x49', '0x4a', '0x4b', '0x4c', '0x4d', '0x4e', '0x4f'];
  const many = ['lm75', 'lm75b'].flatMap((type) => addresses.map((address) => `${type}@/dev/i2c-${bus}:${address}`));
  const last = `tmp105@/dev/i2c-${bus}:0x48`;
  assert.equal(await starts(many), '');
  assert.equal(await starts([...many, last]), `--sensor: too many sensors: ${last}\n`);
  await machine.run(`for n in 1 2 3 4 5; do ln -s /dev/i2c-${bus} /tmp/bus$n; done`);
  const buses = [1, 2, 3, 4, 5].map((n) => `lm75@/tmp/bus${n}:0x48`);
  assert.equal(await starts(buses.slice(0, 4)), '');
  assert.equal(await starts(buses), `--sensor: too many buses: ${buses[4]}\n`);
  assert.equal(await starts([last, last]), `--sensor: this sensor is there already: ${last}\n`);
});
