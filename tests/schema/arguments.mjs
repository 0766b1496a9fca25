// SPDX-License-Identifier: Apache-2.0
// Whether a device accepts exactly the arguments that are valid in the schemas that it sends: generated arguments for
// every kind of parameter, judged by the device and by ajv.
//
// usage: node arguments.mjs SERVER [--seed N] [--count N] [--today]
//   --seed N   the seed (1)
//   --count N  calls of each tool for a seed (400)
//   --today    as many again, from a seed that is made of the date
// SERVER talks over stdin and stdout, and its tools accept whatever their tables accept. Exits with 77 (skipped) when the
// validator is missing.
//
// Six differences are documented (core/include/mcp/params.hpp). The others than the first two are counted:
//   - A schema does not state the range of a C++ type. The description of such a number is its type, so that this test adds it.
//   - The device counts null for the arguments, and for an optional one, as left out. The validator does not see it.
//   - A FixedString holds bytes, and maxLength counts characters. Its description says how many bytes.
//   - JSON.parse() rounds an integer beyond 2^53. The device compares all digits.
//   - A double has no other range. ajv with strictNumbers and the device reject 1e400.
//   - JSON.parse() takes the last of two members with one key. The device rejects them.
// `format` describes a string and is checked only by the tool `formats`, as in draft 2020-12.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { Generator } from './generator.mjs';
import { ajvInstalled, makeAjv } from './schemas.mjs';
import { nodeFolder } from '../../examples/client/session.mjs';

const { values: options, positionals: [server] } = parseArgs({ allowPositionals: true, options: {
  seed: { type: 'string', default: '1' }, count: { type: 'string', default: '400' }, today: { type: 'boolean', default: false },
} });
if (!ajvInstalled) {
  console.log(`skipped: ajv is not installed in ${nodeFolder} (tests/run installs it)`);
  process.exit(77);
}

const maxFloat = 3.4028235e38;

const opening = [
  '{"jsonrpc":"2.0","id":"initialize","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},' +
    '"clientInfo":{"name":"arguments","version":"1"}}}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
];

/** The lines that the server writes for these messages. */
function play(messages) {
  const input = [...opening, ...messages, ''].join('\n');
  const { status, stdout, error } = spawnSync(server, { input, encoding: 'utf8', maxBuffer: 2 ** 30, timeout: 60_000 });
  if (error || status !== 0) throw error ?? new Error(`the server ended with ${status}`);
  return stdout.trimEnd().split('\n').slice(1);
}

/** Adds the range of the C++ type that the description names. */
function addTypeRange(schema) {
  const [, type, bits] = /^(u?int|float)(\d*)\b/.exec(schema?.description ?? '') ?? [];
  if (type === undefined) return;
  const size = BigInt(bits || 0);
  const [low, high] = type === 'float' ? [-maxFloat, maxFloat]
    : type === 'uint' ? [0n, 2n ** size - 1n] : [-(2n ** (size - 1n)), 2n ** (size - 1n) - 1n];
  schema.minimum ??= Number(low);
  schema.maximum ??= Number(high);
  schema.exactMinimum ??= String(low);
  schema.exactMaximum ??= String(high);
}

/** The tools, as the server sends them. Bounds are kept as text, too, and bytes of a FixedString are a keyword. */
function listTools() {
  const [line] = play(['{"jsonrpc":"2.0","id":1,"method":"tools/list"}']);
  const exact = line.replace(/"(m)(inimum|aximum)":(-?[0-9][^,}]*)/g, '$&,"exactM$2":"$3"');
  const { result } = JSON.parse(exact, (key, value) => {
    const [, bytes] = /^(?:.* \()?at most (\d+) bytes of UTF-8\)?$/s.exec(value?.description ?? '') ?? [];
    if (bytes !== undefined) value.maxBytes = Number(bytes);
    addTypeRange(value);
    return value;
  });
  if (result.nextCursor !== undefined) throw new Error('the tools do not fit in one page');
  return result.tools;
}

/** Whether the table of a tool checks formats. */
const checksFormats = ({ name }) => name === 'formats';

