// SPDX-License-Identifier: Apache-2.0
// Makes page_bytes.cpp and page_bytes.hpp from the source of the page.
//
// usage: node build.mjs [--check]
//   --check  compares the page in page_bytes.cpp with its source, and writes nothing
//
// tests/page/package-lock.json pins the programs that bundle, minify and compress. tests/run installs them into build/page.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const mostBytes = 12 * 1024;
// Members that only the page has, and no message, schema or element: they get short names.
const internal = [
  'alive', 'answer', 'boot', 'cards', 'choices', 'depth', 'element', 'fail', 'hide', 'input', 'isLarge', 'isModern', 'made',
  'notify', 'nullable', 'path', 'refresh', 'retryAfter', 'root', 'run', 'session', 'shows',
];
const folder = join(here, '../../../build/page/');
if (!existsSync(join(folder, 'node_modules/esbuild'))) {
  console.log('skipped: the minifier is not installed in build/page; tests/run installs it');
  process.exit(77);
}
const require = createRequire(folder);
const esbuild = require('esbuild');
const terser = require('terser');
const zopfli = require('@gfx/zopfli');

/** Returns the page as one HTML file, and the hashes of its script and style. */
export async function makePage() {
  const { outputFiles: [{ text: bundle }] } = await esbuild.build({
    entryPoints: [join(here, 'page.mjs')], bundle: true, write: false, format: 'esm', target: 'es2022', charset: 'utf8',
  });
  const { code: script } = await terser.minify(bundle, {
    module: true, ecma: 2020,
    compress: { passes: 3, hoist_funs: true, inline: 1, keep_fargs: false, pure_getters: true, unsafe_arrows: true },
    mangle: { properties: { regex: new RegExp(`^(${internal.join('|')})$`) } }, format: { comments: false },
  });
  const { code } = await esbuild.transform(readFileSync(join(here, 'page.css')), { loader: 'css', minify: true });
  const variables = [...new Set(code.match(/--[a-z]+/g))];
  const style = code.replace(/--[a-z]+/g, (name) => `--${'abcdefghijklm'[variables.indexOf(name)]}`).replaceAll(', ', ',');
  const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const [js, css] = [script.trim(), style.trim()];
  const html = readFileSync(join(here, 'page.html'), 'utf8').replace(/>\s+</g, '><').trim()
    .replace(/="([\w-]+)"/g, '=$1').replace('STYLE', () => css).replace('SCRIPT', () => js);
  return { html, scriptHash: hash(js), styleHash: hash(css) };
}

const gzip = (text) => new Promise((resolve, reject) => {
  const done = (error, bytes) => (error ? reject(error) : resolve(Buffer.from(bytes)));
  zopfli.gzip(new TextEncoder().encode(text), { numiterations: 50 }, done);
});

const sum = (sizes) => sizes.reduce((all, size) => all + size, 0);

async function write({ html, scriptHash, styleHash }) {
  const body = await gzip(html);
  const tag = `"${createHash('sha256').update(html).digest('hex').slice(0, 16)}"`;
  const policy = [
    "default-src 'none'", `script-src ${scriptHash}`, `style-src ${styleHash}`, "connect-src 'self'", 'img-src data:',
    'media-src data:', "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
  ].join('; ');
  const first = [
    'Content-Type: text/html; charset=utf-8', 'Content-Encoding: gzip', `Content-Length: ${body.length}`,
    `Content-Security-Policy: ${policy}`, 'X-Content-Type-Options: nosniff', 'Referrer-Policy: no-referrer',
  ];
  const copied = ['Cache-Control: no-cache', 'Vary: Accept-Encoding', `ETag: ${tag}`];
  const escape = (line) => `    "\\r\\n${line.replaceAll('"', '\\"')}"`;
  const wrap = (line) => escape(line).replace(/(.{80}[^;]*; )(?=.{30})/g, '$1"\n    "');
  const copyAt = sum(first.map((line) => line.length + 2));
  const bodyAt = copyAt + sum(copied.map((line) => line.length + 2)) + 4;
  const rows = [];
  for (let at = 0; at < body.length; at += 24) rows.push(`    ${[...body.subarray(at, at + 24)].join(', ')},`);
  const note = '// SPDX-License-Identifier: Apache-2.0\n// Generated from the source of the page by transports/http/page/build.mjs';
  writeFileSync(join(here, 'page_bytes.hpp'), `${note}.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace mcp::http {

/// The entity tag of the page.
inline constexpr std::string_view page_tag = "${tag.replaceAll('"', '\\"')}";
/// Where the fields begin that a client with a copy of the page gets.
inline constexpr std::size_t page_copy_at = ${copyAt};
/// Where the page begins, compressed with gzip.
inline constexpr std::size_t page_body_at = ${bodyAt};
/// Bytes of the fields and of the page.
inline constexpr std::size_t page_size = page_body_at + ${body.length};
/// The fields of the response, each with a line end before it, and the page.
extern const std::array<char, page_size> page_bytes;

}  // namespace mcp::http
`);
  writeFileSync(join(here, 'page_bytes.cpp'), `${note}:
// ${html.length} bytes of HTML, which are ${body.length} bytes with gzip.
#include "http/page/page_bytes.hpp"

#include <cstdint>

namespace mcp::http {
namespace {

// clang-format off
constexpr std::string_view fields =
${[...first, ...copied].map(wrap).join('\n')}
    "\\r\\n\\r\\n";
static_assert(fields.size() == page_body_at);

constexpr std::uint8_t body[] = {
${rows.join('\n')}
};
// clang-format on
static_assert(sizeof body + page_body_at == page_size);

consteval auto joined() {
  std::array<char, page_size> bytes{};
  std::size_t at = 0;
  for (const char c : fields) bytes[at++] = c;
  for (const std::uint8_t byte : body) bytes[at++] = static_cast<char>(byte);
  return bytes;
}

}  // namespace

constinit const std::array<char, page_size> page_bytes = joined();

}  // namespace mcp::http
`);
  return body.length;
}

/** Returns the page in page_bytes.cpp. */
export function committedPage() {
  const text = readFileSync(join(here, 'page_bytes.cpp'), 'utf8');
  const [, numbers] = /body\[\] = \{([^}]*)\}/.exec(text);
  const body = Buffer.from(numbers.split(',').map((number) => number.trim()).filter(Boolean).map(Number));
  return { body, html: gunzipSync(body).toString(), text };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = await makePage();
  if (process.argv[2] === '--check') {
    const { html, body, text } = committedPage();
    const problems = [
      [html !== page.html, 'page_bytes.cpp is not that of the source: run node transports/http/page/build.mjs'],
      [!text.includes(page.scriptHash) || !text.includes(page.styleHash), 'The policy has other hashes.'],
      [body.length > mostBytes, `The page has ${body.length} bytes, more than ${mostBytes}.`],
    ].filter(([is]) => is);
    for (const [, problem] of problems) console.error(problem);
    console.log(`${html.length} bytes of HTML, ${body.length} bytes with gzip of at most ${mostBytes}`);
    process.exitCode = problems.length ? 1 : 0;
  } else {
    const size = await write(page);
    console.log(`${page.html.length} bytes of HTML, ${size} bytes with gzip of at most ${mostBytes}`);
    process.exitCode = size > mostBytes ? 1 : 0;
  }
}
