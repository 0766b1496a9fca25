// SPDX-License-Identifier: Apache-2.0
// tests/replay without its usage: finds the program of a trace and starts it, or makes a conversation of the trace.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const UNUSABLE = 2;
const PROGRAM_FOLDERS = ['examples', 'tests/traces', 'tests/conformance'];
// A pause that is shorter changes nothing in a conversation, unless the server sends a message after it.
const SHORTEST_PAUSE_MS = 1000;

class Unusable extends Error {}

/** The bytes of BYTES, as a string with one character for each byte. */
export function bytes_of(text) {
  return text.replace(/\\(n|r|t|\\|x[0-9a-f]{2})/g, (_, code) =>
    code[0] === 'x' ? String.fromCharCode(parseInt(code.slice(1), 16)) : { n: '\n', r: '\r', t: '\t', '\\': '\\' }[code]);
}

/** The records of the last trace in a text: [{word, fields, line}]. */
export function records_of(text) {
  const lines = text.split(/\r?\n/);
  let title = -1;
  lines.forEach((line, i) => { if (line.startsWith('~mote trace ')) title = i; });
  if (title < 0) throw new Unusable("the text has no line '~mote trace 1'");
  if (!/^~mote trace 1( first)?$/.test(lines[title])) throw new Unusable(`line ${title + 1}: another version of the format`);
  const records = [];
  for (let i = title + 1; i < lines.length; ++i) {
    if (!lines[i].startsWith('~')) continue;
    const match = /^~([a-z.]+)(?: \+\d+)?(?: (.*))?$/s.exec(lines[i]);
    // A client that has read the trace too slowly has a cut line before this mark.
    if (match === null && lines.slice(i + 1).find((line) => line.startsWith('~')) === '~lost') continue;
    if (match === null) throw new Unusable(`line ${i + 1}: the line has an unknown first word`);
    const [, word, fields = ''] = match;
    if (word === 'end' || word === 'damaged') {
      const has_lost = records.some((record) => record.word === 'lost');
      if (!has_lost && Number(fields.split(' ')[0]) !== records.length) throw new Unusable(`line ${i + 1}: lines are missing before this line`);
      return records;
    }
    records.push({ word, fields, line: i + 1 });
  }
  throw new Unusable("the text ends before the line '~end'");
}

/** The records since the n-th start of the device, or since the last one. */
function of_boot(records, boot) {
  const starts = records.flatMap(({ word }, i) => (word === 'boot' ? [i] : []));
  if (boot > starts.length) throw new Unusable('the trace has fewer starts of the device');
  const number = boot || starts.length;
  const chosen = number === 0 ? records : records.slice(starts[number - 1], starts[number] ?? records.length);
  // After these, records are missing.
  const end = chosen.findIndex(({ word }) => word === 'lost' || word === 'pause');
  return end < 0 ? chosen : chosen.slice(0, end);
}

/** What one stream has read or written: {is_read, stream, bytes, at}. */
function* transfers_of(records) {
  let at = 0;
  let has_polled = false;
  for (const { word, fields } of records) {
    const [first, second = '1'] = fields.split(' ');
    if (word === 'poll' || word === 'polls') {
      const ms = (Number(first) * (word === 'polls' ? Number(second) : 1)) >>> 0;
      if (has_polled) at += ms;
      has_polled = true;
    }
    const match = /^(read|write)(\.more)?$/.exec(word);
    if (match) yield { is_read: match[1] === 'read', stream: first, bytes: bytes_of(fields.slice(first.length + 1)), at };
  }
}

