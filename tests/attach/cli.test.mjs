// SPDX-License-Identifier: Apache-2.0
// The command line of attach. usage: node cli.test.mjs
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../at_end.mjs';
import { brokerName, filterOf, isFleet, parseTarget } from '../../toolchains/attach/lib/target.mjs';

const attach = fileURLToPath(new URL('../../toolchains/attach/attach.cjs', import.meta.url));

const run = (...argv) => spawnSync(process.execPath, [attach, ...argv], { encoding: 'utf8', input: '' });

test('prints its usage and its version', () => {
  const { status, stdout } = run('--help');
  assert.equal(status, 0);
  for (const word of ['list', 'config', 'bundle', 'provision', 'doctor', 'watch', '--trace', 'serial', 'http', 'mdns', 'mqtt', 'exec', '--plain']) {
    assert.ok(stdout.includes(word), word);
  }
  assert.equal(run().status, 2);
  const { version } = JSON.parse(readFileSync(new URL('../../toolchains/attach/package.json', import.meta.url), 'utf8'));
  assert.equal(run('--version').stdout, `${version}\n`);
});

test('rejects an invalid target with a sentence', () => {
  for (const argv of [['ftp', 'x'], ['exec'], ['serial', '--baud', '1200'], ['http', 'x'], ['mqtt', 'mqtt://broker']]) {
    const { status, stderr, stdout } = run(...argv);
    assert.equal(status, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /^mote-attach: \S.*\n/);
  }
});

// The system would cut the path without an error, and boards would share a socket.
test('rejects a path of a socket that is too long', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'mote-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const start = (bytes) => {
    const length = bytes - Buffer.byteLength(`${folder}/ü/mote-attach/0123456789abcdef.sock`);
    const XDG_RUNTIME_DIR = join(folder, `ü${'x'.repeat(length)}`);
    const { status, stderr, stdout } = spawnSync(process.execPath, [attach, 'exec', 'true'], {
      encoding: 'utf8', input: '', env: { ...process.env, XDG_RUNTIME_DIR, MOTE_ATTACH_LINGER_MS: '0' } });
    assert.equal(stdout, '');
    return { status, stderr };
  };
  assert.deepEqual(start(103), { status: 0, stderr: '' });
  const { status, stderr } = start(104);
  assert.equal(status, 2);
  assert.match(stderr, /^mote-attach: The path of the socket has 104 bytes, and at most 103 are possible: .*\.sock\. Set XDG_RUNTIME_DIR to a folder with a shorter path\.\n$/);
});

test('reads the URL of a broker', () => {
  const mqtt = (...argv) => parseTarget(['mqtt', ...argv]);
  assert.deepEqual(mqtt('mqtts://ann@broker:8883/house/roof', '--id', 'a', '--ca', 'c', '--password-file', 'p', '--plain'), {
    kind: 'mqtt', url: 'mqtts://ann@broker:8883/house/roof', id: 'a', ca: 'c', passwordFile: 'p', plain: true });
  for (const [path, isAll] of [['house/roof', false], ['#', true], ['house/#', true], ['+/roof', true], ['a%20b', false]]) {
    assert.equal(isFleet(mqtt(`mqtt://broker/${path}`)), isAll, path);
    assert.equal(filterOf(`mqtt://broker/${path}`), decodeURIComponent(path));
    assert.equal(isFleet(mqtt(`mqtt://broker/${path}`, '--id', 'a')), false);
  }
  const invalid = ['', 'ftp://broker/a', 'mqtt://broker', 'mqtt://broker/', 'mqtt:///a', 'mqtt://broker/a//b', 'mqtt://broker/a+',
    'mqtt://broker/#/a', 'mqtt://broker/a#', 'mqtt://ann:secret@broker/a', 'mqtt://broker/50%', 'mqtts://a%@broker/a'];
  for (const url of invalid) assert.throws(() => mqtt(url), /URL/, url);
  const targets = [['mqtt://b/#'], ['mqtt://b/a'], ['mqtt://b/a', '--id', 'i'], ['mqtt://b/a', '--ca', 'c'], ['mqtt://b/a', '--plaintext'],
    ['mqtt://b/a', '--cert', 'c', '--key', 'k']];
  assert.equal(new Set(targets.map((argv) => brokerName(mqtt(...argv)))).size, 6);
});

test('rejects half of a client certificate, and a secret that would not be encrypted', () => {
  const mqtt = (...argv) => parseTarget(['mqtt', ...argv]);
  for (const half of ['--cert', '--key']) assert.throws(() => mqtt('mqtts://b/a', half, 'f'), /needs both --cert and --key/);
  const { cert, key } = mqtt('mqtts://b/a', '--cert', 'c', '--key', 'k');
  assert.deepEqual([cert, key], ['c', 'k']);
  for (const argv of [['mqtt://ann@b/a'], ['mqtt://b/a', '--password-file', 'p'], ['mqtt://ann@127.0.0.1.example.com/a']]) {
    assert.throws(() => mqtt(...argv), /not encrypted\. Use mqtts:\/\/, or add --plaintext\.$/);
    assert.equal(mqtt(...argv, '--plaintext').plaintext, true);
  }
  for (const host of ['localhost', '127.0.0.1:1883', '[::1]']) assert.equal(mqtt(`mqtt://ann@${host}/a`).url, `mqtt://ann@${host}/a`);
});

test('runs its commands', () => {
  for (const command of ['list', 'config', 'bundle', 'provision', 'doctor', 'watch']) {
    const { status, stdout } = run(command, '--help');
    assert.equal(status, 0, command);
    assert.match(stdout, new RegExp(command));
  }
});
