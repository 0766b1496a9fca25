// SPDX-License-Identifier: Apache-2.0
// mote-attach provision with thermometer_records, whose token then works over HTTP, and with a board of the test that
// has the settings of TLS and Wi-Fi. No output contains a secret. usage: node provision.test.mjs THERMOMETER_RECORDS
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { run } from '../../toolchains/attach/commands/provision.mjs';

const [thermometer] = process.argv.slice(2);
const secret = 'one-0123456789abcdef0123456789abcdef';

function folderOf(t) {
  const folder = mkdtempSync(join(tmpdir(), 'mote-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const file = (name, text) => (writeFileSync(join(folder, name), text), join(folder, name));
  return { folder, file };
}

async function provision(args, context = {}) {
  let out = '';
  let err = '';
  const [stdout, stderr] = [{ write: (text) => { out += text; } }, { write: (text) => { err += text; } }];
  return { status: await run(args, { stdout, stderr, ms: 20_000, ...context }), out, err };
}

/** A board with these settings, over streams. `reply` may replace the result of a tool. */
function board(names, reply = () => undefined) {
  const stored = {};
  const program = async () => {
    const [readable, writable] = [new PassThrough(), new PassThrough()];
    createInterface({ input: writable }).on('line', (line) => {
      if (line === '') return;
      const { id, method, params } = JSON.parse(line);
      const text = (...lines) => ({ result: { content: lines.map((each) => ({ type: 'text', text: each })) } });
      const answer = () => {
        if (method === 'server/discover') return { result: {} };
        if (params.name === 'setting_list') return text(...names.map((name) => `${name}: About it. Not set.`));
        stored[params.arguments.name] = params.arguments.value;
        return text(`${params.arguments.name} is stored.`);
      };
      readable.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...(reply(method, params) ?? answer()) })}\n`);
    });
    return { readable, writable, close: async () => {} };
  };
  return { stored, context: { openers: { program } } };
}
const target = ['--', 'exec', 'board'];

test('stores a token and a host name, and the token works', { timeout: 60_000 }, async (t) => {
  const { folder, file } = folderOf(t);
  const device = [thermometer, '--sensor', file('sensor', '21500\n'), '--records', join(folder, 'records')];
  const options = ['--token-file', file('token', `${secret}\n`), '--token-grace', '0', '--host-name', 'boiler'];
  const { status, out, err } = await provision([...options, '--', 'exec', ...device]);
  assert.equal(err, '');
  assert.equal(status, 0);
  assert.equal(out, 'token is stored.\ntoken_grace_s is stored.\nhost_name is stored.\n');

  const listed = await provision(['--', 'exec', ...device]);
  assert.match(listed.out, /^token: .* Set, and not shown\.\ntoken_grace_s: .* Set: 0\nhost_name: .* Set: boiler\n$/);

  const child = spawn(device[0], device.slice(1), { stdio: ['pipe', 'pipe', 'ignore'] });
  atEnd(t, () => child.kill());
  const params = {
    uri: 'device://url', _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  const answer = new Promise((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params })}\n`);
  const url = JSON.parse(await answer).result.contents[0].text;
  const accept = 'application/json, text/event-stream';
  const ping = async (token) => (await fetch(url, {
    method: 'POST', body: JSON.stringify({
      jsonrpc: '2.0', id: 1, method: 'initialize', params: {
        protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' },
      },
    }),
    headers: { 'content-type': 'application/json', accept, authorization: `Bearer ${token}` },
  })).status;
  assert.equal(await ping(secret), 200);
  assert.equal(await ping('other'), 401);
});

test('reports a value that the board rejects, without the value', async (t) => {
  const { folder, file } = folderOf(t);
  const device = [thermometer, '--sensor', file('sensor', '21500\n'), '--records', join(folder, 'records')];
  const bad = 'a token with spaces';
  const { status, out, err } = await provision(['--token-file', file('token', bad), '--', 'exec', ...device]);
  assert.equal(status, 1);
  assert.equal(out, '');
  assert.equal(err, 'This is not a valid value of token.\n');
});

test('stores a token over a serial port', async (t) => {
  const { folder, file } = folderOf(t);
  const path = join(folder, 'port');
  const command = `${thermometer} --sensor ${file('sensor', '21500\n')} --records ${join(folder, 'records')}`;
  const ends = [`pty,raw,echo=0,link=${path}`, `EXEC:${command}`];
  const socat = spawn('socat', ['-d', '-d', ...ends], { stdio: ['ignore', 'ignore', 'pipe'] });
  atEnd(t, () => socat.kill());
  await new Promise((resolve, reject) => {
    socat.on('error', reject).on('exit', () => reject(new Error('socat ended')));
    createInterface({ input: socat.stderr }).on('line', (line) => /data transfer loop/.test(line) && resolve());
  });
  const token = file('token', secret);
  const { status, out, err } = await provision(['serial', path, '--baud', '57600', '--token-file', token]);
  assert.equal(err, '');
  assert.equal(out, 'token is stored.\n');
  assert.equal(status, 0);
});

