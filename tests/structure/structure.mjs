#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Checks the sources below ROOT against the coding rules (rules.mjs). Prints one line per violation, `FILE:LINE:
// message`, and fails if there is a violation. With --counts it also prints the counts and their limits.
//
// usage: structure.mjs ROOT [--counts]
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { code_of, files_below, folders_in, functions_of, include_of, tokens_of } from './cpp.mjs';
import * as house from './rules.mjs';

const SOURCE = /\.[ch](pp)?$/;

export class Check {
  constructor(root, rules = house) {
    this.root = root;
    this.rules = rules;
    this.texts = new Map();
    this.violations = [];
    this.counts = [];
  }

  report(file, line, what) {
    this.violations.push(`${file}:${line}: ${what}`);
  }

  sources(folder) {
    return files_below(this.root, folder).filter((file) => SOURCE.test(file));
  }

  // Returns the sources below all these folders, without duplicates.
  sources_of(folders) {
    return [...new Set(folders.flatMap((folder) => this.sources(folder)))].sort();
  }

  text(file) {
    if (!this.texts.has(file)) this.texts.set(file, fs.readFileSync(path.join(this.root, file), 'utf8'));
    return this.texts.get(file);
  }

  // Returns one rule per folder, with `{}` replaced.
  expand(rule) {
    if (!rule.folder.endsWith('/{}')) return [rule];
    const parent = rule.folder.slice(0, -3);
    return folders_in(this.root, parent).map((name) => ({
      ...rule,
      folder: `${parent}/${name}`,
      may: rule.may.map((prefix) => prefix.replace('{}', name)),
    }));
  }

  // Public headers of ports have one folder on the include path: the rules name the file.
  port_header(header) {
    if (!header.startsWith('mcp/ports/')) return header;
    return this.sources('ports').find((file) => file.endsWith(`/include/${header}`)) ?? header.slice('mcp/'.length);
  }

  // Whether this is one of the two headers that frame the public headers.
  is_frame(file) {
    return [this.rules.frame.first, this.rules.frame.last].some((header) => file.endsWith(header));
  }

  check_include(rule, file, token) {
    const include = include_of(token);
    if (!include) return;
    const { quoted } = include;
    const header = this.port_header(include.header);
    if (this.is_frame(header)) return;
    if (quoted || this.rules.project.includes(header.split('/')[0]) && header.includes('/')) {
      const allowed = rule.may.some((prefix) =>
        prefix.endsWith('*')
          ? header.startsWith(prefix.slice(0, -1)) && !header.slice(prefix.length - 1).includes('/')
          : header.startsWith(prefix),
      );
      // `..` would lead out of an allowed folder.
      if (!allowed || header.split('/').includes('..')) {
        const may = rule.may.join(', ');
        this.report(file, token.line, `includes ${header}: ${rule.folder} includes from the project only ${may}`);
      }
      return;
    }
    const { plain_headers, plain_exceptions } = this.rules;
    if (rule.plain && !plain_headers.includes(header) && !plain_exceptions[file]?.includes(header)) {
      const what = `${rule.folder} uses no platform and no heap (see plain_headers in rules.mjs)`;
      this.report(file, token.line, `includes <${header}>: ${what}`);
    }
  }

  check_includes() {
    const rules = this.rules.includes.flatMap((rule) => this.expand(rule));
    for (const rule of rules) {
      const files = this.sources(rule.folder).filter((file) => !rule.top || path.dirname(file) === rule.folder);
      for (const file of files) {
        for (const token of code_of(this.text(file)).filter(({ kind }) => kind === 'directive')) {
          const line = token.text.replaceAll('\\\n', '');
          const condition = /^#\s*(if|ifdef|ifndef|elif|elifdef|elifndef|else)\b/.exec(line);
          if (rule.no_if && condition && !this.is_frame(file)) {
            this.report(file, token.line, `#${condition[1]}: ${rule.folder} has no conditional compilation`);
          }
          if (!this.is_frame(file)) this.check_include(rule, file, token);
        }
      }
    }
    for (const parent of this.rules.ruled) {
      for (const name of folders_in(this.root, parent)) {
        const folder = `${parent}/${name}`;
        if (!rules.some((rule) => rule.folder === folder || rule.folder.startsWith(`${folder}/`))) {
          this.report(folder, 1, `a folder of ${parent} without a rule: say in rules.mjs what it may include`);
        }
      }
    }
  }

