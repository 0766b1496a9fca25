// SPDX-License-Identifier: Apache-2.0
// toolchains/emulate with one socket as stdin and stdout, and the entry that examples/demo prints. Programs of the test are in the
// place of QEMU and of the emulator. usage: node emulate.test.mjs
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../at_end.mjs';
import { within } from './support.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

function folderOf(t) {
  const folder = mkdtempSync(join(tmpdir(), 'mote-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A program that answers each line. As QEMU does, Node.js makes its stdout non-blocking. */
function program(file, before = '') {
  writeFileSync(file, `#!${process.execPath}
    ${before}
    require('readline').createInterface({ input: process.stdin }).on('line', (line) => console.log('heard ' + line));
    process.on('SIGTERM', () => process.exit(0));`);
  chmodSync(file, 0o755);
}

test('emulates with one socket as stdin and stdout', { timeout: 60_000 }, async (t) => {
  const folder = folderOf(t);
  program(join(folder, 'qemu-system-fake'));
  writeFileSync(join(folder, 'fake.emulator'), 'qemu qemu-system-fake\nmachine none\n');
  writeFileSync(join(folder, 'image'), '');
  // socat gives a program one socket for both.
  const socat = spawn('socat', ['-', `EXEC:${root}toolchains/emulate ${folder}/fake.emulator ${folder}/image`],
    { env: { ...process.env, PATH: `${folder}:${process.env.PATH}` }, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => socat.on('close', resolve));
  atEnd(t, async () => {
    socat.kill('SIGTERM');
    await within('end of socat', ended);
  });
  const lines = createInterface({ input: socat.stdout })[Symbol.asyncIterator]();
  for (const word of ['one', 'two', 'three']) {
    socat.stdin.write(`${word}\n`);
    const { value, done } = await within(word, Promise.race([lines.next(), ended.then(() => ({ done: true }))]));
    assert.deepEqual([value, Boolean(done)], [`heard ${word}`, false]);
  }
  socat.stdin.end();
  await within('end of the emulator', ended);
});

test('prints the rest of what the emulator wrote to a socket before it ended', { timeout: 60_000 }, (t) => {
  const folder = folderOf(t);
  writeFileSync(join(folder, 'qemu-system-fake'), '#!/bin/sh\nhead -c 1000000 /dev/zero | tr "\\0" x\nexit 3\n');
  chmodSync(join(folder, 'qemu-system-fake'), 0o755);
  writeFileSync(join(folder, 'fake.emulator'), 'qemu qemu-system-fake\nmachine none\n');
  writeFileSync(join(folder, 'image'), '');
  writeFileSync(join(folder, 'run'), `#!/bin/sh\n'${root}toolchains/emulate' '${folder}/fake.emulator' '${folder}/image'\necho " $?"\n`);
  chmodSync(join(folder, 'run'), 0o755);
  const out = execFileSync('socat', ['-u', `EXEC:${folder}/run`, '-'],
    { env: { ...process.env, PATH: `${folder}:${process.env.PATH}` }, maxBuffer: 4 << 20 }).toString();
  assert.deepEqual([out.length, out.slice(-3)], [1_000_003, ' 3\n']);
});

test('prints an entry of the demo whose stdout has messages only', { timeout: 60_000 }, async (t) => {
  const folder = folderOf(t);
  mkdirSync(join(folder, 'toolchains'));
  symlinkSync(join(root, 'toolchains/attach'), join(folder, 'toolchains/attach'));
  const discover = JSON.stringify({ resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} });
  program(join(folder, 'toolchains/emulate'), `console.log('# mote boot 0000000a');
    require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      if (line.startsWith('{')) console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result: ${discover} }));
    });`);
  const [, snippet] = /\n(snippet\(\) \{\n[^]*?\n\}\n)/.exec(readFileSync(join(root, 'examples/demo'), 'utf8'));
  const script = `root=${folder} board=b image=/thermometer_usb.elf\n${snippet}snippet --usb`;
  const out = execFileSync('bash', ['-euc', script]).toString();
  const { command, args } = JSON.parse(out.slice(out.indexOf('{'))).mcpServers.thermometer;
  assert.deepEqual(args.slice(-5), ['exec', join(folder, 'toolchains/emulate'), 'b', '/thermometer_usb.elf', '--usb']);
  const host = spawn(command, args, { env: { ...process.env, XDG_RUNTIME_DIR: folder, MOTE_ATTACH_LINGER_MS: '0' }, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => host.on('close', resolve));
  atEnd(t, async () => {
    host.stdin.end();
    await within('end of attach', ended);
  });
  let text = '';
  const wrote = new Promise((resolve) => host.stderr.on('data', (data) => {
    text += data;
    if (/# mote boot/.test(text)) resolve();
  }));
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'h', version: '1' } };
  host.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  const { value } = await within('response', createInterface({ input: host.stdout })[Symbol.asyncIterator]().next());
  assert.equal(JSON.parse(value).id, 1);
  await within('boot mark on stderr', wrote);
});
