// SPDX-License-Identifier: Apache-2.0
// A GPIO chip of 8 lines for the machine, whose registers are memory: a device of ACPI for the driver gpio-amdpt of Linux.
// Debian's kernel has neither gpio-sim nor gpio-mockup. Source: drivers/gpio/gpio-amdpt.c of Linux 6.1; ACPI 6.5,
// section 20.2.
import { writeFileSync } from 'node:fs';

const base = 0x0800_0000;
const size = 0x1000;

/** The addresses of the registers, for devmem. A bit is a line. */
export const registers = { direction: base, input: base + 4, output: base + 8 };

/** What the kernel needs to leave the memory to the driver and to devmem. */
export const gpioParameters = `memmap=0x${size.toString(16)}$0x${base.toString(16)} iomem=relaxed`;

const text = (string) => Buffer.from(string, 'latin1');
const word = (value) => [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24];
// A package of at most 63 bytes.
const packed = (...parts) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from([body.length + 1]), body]);
};
const named = (name, ...parts) =>
  Buffer.concat([Buffer.from([0x08]), text(name), ...parts.map((part) => Buffer.from(part))]);

/** Writes the table of ACPI to a file, for -acpitable of QEMU. */
export function writeGpioTable(file) {
  const memory = [0x86, 9, 0, 1, ...word(base), ...word(size), 0x79, 0];
  const device = packed(
    text('GPI0'), named('_HID', [0x0d], text('AMDF030\0')),
    named('_CRS', [0x11], packed([0x0a, memory.length], memory)));
  const scope = packed(text('\\_SB_'), [0x5b, 0x82], device);
  const body = Buffer.concat([Buffer.from([0x10]), scope]);
  const head = Buffer.concat([
    text('SSDT'), Buffer.from(word(36 + body.length)), Buffer.from([2, 0]), text('MOTE  '), text('GPIO    '),
    Buffer.from(word(1)), text('MOTE'), Buffer.from(word(1)),
  ]);
  const table = Buffer.concat([head, body]);
  table[9] = -table.reduce((sum, byte) => sum + byte, 0) & 0xff;
  writeFileSync(file, table);
}
