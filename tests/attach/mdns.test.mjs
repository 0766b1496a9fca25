// SPDX-License-Identifier: Apache-2.0
// mDNS with responders on loopback: no packet leaves the machine. usage: node mdns.test.mjs
import assert from 'node:assert/strict';
import dgram from 'node:dgram';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { openTarget } from '../../toolchains/attach/lib/ask.mjs';
import { browse, resolveMdns } from '../../toolchains/attach/lib/mdns.mjs';
import { openLink } from '../../toolchains/attach/lib/open_link.mjs';
import { brokerName, parseTarget } from '../../toolchains/attach/lib/target.mjs';

const require = createRequire(new URL('../../toolchains/attach/lib/mdns.mjs', import.meta.url));
const packets = createRequire(require.resolve('multicast-dns'))('dns-packet');
const type = '_mcp._tcp.local';

/** The records of a board. */
function boardOf(name, host, { txt = ['path=/mcp', 'proto=http', 'auth=none'], port = 80 } = {}) {
  const full = `${name}.${type}`;
  return {
    PTR: { name: type, type: 'PTR', ttl: 120, data: full },
    SRV: { name: full, type: 'SRV', ttl: 120, data: { port, target: `${host}.local` } },
    TXT: { name: full, type: 'TXT', ttl: 120, data: txt },
    A: { name: `${host}.local`, type: 'A', ttl: 120, data: '192.0.2.7' },
  };
}
const all = (board) => Object.values(board);

