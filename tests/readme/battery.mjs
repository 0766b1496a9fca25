// SPDX-License-Identifier: Apache-2.0
// Compares the numbers of ports/battery.md with what they come from: the wake-ups that the programs print, the periods of
// the clocks in the sources, the instructions of tests/bench/baseline.tsv, and the arithmetic of its example.
//
// usage: node battery.mjs ROOT WAKE_UPS...
//   WAKE_UPS  a program that prints lines of "wake-ups an hour, NAME", a tab and a number
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const [root, ...programs] = process.argv.slice(2);
const read = (name) => readFileSync(path.join(root, name), 'utf8');
const document = read('ports/battery.md');
const hourMs = 3_600_000;

/** The rows of the table whose first line begins with `heading`, as lists of cells. */
function table(heading) {
  const lines = document.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`));
  assert.notEqual(start, -1, `no table "${heading}"`);
  const end = lines.findIndex((line, i) => i > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) => line.slice(1, -1).split('|').map((cell) => cell.trim()));
}

const number = (cell) => Number(cell.replaceAll(',', ''));

// ---- Wake-ups ------------------------------------------------------------------------------------------------------

const measured = new Map();
for (const program of programs) {
  const printed = execFileSync(program, ['--gtest_brief=1'], { encoding: 'utf8' });
  for (const [, name, count] of printed.matchAll(/^wake-ups an hour, (.*)\t(\d+)$/gm)) measured.set(name, Number(count));
}
const shown = new Map(table('idle device | wake-ups an hour').map(([name, count]) => [name, number(count)]));
assert.ok(measured.size > 0, 'the programs print nothing');
assert.deepEqual(new Map([...shown].sort()), new Map([...measured].sort()), 'wake-ups of an idle device');

// ---- Clocks --------------------------------------------------------------------------------------------------------

/** The number after `name = ` in a source file. */
function constant(file, name) {
  const found = new RegExp(`\\b${name} = ([\\d']+)`).exec(read(file));
  assert.ok(found, `${file} has no ${name}`);
  return Number(found[1].replaceAll("'", ''));
}
const periodOfSystick = (file) => 2 ** 24 / (constant(file, 'core_clock_hz') / 8 / 1000);
const periodsMs = {
  'LM3S6965EVB': constant('ports/boards/lm3s6965evb/lm3s6965_clock.cpp', 'period_ms'),
  'Netduino Plus 2': periodOfSystick('ports/boards/netduinoplus2/stm32f405_registers.hpp'),
  'STM32VLDISCOVERY (`examples/own_board`)': periodOfSystick('examples/own_board/stm32vldiscovery/stm32_registers.hpp'),
  'MPS2 AN385, AN386': constant('ports/boards/mps2_an385/mps2_clock.cpp', 'period_ms'),
};
const clocks = new Map(table('port | sleep').map(([name, , interrupts]) => [name, interrupts]));
for (const [board, periodMs] of Object.entries(periodsMs)) {
  assert.equal(number(clocks.get(board)), Math.round(hourMs / periodMs), `clock interrupts of ${board}`);
}

// ---- Instructions --------------------------------------------------------------------------------------------------

const baseline = new Map(read('tests/bench/baseline.tsv').split('\n').map((line) => line.split('\t')));
for (const [board, mhz, ...cells] of table('board | clock, MHz')) {
  for (const [i, way] of ['uart', 'http'].entries()) {
    const count = number(cells[2 * i]);
    assert.equal(count, Number(baseline.get(`guest ${board}, ${way}, tools/call`)), `instructions of ${board}, ${way}`);
    assert.equal(cells[2 * i + 1], (count / Number(mhz) / 1000).toFixed(2), `time awake of ${board}, ${way}`);
  }
}

// ---- The example ---------------------------------------------------------------------------------------------------

const [, capacityMah, awakeMs, awakeMa] = /battery of ([\d,]+) mAh[^]*?on for (\d+) ms at (\d+) mA/.exec(document);
const currents = new Set(table('chip | state').map(([, , current]) => Number(current.replace(' mA', ''))));
for (const [device, sleep, wakeUps, average, days] of table('idle device | sleep, mA')) {
  const count = shown.get(device.split(',')[0]);
  assert.equal(number(wakeUps), count, `wake-ups of "${device}"`);
  assert.ok(currents.has(Number(sleep)), `no source has the current of "${device}"`);
  const mean = Number(sleep) + count * Number(awakeMs) / 1000 * (Number(awakeMa) - Number(sleep)) / 3600;
  assert.equal(average, mean.toFixed(2), `average of "${device}"`);
  assert.equal(number(days), Math.round(number(capacityMah) / mean / 24), `days of "${device}"`);
}
console.log(`${shown.size} wake-ups, ${clocks.size} clocks`);
