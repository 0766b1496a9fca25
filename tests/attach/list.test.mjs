// SPDX-License-Identifier: Apache-2.0
// mote-attach list with serial ports of a folder, streams in the place of boards, and a responder on loopback; then the
// host's everything_server over HTTP. usage: node list.test.mjs EVERYTHING_SERVER
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import dgram from 'node:dgram';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { run, usage } from '../../toolchains/attach/commands/list.mjs';

const require = createRequire(new URL('../../toolchains/attach/lib/mdns.mjs', import.meta.url));
const packets = createRequire(require.resolve('multicast-dns'))('dns-packet');
const [server] = process.argv.slice(2);

/** A machine with one Pico, one CH340 adapter, and one UART. */
function machine(t) {
  const root = mkdtempSync(join(tmpdir(), 'mote-'));
  atEnd(t, () => rmSync(root, { recursive: true, force: true }));
  const ttys = { ttyACM0: ['2e8a', '000a', 'E66'], ttyUSB0: ['1a86', '7523'], ttyS0: [] };
  for (const [name, [vendor, product, serial]] of Object.entries(ttys)) {
    const device = join(root, 'sys/devices', name);
    mkdirSync(device, { recursive: true });
    mkdirSync(join(root, 'sys/class/tty', name), { recursive: true });
    symlinkSync(device, join(root, 'sys/class/tty', name, 'device'));
    if (vendor) writeFileSync(join(device, 'idVendor'), vendor), writeFileSync(join(device, 'idProduct'), product);
    if (serial) writeFileSync(join(device, 'serial'), serial);
  }
  return { root, platform: 'linux' };
}

/** A board that answers server/discover with `reply`, and keeps what it was asked. */
function board(reply) {
  const toBoard = new PassThrough();
  const fromBoard = new PassThrough();
  const asked = [];
  createInterface({ input: toBoard }).on('line', (line) => {
    if (line === '') return;
    const { id, method } = JSON.parse(line);
    asked.push(method);
    fromBoard.write(`boot text\n${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`);
  });
  return { asked, link: { readable: fromBoard, writable: toBoard, close: async () => { asked.push('close'); } } };
}

const discover = {
  result: {
    supportedVersions: ['2026-07-28'], capabilities: {},
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'thermo\u001b[2Jmeter', version: '1.0.0' } },
  },
};

