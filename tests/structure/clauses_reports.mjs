#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Tests clauses.mjs and tables.mjs: a list of clauses and a table below WORK get one error at a time, and clauses.mjs
// must report it.
//
// usage: clauses_reports.mjs WORK
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from './clauses.mjs';
import { NamedTests, read_ctest, read_programs, read_table, read_unit_tests } from './tables.mjs';

const [work] = process.argv.slice(2);
fs.rmSync(work, { recursive: true, force: true });
function write(file, text) {
  fs.mkdirSync(path.dirname(path.join(work, file)), { recursive: true });
  fs.writeFileSync(path.join(work, file), text);
}

assert.deepEqual(read_table('# text\none\ttwo\n\na\t\n# b\tc\nd\te\n', ['one', 'two']), {
  rows: [{ number: 4, one: 'a', two: '' }, { number: 6, one: 'd', two: 'e' }],
  problems: [],
});
assert.deepEqual(read_table('two\tone\na\nb \tc\n', ['one', 'two']).problems, [
  '1: the columns are not one, two',
  '2: 1 cells, not 2',
  '3: a cell begins or ends with a space',
]);
assert.deepEqual(read_table('', ['one']).problems, ['1: the columns are not one']);

const rules = `# Rules
## A. Base
A1 M one, as A2. A2 S two (B1).
## B. More
B1 Y three
## O. Codes
UTF-8, SEP-1303
`;
const columns = 'clause\tlevel\trule\ttests\treason\n';
const table = `# Clauses.
${columns}A1\tM\tone\tconversations/one.jsonl; client/c.test.mjs "of a test"\t
A1\tS\tmore\tunit.core Suite.Case; schema.client; compile_fail/a.cpp; firmware/list "one test"\tnot of all
A2\tS\ttwo\t\topen: later
B1\tY\tthree\t\tdocumented: README.md
O\tM\tcodes\t\tmissing: no code
`;
write('README.md', '');
write('tests/conversations/one.jsonl', '');
write('tests/compile_fail/a.cpp', '');
write('tests/firmware/list', 'has one test\n');
write('tests/client/c.test.mjs', "// no title\ntest('the title of a test', () => {});\n");
write('tests/core/c_test.cpp', '#include "x"\nTEST_F(Suite, Case) {}\n// TEST_F(Suite, Comment) {}\n');
const known = ['unit.core', 'schema.client.host', 'structure'];
write('build/CTestTestfile.cmake', known.map((name) => `add_test(${name} true)\n`).join(''));

const root = path.join(work, 'tests');
assert.deepEqual([...read_unit_tests(root)], ['Suite.Case']);
assert.deepEqual(read_ctest(path.join(work, 'build')), known);
const list = ['# mote_unit_test(none)', 'mote_unit_test(${name} a)', '  mote_unit_test(lwip a)', 'mote_add_unit_test(tls)'];
write('tests/ports/CMakeLists.txt', list.join('\n'));
assert.deepEqual(read_programs(root), ['lwip', 'tls']);

const tests = new NamedTests(root, { unit_tests: read_unit_tests(root), programs: ['lwip'], ctest: known });
for (const program of ['core', 'lwip']) assert.equal(tests.problem_of(`unit.${program} Suite.Case`), '');
function accepted(note, rules, table) {
  const { problems, notes } = check({ table, rules, tests });
  assert.deepEqual(problems, []);
  assert.ok(notes.some((one) => one.startsWith(note)), `${note}: ${notes.join('\n')}`);
}
function refused_with(problem, rules, table) {
  const { problems } = check({ table, rules, tests });
  assert.equal(problems.length, 1, `${problem}: ${problems.join('\n')}`);
  assert.ok(problems[0].startsWith(problem), problems[0]);
}
// refused(PROBLEM, OLD, NEW): checks the correct table with one replacement.
function refused(problem, old, replacement) {
  assert.ok(table.includes(old), old);
  refused_with(problem, rules, table.replaceAll(old, replacement));
}

accepted(
  '4 clauses in 5 lines: 2 shown by tests, 1 open, 1 missing, 0 HTTP, 1 documented, 0 application, 0 not ours',
  rules,
  table,
);
accepted('open: A2 two', rules, table);
accepted('missing: O codes', rules, table);
refused_with('nothing is said of B2', `${rules}B2 M four\n`, table);
refused_with('nothing is said of P', `${rules}## P. Nothing numbered\n`, table);
refused('nothing is said of B1', 'B1\tY\tthree\t\tdocumented: README.md\n', '');
refused('B7 is no clause: three', 'B1\tY\tthree', 'B1\tY\tx\t\topen: x\nB7\tY\tthree');
refused('A1: no such file: conversations/two.jsonl', 'one.jsonl', 'two.jsonl');
refused('A1: no such file: compile_fail', 'compile_fail/a.cpp', 'compile_fail/b.cpp');
refused('A1: no such file: conversations/', 'one.jsonl', '');
refused('A1: no test with this title', 'of a test', 'no title');
refused('A1: no test with this title', 'c.test.mjs', 'd.test.mjs');
refused('A1: no test with this title', '"one test"', '"two tests"');
refused('A1: no such unit test: unit.core Suite.Other', 'Suite.Case', 'Suite.Other');
refused('A1: no such unit test: unit.core Suite.Comment', 'Suite.Case', 'Suite.Comment');
refused('A1: no such unit test: unit.more Suite.Case', 'unit.core', 'unit.more');
refused('A1: no such test: schema.clie', 'schema.client', 'schema.clie');
refused('B1: no such document: TEXT.md', 'README.md', 'TEXT.md');
refused('A2: neither a test nor a reason: later', 'open: later', 'later');
refused('A2: neither a test nor a reason: open:', 'open: later', 'open:');
refused('5: not a clause, M, S or Y', 'A2\tS', 'A2\tX\tx\t\topen: x\nA2\tS');
refused('5: 3 cells, not 5', 'A2\tS', 'A2\tS\tx\nA2\tS');

// Sections with numbers. A1 is not a clause of this list.
const numbered = '# Rules\n## 1. One\n## 10. Ten, as in A1\n';
const tens = `${columns}10\tM\tten\tstructure\t\n10\tS\tmore\t\topen: later\n`;
accepted('2 clauses in 2 lines: 1 shown by tests, 1 open', numbered, tens);
refused_with('11 is no clause: more', numbered, tens.replace('10\tS', '11\tS'));
refused_with('10: no such test: structures', numbered, tens.replace('structure', 'structures'));

// The program's exit status and output.
function program(rules_file) {
  const script = fileURLToPath(new URL('clauses.mjs', import.meta.url));
  const args = [script, root, 'clauses.tsv', path.join(work, rules_file), path.join(work, 'build')];
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}
write('rules.md', rules);
write('tests/clauses.tsv', table);
assert.equal(program('rules.md').status, 0);
write('tests/clauses.tsv', table.replace('one.jsonl', 'two.jsonl'));
assert.equal(program('rules.md').status, 1);
assert.equal(program('none.md').status, 77);
assert.match(program('none.md').stdout, /^skipped: [^\n]*none.md[^\n]*\n$/);
console.log('clauses.mjs reports each error');
