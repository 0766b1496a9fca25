#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Checks that each error message of our headers has a case in this folder. The messages are the functions of namespace
// compile_error, the strings of static_assert, and the part before the colon in a string of __builtin_printf.
//
// usage: sentences.mjs ROOT
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { files_below, text_of_strings, tokens_of } from '../structure/cpp.mjs';

// Returns the error messages of a header.
export function sentences_of(text) {
  const tokens = tokens_of(text).filter((token) => token.kind !== 'comment' && token.kind !== 'directive');
  const is = (at, ...texts) => texts.every((wanted, index) => tokens[at + index]?.text === wanted);
  // Returns the index after the closing bracket that belongs to the bracket at index `at`.
  const behind = (at) => {
    let depth = 0;
    for (let here = at; here < tokens.length; ++here) {
      if ('({['.includes(tokens[here].text)) ++depth;
      if (')}]'.includes(tokens[here].text) && --depth === 0) return here + 1;
    }
    return tokens.length;
  };
  const sentences = [];
  for (let at = 0; at < tokens.length; ++at) {
    if (is(at, 'namespace', 'compile_error', '{')) {
      const end = behind(at + 2);
      for (let here = at + 3; here < end; ++here) {
        if (is(here, 'void') && is(here + 2, '(', ')')) sentences.push(tokens[here + 1].text);
      }
    } else if (is(at, 'static_assert', '(')) {
      const text = text_of_strings(tokens.slice(at + 2, behind(at + 1) - 1), 'last');
      if (text) sentences.push(text);
    } else if (is(at, '__builtin_printf', '(')) {
      const [, shown] = /^([^%]+): /.exec(text_of_strings(tokens.slice(at + 2), 'first')) ?? [];
      if (shown) sentences.push(shown);
    }
  }
  return sentences;
}

// Checks the headers below `root`. Returns {problems, count}; `count` is the number of messages.
export function check(root) {
  const cases = fs
    .readdirSync(path.join(root, 'tests/compile_fail'))
    .filter((name) => name.endsWith('.cpp'))
    .map((name) => fs.readFileSync(path.join(root, 'tests/compile_fail', name), 'utf8'))
    .map((text) => text.replace(/^\/\/ SPDX-License-Identifier: .*\n/, '').split('\n')[0]);
  const problems = [];
  let count = 0;
  for (const folder of ['core', 'transports']) {
    for (const file of files_below(root, folder).filter((name) => name.endsWith('.hpp'))) {
      for (const sentence of sentences_of(fs.readFileSync(path.join(root, file), 'utf8'))) {
        ++count;
        if (!cases.some((first) => first.startsWith(`// error: ${sentence}`))) problems.push(`${file}: ${sentence}`);
      }
    }
  }
  return { problems, count };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { problems, count } = check(process.argv[2]);
  if (problems.length) console.log(`no case in tests/compile_fail:\n${problems.join('\n')}`);
  if (count < 60) console.log(`only ${count} sentences found: the headers write them in another way`);
  console.log(`${count} sentences, ${problems.length} of them without a case`);
  process.exitCode = problems.length || count < 60 ? 1 : 0;
}
