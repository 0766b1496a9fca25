// SPDX-License-Identifier: Apache-2.0
// The pins of Linux, with the GPIO character device and IIO of a kernel in QEMU. The registers of the GPIO chip are
// memory, which the shell writes and reads; the converter is an ADS1015 of i2c-stub.
//
// usage: node pins.test.mjs FOLDER PROGRAM
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { registers } from './gpio_registers.mjs';
import { LinuxMachine, missing } from './linux_machine.mjs';

const [folder, program] = process.argv.slice(2);
const why = missing(folder);
if (why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

const modules = [
  'gpio-generic', 'gpio-amdpt', 'i2c-dev', 'i2c-stub chip_addr=0x48', 'industrialio', 'kfifo_buf',
  'industrialio-triggered-buffer', 'ti-ads1015',
];

test('drives lines, reads levels and voltages', { timeout: 280_000 }, async (t) => {
  const machine = await LinuxMachine.boot(t, { folder, modules, programs: [program] });
  await machine.run('echo ads1015 0x48 > /sys/class/i2c-adapter/i2c-0/new_device');
  const pins = async (...steps) =>
    (await machine.run(`${basename(program)} /dev/gpiochip0 /sys/bus/iio/devices/iio:device0 ${steps.join(' ')}`))
      .trim().split('\n');
  const write = (register, value) => machine.run(`devmem 0x${register.toString(16)} 32 ${value}`);
  const read = async (register) => Number(await machine.run(`devmem 0x${register.toString(16)} 32`));

  // Inputs have the level on the wire.
  await write(registers.input, 0b1000);
  assert.deepEqual(await pins('in:3', 'level:3', 'in:2:up', 'level:2', 'level:4'),
    ['none', 'high', 'none', 'low', 'failed']);
  await write(registers.input, 0b0100);
  assert.deepEqual(await pins('in:3:down', 'level:3', 'in:2', 'level:2'), ['none', 'low', 'none', 'high']);

  // Outputs set their bits, and only these.
  assert.deepEqual(await pins('out:0:1', 'out:1:1', 'level:1', 'out:2:1', 'out:2:0', 'level:2'),
    ['none', 'none', 'high', 'none', 'none', 'low']);
  assert.equal(await read(registers.output), 0b0011);
  assert.equal(await read(registers.direction), 0b0111);
  assert.deepEqual(await pins('out:1:0', 'in:1'), ['none', 'none']);
  assert.equal(await read(registers.output), 0b0001);
  assert.equal(await read(registers.direction), 0b0101);

  // The chip has 8 lines and no interrupts, and a line has one user.
  assert.deepEqual(await pins('in:8', 'in:7', 'capture:7'), ['no_pin', 'none', 'unsupported']);
  await machine.run(`mkfifo /tmp/lines; ${basename(program)} /dev/gpiochip0 none out:5:1 pause >/tmp/lines &`);
  assert.equal(await machine.run('head -n 1 /tmp/lines'), 'none\n');
  assert.deepEqual(await pins('out:5:0', 'in:5', 'in:6'), ['busy', 'busy', 'none']);

  // 12 bits in the upper part of the register, 1 mV each; negative between two inputs only.
  for (const [word, millivolts] of [[0x4000, 1024], [0x0000, 0], [0x7ff0, 2047]]) {
    await machine.run(`i2cset -y -f 0 0x48 0 0x${(((word & 0xff) << 8) | (word >> 8)).toString(16)} w`);
    assert.deepEqual(await pins('mv:0', 'mv:3', 'mv:4'), [`${millivolts} mV`, `${millivolts} mV`, 'no_pin']);
  }
  await machine.run('echo 0x48 > /sys/class/i2c-adapter/i2c-0/delete_device');
  assert.deepEqual(await pins('mv:0'), ['no_pin']);
});
