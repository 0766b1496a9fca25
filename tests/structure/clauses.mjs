#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Checks a table of the clauses of a revision (tests/clauses-*.tsv) against the list of clauses and against the tests.
// Each clause needs a row, and each test that a row names must exist (tables.mjs). If the list has no numbers for its
// clauses, a row names a section, and sections may be missing. Prints how many rows name a test, and which rows are
// open or missing.
//
// usage: clauses.mjs ROOT TABLE RULES TESTS...
// ROOT is the folder with TABLE and the tests. TESTS are build folders for ctest.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { named_tests, read_table } from './tables.mjs';

const COLUMNS = ['clause', 'level', 'rule', 'tests', 'reason'];
const MARKS = ['open', 'missing', 'HTTP', 'documented', 'application', 'not ours'];

// Returns {clauses, pattern, all_needed}. A clause is a letter and a number anywhere in the text. A section without
// numbered clauses is one clause, named by its letter. If the sections have numbers, each section is a clause.
export function read_rules(text) {
  const clauses = new Set([...text.matchAll(/(?<![A-Za-z0-9-])[A-P][0-9]+/g)].map(([clause]) => clause));
  const sections = [...text.matchAll(/^## ([A-P])\./gm)].map(([, letter]) => letter);
  if (!sections.length) {
    const numbers = [...text.matchAll(/^## ([0-9]+)/gm)].map(([, number]) => number);
    return { clauses: new Set(numbers), pattern: /^[0-9]+$/, all_needed: false };
  }
  for (const section of sections) {
    if (![...clauses].some((clause) => clause[0] === section)) clauses.add(section);
  }
  return { clauses, pattern: /^[A-P][0-9]*$/, all_needed: true };
}

// Returns {problems, notes}. The notes are the summary and the rows that are open or missing.
export function check({ table, rules, tests }) {
  const { clauses, pattern, all_needed } = read_rules(rules);
  const { rows, problems } = read_table(table, COLUMNS);
  const lines_of = Object.fromEntries(MARKS.map((mark) => [mark, []]));
  let shown = 0;
  for (const row of rows) {
    const { clause, level, rule, reason } = row;
    if (!pattern.test(clause) || !/^[MSY]$/.test(level) || !rule) {
      problems.push(`${row.number}: not a clause, M, S or Y, and a rule`);
      continue;
    }
    if (!clauses.has(clause)) problems.push(`${clause} is no clause: ${rule}`);
    problems.push(...tests.problems_of(row.tests).map((problem) => `${clause}: ${problem}`));
    const [, mark, what] = /^([A-Za-z ]+): (.+)$/.exec(reason) ?? [];
    if (MARKS.includes(mark)) {
      lines_of[mark].push(`${clause} ${rule}`);
      if (mark === 'documented' && !fs.existsSync(path.join(tests.root, '..', what))) {
        problems.push(`${clause}: no such document: ${what}`);
      }
    } else if (row.tests) ++shown;
    else problems.push(`${clause}: neither a test nor a reason: ${reason}`);
  }
  if (all_needed) {
    const covered = new Set(rows.map(({ clause }) => clause));
    for (const clause of clauses) {
      if (!covered.has(clause)) problems.push(`nothing is said of ${clause}`);
    }
  }
  const numbers = MARKS.map((mark) => `, ${lines_of[mark].length} ${mark}`).join('');
  const notes = [`${clauses.size} clauses in ${rows.length} lines: ${shown} shown by tests${numbers}`];
  for (const mark of ['open', 'missing']) notes.push(...lines_of[mark].map((line) => `${mark}: ${line}`));
  return { problems, notes };
}

function main([root, table, file, ...builds]) {
  if (!fs.existsSync(file)) {
    console.log(`skipped: no package contains the list of clauses: ${file} (MOTE_RULES)`);
    return 77;
  }
  const rules = fs.readFileSync(file, 'utf8');
  const text = fs.readFileSync(path.join(root, table), 'utf8');
  const found = check({ table: text, rules, tests: named_tests(root, builds) });
  for (const problem of found.problems) console.log(`${table}: ${problem}`);
  for (const note of found.notes) console.log(note);
  return found.problems.length ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