/** The name of the server in the result of initialize or server/discover, or undefined. */
function server_of(records) {
  const written = [...transfers_of(records)].filter(({ is_read }) => !is_read).map(({ bytes }) => bytes).join('');
  return /"serverInfo":\{"name":"([A-Za-z0-9_.-]+)"(?:,"title":"[^"]*")?(?:,"version":"([^"]*)")?/.exec(written) ?? [];
}

// ---- Conversations ---------------------------------------------------------------------------------------------------

function is_json(text) {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** A line as the value of send_text: a string, or parts with bytes that are no text. */
function parts_of(bytes) {
  if (/^[\x20-\x7e\t]*$/.test(bytes)) return JSON.stringify(bytes);
  const parts = bytes.match(/[\x20-\x7e\t]+|[^\x20-\x7e\t]+/g);
  return JSON.stringify(parts.map((part) =>
    /^[\x20-\x7e\t]/.test(part) ? part : { hex: [...part].map((c) => c.charCodeAt(0).toString(16).padStart(2, '0')).join(' ') }));
}

const utf8 = (bytes) => Buffer.from(bytes, 'latin1').toString('utf8');

/** The lines of both directions in their order: {is_read, text, at}. */
function lines_of(records) {
  const rest = { true: '', false: '' };
  const lines = [];
  const streams = new Set();
  for (const { is_read, stream, bytes, at } of transfers_of(records)) {
    streams.add(stream);
    const parts = (rest[is_read] + bytes).split('\n');
    rest[is_read] = parts.pop();
    for (const part of parts) lines.push({ is_read, text: part.replace(/\r$/, ''), at });
  }
  if (streams.size > 1 || lines.some(({ is_read, text }) => is_read && /^[A-Z]+ \S+ HTTP\/1\.[01]$/.test(text))) {
    throw new Unusable('only a trace of one UART, or of stdio, becomes a conversation');
  }
  return lines;
}

function step_of_read(text) {
  const message = utf8(text);
  return is_json(message) ? `{"send":${message}}` : `{"send_text":${parts_of(text)}}`;
}

function step_of_write(text) {
  const message = utf8(text).replace(/,"_meta":\{"mote\/boot":"[0-9a-f]{8}"\}/, '');
  return is_json(message) ? `{"expect":${message}}` : `{"expect_cut":${parts_of(text)}}`;
}

/** The id of a request or of a response, as JSON; undefined without one. */
function id_of(text, is_request) {
  if (!is_json(utf8(text))) return undefined;
  const message = JSON.parse(utf8(text));
  return (message.method !== undefined) === is_request ? JSON.stringify(message.id) : undefined;
}

/** The text of a conversation. Each line is sent alone, and its responses of the same poll follow it. */
export function conversation_of(records) {
  const [, name = 'full', version = ''] = server_of(records);
  const boot = records.find(({ word }) => word === 'boot')?.fields;
  const rule = `Trace of ${name} ${version}${boot ? `, boot ${boot}` : ''}`;
  const steps = [[`{"rule":${JSON.stringify(rule)},"source":"trace","device":${JSON.stringify(name)}}`]];
  const open = new Map();  // requests without a response: their id, and {at, step}
  let last = 0;
  const wait = (at) => {
    if (at > last) steps.push([`{"do":"wait ${at - last}"}`]);
    last = Math.max(last, at);
  };
  for (const { is_read, text, at } of lines_of(records)) {
    if (text === '' || (!is_read && text.startsWith('#'))) continue;
    const id = id_of(text, is_read);
    if (is_read) {
      if (at - last >= SHORTEST_PAUSE_MS) wait(at);
      steps.push([step_of_read(text)]);
      if (id !== undefined) open.set(id, { at, step: steps.at(-1) });
      continue;
    }
    const request = open.get(id);
    if (request?.at !== at) wait(at);
    (request?.at === at ? request.step : steps.at(-1)).push(step_of_write(text));
    open.delete(id);
  }
  for (const [id, { step }] of open) {
    step.push(`{"note":${JSON.stringify(`The trace ends before the response to ${id}. Expect the right one here.`)}}`);
  }
  return steps.flat().join('\n') + '\n';
}

// ---- Command ---------------------------------------------------------------------------------------------------------

function options_of(words) {
  const options = { step: false, conversation: false, boot: 0, rest: [] };
  for (; words.length > 0 && words[0].startsWith('--'); words.shift()) {
    if (words[0] === '--step') options.step = true;
    else if (words[0] === '--conversation') options.conversation = true;
    else if (words[0] === '--boot' && /^[1-9]\d{0,8}$/.test(words[1] ?? '')) options.boot = Number((words.shift(), words[0]));
    else throw new Unusable(`unknown option ${words[0]}`);
  }
  options.rest = words;
  if (words.length === 0) throw new Unusable('the file is missing; the first lines of tests/replay have the usage');
  return options;
}

function find_program(root, records) {
  const [, name] = server_of(records);
  if (name === undefined) throw new Unusable('the trace does not name its server: add PROGRAM');
  const files = PROGRAM_FOLDERS.map((folder) => path.join(root, 'build/host', folder, name));
  const found = files.find((file) => fs.existsSync(file));
  if (found === undefined) throw new Unusable(`the host build has no program ${name}: build it, or add PROGRAM`);
  return found;
}

function main(root, words) {
  const options = options_of(words);
  const [file, program, ...more] = options.rest;
  // One character for each byte.
  const records = records_of(fs.readFileSync(file, 'latin1'));
  if (options.conversation) {
    process.stdout.write(conversation_of(of_boot(records, options.boot)));
    return 0;
  }
  const command = program ?? find_program(root, records);
  const boot = options.boot ? ['--boot', String(options.boot)] : [];
  const result = spawnSync(command, [...more, '--replay', file, ...(options.step ? ['--step'] : []), ...boot],
    { stdio: ['ignore', 'inherit', 'inherit'] });
  if (result.error) throw new Unusable(`cannot start ${command}: ${result.error.message}`);
  return result.signal ? 128 + os.constants.signals[result.signal] : result.status;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , root, ...words] = process.argv;
  try {
    process.exitCode = main(root, words);
  } catch (error) {
    if (!(error instanceof Unusable) && error.code === undefined) throw error;
    console.error(`replay: ${error.message}`);
    process.exitCode = UNUSABLE;
  }
}
