#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Tests defects.mjs: a table below WORK gets one error at a time, and defects.mjs must report it.
//
// usage: defects_reports.mjs WORK
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from './defects.mjs';
import { NamedTests } from './tables.mjs';

const [work] = process.argv.slice(2);
fs.rmSync(work, { recursive: true, force: true });
function write(file, text) {
  fs.mkdirSync(path.dirname(path.join(work, file)), { recursive: true });
  fs.writeFileSync(path.join(work, file), text);
}

const words = Array.from({ length: 25 }, (_, at) => `word${at}`).join(' ');
const table = `# Text.
area\tfault\tfound by\ttests
core\tfirst\treview\tunit.core Suite.Case; talks/one.jsonl
http\t${words}\ta fuzzer\tnone: it takes a month
`;
write('tests/talks/one.jsonl', '');
write('tests/core_test.cpp', 'TEST(Suite, Case) {}\n');
write('build/CTestTestfile.cmake', 'add_test(unit.core true)\n');

const root = path.join(work, 'tests');
const tests = new NamedTests(root, { unit_tests: new Set(['Suite.Case']), programs: [], ctest: ['unit.core'] });
assert.deepEqual(check(table, tests), {
  problems: [],
  notes: ['2 defects, 1 without a test', `http: ${words} (none: it takes a month)`],
});
// refused(PROBLEM, OLD, NEW): checks the correct table with one replacement.
function refused(problem, old, replacement) {
  assert.ok(table.includes(old), old);
  assert.deepEqual(check(table.replace(old, replacement), tests).problems, [problem]);
}
refused('3: no such unit test: unit.core Suite.Other', 'Suite.Case', 'Suite.Other');
refused('3: no such file: talks/two.jsonl', 'one.jsonl', 'two.jsonl');
refused('4: no such test: none:', 'none: it takes a month', 'none:');
refused('4: no tests', 'none: it takes a month', '');
refused('3: no area', 'core\t', '\t');
refused('4: no found by', 'a fuzzer', '');
refused('4: 26 words: at most 25', words, `${words} more`);
refused('4: the fault of line 3', words, 'first');
refused('3: 3 cells, not 4', '\treview', '');
refused('2: the columns are not area, fault, found by, tests', 'found by', 'by');

// The program's exit status.
function program() {
  const script = fileURLToPath(new URL('defects.mjs', import.meta.url));
  return spawnSync(process.execPath, [script, root, path.join(work, 'build')], { encoding: 'utf8' });
}
write('tests/defects.tsv', table);
assert.equal(program().status, 0);
write('tests/defects.tsv', table.replace('Suite.Case', 'Suite.Other'));
assert.equal(program().status, 1);
console.log('defects.mjs reports each error');
