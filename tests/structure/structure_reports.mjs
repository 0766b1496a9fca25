#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Tests structure.mjs: a tree below WORK gets one violation at a time, and structure.mjs must report exactly that one.
//
// usage: structure_reports.mjs WORK
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { code_of, functions_of, tokens_of } from './cpp.mjs';
import * as house from './rules.mjs';
import { Check } from './structure.mjs';

const [work] = process.argv.slice(2);
fs.rmSync(work, { recursive: true, force: true });

// The rules with limits that a small tree reaches.
const rules = {
  ...house,
  unique_names: { folders: ['core', 'transports', 'ports'], shared: ['startup.cpp'] },
  file_lengths: { ...house.file_lengths, most: 5, folder: 'tests/files', longer: ['tests/files/long.cpp'] },
  files_per_folder: { folders: ['core', 'transports'], most: 3, public: ['core/include/mcp'], larger: { 'core/rpc': 4 } },
  license: { ...house.license, folders: ['licensed'], files: [] },
  documents: [
    { file: 'versions/CHANGELOG.md', section: /^## .*, unreleased$/, most: 9 },
    { file: 'versions/README.md', most: 4 },
  ],
  versions: house.versions.map((place) => ({ ...place, file: `versions/${place.file}` })),
  counts: [
    { name: 'extern const', code: ['extern', 'const'], folders: ['core/include/mcp'], ending: '.hpp', except: ['core/include/mcp/tool.hpp'], most: 0 },
    { name: 'friend', code: ['friend'], folders: ['transports/http'], ending: 'pp', most: 0 },
  ],
};

function write(file, text) {
  fs.mkdirSync(path.dirname(path.join(work, file)), { recursive: true });
  fs.writeFileSync(path.join(work, file), text);
}

// ---- Tokens
// ----------------------------------------------------------------------------------------------------------

const shown = tokens_of('a\n  /* b\n*/ # c\nR"x(\n#if ")x" "//" \'"\' 1\'000 /\\\n/ d\n#if \\\n e // f\n# include <g>');
assert.deepEqual(
  shown.map(({ kind, text, line }) => `${line} ${kind} ${text.replaceAll('\n', '~')}`),
  [
    '1 name a',
    '2 comment /* b~*/',
    '3 directive # c',
    '4 raw R"x(~#if ")x"',
    '5 string "//"',
    '5 character \'"\'',
    "5 number 1'000",
    '5 operator /',
    '6 operator /',
    '6 name d',
    '7 directive #if \\~ e // f',
    '9 directive # include <g>',
  ],
);
assert.equal(code_of('// a\n/* b */').length, 0);
const functions = functions_of(`namespace a::b {
struct S : T<int> {
  explicit S(int x) : a{x}, b{{1}, 2} {
  }
  int value{3};
  static constexpr int table[] = {
      1, f({2})};
  bool operator==(const S&) const = default;
  S& operator=(const S& other) noexcept {
    if (true) { }
  }
};
template <class T, int n = f({1})> requires (n > 1)
auto g(T t = {}) -> int {
}
constexpr auto lambda = [](int x) {
  return x;
};
constexpr S definition{
  .run = f(1),
};
static_assert([] {
  return true;
}());
extern "C" {
void h() {
}
}
extern "C" int k() {
}
concept C = requires (T t) { t.f(); };
enum class E { one };
}`);
assert.deepEqual(
  functions.map(({ line, end }) => `${line}-${end}`),
  ['3-4', '9-11', '14-15', '16-18', '22-24', '26-27', '29-30'],
);

// ---- Violations
// ------------------------------------------------------------------------------------------------------

function run() {
  return new Check(work, rules).run();
}

// refused(FILE, LINE, WHAT, TEXT): writes TEXT to FILE, or makes a folder without TEXT. structure.mjs must report
// FILE:LINE with a message that contains WHAT, and nothing else. With ADDED it writes that file instead.
function refused(file, line, what, text, added) {
  if (added) write(added, '');
  else if (text === undefined) fs.mkdirSync(path.join(work, file), { recursive: true });
  else write(file, text);
  const violations = run();
  assert.equal(violations.length, 1, `expected ${file}: ${what}, and got: ${violations.join('\n')}`);
  assert.ok(violations[0].startsWith(`${file}:${line}: `) && violations[0].includes(what), violations[0]);
  fs.rmSync(path.join(work, added ?? file), { recursive: true });
}

// A correct tree, with code that looks like violations. Each public header has its first and its last include.
const begin = '#include <mcp/detail/prelude.hpp>\n';
const end = '\n#include <mcp/detail/epilogue.hpp>\n';
const framed = (text) => `${begin}${text}${end}`;
write('core/include/mcp/detail/prelude.hpp', '#if __cplusplus < 202002L\n#include <no file>\n#endif\n');
write('core/include/mcp/detail/epilogue.hpp', '#undef min\n');
write('core/json/writer.hpp', '#pragma once\n#include <cstdint>\n\n#include "json/utf8.hpp"\n');
write('core/memory/pool.hpp', '#include <span>\n#define IF(x) x\n');
write('core/rpc/envelope.cpp', '#include "rpc/envelope.hpp"\n#include "mcp/json/writer.hpp"\n');
write('core/include/mcp/tool.hpp', framed('#include <mcp/json/writer.hpp>\n#include "mcp/memory/pool.hpp"\nextern const int one;  // extern const\n'));
write('core/include/mcp/coroutine.hpp', framed('#include <coroutine>\n'));
write('core/features/tools.cpp', '#include "engine/request.hpp"\n#include "mcp/tool.hpp"\n// #include <vector>\n/*\n#if 1\n*/\n');
write('core/features/text.cpp', 'auto text = R"(\n#if 1\n#include <vector>\n)";\n');
write('core/include/mcp/transport.hpp', framed('/// A message: receive() and transmit().\n'));
write('transports/stdio/reader.hpp', '#include "stdio/lines.hpp"\n#include "mcp/transport.hpp"\n');
write(
  'transports/stdio/calls.cpp',
  'auto a = server.receive(b), c = server_->transmit("a/tools/call", "application/json", "; initialize first", "tools");\n' +
    'auto d = R"({"method":"notifications/server/online"})", e = json::Writer(server.name);  // "tools/list"\n',
);
write('ports/include/mcp/ports/ring.hpp', framed('#include <atomic>\n#include <mcp/port.hpp>\n'));
write(
  'ports/posix/posix.cpp',
  '#include <unistd.h>\n#include "mcp/ports/ring.hpp"\n#include "mcp/ports/posix.hpp"\n#include "ports/posix/io.hpp"\n#ifdef __linux__\n#endif\n',
);
write('ports/posix/include/mcp/ports/posix.hpp', framed('#include "mcp/port.hpp"\n'));
write('ports/bare_metal/include/mcp/ports/board.hpp', framed('#include "mcp/ports/ring.hpp"\n'));
write('ports/boards/lamp/lamp_uart.cpp', '#include "mcp/ports/board.hpp"\n#include "ports/bare_metal/sleep.hpp"\n');
write('ports/posix/startup.cpp', '');
write('ports/lwip/startup.cpp', '');
write(
  'examples/lamp/lamp.cpp',
  '#include <mcp/server.hpp>\n#include <mcp/ports/posix.hpp>\n#include <mcp/stdio_transport.hpp>\n#include "lamp.hpp"\n',
);
for (const name of ['a', 'b']) write(`core/json/${name}.hpp`, '');
for (const name of ['a', 'b', 'c']) write(`core/rpc/rpc_${name}.hpp`, '');
for (const name of ['d', 'e', 'f']) write(`core/include/mcp/${name}.hpp`, framed(''));
write('versions/CMakeLists.txt', 'project(mote VERSION 0.2.0 LANGUAGES CXX)\n');
const version = (text, minor) =>
  `string_view version = "${text}";\nversion_major = 0;\nversion_minor = ${minor};\nversion_patch = 0;\n`;
write('versions/core/include/mcp/version.hpp', version('0.2.0', 2));
write('versions/ports/sdk/arduino/library.properties', 'name=mote\nversion=0.2.0\n');
const attach = 'versions/toolchains/attach';
for (const file of ['package.json', 'package-lock.json']) write(`${attach}/${file}`, '{\n  "version": "0.2.0"\n}\n');
write(`${attach}/lib/rpc.mjs`, "const self = { name: 'mote-attach', version: '0.2.0' };\n");
write('versions/CHANGELOG.md', '# Changelog\n\n## 0.2.0, unreleased\n\n### One\n\nUp to nine words.\n\n## 0.1.0\n\nMore words than nine, which no rule limits at all.\n');
write('versions/README.md', '# Four words\n\nhere\n');
for (const name of ['long.hpp', 'long.cpp']) write(`tests/files/${name}`, '\n'.repeat(6));
for (const name of ['short.cpp', 'short.mjs']) write(`tests/files/${name}`, '\n'.repeat(5));
write('tests/run', 'case $1 in\n  --quick) ;;\nesac\n');
const workflow = (command, boards) => `jobs:\n  board: [${boards}]\n  - run: ${command}\n    run: apt-get --all\n`;
const pinned = `  - uses: actions/checkout@${'a'.repeat(40)}  # v1\n    with:\n      persist-credentials: false\n` +
  `    container: debian:12@sha256:${'b'.repeat(64)}\n`;
write('.github/workflows/tests.yml', workflow('tests/run --quick', 'lamp') + pinned);
assert.deepEqual(run(), []);
fs.rmSync(path.join(work, 'core/json/b.hpp'));

// changed(FILE, LINE, WHAT, TEXT): as refused(), and puts back the text of FILE.
function changed(file, line, what, text) {
  const before = fs.readFileSync(path.join(work, file), 'utf8');
  refused(file, line, what, text);
  write(file, before);
}
for (const file of ['tool.cpp', 'tool.hpp', 'tool.h', 'tool.mjs', 'tool.py', 'tool.cmake', 'board.ld', 'CMakeLists.txt']) {
  refused(`licensed/${file}`, 1, 'begins without SPDX-License-Identifier: Apache-2.0', '// SPDX-License-Identifier: MIT\n');
}
refused('licensed/run', 2, 'begins without SPDX', '#!/bin/sh\n# Runs.\n');
refused('licensed/tool.cpp', 1, 'begins without SPDX', '// A tool.\n// SPDX-License-Identifier: Apache-2.0\n');
write('licensed/run', '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n');
write('licensed/tool.cpp', '// SPDX-License-Identifier: Apache-2.0\n');
write('licensed/board.ld', '/* SPDX-License-Identifier: Apache-2.0 */\n');
write('licensed/data', 'no source\n');
const header = 'versions/core/include/mcp/version.hpp';
changed(header, 1, 'has version 0.1.0, and versions/CMakeLists.txt has 0.2.0', version('0.1.0', 2));
changed(header, 1, 'has version 0.1.0, and versions/CMakeLists.txt has 0.2.0', version('0.2.0', 1));
changed('versions/CHANGELOG.md', 1, 'has version 0.1.0, and versions/CMakeLists.txt has 0.2.0', '## 0.1.0\n');
changed('versions/CHANGELOG.md', 1, 'has no version', '# Changelog\n');
for (const file of ['package.json', 'package-lock.json']) {
  changed(`${attach}/${file}`, 1, 'has version 0.1.0, and versions/CMakeLists.txt has 0.2.0',
    '{\n  "version": "0.1.0"\n}\n');
}
changed(`${attach}/lib/rpc.mjs`, 1, 'has version 0.1.0, and versions/CMakeLists.txt has 0.2.0',
  "const self = { name: 'mote-attach', version: '0.1.0' };\n");
changed('versions/ports/sdk/arduino/library.properties', 1, 'has version 0.1.0, and versions/CMakeLists.txt has 0.2.0', 'version=0.1.0\n');
changed('.github/workflows/tests.yml', 3, 'tests/start, which does not exist', workflow('tests/start --quick', 'lamp'));
changed('.github/workflows/tests.yml', 3, 'tests/run has no option --fast', workflow('tests/run --fast', 'lamp'));
const steps = (...lines) => `${workflow('tests/run', 'lamp')}${lines.map((line) => `    ${line}\n`).join('')}`;
const checkout = `uses: actions/checkout@${'a'.repeat(40)}`;
changed('.github/workflows/tests.yml', 5, 'uses actions/cache@v4: name the hash of a commit',
  steps('- uses: actions/cache@v4'));
changed('.github/workflows/tests.yml', 5, 'a checkout begins with `persist-credentials: false`',
  steps(`- ${checkout}`, '- run: a'));
changed('.github/workflows/tests.yml', 5, 'a checkout begins with `persist-credentials: false`',
  steps(checkout, 'with:', 'persist-credentials: true'));
changed('.github/workflows/tests.yml', 5, 'container debian:12: name the digest of an image',
  steps('container: debian:12'));
changed('.github/workflows/tests.yml', 2, 'builds lamp, fan, and ports/boards has lamp', workflow('tests/run', 'lamp, fan'));
fs.rmSync(path.join(work, '.github'), { recursive: true });

refused('core/json/value.cpp', 2, 'rpc/envelope.hpp', '\n#include "rpc/envelope.hpp"\n');
refused('core/json/value.cpp', 1, 'memory/pool.hpp', '#include <memory/pool.hpp>\n');
refused('core/memory/spans.hpp', 1, 'json/value.hpp', '#include "json/value.hpp"\n');
fs.rmSync(path.join(work, 'core/rpc/rpc_a.hpp'));
refused('core/rpc/response.hpp', 3, 'mcp/errors.hpp', '// [;\\\n\n#include "mcp/errors.hpp"\n');
refused('core/include/mcp/call.hpp', 2, 'engine/request.hpp', framed('#include "engine/request.hpp"\n'));
refused('core/include/mcp/call.hpp', 2, 'transports/stdio/transport.hpp', framed('#include <transports/stdio/transport.hpp>\n'));
refused('core/engine/page.cpp', 1, 'features/jobs.hpp', '#include "features/jobs.hpp"\n');
refused('core/features/page.cpp', 1, 'session/updates.hpp', '#include "session/updates.hpp"\n');
refused('core/session/page.cpp', 1, 'stateless/mrtr.hpp', '#include "stateless/mrtr.hpp"\n');
refused('core/stateless/page.cpp', 1, 'session/updates.hpp', '#include "session/updates.hpp"\n');
refused('core/include/mcp/json/page.hpp', 2, 'mcp/tool.hpp', framed('#include "mcp/tool.hpp"\n'));
refused('core/features/page.cpp', 1, 'ports/posix/include/mcp/ports/posix.hpp', '#  include "mcp/ports/posix.hpp"\n');
refused('core/features/page.cpp', 2, 'ports/posix/include/mcp/ports/posix.hpp', '/* one\n*/ #include "mcp/ports/posix.hpp"\n');
refused('core/features/page.cpp', 1, 'examples/lamp/lamp.hpp', '#include "examples/lamp/lamp.hpp"\n');
refused('core/features/page.cpp', 1, 'request.hpp', '#include "request.hpp"\n');
refused('core/features/page.cpp', 1, '../mcp/tool.hpp', '#include "../mcp/tool.hpp"\n');
refused('core/features/page.cpp', 1, 'mcp/../../ports/ring.hpp', '#include "mcp/../../ports/ring.hpp"\n');
const foreign = ['unistd.h', 'sys/time.h', 'poll.h', 'time.h', 'stdio.h', 'cstdio', 'iostream', 'string', 'vector', 'map'];
for (const header of [...foreign, 'functional', 'memory', 'coroutine', 'lwip/tcp.h', 'mbedtls/ssl.h']) {
  refused('core/include/mcp/call.hpp', 2, `<${header}>`, framed(`#include <${header}>\n`));
  refused('transports/stdio/lines.cpp', 1, `<${header}>`, `#include <${header}>\n`);
}
for (const directive of ['ifdef __arm__', 'if 1', 'ifndef A', 'if(defined A)', ' \\\n  if 1']) {
  refused('core/json/value.cpp', 4, 'no conditional compilation', `// one\n\n\n#${directive}\n#endif\n`);
  refused('transports/http/head.cpp', 2, 'no conditional compilation', `\n#${directive}\n#endif\n`);
}
refused('core/new_area', 1, 'without a rule');
refused('transports/http/head.cpp', 1, 'stdio/lines.hpp', '#include "stdio/lines.hpp"\n');
refused('transports/http/head.cpp', 1, 'ports/posix/include/mcp/ports/posix.hpp', '#include "mcp/ports/posix.hpp"\n');
refused('transports/http/head.cpp', 1, 'engine/request.hpp', '#include "engine/request.hpp"\n');
const call = 'transports/stdio/more.cpp';
for (const text of ['"tools/list"', 'R"({"method":"notifications/cancelled"})"', '"server/discover"', '"{\\"method\\":\\"ping\\"}"', '"initialize"', '"2025-11-25"']) {
  refused(call, 2, 'a transport has no code for methods and versions of MCP', `\nauto a = ${text};\n`);
}
for (const name of ['Value', 'validate', 'DecodedBytes']) refused(call, 1, 'a transport reads no JSON', `auto a = json::${name}(b);\n`);
for (const name of ['server.poll(a)', 'endpoint.server->poll()', 'server_->poll()', 'Server::poll(a)']) {
  refused(call, 1, 'calls Server::poll(), which core/include/mcp/transport.hpp does not name', `auto a = ${name};\n`);
}
for (const header of ['mcp/server.hpp', 'mcp/detail/link.hpp', 'mcp/json/value.hpp']) {
  refused(call, 1, `includes ${header}: a transport uses core/include/mcp/transport.hpp`, `#include "${header}"\n`);
}
refused('examples/own_transport/lines.cpp', 1, 'names tools/call', 'auto a = "tools/call";\n');
refused('ports/lwip/lwip.cpp', 1, 'ports/posix/include/mcp/ports/posix.hpp', '#include "mcp/ports/posix.hpp"\n');
refused('ports/lwip/lwip.cpp', 1, 'ports/posix/io.hpp', '#include "ports/posix/io.hpp"\n');
refused('ports/lwip/lwip.cpp', 1, 'ports/nowhere.hpp', '#include <mcp/ports/nowhere.hpp>\n');
refused('ports/bare_metal/wait.cpp', 1, 'ports/boards/lamp/lamp.hpp', '#include "ports/boards/lamp/lamp.hpp"\n');
refused('ports/boards/bell/bell_uart.cpp', 1, 'ports/boards/lamp/lamp.hpp', '#include "ports/boards/lamp/lamp.hpp"\n');
refused('ports/include/mcp/ports/other.hpp', 2, 'ports/posix/include/mcp/ports/posix.hpp', framed('#include "mcp/ports/posix.hpp"\n'));
refused('ports/new_area', 1, 'without a rule');
refused('ports/lwip/lwip.cpp', 1, 'transports/http/head.hpp', '#include <transports/http/head.hpp>\n');
refused('ports/lwip/lwip.cpp', 1, 'json/writer.hpp', '#include "json/writer.hpp"\n');
refused('ports/other.hpp', 1, 'ports/posix/include/mcp/ports/posix.hpp', '#include "mcp/ports/posix.hpp"\n');
refused('examples/lamp/more.cpp', 1, 'json/writer.hpp', '#include <json/writer.hpp>\n');
refused('examples/lamp/more.cpp', 1, 'engine/request.hpp', '#include "engine/request.hpp"\n');

// The frame of public headers.
const unframed = 'core/include/mcp/one.hpp';
refused(unframed, 2, 'a public header begins with #include <mcp/detail/prelude.hpp>', `// one\n#include <span>\n${begin}${end}`);
refused(unframed, 1, 'a public header begins with #include <mcp/detail/prelude.hpp>', `#include "mcp/detail/prelude.hpp"\n${end}`);
refused(unframed, 4, 'a public header ends with #include <mcp/detail/epilogue.hpp>', `${begin}\n\nint two;\n`);
refused(unframed, 4, 'a public header ends with #include <mcp/detail/epilogue.hpp>', `${framed('')}int two;\n`);
refused('ports/posix/include/mcp/ports/one.hpp', 1, 'a public header ends with', begin);

// Names and numbers.
refused('ports/posix/envelope.cpp', 1, 'has the file name of core/rpc/envelope.cpp', '');
fs.rmSync(path.join(work, 'ports/posix/startup.cpp'));
assert.deepEqual(run(), [
  'ports/lwip/startup.cpp:1: has a unique file name: remove it from `shared` in rules.mjs',
]);
write('ports/posix/startup.cpp', '');
write('core/json/b.hpp', '');
refused('core/json', 1, 'a folder of 4 sources: at most 3', undefined, 'core/json/c.hpp');
write('core/rpc/rpc_a.hpp', '');
refused('core/rpc', 1, 'a folder of 5 sources: at most 4', undefined, 'core/rpc/g.hpp');
refused('core/include/mcp/zone.hpp', 3, 'extern const: 1, at most 0', framed('\nextern  /* one */\nconst int two;\n'));
refused('transports/http/head.cpp', 1, 'friend: 1, at most 0', 'struct S { friend class T; };\n');

// Words. Code, inline code and code blocks may contain them.
write('tests/json/words.cpp', 'auto nobody = "whoever";\n');
write('README.md', 'Prose about `nobody`.\n\n```\nwhoever\n```\n');
write('tests/json/words.mjs', "const anew = 'nobody';\n");
assert.deepEqual(run(), []);
refused('tests/json/remark.cpp', 2, 'the word "nobody"', '\nint a;  // Nobody reads it.\n');
refused('core/memory/remark.hpp', 2, 'the word "held against"', '/* one\n   is held against two */\n');
refused('CHANGELOG.md', 3, 'the word "anew"', '# One\n\nIt begins anew.\n');
refused('toolchains/emulate', 2, 'the word "whoever"', '#!/bin/bash\ntrue  # whoever calls\n');
refused('tests/json/remark.mjs', 1, 'the word "good-bye"', '// Says good-bye.\n');

// Words of documents. Words of a released version, and of a changelog with no other, do not count.
const changes = (words) => `# Changelog\n\n## 0.2.0, unreleased\n\n### One\n\n${words}\n\n## 0.1.0\n\nReleased.\n`;
changed('versions/CHANGELOG.md', 3, '10 words: at most 9', changes('There are now five words.'));
changed('versions/CHANGELOG.md', 3, '10 words: at most 9', changes('There are now five words.').split('\n## 0.1.0')[0]);
changed('versions/README.md', 1, '5 words: at most 4', '# Four words here\n\nnow\n');
const unreleased = fs.readFileSync(path.join(work, 'versions/CHANGELOG.md'), 'utf8');
write('versions/CHANGELOG.md', '# Changelog\n\n## 0.2.0\n\nMore words than nine, which no rule limits at all.\n');
assert.deepEqual(run(), []);
write('versions/CHANGELOG.md', unreleased);

// A function of the longest allowed length is correct. The limit does not apply to a table or a class.
const body = '  call();  // a line of usual length\n'.repeat(58);
const more = '  call();  // a line of usual length\n'.repeat(30);
write(
  'transports/http/long.cpp',
  `namespace {\n\nvoid f() {\n${body}}\n\nstruct S {\n${body}${more}};\nconstexpr int table[] = {\n${body}${more}};\n}  // namespace\n`,
);
write('tests/json/long.cpp', `TEST(A, B) {\n${body}${more}}\n`);
assert.deepEqual(run(), []);
fs.rmSync(path.join(work, 'core/json/b.hpp'));
for (const folder of ['core/json', 'transports/http', 'ports/posix', 'examples/lamp']) {
  refused(`${folder}/long_one.cpp`, 2, 'a function of 61 lines', `\nvoid f() {\n${body}  call();\n}\n`);
  refused(`${folder}/long_one.cpp`, 3, 'a function of 61 lines', `struct S {\n  void f(int a,\n         int b) {\n${body}  call();\n  }\n};\n`);
}
refused('tests/json/long_one.cpp', 1, 'a function of 91 lines', `TEST(A, B) {\n${body}${more}  call();\n}\n`);

// Lengths of test files. A header may be longer.
for (const name of ['other.cpp', 'other.mjs', 'below/other.cpp']) {
  refused(`tests/files/${name}`, 1, 'a file of 6 lines: at most 5', '\n'.repeat(6));
}
changed('tests/files/long.cpp', 1, 'has at most 5 lines: remove it from `longer`', '\n'.repeat(5));
fs.rmSync(path.join(work, 'tests/files/long.cpp'));
assert.deepEqual(run(), [
  'tests/files/long.cpp:1: has at most 5 lines: remove it from `longer` in rules.mjs',
]);
console.log('structure.mjs reports each violation');
