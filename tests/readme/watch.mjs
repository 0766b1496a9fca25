// SPDX-License-Identifier: Apache-2.0
// Plays the transcript of `attach watch` in a document: a host of its name sends its requests to the program, through attach, and watch
// has to print its lines, except for times, durations and the process.
//
// usage: watch.mjs DOCUMENT THERMOMETER ATTACH
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { within } from '../../examples/client/session.mjs';

const [document, thermometer, attach] = process.argv.slice(2);
const limitMs = 60_000;
const waitMs = 20_000;
const [, block] = /<!-- watch -->\n```\n([^]*?)```/.exec(readFileSync(document, 'utf8')) ?? [];

/** A program whose output is kept. `wrote` resolves when the output has a text. */
function start(t, env, ...argv) {
  const child = spawn(process.execPath, [attach, ...argv], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const program = { child, output: '', waiting: [] };
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    program.output += piece;
    program.waiting = program.waiting.filter((check) => !check());
  });
  program.wrote = (pattern) => within(waitMs, `${pattern}`, new Promise((resolve) => {
    const check = () => pattern.test(program.output) && (resolve(), true);
    if (!check()) program.waiting.push(check);
  }));
  const ended = new Promise((resolve) => child.on('close', resolve));
  atEnd(t, () => {
    child.kill();
    return ended;
  });
  return program;
}

const plain = (line) => line.replace(/^--- [\d-]+$/, '--- DATE').replace(/^\d\d:\d\d:\d\d\.\d{3}/, 'TIME')
  .replace(/ {2}[\d.]+ m?s$/, '  DURATION').replace(/\(process \d+\)/, '(process N)');

test('prints the transcript', { timeout: limitMs }, async (t) => {
  assert.ok(block, `${document} has no block after <!-- watch -->`);
  const lines = block.trimEnd().split('\n');
  assert.equal(lines.shift(), '$ npx mote-attach watch');
  const folder = mkdtempSync(join(tmpdir(), 'mote-readme-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  writeFileSync(join(folder, 'sensor'), '21500\n');
  const env = { ...process.env, XDG_RUNTIME_DIR: folder, MOTE_ATTACH_LINGER_MS: '0', COLUMNS: '120', TZ: 'UTC' };
  const [, name, version] = /^\d\S+ {2}(\S+) (\S+) {2}uses /m.exec(block);

  const host = start(t, env, 'exec', thermometer, '--sensor', join(folder, 'sensor'));
  let id = 0;
  const ask = async (method, params) => {
    ++id;
    host.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    await host.wrote(new RegExp(`"id":${id},`));
  };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name, version } });
  const watch = start(t, env, 'watch');
  await watch.wrote(/ uses /);
  for (const line of lines) {
    const [, what, rest] = new RegExp(`^\\S+  ${name} ${version}  (\\S+) (.*?)  [\\d.]+ m?s$`).exec(line) ?? [];
    if (what === 'read') await ask('resources/read', { uri: rest });
    else if (what) await ask('tools/call', { name: what, arguments: JSON.parse(rest) });
  }
  host.child.stdin.end();
  await watch.wrote(/ ends: /);
  assert.deepEqual(watch.output.trimEnd().split('\n').map(plain), lines.map(plain));
});
