// SPDX-License-Identifier: Apache-2.0
// Reads tables (*.tsv) that name tests, and checks that the tests exist.
//
// A table has a row for each line, with a tab between two cells. The first row has the names of the columns. Lines that
// begin with `#` are comments. A cell of tests has one or several, separated by `; `:
//   unit.PROGRAM Suite.Case  a GoogleTest
//   FOLDER/FILE "words"      a line of this file below tests has these words, in a test of Node.js in its title
//   FOLDER/FILE              a file below tests, such as a conversation
//   any other name           a test of CTest, or the beginning of its name up to a dot
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { code_of, files_below } from './cpp.mjs';

// Returns {rows, problems}. A row is {number, …cells by column}.
export function read_table(text, columns) {
  const problems = [];
  const rows = [];
  const lines = text.split('\n').map((line, index) => ({ line, number: index + 1 }));
  const [header, ...others] = lines.filter(({ line }) => line !== '' && !line.startsWith('#'));
  const names = columns.join(', ');
  if (header?.line !== columns.join('\t')) problems.push(`${header?.number ?? 1}: the columns are not ${names}`);
  for (const { line, number } of others) {
    const cells = line.split('\t');
    if (cells.length !== columns.length) problems.push(`${number}: ${cells.length} cells, not ${columns.length}`);
    else if (cells.some((cell) => cell !== cell.trim())) problems.push(`${number}: a cell begins or ends with a space`);
    else rows.push({ number, ...Object.fromEntries(columns.map((name, index) => [name, cells[index]])) });
  }
  return { rows, problems };
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

// Returns the programs that a CMakeLists.txt below ROOT makes a test. A build without lwIP or TLS lacks some of them.
export function read_programs(root) {
  const lists = files_below(root, '.').filter((name) => path.basename(name) === 'CMakeLists.txt');
  const calls = lists.flatMap((file) =>
    [...fs.readFileSync(path.join(root, file), 'utf8').matchAll(/^ *mote_(?:add_)?unit_test\(([a-z0-9_]+)\b/gm)]);
  return calls.map(([, name]) => name);
}

export function read_ctest(build) {
  const listing = execFileSync('ctest', ['--test-dir', build, '-N'], { encoding: 'utf8', maxBuffer: 1 << 26 });
  return [...listing.matchAll(/^ *Test +#[0-9]+: (.+)$/gm)].map(([, name]) => name);
}

// The tests that a table may name. ROOT is the folder tests.
export class NamedTests {
  constructor(root, { unit_tests, programs, ctest }) {
    this.root = root;
    this.unit_tests = unit_tests;
    this.programs = programs;
    this.ctest = ctest;
  }

  has_file(name) {
    const file = path.join(this.root, name);
    return fs.existsSync(file) && fs.statSync(file).isFile();
  }

  has_ctest(name) {
    return this.ctest.some((one) => one === name || one.startsWith(`${name}.`));
  }

  // Returns why `test` names no test, or an empty string.
  problem_of(test) {
    const [, file, words] = /^(\S+\/\S+) "(.+)"$/.exec(test) ?? [];
    if (file) {
      const lines = this.has_file(file) ? fs.readFileSync(path.join(this.root, file), 'utf8').split('\n') : [];
      const is_there = lines.some((line) => line.includes(words) && (!file.endsWith('.mjs') || line.includes('test(')));
      return is_there ? '' : 'no test with this title';
    }
    const [, program, name] = /^unit\.([a-z0-9_]+) (.+)$/.exec(test) ?? [];
    if (program) {
      const is_there = this.programs.includes(program) || this.has_ctest(`unit.${program}`);
      return is_there && this.unit_tests.has(name) ? '' : 'no such unit test';
    }
    if (test.includes('/')) return this.has_file(test) ? '' : 'no such file';
    return this.has_ctest(test) ? '' : 'no such test';
  }

  // Returns a line for each test of the cell that does not exist.
  problems_of(cell) {
    const tests = cell === '' ? [] : cell.split('; ');
    return tests.map((test) => [this.problem_of(test), test]).filter(([what]) => what).map((pair) => pair.join(': '));
  }
}

export function named_tests(root, builds) {
  const [unit_tests, programs, ctest] = [read_unit_tests(root), read_programs(root), builds.flatMap(read_ctest)];
  return new NamedTests(root, { unit_tests, programs, ctest });
}
