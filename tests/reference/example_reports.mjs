#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Tests example.mjs: it finds the example of a header, and reports each header that does not begin with one.
import assert from 'node:assert/strict';
import { example_of } from './example.mjs';

const header = (code, head = '/// @file\n/// Sensors.\n') => `${head}/// @code\n${code}/// @endcode\n#pragma once\nint x;\n`;
const three = '/// int a;\n///   int b;\n///\n/// int c;\n';

assert.deepEqual(example_of(header(three)), { code: 'int a;\n  int b;\n\nint c;', line: 4 });
assert.equal(example_of(`// SPDX-License-Identifier: MIT\n${header(three)}`).line, 5);
for (const [text, message] of [
  [header(three, '// Sensors.\n'), 'line 1: begins without "/// @file"'],
  [header(three, '/// @file\n'), 'line 1: no sentence before the example'],
  ['/// @file\n/// Sensors.\n#pragma once\n', 'line 1: no example between @file and #pragma once'],
  [`/// @file\n/// Sensors.\n#pragma once\n/// @code\n${three}/// @endcode\n`, 'line 1: no example between @file and #pragma once'],
  [header('/// int a;\n/// int b;\n'), 'line 3: the example has 2 lines; it needs 3 to 10'],
  [header('/// int a;\n'.repeat(11)), 'line 3: the example has 11 lines; it needs 3 to 10'],
]) {
  assert.throws(() => example_of(text), { message }, text);
}
console.log('ok');
