// SPDX-License-Identifier: Apache-2.0
// The command line of attach. usage: node cli.test.mjs
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { attach } from './support.mjs';

const run = (...argv) => spawnSync(process.execPath, [attach, ...argv], { encoding: 'utf8', input: '' });

test('prints its usage and its version', () => {
  const { status, stdout } = run('--help');
  assert.equal(status, 0);
  for (const word of ['list', 'config', 'bundle', 'provision', 'doctor', 'serial', 'http', 'mdns', 'exec', '--plain']) {
    assert.ok(stdout.includes(word), word);
  }
  assert.equal(run().status, 2);
  const { version } = JSON.parse(readFileSync(new URL('../../toolchains/attach/package.json', import.meta.url), 'utf8'));
  assert.equal(run('--version').stdout, `${version}\n`);
});

test('rejects an invalid target with a sentence', () => {
  for (const argv of [['ftp', 'x'], ['exec'], ['serial', '--baud', '1200'], ['http', 'x']]) {
    const { status, stderr, stdout } = run(...argv);
    assert.equal(status, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /^mote-attach: \S.*\n/);
  }
});

test('runs its commands', () => {
  for (const command of ['list', 'config', 'bundle', 'provision', 'doctor']) {
    const { status, stdout } = run(command, '--help');
    assert.equal(status, 0, command);
    assert.match(stdout, new RegExp(command));
  }
});
