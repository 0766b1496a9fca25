#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The table of boards and SDKs in ports/README.md: what was run on what, and how fast the official client is served there.
// Each image is started three times, and the middle time counts.
//
// usage: tests/bench/boards.mjs [--write | --check]
//   (none)   measures and prints. Builds nothing: `tests/run --all` makes the images
//   --write  measures and writes the table
//   --check  only compares: the table has each board, and within 2 % the sizes of baseline.tsv
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSession } from '../../examples/client/session.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const begin = '<!-- boards -->\n';
const end = '<!-- end of boards -->\n';
const starts = 3;
const requests = 100;
const tolerance = 0.02;  // as in the gate

const qemu = 'QEMU 7.2';
const rp2040js = 'rp2040js 1.4.1';
const thermometer = (board) => `build/${board}/examples/thermometer.elf`;
const row = (name, emulator, board, image, size, options = []) => ({ name, emulator, board, image, size, options });
// The name, the emulator, its arguments, and the row of baseline.tsv.
const rows = [
  row('Raspberry Pi Pico, UART', rp2040js, 'pico', 'build/pico/thermometer_uart.elf', 'pico, thermometer_uart'),
  row('Raspberry Pi Pico, USB', rp2040js, 'pico', 'build/pico/thermometer_usb.elf', 'pico, thermometer_usb', ['--usb']),
  row('Arduino, a core of the tests', rp2040js, 'pico', 'build/arduino/sketches/Thermometer/Thermometer.ino.elf'),
  row('BBC micro:bit', qemu, 'microbit', thermometer('microbit'), 'microbit, thermometer'),
  row('Netduino Plus 2', qemu, 'netduinoplus2', thermometer('netduinoplus2'), 'netduinoplus2, thermometer'),
  row('LM3S6965EVB', qemu, 'lm3s6965evb', thermometer('lm3s6965evb'), 'lm3s6965evb, thermometer'),
  row('MPS2 AN385', qemu, 'mps2_an385', thermometer('mps2_an385'), 'mps2_an385, thermometer'),
  row('MPS2 AN385, FreeRTOS V9', qemu, 'mps2_an385', 'build/freertos/tank.elf'),
  row('ESP-IDF, stubs, riscv32imc', qemu, join(root, 'tests/sdk/esp_idf/riscv32imc.emulator'),
    'build/host/tests/ports/esp_idf/riscv32imc/usb.elf'),
  row('`virt` (RISC-V)', qemu, 'virt', thermometer('virt'), 'virt, thermometer'),
];

const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;
const baseline = new Map(readFileSync(join(root, 'tests/bench/baseline.tsv'), 'utf8').split('\n')
  .map((line) => line.split('\t')).map(([name, value]) => [name, Number(value)]));

// The flash and RAM of an image, as the other tables count them.
function sizes({ size, image }) {
  if (size !== undefined) return ['flash', 'RAM'].map((kind) => baseline.get(`size ${size}, ${kind}`));
  const folder = mkdtempSync(join(tmpdir(), 'mote-'));
  try {
    writeFileSync(join(folder, 'list'), `image|image|${join(root, image)}\n`);
    const text = execFileSync(join(root, 'tests/bench/sizes'), ['x', 'arm-none-eabi-size', join(folder, 'list')],
      { encoding: 'utf8' });
    return text.trim().split('\n').map((line) => Number(line.split('\t')[1]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function perSecond(request) {
  const before = performance.now();
  for (let i = 0; i < requests; ++i) await request();
  return 1000 * requests / (performance.now() - before);
}

// The first resource that can be read: the sensor of some boards is missing in the emulator.
async function readable(client) {
  for (const { uri } of (await client.listResources()).resources) {
    if (await client.readResource({ uri }).then(() => true, () => false)) return uri;
  }
  throw new Error('no resource can be read');
}

async function start({ board, image, options }) {
  const before = performance.now();
  const session = await openSession(
    { command: join(root, 'toolchains/emulate'), args: [board, join(root, image), ...options] });
  const connect = performance.now() - before;
  try {
    const uri = await readable(session.client);
    const pings = await perSecond(() => session.client.ping());
    const reads = await perSecond(() => session.client.readResource({ uri }));
    return [connect, pings, reads];
  } finally {
    await session.close();
  }
}

async function measure(each) {
  const runs = [];
  for (let i = 0; i < starts; ++i) runs.push(await start(each));
  return [0, 1, 2].map((column) => Math.round(runs.map((run) => run[column]).sort((a, b) => a - b)[(starts - 1) / 2]));
}

function replaced(text, table) {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error('ports/README.md has no place for the table');
  return text.slice(0, from + begin.length) + table + text.slice(to);
}

const [mode] = process.argv.slice(2);
if (mode !== undefined && mode !== '--write' && mode !== '--check') {
  console.error('usage: tests/bench/boards.mjs [--write | --check]');
  process.exit(2);
}
const path = join(root, 'ports/README.md');
if (mode === '--check') {
  const lines = readFileSync(path, 'utf8').split('\n');
  let failed = false;
  for (const { name, emulator, size, image } of rows) {
    const begins = `| ${name} | ${emulator} |`;
    const shown = lines.find((line) => line.startsWith(begins))?.slice(begins.length).split(' KB |').map(Number);
    const wanted = size === undefined ? [] : sizes({ size, image }).map((bytes) => bytes / 1024);
    if (shown !== undefined && wanted.every((value, i) => Math.abs(shown[i] - value) <= tolerance * value + 0.05)) continue;
    console.error(`ports/README.md has no row ${begins} ${wanted.map((value) => value.toFixed(1))}; ` +
      'tests/bench/boards.mjs --write writes it');
    failed = true;
  }
  process.exit(failed ? 1 : 0);
}
let table = '| board or SDK | run in | flash | static RAM | connect, ms | ping, per second | resources/read, per second |\n' +
  '|---|---|---:|---:|---:|---:|---:|\n';
for (const each of rows) {
  const line = [each.name, each.emulator, ...sizes(each).map(kilobytes), ...await measure(each)];
  table += `| ${line.join(' | ')} |\n`;
}
if (mode === '--write') writeFileSync(path, replaced(readFileSync(path, 'utf8'), table));
process.stdout.write(table);