/** The arguments without null for what is optional, in all objects that the schema describes. */
function withoutNulls(value, schema) {
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, schema?.items));
  if (value === null || typeof value !== 'object') return value;
  const isKept = ([name, member]) => {
    const types = schema?.properties?.[name]?.type;
    return member !== null || types === undefined || [types].flat().includes('null') || schema.required?.includes(name);
  };
  return Object.fromEntries(Object.entries(value).filter(isKept).map(([name, member]) => (
    [name, withoutNulls(member, schema?.properties?.[name] ?? schema?.additionalProperties)])));
}

/** What the validator says: whether the arguments are valid, and why not. */
function makeJudge(tool, differences) {
  const ajv = makeAjv('ajv/dist/2020', { validateFormats: checksFormats(tool), strictNumbers: true });
  ajv.addKeyword({ keyword: 'maxBytes', type: 'string', errors: false, validate: (bytes, text) => {
    const fits = Buffer.byteLength(text) <= bytes;
    if (!fits && [...text].length <= bytes) differences['FixedString with too many bytes'] += 1;
    return fits;
  } });
  const validate = ajv.compile(tool.inputSchema);
  return (judged) => {
    const valid = validate(withoutNulls(JSON.parse(judged) ?? {}, tool.inputSchema));
    return { valid, why: ajv.errorsText(validate.errors) };
  };
}

/** What the device says of a call. Any other error than that of an argument is a failure of the test. */
function verdictOf(line) {
  const { result, error } = JSON.parse(line);
  if (error !== undefined) {
    if (error.code !== -32602) throw new Error(`the device did not judge the arguments: ${line}`);
    return { valid: false, why: error.message };
  }
  const why = result.content[0].text;
  const accepted = result.isError !== true;
  if (accepted ? why !== 'accepted' : !/^(Argument|Unknown argument) "/.test(why)) {
    throw new Error(`the device did not judge the arguments: ${line}`);
  }
  return { valid: accepted, why };
}

const failures = [];

/** Calls each tool `count` times. */
function run(tools, seed, count) {
  const generator = new Generator(seed);
  const differences = { 'FixedString with too many bytes': 0 };
  const calls = [];
  for (const tool of tools) {
    const judge = makeJudge(tool, differences);
    generator.checksFormats = checksFormats(tool);
    for (let i = 0; i < count; ++i) {
      const { text, judged } = generator.next(tool.inputSchema);
      calls.push({ tool, text, expected: judge(judged) });
    }
  }
  const lines = play(calls.map(({ tool, text }, id) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${tool.name}","arguments":${text}}}`));
  if (lines.length !== calls.length) failures.push(`${calls.length} calls and ${lines.length} answers`);
  const valid = new Map(tools.map(({ name }) => [name, 0]));
  for (const line of lines) {
    const { tool, text, expected } = calls[JSON.parse(line).id];
    const said = verdictOf(line);
    valid.set(tool.name, valid.get(tool.name) + (said.valid ? 1 : 0));
    if (said.valid !== expected.valid) {
      const judged = expected.valid ? 'valid' : expected.why;
      failures.push(`seed ${seed}, ${tool.name} ${text.slice(0, 400)}\n  device: ${said.why}\n  ajv: ${judged}`);
    }
  }
  for (const [name, accepted] of valid) {
    if (accepted === 0 || accepted === count) failures.push(`seed ${seed}: ${name} accepted ${accepted} of ${count} calls`);
  }
  const accepted = [...valid.values()].reduce((sum, one) => sum + one, 0);
  const named = Object.entries({ ...differences, ...generator.differences });
  const counts = named.map(([name, n]) => `${name}: ${n}`).join('; ');
  console.log(`seed ${seed}: ${calls.length} arguments, ${accepted} accepted; ${counts}`);
  for (const [name, n] of named) if (n === 0) failures.push(`seed ${seed}: none is a ${name}`);
}

const tools = listTools();
run(tools, Number(options.seed), Number(options.count));
if (options.today) run(tools, Math.floor(Date.now() / 86_400_000), Number(options.count));
for (const failure of failures.slice(0, 20)) console.log(failure);
if (failures.length > 0) {
  console.log(`${failures.length} failures; ajv and the device have to agree`);
  process.exit(1);
}
