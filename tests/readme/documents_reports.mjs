// SPDX-License-Identifier: Apache-2.0
// Tests documents.mjs: a tree below WORK with everything that could be mistaken for an error, and then with one error
// of each kind, which documents.mjs must report.
//
// usage: node documents_reports.mjs WORK
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const work = process.argv[2];

function write(name, text, mode = 0o644) {
  const whole = path.join(work, name);
  mkdirSync(path.dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  chmodSync(whole, mode);
}

function check() {
  const program = new URL('documents.mjs', import.meta.url).pathname;
  return spawnSync(process.execPath, [program, work, path.join(work, 'compiled')], { encoding: 'utf8' });
}

const good = `# Title

A \`pool\` of \`core/include/mcp/memory/pool.hpp\`, \`memory/pool.hpp\`, \`pool.hpp\`, \`ports/NAME/NAME.hpp\`, \`Pool::take\`, \`take()\`, \`-DMOTE_X=\`,
\`unit.pool\`, \`firmware.http_pool_is_asked_for\`, \`build/host/x\`; [here](ports/one/README.md#its-title-and-more), [there](#a-part),
[elsewhere](https://example.com/none).

## A part

\`\`\`cpp
#include <mcp/memory/pool.hpp>
\`\`\`

    tests/run --x
    cmake --preset host
`;

rmSync(work, { recursive: true, force: true });
write('compiled', 'README.md\t## A part\n');
write('CMakePresets.json', '{"configurePresets":[{"name":"host"}]}');
write('core/include/mcp/memory/pool.hpp', 'class Pool { void take(); };');
write('ports/one/one.hpp', '');
write('ports/one/README.md', '# Its title, and `more`\n');
write('tests/CMakeLists.txt', 'add_test(firmware.http_${name}_is_asked_for)\nset(MOTE_X 1)');
write('tests/run', '', 0o755);
write('tests/pool_test.cpp', 'unit');
write('README.md', good);
const { status, stdout } = check();
assert.equal(status, 0, stdout);
assert.match(stdout, /looked for \d+ files, 2 links and \d+ names in 2 documents; 1 blocks of C\+\+/);

// refused(LINE, WHAT, OLD, NEW): with one replacement, documents.mjs reports WHAT in LINE, and nothing else.
function refused(line, what, old, changed) {
  assert.ok(good.includes(old), old);
  write('README.md', good.replace(old, changed));
  const { status, stdout } = check();
  assert.equal(status, 1, `${what}\n${stdout}`);
  assert.ok(stdout.includes(`README.md:${line}: ${what}`), `${what}\n${stdout}`);
  assert.match(stdout, /\n1 mistake\(s\)\n/);
}

refused(3, 'there is no core/memory/ring.hpp', 'core/include/mcp/memory/pool.hpp', 'core/memory/ring.hpp');
refused(3, 'there is no ring.hpp', '`pool.hpp`', '`ring.hpp`');
refused(3, 'nothing is called give', 'Pool::take', 'Pool::give');
refused(3, 'nothing is called give', '`take()`', '`give()`');
refused(3, 'nothing is called MOTE_Y', 'MOTE_X', 'MOTE_Y');
refused(4, 'no test has a name with ring', 'unit.pool', 'unit.ring');
refused(4, 'there is no preset board', 'build/host', 'build/board');
refused(4, 'a link to what is not there: ports/two.md', 'ports/one/README.md', 'ports/two.md');
refused(4, 'a link to a heading that is not there: ports/one/README.md#its-end', '#its-title-and-more', '#its-end');
refused(4, 'a link to a heading that is not there: #another', '#a-part', '#another');
refused(10, 'there is no header mcp/memory/ring.hpp', '<mcp/memory/pool.hpp>', '<mcp/memory/ring.hpp>');
refused(13, 'there is no tests/go', 'tests/run', 'tests/go');
refused(13, 'tests/CMakeLists.txt cannot be run', 'tests/run', 'tests/CMakeLists.txt');
refused(14, 'there is no preset board', '--preset host', '--preset board');
write('compiled', 'README.md\t## Another part\n');
refused(9, 'no test compiles the block of C++ below "## A part"', 'elsewhere', 'nowhere');
