// SPDX-License-Identifier: Apache-2.0
// Writes the table of the code that the tests reach, and fails if exceptions.tsv is wrong. Each program is read with its
// own profiles, because templates with one name may differ between programs. Code that one program reaches is reached.
//
// usage: node report.mjs ROOT LLVM_PROFDATA LLVM_COV PROFILES PROGRAM...
//   PROFILES: the folder with NAME.*.profraw of each program; there, table.md and missed.txt (all that is not reached)
//   are written as well
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { read_table } from '../structure/tables.mjs';

const [root, profdata, cov, profiles, ...programs] = process.argv.slice(2);
const folders = ['core', 'transports', 'ports'];  // the gate is for the first two
const least_of_branches = 95;

/** One file of the sources. Positions are keys, "line:column" and on. */
class Source {
  constructor(path) {
    this.path = path;
    this.text = readFileSync(join(root, path), 'utf8').split('\n');
    this.lines = new Map();      // line -> how often
    this.compiled = new Set();   // lines of functions that only the compiler runs
    this.skipped = new Set();  // lines that the compiler omits, if it sees them: not in functions without a caller
    this.branches = new Map();   // key -> { line, text, taken: [true, false], evaluated }
    this.decisions = new Map();  // key -> for each condition, whether it was shown to decide alone
  }

  line(number) {
    return this.text[number - 1].trim();
  }

  /** True for a check of an invariant: no test can break one. */
  asserts(number) {
    return this.text[number - 1]?.includes('MCP_DEBUG_ASSERT(') ?? false;
  }

  part([line, column, end_line, end_column]) {
    if (line === end_line) return this.text[line - 1].slice(column - 1, end_column - 1);
    const inner = this.text.slice(line, end_line - 1).map((text) => text.trim());
    return [this.text[line - 1].slice(column - 1), ...inner, this.text[end_line - 1].slice(0, end_column - 1).trim()].join(' ');
  }

  /** True when the function whose body begins there is declared consteval. */
  is_consteval(line, column) {
    const before = this.text.slice(Math.max(0, line - 8), line - 1).join('\n') + '\n' + this.text[line - 1].slice(0, column - 1);
    return /\bconsteval\b[^;{}]*$/.test(before);
  }
}

const sources = new Map();

function source_of(file) {
  const path = relative(root, file);
  if (!folders.includes(path.split('/')[0])) return undefined;
  if (!sources.has(path)) sources.set(path, new Source(path));
  return sources.get(path);
}

// Line counts, from the positions where counts change. The count of a line is the largest of the regions that begin in
// it, or else of the region around it.
function add_lines(source, segments) {
  let through;
  for (let i = 0, line = segments[0]?.[0]; line <= segments.at(-1)[0]; ++line) {
    const here = [];
    while (i < segments.length && segments[i][0] === line) here.push(segments[i++]);
    const begins = here.filter(([, , , has_count, is_entry, is_gap]) => has_count && is_entry && !is_gap);
    const skipped = here.length > 0 && !here[0][3] && here[0][4];
    // No code runs between two statements: a line that begins there has the count of the region that begins or
    // continues in it.
    const into = through?.[5] ? here.filter(([, , , has_count, , is_gap]) => has_count && !is_gap) : through?.[3] ? [through] : [];
    if (skipped) source.skipped.add(line);
    if (!skipped && into.length + begins.length > 0) {
      const count = Math.max(...[...into, ...begins].map((segment) => segment[2]));
      source.lines.set(line, Math.max(source.lines.get(line) ?? 0, count));
    }
    through = here.at(-1) ?? through;
  }
}

const starts_in = ([line, column], [from_line, from_column, to_line, to_column]) =>
  (line > from_line || (line === from_line && column >= from_column)) &&
  (line < to_line || (line === to_line && column < to_column));

function add_function({ filenames, regions, branches, mcdc_records }) {
  const source = source_of(filenames[0]);
  if (!source) return;
  const body = regions[0];
  if (source.is_consteval(body[0], body[1])) {
    for (let line = body[0]; line <= body[2]; ++line) source.compiled.add(line);
    return;
  }
  // Code in a macro counts where the macro is used.
  const used_at = new Map();
  for (const region of regions) {
    if (region[7] === 1) used_at.set(region[6], region);
  }
  for (const branch of branches) {
    let site = branch;
    for (let file = branch[6]; used_at.has(file); file = site[5]) site = used_at.get(file);
    const around = regions.filter((region) => region[7] === 0 && region[5] === branch[6] && starts_in(branch, region));
    const key = `${site.slice(0, 4)}/${site === branch ? '' : branch.slice(0, 4)}`;
    const entry = source.branches.get(key) ?? { line: site[0], text: source.part(site), taken: [0, 0], evaluated: 0 };
    entry.taken[0] += branch[4];
    entry.taken[1] += branch[5];
    entry.evaluated += around.at(-1)?.[4] ?? 0;
    source.branches.set(key, entry);
  }
  for (const [line, column, end_line, end_column, file, , conditions] of mcdc_records) {
    const key = `${line}:${column}-${end_line}:${end_column}/${file}`;
    const shown = source.decisions.get(key) ?? conditions.map(() => false);
    source.decisions.set(key, shown.map((yes, i) => yes || conditions[i]));
  }
}