test('stores Wi-Fi, key, certificate, broker and others by the names of the board', async (t) => {
  const { folder, file } = folderOf(t);
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes',
    '-subj', '/CN=b', '-keyout', 'key.pem', '-out', 'certificate.pem'], { cwd: folder, stdio: 'ignore' });
  const der = ['-outform', 'DER', '-out'];
  execFileSync('openssl', ['x509', '-in', 'certificate.pem', ...der, 'certificate.der'], { cwd: folder });
  execFileSync('openssl', ['pkcs8', '-topk8', '-nocrypt', '-in', 'key.pem', ...der, 'key.der'], { cwd: folder });
  const names = ['wifi_ssid', 'wifi_pass', 'key', 'certificate', 'broker', 'unit', 'blob'];
  const device = board(names);
  const { status, out, err } = await provision([
    '--wifi-ssid', 'Home', '--wifi-passphrase-file', file('pass', 'correct horse\r\n'),
    '--key', join(folder, 'key.pem'), '--certificate', join(folder, 'certificate.pem'),
    '--broker', 'mqtt://192.0.2.1', '--set-file',
    `unit=${file('unit', 'K')}`, '--data-file', `blob=${file('blob', Buffer.from([0, 255]))}`, ...target,
  ], device.context);
  assert.equal(err, '');
  assert.equal(status, 0);
  const base64 = (name) => readFileSync(join(folder, name)).toString('base64');
  assert.deepEqual(device.stored, {
    wifi_ssid: 'Home', wifi_pass: 'correct horse', key: base64('key.der'), certificate: base64('certificate.der'),
    broker: 'mqtt://192.0.2.1', unit: 'K', blob: 'AP8=',
  });
  assert.deepEqual(out.match(/^\w+(?= is stored\.$)/gm).sort(), [...names].sort());
  const other = board(['certificate']);
  await provision(['--certificate', join(folder, 'certificate.der'), ...target], other.context);
  assert.equal(other.stored.certificate, base64('certificate.der'));
});

test('stores nothing if the board does not have all of the settings', async () => {
  const device = board(['token', 'ssid']);
  const { status, out, err } = await provision(['--wifi-ssid', 'Home', '--broker', 'b', ...target], device.context);
  assert.equal(status, 1);
  assert.equal(out, '');
  assert.equal(err, 'Nothing is stored: the board has no setting for --broker. It has: token, ssid.\n');
  assert.deepEqual(device.stored, {});
});

test('prints no secret that a board repeats', async (t) => {
  const { file } = folderOf(t);
  const failed = { result: { isError: true, content: [{ type: 'text', text: `"${secret}" is bad` }] } };
  for (const reply of [
    failed, { error: { code: -32602, message: `no ${secret}` } },
    { result: { content: [{ type: 'text', text: `stored ${secret}` }] } },
  ]) {
    const device = board(['token'], (_, params) => (params.name === 'setting_set' ? reply : undefined));
    const { out, err } = await provision(['--token-file', file('token', secret), ...target], device.context);
    assert.match(out + err, /\[secret\]/);
    assert.ok(!(out + err).includes(secret));
  }
});

test('says that a board has no tools for settings, or does not answer', async () => {
  const error = { code: -32602, message: 'Unknown' };
  const device = board([], (method) => (method === 'tools/call' ? { error } : undefined));
  const { status, err } = await provision(target, device.context);
  assert.equal(status, 1);
  assert.equal(err, 'The board has no tools for settings at this wire (setting_list: Unknown).\n');
  assert.match((await provision(['--', 'exec', 'true'])).err, /^The link has ended\.\n$|EPIPE/);
  assert.match((await provision(['serial', '/dev/none'])).err, /^There is no serial port \/dev\/none\./);
});

test('reads a secret from stdin', (t) => {
  const { folder, file } = folderOf(t);
  const command = new URL('../../toolchains/attach/commands/provision.mjs', import.meta.url);
  const script = file('run.mjs', `import { run } from ${JSON.stringify(command)};
    process.exit(await run(process.argv.slice(2), process));`);
  const device = [thermometer, '--sensor', file('sensor', '21500\n'), '--records', join(folder, 'records')];
  const { status, stdout } = spawnSync(process.execPath, [script, '--token-file', '-', '--', 'exec', ...device], {
    input: `${secret}\n`, encoding: 'utf8',
  });
  assert.equal(stdout, 'token is stored.\n');
  assert.equal(status, 0);
});

test('refuses wrong arguments with the usage', async (t) => {
  const { file } = folderOf(t);
  const block = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  const locked = '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n';
  for (const [args, sentence] of [
    [['--', 'http', 'http://192.0.2.7/mcp'], /only over its UART or stdio/], [['mdns', 'boiler'], /only over its UART/],
    [['--token', secret, ...target], /Unknown option '--token'/], [[], /A TARGET is/],
    [['--token-file', '/nonexistent', ...target], /ENOENT/],
    [['--token-file', file('empty', '\n'), ...target], /--token-file: the value is empty/],
    [['--certificate', file('chain', block + block), ...target], /has 2 PEM blocks, and a setting holds one/],
    [['--key', file('locked', locked), ...target], /is encrypted/],
    [['--set-file', 'name', ...target], /--set-file needs NAME=FILE/],
    [['--token-file', '-', '--set-file', 'x=-', ...target], /Only one FILE may be -/],
  ]) {
    const { status, err } = await provision(args);
    assert.equal(status, 2);
    assert.match(err, sentence);
    assert.match(err, /mote-attach provision \[OPTION\]/);
    assert.ok(!err.includes(secret));
  }
  assert.match((await provision(['--help'])).out, /^mote-attach provision/);
});
