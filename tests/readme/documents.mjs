// SPDX-License-Identifier: Apache-2.0
// Checks the documents (*.md) below ROOT against the tree: their files, presets, headers, links, names and tests exist,
// the commands of their blocks can run, and the tests compile every block of C++. Prints one line per error, FILE:LINE:
// message, and fails if there is one. Knows no C++.
//
// usage: node documents.mjs ROOT [COMPILED]
// COMPILED: a file with a line for each compiled block: DOCUMENT, a tab, its heading.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const [root, compiledFile] = process.argv.slice(2);
const top = /^(core|ports|transports|examples|tests|toolchains|build|\.ci)\//;
let mistakes = 0;
const found = { paths: 0, links: 0, names: 0, blocks: 0 };

function report(document, line, what) {
  console.log(`${document}:${line}: ${what}`);
  ++mistakes;
}

// ---- The tree -------------------------------------------------------------------------------------------------------

const files = [];
(function walk(folder) {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!['build', '.git', 'node_modules'].includes(name)) walk(name);
    } else if (entry.isFile()) {
      files.push(name);
    }
  }
})('');
const documents = files.filter((name) => name.endsWith('.md'));
const sources = files.filter((name) => !/\.(md|jsonl|svg|tsv)$/.test(name));
const texts = sources.map((name) => readFileSync(path.join(root, name), 'utf8'));
const words = new Set();
const testWords = new Set();
for (const [index, name] of sources.entries()) {
  const own = texts[index].match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? [];
  for (const word of own) words.add(word);
  if (name.startsWith('tests/')) for (const word of own) for (const part of word.split('_')) testWords.add(part);
}
// Tests have the names of files, too.
for (const name of files) if (name.startsWith('tests/')) for (const part of name.split(/[/._-]/)) testWords.add(part);
const presetsFile = path.join(root, 'CMakePresets.json');
const presets = existsSync(presetsFile) ? JSON.parse(readFileSync(presetsFile, 'utf8')).configurePresets.map((p) => p.name) : [];
const compiled = compiledFile ? readFileSync(compiledFile, 'utf8').split('\n') : [];

function isFolderOrFile(name) {
  return existsSync(path.join(root, name));
}

// A file may be named from the top, from the document's folder, from core, or by the end of its path; with * or a word in
// capitals for a part. A folder in the same way.
function isFile(document, name) {
  if (isFolderOrFile(name) || isFolderOrFile(path.join(path.dirname(document), name))) return true;
  const part = name.replace(/[.+]/g, '\\$&').replace(/\*|\b[A-Z]{4,}\b|(?<=_)[A-Z]{4,}\b/g, '[^/]*');
  const pattern = new RegExp(`(^|/)${part}(/|$)`);
  return files.some((file) => pattern.test(file));
}