/** A responder that answers each query with the records that `answer` returns. Returns options for browse(). */
async function responder(t, answer) {
  const socket = dgram.createSocket('udp4');
  atEnd(t, () => socket.close());
  socket.on('message', (bytes, from) => {
    for (const records of answer(packets.decode(bytes).questions)) {
      socket.send(packets.encode({ type: 'response', answers: records }), from.port, from.address);
    }
  });
  await new Promise((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return [{ ip: '127.0.0.1', port: socket.address().port, bind: false, multicast: false }];
}

const count = (wanted) => (boards) => boards.length >= wanted;
const ms = 20_000;  // only ends a test that has already failed

test('lists boards with URL, address, version and the entries of TXT', async (t) => {
  const boiler = boardOf('Boiler', 'boiler', {
    txt: ['path=/api/mcp', 'proto=https', 'auth=bearer', 'Version=1.2.0', 'path=/second'], port: 8443,
  });
  const mdns = await responder(t, () => [all(boiler), all(boardOf('Attic', 'attic'))]);
  assert.deepEqual(await browse({ ms, isEnough: count(2), mdns }), [
    {
      url: 'http://attic.local/mcp', name: 'Attic', txt: { path: '/mcp', proto: 'http', auth: 'none' },
      address: '192.0.2.7',
    },
    {
      url: 'https://boiler.local:8443/api/mcp', name: 'Boiler', version: '1.2.0', address: '192.0.2.7',
      txt: { path: '/api/mcp', proto: 'https', auth: 'bearer', version: '1.2.0' },
    },
  ]);
});

test('asks in each network, and a board in two of them is one', async (t) => {
  const boiler = all(boardOf('Boiler', 'boiler'));
  const one = await responder(t, () => [boiler]);
  const other = await responder(t, () => [boiler, all(boardOf('Attic', 'attic'))]);
  const boards = await browse({ ms, isEnough: count(2), mdns: [...one, ...other] });
  assert.deepEqual(boards.map(({ name }) => name), ['Attic', 'Boiler']);
});

test('asks and listens by multicast', async (t) => {
  const group = '224.0.0.251';
  const socket = dgram.createSocket({ type: 'udp4', reuseAddr: true });
  atEnd(t, () => socket.close());
  await new Promise((resolve) => socket.bind(0, group, resolve));
  socket.addMembership(group, '127.0.0.1');
  socket.setMulticastInterface('127.0.0.1');
  const { port } = socket.address();
  socket.on('message', (bytes) => {
    if (packets.decode(bytes).type !== 'query') return;
    socket.send(packets.encode({ type: 'response', answers: all(boardOf('Boiler', 'boiler')) }), port, group);
  });
  const [board] = await browse({ ms, isEnough: count(1), mdns: [{ interface: '127.0.0.1', bind: group, port }] });
  assert.equal(board.url, 'http://boiler.local/mcp');
});

test('asks for the records that a response leaves out', async (t) => {
  const board = boardOf('Boiler', 'boiler');
  const asked = [];
  const mdns = await responder(t, (questions) => {
    asked.push(...questions.map(({ type: kind }) => kind));
    return [questions.map(({ type: kind }) => board[kind])];
  });
  const [found] = await browse({ ms, isEnough: count(1), mdns });
  assert.equal(found.address, '192.0.2.7');
  assert.deepEqual(asked, ['PTR', 'SRV', 'TXT', 'A']);
});

test('ends after the time limit, without a board that says goodbye', async (t) => {
  const board = boardOf('Boiler', 'boiler');
  const mdns = await responder(t, () => [all(board), [{ ...board.PTR, ttl: 0 }]]);
  assert.deepEqual(await browse({ ms: 300, mdns }), []);
});

test('ignores records after the first 1000', async (t) => {
  const boards = Array.from({ length: 300 }, (_, at) => all(boardOf(`board ${at}`, 'board')));
  const packet = (at) => boards.slice(at, at + 50).flat();
  const begins = [0, 50, 100, 150, 200, 250];
  const mdns = await responder(t, () => begins.map(packet));
  let read = 0;
  assert.equal((await browse({ ms, isEnough: () => ++read === begins.length, mdns })).length, 250);
});

test('leaves out an announcement that is no URL', async (t) => {
  const bad = [
    boardOf('one', 'one', { txt: ['proto=file', 'path=/mcp'] }), boardOf('two', 'two', { txt: ['path=mcp'] }),
    boardOf('three', 'a b'), boardOf('four', 'four', { txt: ['path=/ x'] }),
  ];
  const mdns = await responder(t, () => [...bad.map(all), all(boardOf('Boiler', 'boiler', { txt: ['auth=none'] }))]);
  const boards = await browse({ ms, isEnough: count(1), mdns });
  assert.deepEqual(boards.map(({ url }) => url), ['http://boiler.local/mcp']);
});

test('resolves a display name and a host name', async (t) => {
  const mdns = await responder(t, () => [all(boardOf('Boiler in the hall', 'boiler')), all(boardOf('Attic', 'attic'))]);
  for (const name of ['boiler in the hall', 'boiler', 'BOILER.local', 'boiler.local.']) {
    assert.equal((await resolveMdns(name, { ms, mdns })).url, 'http://boiler.local/mcp');
  }
});

test('says which boards answered if none has the name', async (t) => {
  // The records of Cellar are missing. A question for them means that the packets before were read.
  let isRead;
  const read = new Promise((resolve) => { isRead = resolve; });
  const mdns = await responder(t, (questions) => {
    const isFirst = !questions.some(({ type: asked }) => asked === 'SRV');
    if (isFirst) return [all(boardOf('Attic', 'attic')), [boardOf('Cellar', 'cellar').PTR]];
    isRead();
    return [];
  });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const rejected = assert.rejects(resolveMdns('boiler', { ms: 300, mdns }), {
    message: 'No board boiler answered by mDNS within 300 ms. There is: Attic (http://attic.local/mcp).',
  });
  await read;
  t.mock.timers.tick(300);
  await rejected;
  t.mock.timers.reset();
  const silent = await responder(t, () => []);
  await assert.rejects(resolveMdns('boiler', { ms: 100, mdns: silent }), /within 100 ms\. No board answered\.$/);
});

test('refuses to choose between two boards of one name', async (t) => {
  const one = boardOf('Boiler', 'one');
  const mdns = await responder(t, () => [[...all(one), ...all(boardOf('one', 'two'))]]);
  await assert.rejects(resolveMdns('one', { ms, mdns }), /^Error: Several boards have the name one: Boiler .*; one /);
});

test('says that the socket cannot be used', async (t) => {
  const taken = dgram.createSocket('udp4');
  atEnd(t, () => taken.close());
  await new Promise((resolve) => taken.bind(0, '127.0.0.1', resolve));
  const mdns = [{ port: taken.address().port, interface: '127.0.0.1', reuseAddr: false }];
  await assert.rejects(browse({ ms, mdns }), /^Error: Cannot use mDNS: /);
});

const secureBoard = (name, host) => boardOf(name, host, { txt: ['path=/mcp', 'proto=https', 'auth=bearer'], port: 443 });

test('takes https only where a secret is sent, in any order of the answers', async (t) => {
  const mdns = await responder(t, () => [all(boardOf('Attacker', 'boiler')), all(secureBoard('Boiler', 'boiler'))]);
  assert.equal((await resolveMdns('boiler', { ms, mdns, secure: true })).url, 'https://boiler.local/mcp');
  const open = await responder(t, () => [all(boardOf('Boiler', 'attacker'))]);
  await assert.rejects(resolveMdns('Boiler', { ms: 300, mdns: open, secure: true }), {
    message: /^Boiler announces http:\/\/attacker\.local\/mcp, which has no encryption\. .* add --plaintext\.$/,
  });
  assert.equal((await resolveMdns('Boiler', { ms, mdns: open })).url, 'http://attacker.local/mcp');
});

test('compares a name in .local with host names only', async (t) => {
  const mdns = await responder(t, () => [all(secureBoard('boiler.local', 'attacker')), all(secureBoard('Kitchen', 'boiler'))]);
  assert.equal((await resolveMdns('boiler.local', { ms, mdns, secure: true })).url, 'https://boiler.local/mcp');
});

test('sends a token or asks for a certificate over https only, without --plaintext', async (t) => {
  const seen = [];
  const device = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.end();
  });
  await new Promise((resolve) => device.listen(0, '127.0.0.1', resolve));
  atEnd(t, () => device.close());
  const url = `http://127.0.0.1:${device.address().port}/mcp`;
  const folder = mkdtempSync(join(tmpdir(), 'mote-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'token');
  writeFileSync(file, 'secret');
  const resolve = async () => ({ url });
  for (const option of ['--token-file', '--ca']) {
    const target = parseTarget(['mdns', 'boiler', option, file]);
    await assert.rejects(openLink(target, resolve), /no encryption/);
    await assert.rejects(openTarget(target, { resolve }), /no encryption/);
  }
  assert.deepEqual(seen, []);
  const post = { id: 1, method: 'ping' };
  for (const words of [['mdns', 'boiler', '--plaintext', '--token-file', file], ['http', url, '--token-file', file]]) {
    const link = await openLink(parseTarget(words), resolve);
    atEnd(t, () => link.close());
    const answered = new Promise((done) => link.on('message', done));
    link.send(post);
    await answered;
    assert.deepEqual(seen.splice(0), ['Bearer secret', 'Bearer secret']);
  }
  const open = await openLink(parseTarget(['mdns', 'boiler']), resolve);
  open.close();
  assert.deepEqual(seen, [undefined]);
  assert.throws(() => parseTarget(['http', url, '--plaintext']), /plaintext/);
  const [withIt, without] = [['--plaintext'], []].map((more) => brokerName(parseTarget(['mdns', 'boiler', ...more])));
  assert.notEqual(withIt, without);
});
