// SPDX-License-Identifier: Apache-2.0
// The server as a process: how it starts and how it ends (spec: lifecycle, shutdown on stdio).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertServes, Lines, limitMs, thermometer, waitMs } from './support.mjs';
import { within } from '../../examples/client/session.mjs';

test('exits with status 0 when stdin closes', { timeout: limitMs }, async (t) => {
  const lines = new Lines(t, await thermometer(t));
  await lines.initialize();
  lines.closeInput();
  assert.equal(await lines.line(), undefined, 'nothing more is written');
  assert.deepEqual(await within(waitMs, 'end of the server', lines.ended), { code: 0, signal: null });
});

test('responds to requests that arrived before stdin closed', { timeout: limitMs }, async (t) => {
  const lines = new Lines(t, await thermometer(t));
  await lines.initialize();
  await lines.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
  lines.closeInput();
  assert.deepEqual(await lines.message(), { jsonrpc: '2.0', id: 1, result: {} });
  assert.deepEqual(await within(waitMs, 'end of the server', lines.ended), { code: 0, signal: null });
});

test('exits when stdin closes at once', { timeout: limitMs }, async (t) => {
  const lines = new Lines(t, await thermometer(t));
  lines.closeInput();
  assert.deepEqual(await within(waitMs, 'end of the server', lines.ended), { code: 0, signal: null });
});

test('exits on SIGTERM', { timeout: limitMs }, async (t) => {
  const lines = new Lines(t, await thermometer(t));
  await lines.initialize();
  lines.kill('SIGTERM');
  const { code, signal } = await within(waitMs, 'end of the server', lines.ended);
  // By the signal itself, by the shell's way to pass that on, or in good order.
  assert.ok(signal === 'SIGTERM' || code === 143 || code === 0, `code ${code}, signal ${signal}`);
});

test('measures the time from start to first response', { timeout: limitMs }, async (t) => {
  const server = await thermometer(t);
  const started = performance.now();
  const lines = new Lines(t, server);
  await assertServes(lines);
  t.diagnostic(`start to first answer: ${(performance.now() - started).toFixed(1)} ms`);
});
