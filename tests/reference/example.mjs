#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Writes the example at the beginning of a public header as a source. A header begins with `/// @file`, one sentence or
// more, and an example of 3 to 10 lines between `/// @code` and `/// @endcode`. Then `#pragma once` follows.
//
// usage: example.mjs HEADER INCLUDE PROLOGUE SOURCE
// INCLUDE: the name of the header in an #include; PROLOGUE: a header with the declarations that examples use.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const LEAST = 3;
const MOST = 10;

// Returns the example and the number of its first line. Throws an Error if the header does not begin as it should.
export function example_of(text) {
  const lines = text.split('\n');
  let line = lines[0].startsWith('// SPDX-License-Identifier: ') ? 1 : 0;
  if (lines[line++] !== '/// @file') throw new Error(`line ${line}: begins without "/// @file"`);
  const pragma = lines.indexOf('#pragma once');
  const begin = lines.indexOf('/// @code');
  const end = lines.indexOf('/// @endcode');
  if (begin < 0 || end < begin || pragma < end) throw new Error(`line ${line}: no example between @file and #pragma once`);
  if (begin === line) throw new Error(`line ${line}: no sentence before the example`);
  const code = lines.slice(begin + 1, end).map((one) => one.replace(/^\/\/\/ ?/, ''));
  const count = code.filter((one) => one !== '').length;
  if (count < LEAST || count > MOST) {
    throw new Error(`line ${begin + 1}: the example has ${count} lines; it needs ${LEAST} to ${MOST}`);
  }
  return { code: code.join('\n'), line: begin + 2 };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [header, include, prologue, source] = process.argv.slice(2);
  try {
    const { code, line } = example_of(fs.readFileSync(header, 'utf8'));
    fs.mkdirSync(path.dirname(source), { recursive: true });
    fs.writeFileSync(source, `#include "${include}"\n\n#include "${prologue}"\n\n#line ${line} "${header}"\n${code}\n`);
  } catch (error) {
    console.error(`${header}: ${error.message}`);
    process.exit(1);
  }
}
