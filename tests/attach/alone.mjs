#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The tests of attach that need Node.js and the packages of toolchains/attach alone, for systems other than Debian. On
// Windows without those that start a shell or have paths of POSIX. Fails if a test fails.
//
// usage: alone.mjs
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const names = ['lines', 'events', 'http_sessions', 'hostile', 'bounds', 'doubt', 'rounds', 'unclaimed', 'legacy',
  'mdns', 'config_files', 'bundle'];
if (process.platform !== 'win32') names.push('absent', 'added', 'serial_ports', 'config', 'cli');

const failed = names.filter((name) => {
  const file = fileURLToPath(new URL(`${name}.test.mjs`, import.meta.url));
  const { status, error } = spawnSync(process.execPath, [file], { stdio: 'inherit', timeout: 300_000 });
  console.log(`attach.${name}: ${status === 0 ? 'passed' : `status ${status}${error ? `, ${error.message}` : ''}`}`);
  return status !== 0;
});
if (failed.length > 0) console.error(`${failed.length} of ${names.length} failed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
