#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Checks the table of defects (tests/defects.tsv): each row names a test that reaches the fault, or says after `none: `
// why there is none. Each named test exists (tables.mjs), and no row is long. Prints the rows without a test.
//
// usage: defects.mjs ROOT TESTS...
// ROOT is the folder with the table and the tests. TESTS are build folders for ctest.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { named_tests, read_table } from './tables.mjs';

const COLUMNS = ['area', 'fault', 'found by', 'tests'];
const MOST_WORDS = 25;

export function check(text, tests) {
  const { rows, problems } = read_table(text, COLUMNS);
  const faults = new Map();
  const untested = [];
  for (const row of rows) {
    const empty = COLUMNS.find((column) => row[column] === '');
    if (empty) problems.push(`${row.number}: no ${empty}`);
    const words = row.fault.split(/\s+/).length;
    if (words > MOST_WORDS) problems.push(`${row.number}: ${words} words: at most ${MOST_WORDS}`);
    if (faults.has(row.fault)) problems.push(`${row.number}: the fault of line ${faults.get(row.fault)}`);
    else faults.set(row.fault, row.number);
    if (/^none: ./.test(row.tests)) untested.push(`${row.area}: ${row.fault} (${row.tests})`);
    else problems.push(...tests.problems_of(row.tests).map((problem) => `${row.number}: ${problem}`));
  }
  return { problems, notes: [`${rows.length} defects, ${untested.length} without a test`, ...untested] };
}

function main([root, ...builds]) {
  const text = fs.readFileSync(path.join(root, 'defects.tsv'), 'utf8');
  const { problems, notes } = check(text, named_tests(root, builds));
  for (const problem of problems) console.log(`defects.tsv:${problem}`);
  for (const note of notes) console.log(note);
  return problems.length ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
