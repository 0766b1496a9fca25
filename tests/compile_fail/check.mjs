#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Compiles the cases of a folder and checks the compiler's first error for each. The first line of a case, after the
// license, is `// error: SENTENCE`, or `// compiles` for a case that must compile. The error also contains the text of each line
// `// and: TEXT`. A line `// alone: REASON` keeps a case out of the common file.
//
// usage: check.mjs CONFIGURATION [CASE...]
// CMake writes CONFIGURATION: {"compiler", "flags", "cases": FOLDER, "work": FOLDER}. Without CASE the program checks
// all cases. With CASE it compiles each named case alone and prints the compiler's output.
//
// Parsing the headers takes longer than compiling a case. So one file includes all cases, each in its own namespace. An
// error belongs to the case whose file it names. If a case does not show its sentence in the common file, the program
// compiles it alone, and that result counts: two cases that share a template instance get only one error.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
// If more cases than this show no sentence, the common file is broken.
const MOST_BY_THEMSELVES = 16;

function read_case(file) {
  const text = fs.readFileSync(file, 'utf8');
  const lines = text.replace(/^\/\/ SPDX-License-Identifier: .*\n/, '').split('\n');
  const error = /^\/\/ error: (.+)$/.exec(lines[0]);
  const tagged = (tag) => lines.filter((line) => line.startsWith(tag)).map((line) => line.slice(tag.length));
  return {
    name: path.basename(file, '.cpp'),
    file,
    text,
    compiles: lines[0] === '// compiles',
    sentence: error?.[1],
    texts: tagged('// and: '),
    alone: tagged('// alone: ').length > 0,
  };
}

// A context line: the compiler prints it before the error.
const CONTEXT = new RegExp(
  [
    '^In file included from ',
    '^ +from ',
    ': (In|At) .*:$',
    ':\\d+:(\\d+:)? +(recursively )?required ',
    ":\\d+:(\\d+:)? +in '?constexpr'? expansion ",
  ].join('|'),
);
const DIAGNOSTIC = /^(?:(.+?):\d+:(?:\d+:)? )?(?:.*: )?(fatal error|error|warning|note): /;

// Returns the errors of a compiler's output in order: {line, text, places}. `text` includes the notes of the error.
// `places` are the lines that can name the case, the most reliable line first.
function errors_of(output) {
  const errors = [];
  let context = [];
  let current;
  for (const line of output.split('\n')) {
    const kind = DIAGNOSTIC.exec(line)?.[2];
    if (kind?.endsWith('error') || kind === 'warning') {
      current = { line, text: line, places: [line, ...context.reverse()] };
      if (kind !== 'warning' && !line.endsWith(': all warnings being treated as errors')) errors.push(current);
      context = [];
    } else if (CONTEXT.test(line)) {
      context.push(line);
    } else if (current) {
      current.text += `\n${line}`;
      current.places.push(...context, ...(kind ? [line] : []));
      context = [];
    }
  }
  return errors;
}

export class Checker {
  constructor(configuration) {
    this.configuration = configuration;
    this.cases = fs
      .readdirSync(configuration.cases)
      .filter((name) => name.endsWith('.cpp'))
      .sort()
      .map((name) => read_case(path.join(configuration.cases, name)));
    this.by_themselves = [];
    this.problems = [];
  }

  async know_compiler() {
    const { stdout } = await run(this.configuration.compiler, ['--version']);
    this.clang = stdout.includes('clang');
  }

  async compile(file, ...more) {
    const options = { env: { ...process.env, LC_ALL: 'C' }, maxBuffer: 1 << 28 };
    const args = [...this.configuration.flags, ...more, file];
    try {
      const { stdout, stderr } = await run(this.configuration.compiler, args, options);
      return { good: true, output: stdout + stderr };
    } catch (error) {
      if (typeof error.code !== 'number') throw error;
      return { good: false, output: error.stdout + error.stderr };
    }
  }

  // Returns a text that describes what is wrong with a case, or an empty string.
  problem(one, errors, output) {
    if (one.compiles) return errors.length ? `should compile:\n${output}` : '';
    if (!errors.length) return `compiles, and should say: ${one.sentence}`;
    // GCC's notes quote its own headers, so only the line of the error counts.
    const said = this.clang ? errors[0].text : errors[0].line;
    const missing = [one.sentence, ...one.texts].find((text) => !said.includes(text));
    return missing === undefined ? '' : `does not say: ${missing}\n${output}`;
  }

