// SPDX-License-Identifier: Apache-2.0
// Prints what attach adds to the time of a call over a pipe, beside socat, and the memory of its processes; and what a
// request of either revision takes on a wire. The test fails only if a way gives no answer, because times depend on the
// machine.
//
// usage: node latency.test.mjs EVERYTHING_SERVER
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { attach, environment, limitMs, meta, server, within } from './support.mjs';

const first = 300;  // calls until Node.js has compiled what they use
const warmup = 5000;
const rounds = 5000;
const request = (id, name = 'test_simple_text') => `${JSON.stringify({
  jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {}, _meta: meta() },
})}\n`;

/** Microseconds of each call, in their order. */
function measure(child) {
  const times = [];
  let sent;
  let rest = '';
  return within('answers', new Promise((resolve) => {
    const next = () => {
      sent = process.hrtime.bigint();
      child.stdin.write(request(times.length));
    };
    child.stdout.on('data', (data) => {
      rest += data;
      if (!rest.endsWith('\n')) return;
      assert.match(rest, /simple text/);
      rest = '';
      times.push(Number(process.hrtime.bigint() - sent) / 1000);
      if (times.length < warmup + rounds) return next();
      child.stdout.removeAllListeners('data');
      resolve(times);
    });
    next();
  }), limitMs);
}

async function brokerOf(child) {
  child.stdin.write(request('broker', 'list_devices'));
  const [line] = await within('list_devices', once(child.stdout, 'data'));
  return JSON.parse(JSON.parse(line).result.content[0].text)[0].broker;
}

function at(times, part) {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length * part)]);
}
const kilobytes = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);

test('compares attach with a pipe and with socat', { timeout: 3 * limitMs }, async (t) => {
  const env = environment(t);
  const ways = {
    pipe: [server, ['--stdio']],
    socat: ['socat', ['-', `EXEC:${server} --stdio`]],
    attach: [process.execPath, [attach, 'exec', server, '--stdio']],
  };
  t.diagnostic(`| way | p50, us | p99, us | p50 of the first ${first}, us | memory of its processes, KB |`);
  for (const [name, [command, args]] of Object.entries(ways)) {
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = new Promise((resolve) => child.on('close', resolve));
    const times = await measure(child);
    const pids = [child.pid, ...(name === 'attach' ? [await brokerOf(child)] : [])];
    const steady = times.slice(warmup);
    const figures = [at(steady, 0.5), at(steady, 0.99), at(times.slice(0, first), 0.5), pids.map(kilobytes).join(' + ')];
    t.diagnostic(`| ${name} | ${figures.join(' | ')} |`);
    child.stdin.end();
    await within(`end of ${name}`, ended);
  }
});

test('compares the bytes of a request on a wire', (t) => {
  const params = { name: 'set_led', arguments: { on: true } };
  const clientInfo = { name: 'claude-ai', version: '0.1.0' };
  const capabilities = { elicitation: {}, sampling: {}, roots: { listChanged: true } };
  const bytes = (m) => JSON.stringify({ jsonrpc: '2.0', id: 17, ...m }).length + 1;
  const sizes = {
    'tools/call, 2025-11-25': bytes({ method: 'tools/call', params }),
    'tools/call, 2026-07-28': bytes({
      method: 'tools/call', params: { ...params, _meta: { ...meta({}, capabilities), 'io.modelcontextprotocol/clientInfo': clientInfo } },
    }),
    'resources/list, 2026-07-28, by attach': bytes({ method: 'resources/list', params: { _meta: meta() } }),
  };
  for (const [name, size] of Object.entries(sizes)) {
    t.diagnostic(`| ${name} | ${size} bytes | ${(size * 10 / 115.2).toFixed(1)} ms at 115200 baud | ${(size * 10 / 921.6).toFixed(1)} ms at 921600 |`);
  }
  assert.ok(Object.values(sizes).every((size) => size > 50));
});