function read(program) {
  const name = basename(program);
  const raw = readdirSync(profiles).filter((file) => file.startsWith(`${name}.`) && file.endsWith('.profraw'));
  if (raw.length === 0) throw new Error(`${name} left no profile in ${profiles}`);
  const merged = join(profiles, `${name}.profdata`);
  execFileSync(profdata, ['merge', '-sparse', '-o', merged, ...raw.map((file) => join(profiles, file))]);
  const { data: [{ files, functions }] } = JSON.parse(execFileSync(cov, ['export', '-skip-expansions', '-instr-profile', merged,
    program, '-sources', ...folders.map((folder) => join(root, folder))], { maxBuffer: 1 << 30 }));
  for (const { filename, segments } of files) {
    const source = source_of(filename);
    if (source && segments.length > 0) add_lines(source, segments);
  }
  functions.forEach(add_function);
}

// Returns the uncovered code, in the form of exceptions.tsv, and the figures.
function summary(source) {
  const missed = [];
  const figures = { lines: [0, 0], branches: [0, 0], conditions: [0, 0] };
  const not_run = new Set();
  for (const [line, count] of [...source.lines].sort(([a], [b]) => a - b)) {
    const is_left_out = source.compiled.has(line) || source.skipped.has(line) || /^($|\/\/)/.test(source.line(line));
    if (count === 0 && is_left_out) continue;
    ++figures.lines[1];
    if (count > 0) {
      ++figures.lines[0];
    } else {
      not_run.add(line);
      missed.push({ line, what: 'not run' });
    }
  }
  for (const { line, text, taken, evaluated } of source.branches.values()) {
    const known = taken[0] + taken[1] === 0 && evaluated > 0;  // the compiler knows the outcome
    // A switch without a default has all values (-Wswitch), so that its condition as a whole is never the one taken.
    if (source.asserts(line)) continue;
    const is_switch = taken[0] === 0 && source.line(line).startsWith(`switch (${text})`);
    if (known || is_switch) continue;
    figures.branches[1] += 2;
    figures.branches[0] += Number(taken[0] > 0) + Number(taken[1] > 0);
    if (not_run.has(line)) continue;
    if (taken[0] + taken[1] === 0) missed.push({ line, what: `\`${text}\` never evaluated` });
    else if (taken[0] === 0) missed.push({ line, what: `\`${text}\` never true` });
    else if (taken[1] === 0) missed.push({ line, what: `\`${text}\` never false` });
  }
  for (const [key, conditions] of source.decisions) {
    if (source.asserts(parseInt(key, 10))) continue;
    figures.conditions[1] += conditions.length;
    figures.conditions[0] += conditions.filter(Boolean).length;
  }
  missed.sort((a, b) => a.line - b.line);
  return { figures, missed };
}

function read_exceptions() {
  const text = readFileSync(join(fileURLToPath(import.meta.url), '..', 'exceptions.tsv'), 'utf8');
  const { rows, problems } = read_table(text, ['file', 'line', 'missed', 'reason']);
  problems.push(...rows.filter(({ reason }) => !reason).map(({ number }) => `${number}: no reason`));
  if (problems.length > 0) throw new Error(`exceptions.tsv: ${problems.join('\nexceptions.tsv: ')}`);
  return rows;
}

const percent = ([reached, all]) => (all === 0 ? '' : `${(Math.floor((reached * 1000) / all) / 10).toFixed(1)}`);
const sum = (all, key) => all.reduce(([a, b], { figures }) => [a + figures[key][0], b + figures[key][1]], [0, 0]);
const row = (name, all) => `| ${name} | ${['lines', 'branches', 'conditions']
  .map((key) => sum(all, key)).map((pair) => (pair[1] ? `${percent(pair)} | ${pair.join('/')}` : ' | ')).join(' | ')} |`;

for (const program of programs) read(program);
const files = [...sources.values()].sort((a, b) => (a.path < b.path ? -1 : 1)).map((source) => ({ source, ...summary(source) }));
const in_folder = (folder) => files.filter(({ source }) => source.path.startsWith(folder));
const gated = files.filter(({ source }) => !source.path.startsWith('ports/'));
const table = [
  '| file | lines, % | | branches, % | | MC/DC, % | |',
  '|---|---:|---:|---:|---:|---:|---:|',
  row('**core and transports**', gated),
  ...['core', 'transports', 'ports/posix', 'ports/sockets', 'ports/lwip', 'ports/mbedtls'].map((folder) => row(`**${folder}**`, in_folder(`${folder}/`))),
  ...files.map((file) => row(file.source.path, [file])),
].join('\n');

const place = (source, { line, what }) => `${source.path}:${line}: ${what}\n    ${source.line(line)}`;
writeFileSync(join(profiles, 'table.md'), `${table}\n`);
writeFileSync(join(profiles, 'missed.txt'),
  files.flatMap(({ source, missed }) => missed.map((entry) => `${place(source, entry)}\n`)).join(''));

let failed = false;
function fail(text) {
  console.log(text);
  failed = true;
}

const exceptions = read_exceptions();
for (const { source, missed } of gated) {
  for (const entry of missed) {
    const text = source.line(entry.line);
    const at = exceptions.findIndex(({ file, line, missed: part }) => file === source.path && line === text && part === entry.what);
    if (at >= 0) exceptions.splice(at, 1);
    else fail(place(source, entry));
  }
}
for (const { file, line, missed } of exceptions) fail(`exceptions.tsv: reached by now, or no longer there: ${file}: ${missed}\n    ${line}`);
console.log(row('core and transports', gated));
if (Number(percent(sum(gated, 'branches'))) < least_of_branches) fail(`branches: less than ${least_of_branches} %`);
process.exit(failed ? 1 : 0);
