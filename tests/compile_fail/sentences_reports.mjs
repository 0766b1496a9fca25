#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Tests sentences.mjs: which strings of a header are messages, and that it reports a message without a case.
//
// usage: sentences_reports.mjs WORK
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { check, sentences_of } from './sentences.mjs';

const header = `// namespace compile_error { void in_a_comment(); }
namespace compile_error {
void a_name_is_empty();
/* void no_function(); */
void two_names(); }
void other_function();
static_assert(sizeof("a;b") > 1 &&
                  (true),
              "an assert "
              "of two parts");
static_assert(true);
#define ASSERT static_assert(true, "in a directive")
auto shown = [] { __builtin_printf("Limits::size: %d\\n", 1); };
auto unnamed = [] { __builtin_printf("%d: \\n", 1); };
`;
const all = ['a_name_is_empty', 'two_names', 'an assert of two parts', 'Limits::size'];
assert.deepEqual(sentences_of(header), all);

const [work] = process.argv.slice(2);
fs.rmSync(work, { recursive: true, force: true });
for (const folder of ['core/mcp', 'tests/compile_fail', 'transports']) {
  fs.mkdirSync(path.join(work, folder), { recursive: true });
}
fs.writeFileSync(path.join(work, 'core/mcp/a.hpp'), header);
for (const missing of ['', ...all]) {
  all.forEach((sentence, index) => {
    const first = sentence === missing ? `// error: ${sentence.slice(1)}` : `// error: ${sentence}`;
    fs.writeFileSync(path.join(work, `tests/compile_fail/${index}.cpp`), `${first} and more\n// error: ${missing}\n`);
  });
  assert.deepEqual(check(work), { problems: missing ? [`core/mcp/a.hpp: ${missing}`] : [], count: 4 });
}
console.log('sentences.mjs reports each message without a case');
