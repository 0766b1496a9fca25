// SPDX-License-Identifier: Apache-2.0
// The workbench on Linux in QEMU, with the official client: i2c-dev, and the GPIO character device. What a call does is
// seen in the registers of the GPIO chip, which the shell reads.
//
// usage: node workbench.test.mjs FOLDER PROGRAM
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { clientLibrary, sdkInstalled } from '../../examples/client/session.mjs';
import { registers } from './gpio_registers.mjs';
import { LinuxMachine, missing } from './linux_machine.mjs';

const [folder, program] = process.argv.slice(2);
const why = sdkInstalled ? missing(folder) : 'the official client is not installed (tests/run installs it)';
if (why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

const modules = ['gpio-generic', 'gpio-amdpt', 'i2c-dev', 'i2c-stub chip_addr=0x48,0x50'];
const lamp = 1, heater = 2;  // bits of the registers
const leaseMs = 5000;

test('uses the bus and the lines of Linux', { timeout: 280_000 }, async (t) => {
  const machine = await LinuxMachine.boot(t, { folder, modules, programs: [program] });
  const setCelsius = (celsius) => machine.run(`i2cset -y -f 0 0x48 0 0x${(celsius & 0xff).toString(16).padStart(4, '0')} w`);
  const address = (register) => `0x${register.toString(16)}`;
  const outputs = async () => Number(await machine.run(`devmem ${address(registers.output)} 32`));
  const uptimeMs = async (before = 'true') => {
    const [seconds] = (await machine.run(`${before} && cat /proc/uptime`)).split(' ');
    return 1000 * Number(seconds);
  };
  // Returns the uptime. The machine waits, so no time of this test counts.
  const until = (bit, high) => uptimeMs(
    `(i=0; while [ $(($(devmem ${address(registers.output)} 32) & ${bit})) ${high ? '=' : '!'}= 0 ]; do ` +
    'i=$((i + 1)); [ $i -lt 30000 ] || exit 1; done)');
  const { Client } = clientLibrary();
  const serve = async () => {
    const client = new Client({ name: 'mote-tests', version: '0.1.0' });
    await client.connect(await machine.serve(`${basename(program)} --i2c /dev/i2c-0 --chip /dev/gpiochip0`));
    return async (name, toolArguments = {}) => {
      const { content } = await client.callTool({ name, arguments: toolArguments });
      return content[0].text;
    };
  };
  await setCelsius(20);
  await machine.run(`devmem ${address(registers.output)} 32 0xff`);
  await machine.run(`devmem ${address(registers.input)} 32 8`);
  let call = await serve();

  assert.equal((await outputs()) & (lamp | heater), 0, 'the start puts the pins to rest');
  assert.match(await call('scan_i2c'), /^0x48: [^]*^0x50: perhaps EEPROM .*; read only$/m);
  assert.match(await call('read_pins'), /^LAMP: low, at rest\nHEATER: low, at rest\nDOOR: high, input\nNONE: unavailable/);
  assert.match(await call('i2c', { address: '0x48', write: '00', read: 2 }), /^14 00 /);
  assert.match(await call('i2c', { address: '0x50', write: '00ff' }), /only read/);

  assert.match(await call('set_pin', { pin: 'LAMP', level: 'high' }), /^LAMP is high/);
  assert.equal((await outputs()) & (lamp | heater), lamp);
  assert.match(await call('set_pin', { pin: 'LAMP', level: 'rest' }), /at rest/);
  assert.equal((await outputs()) & (lamp | heater), 0);

  // A hold follows the sensor, after its first measurement.
  while (!/^box is 20 Cel/.test(await call('watch', { reading: 'box' })));
  const hold = { reading: 'box', at: 30, within: 1, pin: 'HEATER', action: 'raise', minutes: 5 };
  assert.match(await call('hold', hold), /^HEATER is on, and keeps box at 30 Cel/);
  assert.equal((await outputs()) & heater, heater);
  await setCelsius(35);
  await until(heater, false);

  // The lease of a client that sends nothing.
  const beginMs = await uptimeMs();
  assert.match(await call('set_pin', { pin: 'LAMP', level: 'high' }), /^LAMP is high/);
  const calledMs = await uptimeMs();
  const endMs = await until(lamp, false);
  assert.ok(endMs - beginMs >= leaseMs, `${endMs - beginMs} ms`);
  assert.ok(endMs - calledMs <= leaseMs + 1000, `${endMs - calledMs} ms`);

  // A signal ends the program with its pins at rest.
  call = await serve();
  assert.match(await call('set_pin', { pin: 'LAMP', level: 'high' }), /^LAMP is high/);
  assert.equal((await outputs()) & lamp, lamp);
  assert.equal(await machine.stop(), '');
  assert.equal((await outputs()) & lamp, 0);
});
