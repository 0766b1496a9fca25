// SPDX-License-Identifier: Apache-2.0
// A device behind each link of attach, for the fuzzer. `receive(m)` returns the texts that follow a message of attach. Each start
// resolves with the words of the target, and the device ends with the test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { atEnd } from '../../at_end.mjs';
import { connectMqtt } from '../../../examples/client/mqtt.mjs';
import { within } from '../support.mjs';

/** A device of lines at a Unix socket. */
async function listen(t, folder, receive, random) {
  const path = join(folder, `device-${random?.next() ?? 'honest'}.sock`);
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    const lines = createInterface({ input: socket });
    lines.on('line', async (line) => {
      if (line === '') return;
      for (const text of receive(JSON.parse(line))) {
        const end = random?.oneIn(100) ? random.pick(['', '\x00\xff\n', '\r\n', random.oneIn(10) ? '\n# mote boot 0000000a\n' : ' \n']) : '\n';
        if (!socket.write(text + end)) lines.pause();
      }
    });
    socket.on('drain', () => lines.resume());
  }).listen(path);
  atEnd(t, () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(server, 'listening');
  return path;
}

const exec = async (t, folder, receive, random) => ['exec', 'socat', '-', `UNIX-CONNECT:${await listen(t, folder, receive, random)}`];

async function serial(t, folder, receive, random) {
  const path = join(folder, 'tty');
  const watcher = watch(folder);
  const there = new Promise((resolve) => watcher.on('change', () => { if (existsSync(path)) resolve(); }));
  const socat = spawn('socat', [`PTY,link=${path},raw,echo=0`, `UNIX-CONNECT:${await listen(t, folder, receive, random)}`], { stdio: 'ignore' });
  const ended = new Promise((resolve) => socat.on('close', resolve));
  atEnd(t, async () => {
    socat.kill('SIGTERM');
    await within('end of socat', ended);
  });
  await within('port', there);
  watcher.close();
  return ['serial', path];
}

/** Sends texts as a body, as events, or in none of these ways. */
function respond(response, texts, random) {
  const status = random.oneIn(12) ? random.pick([202, 204, 400, 401, 404, 406, 500, 503]) : 200;
  const odd = random.oneIn(20) && { 'mcp-session-id': random.pick(['s', 'x'.repeat(5000), '\xff']) };
  if (random.oneIn(80)) return response.destroy();
  if (random.oneIn(2)) {
    const type = random.oneIn(20) ? random.pick(['text/plain', 'text/html', 'application/json; charset=x', ' ']) : 'application/json';
    response.writeHead(status, { 'content-type': type, ...odd });
    return response.end(random.oneIn(2) ? texts[0] : `[${texts.join(',')}]`);
  }
  response.writeHead(status, { 'content-type': 'text/event-stream', ...odd });
  for (const text of texts) {
    const line = random.pick(['\n', '\n', '\n', '\r\n', '\r']);
    response.write(`${random.oneIn(9) ? `id: 1${line}: c${line}` : ''}data: ${text.replaceAll('\n', `${line}data: `)}${line}${line}`);
  }
  if (random.oneIn(40)) response.destroy();
  else if (!random.oneIn(10)) response.end();
}

async function http(t, folder, receive, random, isHonest) {
  const server = createHttpServer(async (request, response) => {
    request.setEncoding('utf8');
    response.on('error', () => {});
    let body = '';
    for await (const text of request) body += text;
    if (body === '') return response.writeHead(405).end();
    const texts = receive(JSON.parse(body));
    if (!isHonest()) return respond(response, texts, random);
    const isStream = texts[0]?.includes('"method"');
    response.writeHead(texts.length > 0 ? 200 : 202, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
    if (isStream) response.write(`data: ${texts[0]}\n\n`);
    else response.end(texts[0]);
  }).listen(0, '127.0.0.1');
  atEnd(t, () => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return ['http', `http://127.0.0.1:${server.address().port}/mcp`];
}

/** A device of an MQTT broker. The target is all devices of this broker. */
export async function mqtt(t, broker, id, receive, random) {
  const place = `${id}/house/${id}`;
  const presence = `$mcp-server/presence/${place}`;
  const client = await connectMqtt(broker.url, { clientId: id, will: { topic: presence, payload: '', qos: 1, retain: true } });
  atEnd(t, () => client.endAsync(true));
  client.on('message', (_topic, payload, { properties }) => {
    const to = properties.userProperties['MCP-MQTT-CLIENT-ID'];
    for (const text of receive(JSON.parse(payload.toString()))) {
      const isOdd = random?.oneIn(60);
      const topic = isOdd ? random.pick([presence, `$mcp-server/capability/${place}`]) : `$mcp-rpc/${to}/${place}`;
      // An empty presence would say that the device has left.
      client.publish(topic, text, { qos: 0, retain: false });
    }
  });
  await client.subscribeAsync(`$mcp-server/${place}`, { qos: 0 });
  await client.publishAsync(presence, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/server/online', params: {} }), { qos: 1, retain: true });
}

export const links = { exec, serial, http };
