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
        if (method === 'resources/read') return { error: { code: -32002, message: 'Resource not found' } };
        const { name, value } = params.arguments;
        if (params.name === 'setting_erase') return delete stored[name], text(`${name} is erased.`);
        stored[name] = value;
        return text(`${name} is stored.`);
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

// ---- The network ----

/** Provisions a board whose device://network is each of these texts, one after another. Returns the pauses, too. */
async function joinWith(texts, args = ['--wifi-ssid', 'Home']) {
  const waits = [];
  let seconds = 0;
  const device = board(['wifi_ssid', 'wifi_password', 'token'], (method) => {
    if (method !== 'resources/read') return undefined;
    const text = texts.length > 1 ? texts.shift() : texts[0];
    return { result: { contents: [{ uri: 'device://network', text }] } };
  });
  const pause = async (ms) => { waits.push(ms), seconds += ms / 1000; };
  const result = await provision([...args, ...target], { ...device.context, pause, now: () => 1000 * seconds });
  return { ...result, waits, seconds };
}
const report = (state, failures = 0, reason = '', url = '') => JSON.stringify({ state, failures, reason, url });

test('waits until the board has joined the network, and prints its URL', async () => {
  const { status, out, err, waits } = await joinWith([report('joining'), report('joining', 1, 'no such network'),
    report('joined', 0, '', 'http://192.0.2.7/mcp')]);
  assert.equal(err, '');
  assert.equal(out, 'wifi_ssid is stored.\nThe board has joined the network. URL: http://192.0.2.7/mcp\n');
  assert.equal(status, 0);
  assert.deepEqual(waits, [500, 500]);
});

test('reports why the board cannot join, after its second attempt', async () => {
  const { status, err, waits } = await joinWith([report('joining'), report('joining', 1, 'rejected'),
    report('joining', 2, 'rejected; is the passphrase right?')]);
  assert.equal(err, 'All is stored, but the board cannot join the network (rejected; is the passphrase right?).\n');
  assert.equal(status, 1);
  assert.equal(waits.length, 2);
});

test('ends its wait for the network after the seconds of --wait', async () => {
  const none = await joinWith([report('joining', 0, 'no address from DHCP yet')]);
  assert.equal(none.err, 'All is stored, but the board is not in the network after 60 s (no address from DHCP yet).\n');
  assert.equal(none.seconds, 60);
  const short = await joinWith([report('joining')], ['--wifi-ssid', 'Home', '--wait', '2']);
  assert.equal(short.err, 'All is stored, but the board is not in the network after 2 s.\n');
  assert.equal(short.status, 1);
  const never = await joinWith([report('joining')], ['--wifi-ssid', 'Home', '--wait', '0']);
  assert.deepEqual([never.status, never.err, never.waits], [0, '', []]);
});

test('erases also a value that reads as if there were none', async () => {
  const lines = ['wifi_ssid: About it. Set: Not set.', 'unit: About it. Not set.', 'host_name: Set: porch'];
  const device = board([], (method, { name }) => name !== 'setting_list' ? undefined
    : { result: { content: lines.map((text) => ({ type: 'text', text })) } });
  const { status, out } = await provision(['--erase', ...target], device.context);
  assert.equal(out, 'wifi_ssid is erased.\nhost_name is erased.\n');
  assert.equal(status, 0);
});

test('waits for no network that has not changed', async (t) => {
  const { file } = folderOf(t);
  const { status, out } = await joinWith(['no report'], ['--token-file', file('token', secret)]);
  assert.equal(out, 'token is stored.\n');
  assert.equal(status, 0);
});

test('rejects reports of a board that are not valid, and prints no control characters', async () => {
  for (const text of ['', 'null', '[]', '{"state":"up"}', '{']) {
    const { status, err } = await joinWith([text]);
    assert.equal(err, "All is stored. The board's device://network is not valid.\n");
    assert.equal(status, 1);
  }
  const unset = await joinWith([report('unset')]);
  assert.equal(unset.err, 'All is stored. The board joins no network, because none is set.\n');
  assert.match((await joinWith([report('joining', 2, '\u001b[2J')])).err, /network \(\?\[2J\)\./);
  assert.match((await joinWith([report('joined', 0, '', '\u0007')])).out, /URL: \?\n$/);
  assert.match((await joinWith(['{"state":"joined","url":7,"failures":"x"}'])).out, /joined the network\.\n$/);
});

test('stores the passphrase before the network, and erases the network before it', async (t) => {
  const { file } = folderOf(t);
  const names = ['wifi_ssid', 'wifi_password', 'token', 'host_name'];
  const device = board(names);
  const { out } = await provision(['--wifi-ssid', 'Home', '--wifi-passphrase-file', file('pass', 'horse'), ...target],
    device.context);
  assert.equal(out, 'wifi_password is stored.\nwifi_ssid is stored.\n');
  // host_name is not set, and the token comes before the network.
  const listed = ['token: A. Set, and not shown.', 'wifi_password: B. Set, and not shown.', 'wifi_ssid: C. Set: Home',
    'host_name: D. Not set.'];
  const set = board(names, (method, params) => params?.name === 'setting_list'
    ? { result: { content: listed.map((text) => ({ type: 'text', text })) } } : undefined);
  const erased = await provision(['--erase', ...target], set.context);
  assert.equal(erased.err, '');
  assert.equal(erased.out, 'wifi_ssid is erased.\ntoken is erased.\nwifi_password is erased.\n');
  assert.equal(erased.status, 0);
  const empty = await provision(['--erase', ...target], device.context);
  assert.equal(empty.out, 'No setting is set.\n');
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
    [['--erase', '--wifi-ssid', 'Home', ...target], /--erase takes no settings/],
    [['--erase', '--set-file', 'x=y', ...target], /--erase takes no settings/],
    [['--wait', '3601', ...target], /--wait needs seconds from 0 to 3600/],
    [['--wait', '-1', ...target], /--wait/], [['--wait', '1.5', ...target], /--wait needs seconds/],
  ]) {
    const { status, err } = await provision(args);
    assert.equal(status, 2);
    assert.match(err, sentence);
    assert.match(err, /mote-attach provision \[OPTION\]/);
    assert.ok(!err.includes(secret));
  }
  assert.match((await provision(['--help'])).out, /^mote-attach provision/);
});