// As the pages that show Markdown make them.
function anchors(document) {
  const text = readFileSync(path.join(root, document), 'utf8').replace(/^```[^]*?^```/gm, '');
  return (text.match(/^#+ .*$/gm) ?? []).map((heading) =>
    heading.replace(/^#+ /, '').toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'));
}

// ---- The documents --------------------------------------------------------------------------------------------------

function checkPreset(document, line, name) {
  if (!presets.includes(name) && !/^[A-Z]+$/.test(name)) report(document, line, `there is no preset ${name}`);
}

function checkPaths(document, line, code) {
  for (const [, name] of code.matchAll(/(?:^|[ `="'(<])((?:\.ci|[a-z_0-9]+)\/[A-Za-z0-9_.*/-]*[A-Za-z0-9_*])/g)) {
    if (!top.test(name)) continue;
    ++found.paths;
    // Of the build folder, only the preset can be checked here.
    const built = /^build\/([^/]+)\//.exec(name);
    if (built) {
      if (!texts.some((text) => text.includes(`build/${built[1]}`))) checkPreset(document, line, built[1]);
    } else if (!name.startsWith('build/') && !isFile(document, name)) {
      report(document, line, `there is no ${name}`);
    }
  }
  for (const [, name] of code.matchAll(/#include [<"]([a-z]+\/[a-z0-9_/]+\.hpp)[>"]/g)) {
    const isHeader = isFolderOrFile(name) || files.some((file) => file.endsWith(`/include/${name}`));
    if (!isHeader) report(document, line, `there is no header ${name}`);
  }
  for (const [, name] of code.matchAll(/--preset[ =]([A-Za-z0-9_-]+)/g)) checkPreset(document, line, name);
}

function checkRuns(document, line, code) {
  const program = /^(?:\$ )? *((?:core|ports|transports|examples|tests|toolchains|\.ci)\/[A-Za-z0-9_./-]+)/.exec(code)?.[1];
  if (program === undefined || !isFolderOrFile(program)) return;
  if ((statSync(path.join(root, program)).mode & 0o111) === 0) report(document, line, `${program} cannot be run`);
}

const file = /^[A-Za-z0-9_*./-]+\.(hpp|cpp|h|c|md|cmake|ld|mjs|jsonl|tsv|txt|sh)$/;
const test = /^(unit|conversations|schema|structure|client|conformance|firmware|bench|fuzz|compile_fail|readme|package|lint)\.[a-z0-9_.*{},-]+$/;
const program = /^(mcp|board|json|http|rpc|protocol|memory|lwip|posix|mbedtls|detail|mote)::|^[A-Z][A-Za-z0-9]+::|^MOTE_[A-Z0-9_]+$|^[a-z_0-9]+\(.*\)$|^\.[a-z_]+$|^-D[A-Z_]+=/;

// One `span` of a text.
function checkSpan(document, line, span) {
  if (!file.test(span) || span.startsWith('build/')) checkPaths(document, line, span);
  if (file.test(span) && !span.startsWith('build/')) {
    ++found.paths;
    if (!isFile(document, span)) report(document, line, `there is no ${span}`);
  } else if (test.test(span)) {
    ++found.names;
    // A name may be put together of parts: http_${name}_is_asked_for.
    for (const word of span.split(/[.{},*_-]+/).filter((part) => /^[a-z]{3}/.test(part))) {
      if (![...testWords].some((known) => known.startsWith(word))) {
        report(document, line, `no test has a name with ${word}: ${span}`);
      }
    }
  } else if (program.test(span)) {
    ++found.names;
    const text = span.replace(/"[^"]*"/g, '').replace(/^-D/, '').replace(/\(.*$/, '');
    for (const word of text.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []) {
      if (word.length > 2 && !words.has(word)) report(document, line, `nothing is called ${word}: ${span}`);
    }
  }
}

function checkLink(document, line, target) {
  if (/^[a-z]+:/.test(target)) return;
  ++found.links;
  const [name, anchor] = target.split('#');
  const other = name === '' ? document : path.join(path.dirname(document), name);
  if (!isFolderOrFile(other)) {
    report(document, line, `a link to what is not there: ${target}`);
  } else if (anchor !== undefined && !anchors(other).includes(anchor)) {
    report(document, line, `a link to a heading that is not there: ${target}`);
  }
}

for (const document of documents) {
  let fence;
  let heading = '';
  let number = 0;
  for (const line of readFileSync(path.join(root, document), 'utf8').split('\n')) {
    ++number;
    if (line.startsWith('```')) {
      fence = fence === undefined ? line.slice(3) : undefined;
      if (fence === 'cpp') {
        ++found.blocks;
        const at = compiled.indexOf(`${document}\t${heading}`);
        if (compiledFile && at === -1) report(document, number, `no test compiles the block of C++ below "${heading}"`);
        compiled.splice(at, at === -1 ? 0 : 1);  // one of two below a heading is not the other
      }
    } else if (fence !== undefined || line.startsWith('    ')) {
      checkPaths(document, number, line);
      checkRuns(document, number, line.trim());
    } else {
      if (/^#+ /.test(line)) heading = line;
      for (const [, span] of line.matchAll(/`([^`]+)`/g)) checkSpan(document, number, span);
      for (const [, target] of line.replace(/`[^`]*`/g, '').matchAll(/\]\(([^)]+)\)/g)) checkLink(document, number, target);
    }
  }
  if (fence !== undefined) report(document, number, 'a block without an end');
}

console.log(`looked for ${found.paths} files, ${found.links} links and ${found.names} names in ${documents.length} documents; ` +
  `${found.blocks} blocks of C++`);
if (mistakes > 0) {
  console.log(`${mistakes} mistake(s)`);
  process.exit(1);
}