  check_frames() {
    const { headers, folders, first, last } = this.rules.frame;
    for (const file of this.sources_of(folders).filter((one) => headers.test(one) && !this.is_frame(one))) {
      const tokens = code_of(this.text(file));
      const includes = tokens.filter(({ kind, text }) => kind === 'directive' && /^#\s*include/.test(text));
      const begin = includes[0];
      if (begin?.text.trim() !== `#include <${first}>`) {
        this.report(file, begin?.line ?? 1, `a public header begins with #include <${first}>`);
      }
      const end = tokens.at(-1);
      if (end?.text.trim() !== `#include <${last}>`) {
        this.report(file, end?.line ?? 1, `a public header ends with #include <${last}>`);
      }
    }
  }

  check_transports() {
    const { folders, methods, own, readers, contract, never, servers } = this.rules.transports;
    const named = new Set([...this.text(contract).matchAll(/(\w+)\(\)/g)].map(([, name]) => name));
    for (const file of this.sources_of(folders)) {
      const tokens = code_of(this.text(file));
      tokens.forEach((token, at) => {
        const { kind, text, line } = token;
        const header = include_of(token)?.header ?? '';
        if (never.some((begin) => header.startsWith(begin)) && !this.is_frame(header)) {
          this.report(file, line, `includes ${header}: a transport uses ${contract}`);
        }
        const [second, third, fourth] = tokens.slice(at + 1, at + 4).map((next) => next.text);
        for (const [method] of kind === 'string' || kind === 'raw' ? text.matchAll(methods) : []) {
          if (!own.includes(method)) this.report(file, line, `names ${method}: a transport has no code for methods and versions of MCP`);
        }
        if (text === 'json' && second === '::' && readers.includes(third)) {
          this.report(file, line, `uses json::${third}: a transport reads no JSON`);
        }
        if (servers.includes(text) && ['.', '->', '::'].includes(second) && fourth === '(' && !named.has(third)) {
          this.report(file, line, `calls Server::${third}(), which ${contract} does not name`);
        }
      });
    }
  }

  check_lengths() {
    for (const { folder, most } of this.rules.lengths) {
      for (const file of this.sources(folder)) {
        for (const { line, end } of functions_of(this.text(file))) {
          const length = end - line + 1;
          if (length > most) this.report(file, line, `a function of ${length} lines: ${most} fit on a screen`);
        }
      }
    }
  }

  check_file_lengths() {
    const { folder, files, most, longer } = this.rules.file_lengths;
    const lengths = new Map(longer.map((file) => [file, 0]));
    for (const file of files_below(this.root, folder).filter((one) => files.test(one))) {
      lengths.set(file, this.text(file).split('\n').length - 1);
    }
    for (const [file, length] of lengths) {
      if (longer.includes(file)) {
        if (length <= most) this.report(file, 1, `has at most ${most} lines: remove it from \`longer\` in rules.mjs`);
      } else if (length > most) {
        this.report(file, 1, `a file of ${length} lines: at most ${most}`);
      }
    }
    const exceeding = [...lengths.values()].filter((length) => length > most).length;
    this.counts.push([`files below ${folder} with more than ${most} lines`, exceeding, longer.length]);
  }

  check_names() {
    const { folders, shared } = this.rules.unique_names;
    const files = new Map();
    for (const file of this.sources_of(folders)) {
      const name = path.basename(file);
      files.set(name, [...(files.get(name) ?? []), file]);
    }
    const several = [...files].filter(([, list]) => list.length > 1);
    for (const [name, list] of several) {
      if (!shared.includes(name)) this.report(list[1], 1, `has the file name of ${list[0]}`);
    }
    for (const name of shared) {
      if (files.has(name) && files.get(name).length === 1) {
        this.report(files.get(name)[0], 1, 'has a unique file name: remove it from `shared` in rules.mjs');
      }
    }
    this.counts.push([`file names that several sources of ${folders.join(', ')} have`, several.length, shared.length]);
  }

  check_folders() {
    const { folders, most, larger } = this.rules.files_per_folder;
    const sizes = new Map();
    for (const file of this.sources_of(folders)) {
      sizes.set(path.dirname(file), (sizes.get(path.dirname(file)) ?? 0) + 1);
    }
    for (const name of this.rules.files_per_folder.public) sizes.delete(name);
    for (const [folder, size] of sizes) {
      const limit = larger[folder] ?? most;
      if (size > limit) this.report(folder, 1, `a folder of ${size} sources: at most ${limit}`);
    }
    const [folder, size] = [...sizes].sort((one, other) => other[1] - one[1])[0] ?? ['none', 0];
    this.counts.push([`sources in the largest folder that is not public (${folder})`, size, larger[folder] ?? most]);
  }

  check_counts() {
    for (const { name, code, folders, ending, except = [], most } of this.rules.counts) {
      const places = [];
      for (const file of this.sources_of(folders).filter((one) => one.endsWith(ending) && !except.includes(one))) {
        const tokens = code_of(this.text(file)).filter(({ kind }) => kind !== 'directive');
        tokens.forEach((token, at) => {
          if (code.every((text, index) => tokens[at + index]?.text === text)) places.push([file, token.line]);
        });
      }
      this.counts.push([name, places.length, most]);
      if (places.length > most) this.report(...places.at(-1), `${name}: ${places.length}, at most ${most}`);
    }
  }

  check_licenses() {
    const { text, folders, files, endings } = this.rules.license;
    const comments = [`// ${text}`, `# ${text}`, `/* ${text} */`];
    for (const file of [...files, ...folders.flatMap((folder) => files_below(this.root, folder))]) {
      const lines = fs.readFileSync(path.join(this.root, file), 'latin1').split('\n', 2);
      const shebang = lines[0].startsWith('#!');
      if (!shebang && !endings.some((ending) => file.endsWith(ending))) continue;
      if (!comments.includes(lines[shebang ? 1 : 0])) this.report(file, shebang ? 2 : 1, `begins without ${text}`);
    }
  }

  check_versions() {
    const found = this.rules.versions.map(({ file, pattern }) => {
      const numbers = pattern.exec(this.text(file));
      if (!numbers) this.report(file, 1, `has no version: ${pattern}`);
      return { file, version: numbers?.slice(1).join('.') };
    });
    for (const { file, version } of found) {
      if (version !== undefined && version !== found[0].version) {
        this.report(file, 1, `has version ${version}, and ${found[0].file} has ${found[0].version}`);
      }
    }
  }

  check_run(file, line, command) {
    const [program, ...words] = command.split(/\s+/);
    if (!program.includes('/')) return;
    if (!fs.existsSync(path.join(this.root, program))) {
      this.report(file, line, `runs ${program}, which does not exist`);
      return;
    }
    for (const option of words.filter((word) => word.startsWith('--'))) {
      if (!this.text(program).includes(`${option})`)) this.report(file, line, `${program} has no option ${option}`);
    }
  }

  // A tag of an action or an image may later name other content, and the token that a checkout keeps is for all later
  // steps.
  check_pins(file, line, text) {
    const [, action] = /^\s*(?:- )?uses: (\S+)/.exec(text) ?? [];
    if (action && !/@[0-9a-f]{40}$/.test(action)) this.report(file, line, `uses ${action}: name the hash of a commit`);
    if (action?.startsWith('actions/checkout@')) {
      const [next, after] = this.text(file).split('\n').slice(line, line + 2);
      if (!/^\s*with:$/.test(next) || !/^\s*persist-credentials: false$/.test(after)) {
        this.report(file, line, 'a checkout begins with `persist-credentials: false`');
      }
    }
    const [, image] = /^\s*container: (\S.*)$/.exec(text) ?? [];
    if (image && !/@sha256:[0-9a-f]{64}$/.test(image) && !this.rules.workflows.tags.includes(image)) {
      this.report(file, line, `container ${image}: name the digest of an image`);
    }
  }

  check_workflows() {
    const { folder, boards } = this.rules.workflows;
    const known = folders_in(this.root, 'ports/boards').sort().join(', ');
    for (const file of files_below(this.root, folder).filter((one) => one.endsWith('.yml'))) {
      this.text(file).split('\n').forEach((text, at) => {
        const run = /^\s*(?:- )?run: (.*)$/.exec(text);
        if (run) this.check_run(file, at + 1, run[1]);
        const list = new RegExp(`^\\s*${boards}: \\[(.*)\\]$`).exec(text);
        this.check_pins(file, at + 1, text);
        if (list && list[1].split(/,\s*/).sort().join(', ') !== known) {
          this.report(file, at + 1, `builds ${list[1]}, and ports/boards has ${known}`);
        }
      });
    }
  }

  // Returns the comments of a source or script, or the prose of a document, as [line, text].
  remarks(file) {
    if (SOURCE.test(file)) {
      const comments = tokens_of(this.text(file)).filter(({ kind }) => kind === 'comment');
      return comments.flatMap(({ text, line }) => text.split('\n').map((part, index) => [line + index, part]));
    }
    const mark = file.endsWith('.md') ? /^(.*)$/ : /(?:^|\s)(?:#|\/\/) (.*)$/;
    let is_code = false;
    return this.text(file).split('\n').flatMap((line, index) => {
      if (file.endsWith('.md') && line.startsWith('```')) is_code = !is_code;
      const [, remark] = is_code ? [] : (mark.exec(line) ?? []);
      return remark === undefined ? [] : [[index + 1, remark.replaceAll(/`[^`]*`/g, '')]];
    });
  }

  check_words() {
    const { forbidden, folders, top, files, later } = this.rules.words;
    const pattern = new RegExp(`(?<![\\w-])(${forbidden.join('|')})(?![\\w-])`, 'i');
    const below = folders.flatMap((folder) => files_below(this.root, folder)).filter((file) => files.test(file));
    const named = top.filter((file) => fs.existsSync(path.join(this.root, file)));
    for (const file of [...named, ...below].sort()) {
      if (later.some((one) => file === one || file.startsWith(`${one}/`))) continue;
      for (const [line, text] of this.remarks(file)) {
        const [, word] = pattern.exec(text) ?? [];
        if (word) this.report(file, line, `the word "${word.toLowerCase()}": name the actor (see words in rules.mjs)`);
      }
    }
  }

  // Returns {line, text} of the part of a document that a rule limits, or undefined if there is no such part.
  part_of({ file, section }) {
    const lines = this.text(file).split('\n');
    if (!section) return { line: 1, text: lines.join('\n') };
    const begin = lines.findIndex((line) => section.test(line));
    if (begin < 0) return undefined;
    const [level] = /^#+ /.exec(lines[begin]);
    const length = lines.slice(begin + 1).findIndex((line) => line.startsWith(level));
    return { line: begin + 1, text: lines.slice(begin, length < 0 ? undefined : begin + 1 + length).join('\n') };
  }

  check_documents() {
    for (const rule of this.rules.documents) {
      const part = this.part_of(rule);
      if (!part) continue;
      const words = part.text.match(/\S+/g)?.length ?? 0;
      this.counts.push([`words of ${rule.file}`, words, rule.most]);
      if (words > rule.most) this.report(rule.file, part.line, `${words} words: at most ${rule.most}`);
    }
  }

  run() {
    this.check_includes();
    this.check_frames();
    this.check_licenses();
    this.check_versions();
    this.check_workflows();
    this.check_transports();
    this.check_lengths();
    this.check_file_lengths();
    this.check_names();
    this.check_folders();
    this.check_counts();
    this.check_words();
    this.check_documents();
    return this.violations;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const check = new Check(process.argv[2]);
  const violations = check.run();
  for (const violation of violations) console.log(violation);
  if (process.argv.includes('--counts')) {
    for (const [name, count, most] of check.counts) console.log(`${String(count).padStart(4)} of ${most}  ${name}`);
  }
  if (violations.length) console.log(`${violations.length} violation(s) of the coding rules`);
  process.exitCode = violations.length ? 1 : 0;
}
