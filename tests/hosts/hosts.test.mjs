// SPDX-License-Identifier: Apache-2.0
// Hosts from npm use the greenhouse through attach, without a network: each lists its tools, calls one, is asked for consent, and reads
// a resource. A model on loopback (model.mjs) says what they do. Prints the table of hosts in toolchains/attach/README.md.
// tests/run --long installs the hosts into build/hosts; a host that is not there is skipped. It needs unshare and ip.
//
// usage: node hosts.test.mjs GREENHOUSE
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../at_end.mjs';
import { hosts } from './hosts.mjs';
import { serveModel } from './model.mjs';

const self = fileURLToPath(import.meta.url);
const root = fileURLToPath(new URL('../../', import.meta.url));
const modules = join(root, 'build/hosts/node_modules');
const attach = join(root, 'toolchains/attach/attach.cjs');
const [greenhouse] = process.argv.slice(2);
const limitMs = 240_000;  // of one turn: hosts wait for a network that is not there
const target = ['exec', greenhouse];

const [call, consent, read] = [{ name: 'set_valve', args: { bed: 1, open: true } },
  { name: 'water_bed', args: { bed: 1, seconds: 31 } },  // from 31 s on, it asks
  { name: 'read_beds', args: {} }];
/** What the result of `consent` says that the host has done. */
const outcomes = [
  [/has \d+ % moisture/, 'accepts without a person'], [/user declined/i, 'declines without a person'],
  [/made no decision/, 'cancels without a person'], [/cannot serve/, 'has no elicitation'],
];

if (!existsSync(modules)) {
  console.log('skipped: no hosts in build/hosts; tests/run --long installs them');
  process.exit(77);
}
// In a network with loopback alone. Hosts leave processes behind, which end with the first one of their own process ids.
if (!process.env.MOTE_HOSTS_ALONE) {
  const inside = 'ip link set lo up && exec "$@"';
  const words = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc', ...(process.getuid() === 0 ? [] : ['--map-root-user'])];
  if (spawnSync('unshare', [...words, 'sh', '-c', inside, 'sh', 'true']).status !== 0) {
    console.log('skipped: unshare or ip is not available here');
    process.exit(77);
  }
  const env = { ...process.env, MOTE_HOSTS_ALONE: '1' };
  const { status } = spawnSync('unshare', [...words, 'sh', '-c', inside, 'sh', process.execPath, self, greenhouse], { env, stdio: 'inherit' });
  process.exit(status ?? 1);
}

/** Runs a program to its end. @returns {Promise<{status: number | null, out: string}>} */
function run(program, args, options) {
  const command = program.endsWith('.js') ? [process.execPath, program] : [program];
  const child = spawn(command[0], [...command.slice(1), ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => { out += data; });
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), limitMs);
  return new Promise((resolve, reject) => child.on('error', reject).on('close', (status) => {
    clearTimeout(timer);
    resolve({ status, out });
  }));
}

/** The names of the tools that attach lists. */
async function listedNames(env) {
  const child = spawn(process.execPath, [attach, ...target], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (method, params) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: method, method, params })}\n`);
    for (;;) {
      const m = JSON.parse((await lines.next()).value);
      if (m.id === method) return m.result;
    }
  };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } });
  const { tools } = await ask('tools/list', {});
  child.stdin.end();
  return tools.map(({ name }) => name);
}

const rows = [];
test('has no network', async () => {
  const socket = createConnection(53, '192.0.2.1');  // an address for documents
  const error = await new Promise((resolve) => socket.on('error', resolve).on('connect', () => resolve(undefined)));
  assert.match(error?.code ?? '', /UNREACH/);
});

for (const host of hosts) {
  const program = join(modules, host.program);
  const isThere = existsSync(program) && process.arch === 'x64';
  const skip = !isThere && `${host.title} is not installed`;
  test(`${host.title} uses a board`, { timeout: 3 * limitMs, skip }, async (t) => {
    const home = mkdtempSync(join(tmpdir(), 'mote-host-'));
    const model = await serveModel([call, consent, read]);
    atEnd(t, () => {
      model.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    });
    const base = { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home, TERM: 'dumb', NO_COLOR: '1' };
    const options = { cwd: home, env: { ...base, ...host.env(model.url) } };
    host.settings?.(home, model.url);
    const { status } = spawnSync(process.execPath, [attach, 'config', host.key, '--name', 'board', '--write', '--', ...target], options);
    assert.equal(status, 0);
    const version = /\d+\.\d+\.\d+/.exec((await run(program, ['--version'], options)).out)?.[0];
    if (host.before) await run(program, host.before(model.url), options);
    const begin = Date.now();
    const turn = await run(program, host.args(home), options);
    const { tools, results } = model.seen;
    const story = JSON.stringify({ status: turn.status, out: turn.out.slice(-2000), seen: model.seen });
    const names = await listedNames({ ...base, XDG_RUNTIME_DIR: mkdtempSync(join(home, 'run-')) });
    const seen = names.filter((name) => tools.some((tool) => tool.endsWith(name))).length;
    assert.equal(results.length, 3, story);
    assert.match(results[0], /The valve of bed 1 is open/, story);
    const outcome = outcomes.find(([pattern]) => pattern.test(results[1]));
    assert.ok(outcome, story);
    assert.match(results[2], /"crop\\*": ?\\*"tomato/, story);
    assert.equal(seen, names.length, story);
    t.diagnostic(`one turn: ${((Date.now() - begin) / 1000).toFixed(0)} s`);
    rows.push(`| ${host.title} | ${version} | ${seen} of ${names.length} | ran | ${outcome[1]} | ran |`);
  });
}

test('prints the table', (t) => {
  t.diagnostic('| host | version | tools that the model sees | a call | asked for consent, it | a resource by `read_beds` |');
  t.diagnostic('|---|---|---|---|---|---|');
  for (const row of rows) t.diagnostic(row);
  const readme = readFileSync(join(root, 'toolchains/attach/README.md'), 'utf8');
  for (const { title, isNeeded } of hosts) if (isNeeded && process.arch === 'x64') assert.ok(rows.some((row) => row.startsWith(`| ${title} `)), title);
  for (const row of rows) assert.ok(readme.includes(row), `toolchains/attach/README.md has no row ${row}`);
});