  async check_alone(one) {
    const { good, output } = await this.compile(one.file);
    const errors = good ? [] : errors_of(output);
    if (!good && !errors.length) return `the compiler fails without an error:\n${output}`;
    return this.problem(one, errors, output);
  }

  // Compiles these cases in one file NAME.cpp. Returns the cases that must be compiled alone.
  async check_together(name, cases) {
    if (!cases.length) return [];
    const headers = new Set();
    const parts = [];
    for (const one of cases) {
      for (const [, header] of one.text.matchAll(/^#include (<[^>]+>)/gm)) headers.add(header);
      parts.push(`namespace case_${one.name} {\n#include "${one.file}"\n}\n`);
      for (const [, macro] of one.text.matchAll(/^#define (\w+)/gm)) parts.push(`#undef ${macro}\n`);
    }
    const file = path.join(this.configuration.work, `${name}.cpp`);
    fs.mkdirSync(this.configuration.work, { recursive: true });
    fs.writeFileSync(file, [...headers].map((header) => `#include ${header}\n`).join('') + parts.join(''));

    const all = this.clang
      ? ['-ferror-limit=0', '-ftemplate-backtrace-limit=0', '-fconstexpr-backtrace-limit=0']
      : ['-fmax-errors=0', '-ftemplate-backtrace-limit=0'];
    const { good, output } = await this.compile(file, ...all);
    const errors = good ? [] : errors_of(output);
    const of_case = new Map(cases.map((one) => [one.file, []]));
    for (const error of errors) {
      // An error in a template instance can name a type or function of the case instead of its file. A follow-up error
      // can name neither. An error before the first case is in a header.
      const owner =
        error.places.map((place) => /([^\s:]+\.cpp):\d+/.exec(place)?.[1]).find((place) => of_case.has(place)) ??
        cases.find((one) => one.name === /\bcase_(\w+)::/.exec(error.places.join('\n'))?.[1])?.file;
      if (owner) of_case.get(owner).push(error);
      else if (error === errors[0] || cases[0].compiles) {
        this.problems.push(`an error outside of all cases:\n${[...error.places].reverse().join('\n')}`);
      }
    }
    if (!good && !errors.length) this.problems.push(`the compiler fails without an error:\n${output}`);
    return cases.filter((one) => this.problem(one, of_case.get(one.file), ''));
  }

  // Checks all cases. Returns one text per problem.
  async check() {
    await this.know_compiler();
    const { problems } = this;
    const known = this.cases.filter((one) => one.compiles || one.sentence);
    for (const one of this.cases) {
      if (!known.includes(one)) problems.push(`${one.file}: its first line must be \`// error: SENTENCE\``);
    }
    const shared = known.filter((one) => !one.alone);
    const rest = [
      ...(await this.check_together('errors', shared.filter((one) => !one.compiles))),
      ...(await this.check_together('compiles', shared.filter((one) => one.compiles))),
    ];
    this.by_themselves = rest.map((one) => one.name);
    const tried = [...known.filter((one) => one.alone), ...rest.slice(0, MOST_BY_THEMSELVES)];
    for (const one of tried) {
      const problem = await this.check_alone(one);
      if (problem) problems.push(`${one.file}: ${problem}`);
    }
    for (const one of rest.slice(MOST_BY_THEMSELVES)) {
      problems.push(`${one.file}: has no error of its own in ${this.configuration.work}`);
    }
    return problems;
  }

  async show(names) {
    await this.know_compiler();
    let status = 0;
    for (const name of names) {
      const one = this.cases.find((candidate) => candidate.name === name);
      if (!one) throw new Error(`there is no case ${name} in ${this.configuration.cases}`);
      const { output } = await this.compile(one.file);
      const problem = await this.check_alone(one);
      console.log(`${output}${one.name}: ${problem ? problem.split('\n')[0] : 'correct'}`);
      if (problem) status = 1;
    }
    return status;
  }
}

async function main([file, ...names]) {
  const checker = new Checker(JSON.parse(fs.readFileSync(file, 'utf8')));
  if (names.length) return checker.show(names);
  const problems = await checker.check();
  for (const problem of problems) console.log(problem);
  const { by_themselves } = checker;
  if (by_themselves.length) console.log(`compiled alone: ${by_themselves.join(', ')}`);
  console.log(`${checker.cases.length} cases, ${problems.length} of them wrong`);
  return problems.length ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await main(process.argv.slice(2));
}
