#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Tests check.mjs: folders of cases with one error each, and what check.mjs must report.
//
// usage: reports.mjs COMPILER WORK
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Checker } from './check.mjs';

const [compiler, work] = process.argv.slice(2);
fs.rmSync(work, { recursive: true, force: true });

const header = `#pragma once
template <int size> struct Buffer {
  static_assert(size > 3, "a buffer is too small");
  int first() { return size; }
};
template <class T> int size_of_member(T t) { return t.size(); }
consteval int checked(int value);
void the_value_is_odd();
consteval int checked(int value) { if (value % 2) the_value_is_odd(); return value; }
`;
const good = {
  control: '// compiles\n#include <buffer.hpp>\nBuffer<4> buffer;\n',
  odd: '// error: the_value_is_odd\n#include <buffer.hpp>\n#define VALUE 3\nconstexpr int value = checked(VALUE);\n',
  small: '// error: a buffer is too small\n#include <buffer.hpp>\nBuffer<1> buffer;\n',
  without_size: '// error: size\n#include <buffer.hpp>\nstruct A {};\nint size = size_of_member(A{});\n',
  without_value: '// error: VALUE\nint value = VALUE;\n',
};

// check({NAME: TEXT or undefined}): checks the good cases with these changes.
let folders = 0;
async function check(changes) {
  const folder = path.join(work, String(++folders));
  fs.mkdirSync(path.join(folder, 'cases'), { recursive: true });
  const files = { 'buffer.hpp': header };
  for (const [name, text] of Object.entries({ ...good, ...changes })) {
    if (name.endsWith('.hpp')) files[name] = text;
    else if (text !== undefined) files[`cases/${name}.cpp`] = text;
  }
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
  const flags = ['-std=c++20', '-fsyntax-only', '-Wall', '-Werror', `-I${folder}`];
  const checker = new Checker({ compiler, flags, cases: path.join(folder, 'cases'), work: path.join(folder, 'work') });
  const problems = await checker.check();
  const { by_themselves } = checker;
  return { problems, by_themselves, count: checker.cases.length };
}

// accepted(CHANGES, NAME...): check.mjs reports nothing, and compiles the named cases alone.
async function accepted(changes, ...names) {
  const { problems, by_themselves } = await check(changes);
  assert.deepEqual(problems, [], JSON.stringify(changes));
  assert.deepEqual(by_themselves, names);
}

// refused(TEXT, CHANGES): check.mjs reports TEXT for the last changed case, and nothing else.
async function refused(text, changes) {
  const { problems } = await check(changes);
  const name = Object.keys(changes).at(-1);
  assert.equal(problems.length, 1, `${text}: ${problems.join('\n')}`);
  assert.ok(problems[0].includes(text) && problems[0].includes(name), `${text} is not in: ${problems[0]}`);
}

await accepted({});
assert.equal((await check({})).count, 5);
await refused('compiles, and should say: a buffer is too small', { small: good.small.replace('<1>', '<4>') });
await refused('does not say: a buffer is tiny', { small: good.small.replace('too small', 'tiny') });
await refused('does not say: with a colon', { small: good.small.replace('\n', '\n// and: with a colon\n') });
await refused('does not say: a buffer is too small', {
  small: good.small.replace('Buffer<1>', 'int a = B;\nBuffer<1>'),
});
await refused('does not say: the_value_is_odd', { odd: good.odd.replace('= checked', '= unknown') });
await refused('should compile', { control: good.control.replace('<4>', '<1>') });
await refused('its first line must be', { small: good.small.replace('// error', '// eror') });
await refused('its first line must be', { small: '' });

// One case must not hide or break another case.
await accepted({ small_too: good.small }, 'small_too');
await refused('compiles, and should say', { small_too: good.small.replace('<1>', '<5>') });
await accepted({ a: '// error: expected\n// alone: a brace is open\nnamespace {\nint a\n' });
await accepted({ fatal: '// error: no_such.hpp\n// alone: the compiler stops\n#include "no_such.hpp"\n' });
await refused('does not say: other.hpp', {
  fatal: '// error: other.hpp\n// alone: the compiler stops\n#include "no_such.hpp"\n',
});

// An error in a header belongs to no case.
const { problems } = await check({ 'buffer.hpp': `${header}int broken = unknown;\n` });
assert.ok(problems.some((problem) => problem.startsWith('an error outside of all cases')), problems.join('\n'));
console.log('check.mjs reports each error');
