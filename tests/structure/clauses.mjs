#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Checks the table of tests/clauses.md against the list of clauses and against the tests. Each clause needs a row, and
// each test or file that a row names must exist. If the list has no numbers for its clauses, a row names a section, and
// sections may be missing. Prints how many rows name a test, and which rows are open or missing.
//
// usage: clauses.mjs ROOT TABLE RULES TESTS...
// ROOT is the folder with TABLE and the tests. TESTS are build folders for ctest.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { code_of, files_below } from './cpp.mjs';
import { rows_of } from './markdown.mjs';

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

export function read_unit_tests(root) {
  const found = new Set();
  for (const file of files_below(root, '.').filter((name) => name.endsWith('_test.cpp'))) {
    const tokens = code_of(fs.readFileSync(path.join(root, file), 'utf8')).map(({ text }) => text);
    tokens.forEach((text, at) => {
      const [open, suite, comma, name, close] = tokens.slice(at + 1, at + 6);
      if (/^TEST(_F|_P)?$/.test(text) && open === '(' && comma === ',' && close === ')') found.add(`${suite}.${name}`);
    });
  }
  return found;
}

export function read_ctest(build) {
  const listing = execFileSync('ctest', ['--test-dir', build, '-N'], { encoding: 'utf8', maxBuffer: 1 << 26 });
  return [...listing.matchAll(/^ *Test +#[0-9]+: (.+)$/gm)].map(([, name]) => name);
}

// Returns why `test` names no test, or an empty string.
function problem_of(test, root, unit_tests, ctest) {
  const is_there = (name) => ctest.some((one) => one === name || one.startsWith(`${name}.`));
  const client = /^client\/(\S+) "(.+)"$/.exec(test);
  if (client) {
    const file = path.join(root, 'client', client[1]);
    const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : [];
    return lines.some((line) => line.includes('test(') && line.includes(client[2])) ? '' : 'no test with this title';
  }
  const unit = /^unit\.([a-z_]+) (.+)$/.exec(test);
  if (unit) return unit_tests.has(unit[2]) && is_there(`unit.${unit[1]}`) ? '' : 'no such unit test';
  if (test.includes('/')) {
    const file = path.join(root, test);
    return fs.existsSync(file) && fs.statSync(file).isFile() ? '' : 'no such file';
  }
  return is_there(test) ? '' : 'no such test';
}

// Returns {problems, notes}. The notes are the summary and the rows that are open or missing.
export function check({ root, table, rules, unit_tests, ctest }) {
  const { clauses, pattern, all_needed } = read_rules(rules);
  const problems = [];
  const covered = [];
  const lines_of = Object.fromEntries(MARKS.map((mark) => [mark, []]));
  let shown = 0;
  for (const { line, cells } of rows_of(fs.readFileSync(path.join(root, table), 'utf8'))) {
    const [clause, level, rule, by] = cells;
    if (!pattern.test(clause.split(' ')[0])) continue;
    if (cells.length !== 4 || !pattern.test(clause) || !/^[MSY]$/.test(level) || !rule || !by) {
      problems.push(`not a line of the table: ${line}`);
      continue;
    }
    covered.push(clause);
    if (!clauses.has(clause)) problems.push(`${clause} is no clause: ${rule}`);
    for (const [, test] of by.matchAll(/`([^`]+)`/g)) {
      const problem = problem_of(test, root, unit_tests, ctest);
      if (problem) problems.push(`${clause}: ${problem}: ${test}`);
    }
    const [, mark, what] = /^([A-Za-z ]+): (.+)$/.exec(by) ?? [];
    if (by.startsWith('`')) ++shown;
    else if (MARKS.includes(mark)) {
      lines_of[mark].push(`${clause} ${rule}`);
      if (mark === 'documented' && !fs.existsSync(path.join(root, '..', what))) {
        problems.push(`${clause}: no such document: ${what}`);
      }
    } else problems.push(`${clause}: neither a test nor a reason: ${by}`);
  }
  if (all_needed) {
    for (const clause of clauses) {
      if (!covered.includes(clause)) problems.push(`nothing is said of ${clause}`);
    }
  }
  const numbers = MARKS.map((mark) => `, ${lines_of[mark].length} ${mark}`).join('');
  const notes = [`${clauses.size} clauses in ${covered.length} lines: ${shown} shown by tests${numbers}`];
  for (const mark of ['open', 'missing']) notes.push(...lines_of[mark].map((line) => `${mark}: ${line}`));
  return { problems, notes };
}

function main([root, table, file, ...builds]) {
  if (!fs.existsSync(file)) {
    console.log(`skipped: no package contains the list of clauses: ${file} (MOTE_RULES)`);
    return 77;
  }
  const rules = fs.readFileSync(file, 'utf8');
  const found = check({ root, table, rules, unit_tests: read_unit_tests(root), ctest: builds.flatMap(read_ctest) });
  for (const problem of found.problems) console.log(`${table}: ${problem}`);
  for (const note of found.notes) console.log(note);
  return found.problems.length ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