/** Options of browse(), for which `records` are the answer to each query. */
async function network(t, records) {
  const socket = dgram.createSocket('udp4');
  atEnd(t, () => socket.close());
  socket.on('message', (_, from) => {
    socket.send(packets.encode({ type: 'response', answers: records }), from.port, from.address);
  });
  await new Promise((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const mdns = [{ ip: '127.0.0.1', port: socket.address().port, bind: false, multicast: false }];
  return { mdns, isEnough: (boards) => boards.length > 0 };
}
const quiet = (t) => network(t, []);

function output() {
  const lines = { out: '', err: '' };
  return {
    lines,
    stdout: { write: (text) => { lines.out += text; } }, stderr: { write: (text) => { lines.err += text; } },
  };
}

test('asks a known board, and neither an adapter nor a UART', async (t) => {
  const pico = board(discover);
  const opened = [];
  const { lines, ...streams } = output();
  const openers = { find: async ({ path }) => ({ path }), serial: async (...args) => (opened.push(args), pico.link) };
  const status = await run(['--ms', '100'], { ...streams, places: machine(t), openers, mdns: await quiet(t) });
  assert.equal(status, 0);
  assert.deepEqual(opened, [['/dev/ttyACM0', 115200]]);
  assert.deepEqual(pico.asked, ['server/discover', 'close']);
  assert.equal(lines.out, [
    'serial  /dev/ttyACM0  thermo?[2Jmeter 1.0.0 (2026-07-28), Raspberry Pi Pico  ->  ' +
      'mote-attach serial --usb 2e8a:000a:E66',
    'serial  /dev/ttyS0  not asked  ->  mote-attach serial /dev/ttyS0',
    'serial  /dev/ttyUSB0  CH340 adapter  ->  mote-attach serial --usb 1a86:7523', '',
  ].join('\n'));
});

test('asks each port with --probe, and says why one gave no name', async (t) => {
  const { lines, ...streams } = output();
  const legacy = board({ error: { code: -32601, message: 'Method not found' } });
  const links = { '/dev/ttyACM0': board(discover).link, '/dev/ttyS0': legacy.link };
  const openers = {
    find: async ({ path }) => ({ path }),
    serial: async (path) => links[path] ?? Promise.reject(new Error('Permission denied')),
  };
  const context = { ...streams, places: machine(t), openers, mdns: await quiet(t) };
  assert.equal(await run(['--probe', '--json', '--ms', '100'], context), 0);
  const [pico, uart, adapter] = JSON.parse(lines.out);
  assert.equal(pico.revision, '2026-07-28');
  assert.equal(uart.problem, 'Method not found');
  assert.deepEqual(legacy.asked, ['server/discover', 'initialize', 'close']);
  assert.deepEqual(adapter.target, ['serial', '--usb', '1a86:7523']);
  assert.equal(adapter.problem, 'Permission denied');
});

test('lists a board of the network, and asks it with --probe at its address', async (t) => {
  const child = spawn(server, ['--port', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  atEnd(t, () => child.kill());
  const port = await new Promise((resolve) => {
    createInterface({ input: child.stderr }).on('line', (line) => resolve(Number(/:(\d+)\//.exec(line)[1])));
  });
  const name = 'All of it._mcp._tcp.local';
  // The server allows the host localhost, and the address comes from the record.
  const records = [
    { name: '_mcp._tcp.local', type: 'PTR', ttl: 120, data: name },
    { name, type: 'SRV', ttl: 120, data: { port, target: 'localhost' } },
    { name, type: 'TXT', ttl: 120, data: ['path=/mcp', 'proto=http', 'auth=none'] },
    { name: 'localhost', type: 'A', ttl: 120, data: '127.0.0.1' },
  ];
  const places = { root: '/nonexistent', platform: 'linux' };
  const first = output();
  assert.equal(await run([], { ...first, places, mdns: await network(t, records) }), 0);
  assert.equal(first.lines.out, `mdns  http://localhost:${port}/mcp  All of it  ->  mote-attach mdns 'All of it'\n`);
  const { lines, ...streams } = output();
  assert.equal(await run(['--probe', '--json'], { ...streams, places, mdns: await network(t, records) }), 0);
  const [row] = JSON.parse(lines.out);
  assert.deepEqual([row.name, row.version, row.revision], ['everything', '1.0.0', '2026-07-28']);
});

test('lists serial ports although mDNS cannot be used, and fails', async (t) => {
  const { lines, ...streams } = output();
  const taken = dgram.createSocket('udp4');
  atEnd(t, () => taken.close());
  await new Promise((resolve) => taken.bind(0, '127.0.0.1', resolve));
  const mdns = { mdns: [{ port: taken.address().port, interface: '127.0.0.1', reuseAddr: false }] };
  const openers = { find: async ({ path }) => ({ path }), serial: async () => Promise.reject(new Error('busy')) };
  assert.equal(await run([], { ...streams, places: machine(t), openers, mdns }), 1);
  assert.match(lines.err, /^Cannot use mDNS: /);
  assert.match(lines.out, /ttyACM0  Raspberry Pi Pico, no answer: busy /);
});

test('says that there is nothing, and refuses other arguments', async (t) => {
  const { lines, ...streams } = output();
  const places = { root: '/nonexistent', platform: 'linux' };
  assert.equal(await run(['--ms', '1'], { ...streams, places, mdns: await quiet(t) }), 0);
  assert.equal(lines.out, 'No serial port, and no board that answers by mDNS.\n');
  for (const args of [['--nothing'], ['--ms', 'soon'], ['more']]) assert.equal(await run(args, streams), 2);
  assert.ok(lines.err.includes(usage));
  assert.equal(await run(['--help'], streams), 0);
});
