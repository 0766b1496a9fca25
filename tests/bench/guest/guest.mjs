// SPDX-License-Identifier: Apache-2.0
// Measures the cost of a request on an emulated board: in instructions with a plugin of the emulator (counter.c), or in
// requests per second without it. The image is a thermometer. This program is its client.
//
// usage: node guest.mjs count PLUGIN EMULATE BOARD uart|http|https IMAGE [CERTIFICATE]
//        node guest.mjs energy|idle PLUGIN EMULATE lm3s6965evb uart|http|https IMAGE [CERTIFICATE]
//        node guest.mjs rate EMULATE BOARD uart|http|https IMAGE [CERTIFICATE]
//   CERTIFICATE  the authority that the board's certificate is from, PEM
//
// Prints lines of a name, a tab and a number; besides the rate how much of the stack was in use, by its paint. What is
// counted is the same each time:
//   - Over the UART one byte is sent at a time, when the processor sleeps again: so each byte wakes it, as on a line of
//     115200 baud. A request costs the sum of these; each byte is counted as the least of several requests, since
//     a timer may strike at any time.
//   - A TLS handshake costs all that happens until its client has been quiet for a while. Its longest step is what the
//     main loop does between two checks for events. No other client is served meanwhile.
//   - Over the network a request is one frame. It costs what happens until the processor sleeps after the answer, as the
//     least of many requests: the frame that acknowledges the answer sometimes comes before that sleep.
//
// `energy` prints what wakes the processor in eight seconds of the board by its cause, and the instructions of these
// seconds: for each number of subscribers while no request comes, and for a client with ten requests a second. `idle`
// counts the wake-ups without requests.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { Qmp } from '../../../examples/client/qmp.mjs';
import { within } from '../../../examples/client/session.mjs';
import { addressOf, usedStack } from '../../../examples/client/stack.mjs';

const [mode, ...rest] = process.argv.slice(2);
const countsCauses = mode === 'energy' || mode === 'idle';
const plugin = mode === 'rate' ? undefined : rest.shift();
const [emulate, board, way, image, certificate] = rest;

const limitMs = 60_000;  // For everything that is waited for.
const acknowledgementMs = 50;  // To wait for output that may not come.
const quietMs = 500;  // After this a handshake is over.
const requestIntervalMs = 100;

const initialize = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",' +
  '"capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}';
const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
// So that the sensor is not read while requests are counted.
const sampleSeldom = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"set_sample_interval",' +
  '"arguments":{"milliseconds":60000}}}';
const sampleEachSecond = sampleSeldom.replace('60000', '1000');
const subscribe = '{"jsonrpc":"2.0","id":3,"method":"resources/subscribe","params":{"uri":"sensor://temperature"}}';
const listen = '{"jsonrpc":"2.0","id":"listen","method":"subscriptions/listen","params":{"notifications":' +
  '{"resourceSubscriptions":["sensor://temperature"]},"_meta":{"io.modelcontextprotocol/protocolVersion":' +
  '"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}';
// Their ids and names are as long as those of the bench on a PC (requests.hpp).
const measured = {
  'ping': '{"jsonrpc":"2.0","id":1000000,"method":"ping"}',
  'tools/call': '{"jsonrpc":"2.0","id":1000000,"method":"tools/call","params":{"name":"set_led",' +
    '"arguments":{"on":true}}}',
};

/** Things that come one after the other, and somebody who waits for them. */
class Arrivals {
  #here = [];
  #wanted = [];

  add(thing) {
    const resolve = this.#wanted.shift();
    if (resolve) resolve(thing);
    else this.#here.push(thing);
  }

  next(what) {
    if (this.#here.length > 0) return Promise.resolve(this.#here.shift());
    return within(limitMs, what, new Promise((resolve) => this.#wanted.push(resolve)));
  }

  /** Resolves with undefined when nothing comes in this time. */
  nextWithin(ms) {
    if (this.#here.length > 0) return Promise.resolve(this.#here.shift());
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#wanted.splice(this.#wanted.indexOf(take), 1);
        resolve(undefined);
      }, ms);
      const take = (thing) => {
        clearTimeout(timer);
        resolve(thing);
      };
      this.#wanted.push(take);
    });
  }

  forget() {
    this.#here = [];
  }
}

/** The lines of a stream, as they come. Calls `see` with each at once. */
function linesOf(stream, see = () => {}) {
  const lines = new Arrivals();
  let begun = '';
  stream.setEncoding('utf8').on('data', (text) => {
    const complete = (begun + text).split('\n');
    begun = complete.pop();
    for (const line of complete) {
      see(line);
      lines.add(line.replace(/\r$/, ''));
    }
  });
  return lines;
}

/** What wakes the processor when something comes: the handler of the interrupt. */
function markedHandler() {
  if (board === 'virt') return addressOf(image, 'external_interrupt_handler');
  return handler(way === 'uart' ? 'uart0_handler' : 'ethernet_handler');
}

function handler(name) {
  return addressOf(image, name) & ~1n;  // bit 0 marks Thumb code
}

// The bits of a wake-up (counter.c) in the order of their marks.
const causes = { clock: 'systick_handler', deadline: 'timer0a_handler', uart: 'uart0_handler', network: 'ethernet_handler' };
const causesOfWay = Object.keys(causes).filter((cause) => cause !== 'network' || way !== 'uart');

function bitOf(cause) {
  return 1 << causesOfWay.indexOf(cause);
}

function pluginOptions() {
  const marks = countsCauses ? causesOfWay.map((cause) => handler(causes[cause])) : [markedHandler()];
  const lap = way === 'https' ? `,lap=${lapFunction().toString(16)}` : '';
  return `out=3${marks.map((mark) => `,mark=${mark.toString(16)}`).join('')}${countsCauses ? ',causes=on' : lap}`;
}

/** What the main loop calls in each round. */
function lapFunction() {
  return addressOf(image, '_ZN5board14wait_for_eventEm') & ~(board === 'virt' ? 0n : 1n);
}

/** The emulated board with the image: `input`, `lines` of its UART, `port` of this machine, `counts` of the plugin. */
class Board {
  #child;

  constructor(plugin, qmpSocket) {
    const more = ['-qmp', `unix:${qmpSocket},server=off`];
    if (plugin) more.push('-plugin', `${plugin},${pluginOptions()}`);
    const boardPort = { uart: [], http: ['--forward', '80'], https: ['--forward', '443'] }[way];
    const stdio = ['pipe', 'pipe', 'pipe', 'pipe'];
    this.#child = spawn(emulate, [board, image, ...boardPort, '--', ...more], { stdio });
    process.on('exit', () => this.#child.kill('SIGTERM'));
    this.input = this.#child.stdin;
    this.lines = linesOf(this.#child.stdout);
    this.messages = linesOf(this.#child.stderr);
    this.woken = new Arrivals();  // by an interrupt of the UART, if causes are counted
    this.counts = linesOf(this.#child.stdio[3], (line) => {  // See countOf() and countWakeUps().
      if (countsCauses && (Number(line.split(' ')[1]) & bitOf('uart')) !== 0) this.woken.add(true);
    });
  }

  /** Resolves with the port when the image listens at it. */
  async port() {
    for (;;) {
      const line = await this.lines.next('word of the board');
      if (line.startsWith('listening on ') && !line.includes('(no address)')) break;
    }
    const told = await this.messages.next('port');
    const [, port] = /^port \d+ of the board is 127\.0\.0\.1:(\d+)$/.exec(told) ?? [];
    if (port === undefined) throw new Error(`the emulator says: ${told}`);
    return Number(port);
  }

  /** Resolves when the image has announced its name: from then on each round of its main loop compares it. */
  async named() {
    while (!/^listening on http:.*\.local\//.test(await this.lines.next('name of the board')));
  }

  end() {
    const ended = new Promise((resolve) => this.#child.on('close', resolve));
    this.#child.kill('SIGTERM');
    return within(limitMs, 'end of the emulator', ended);
  }
}

/** The instructions in a line of the plugin, and the most of one lap. */
function countOf(line) {
  const [count, longest] = line.split(' ').map(Number);
  return { count, longest };
}

/** A client on the UART. */
class UartClient {
  constructor(server) {
    this.server = server;
  }

  /** Sends one message as a whole, and waits for the answer if one is to come. */
  async ask(json, isAnswered = true) {
    this.server.input.write(`${json}\n`);
    if (isAnswered) await this.server.lines.next('answer');
  }

  /** The same, byte by byte, if causes are counted. */
  async askSlowly(json) {
    for (const byte of Buffer.from(`${json}\n`)) {
      this.server.woken.forget();
      this.server.input.write(Buffer.of(byte));
      await this.server.woken.next('wake-up by a byte');
    }
    await this.server.lines.next('answer');
  }

  /** Resolves with the instructions that each byte of the message took. */
  async countBytes(json, isAnswered = true) {
    const counts = [];
    for (const byte of Buffer.from(`${json}\n`)) {
      this.server.input.write(Buffer.of(byte));
      counts.push(countOf(await this.server.counts.next('count')).count);
    }
    if (isAnswered) await this.server.lines.next('answer');
    return counts;
  }

  async begin(send) {
    await send(initialize);
    await send(initialized, false);
    await send(sampleSeldom);
  }

  async subscribe() {
    await this.ask(subscribe);
  }

  /** A subscriber without a session, one of those with different ids. */
  async listen(id) {
    await this.ask(listen.replace('"id":"listen"', `"id":"${id}"`));
  }

  async count() {
    const send = (json, isAnswered) => this.countBytes(json, isAnswered);
    await this.begin(send);
    for (const [name, json] of Object.entries(measured)) {
      let least = await send(json);
      for (let again = 0; again < 4; ++again) {
        const counts = await send(json);
        least = least.map((count, i) => Math.min(count, counts[i]));
      }
      if (name === 'ping') print('a byte of a message', least[1]);
      print(`${name}, its last byte and the response`, least.at(-1));
      print(name, least.reduce((sum, count) => sum + count));
    }
  }
}

/** A client with one connection over HTTP or HTTPS. */
class HttpClient {
  #socket;
  #session = '';
  #received = '';
  #answered = () => {};

  constructor(server) {
    this.server = server;
  }

  #connectTls(port) {
    return connectTls({ port, host: '127.0.0.1', ca: readFileSync(certificate), servername: 'localhost' });
  }

  async connect() {
    this.port = await this.server.port();
    if (way === 'http') await this.server.named();
    this.#socket = way === 'http' ? connectTcp(this.port, '127.0.0.1') : this.#connectTls(this.port);
    this.#socket.setNoDelay(true);
    this.#socket.setEncoding('latin1').on('data', (text) => {
      this.#received += text;
      const [head] = /^[^]*?\r\n\r\n/.exec(this.#received) ?? [];
      if (head === undefined) return;
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (this.#received.length === head.length + length) this.#answered(this.#received);
    });
    const connected = new Promise((resolve, reject) => {
      this.#socket.once(way === 'http' ? 'connect' : 'secureConnect', resolve).once('error', reject);
    });
    await within(limitMs, 'connection', connected);
  }

  /** Resolves with the answer, head and body. */
  ask(json) {
    this.#received = '';
    const answer = new Promise((resolve) => { this.#answered = resolve; });
    this.#socket.write('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n' +
      `Accept: application/json, text/event-stream\r\n${this.#session}Content-Length: ${json.length}\r\n\r\n${json}`);
    return within(limitMs, 'answer', answer);
  }

  async begin() {
    await this.connect();
    const answer = await this.ask(initialize);
    this.#session = 'MCP-Protocol-Version: 2025-11-25\r\n' +
      `MCP-Session-Id: ${/mcp-session-id: (\S+)/i.exec(answer)[1]}\r\n`;
    await this.ask(initialized);
    await this.ask(sampleSeldom);
  }

  /** Opens the stream of notifications as well. */
  async subscribe() {
    await this.ask(subscribe);
    await this.#openStream(
      `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n${this.#session}\r\n`);
  }

  /** A subscriber without a session. */
  async listen() {
    await this.#openStream('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n' +
      'Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n' +
      `Mcp-Method: subscriptions/listen\r\nContent-Length: ${listen.length}\r\n\r\n${listen}`);
  }

  async #openStream(request) {
    const stream = connectTcp(this.port, '127.0.0.1');
    stream.write(request);
    const begin = await within(limitMs, 'stream', new Promise((resolve) => stream.once('data', resolve)));
    if (!begin.includes('text/event-stream')) throw new Error(`no stream: ${begin}`);
  }

  askSlowly(json) {
    return this.ask(json);
  }

  async count() {
    await this.begin();
    for (const [name, json] of Object.entries(measured)) {
      // Earlier requests have ended, and their output is read, long before the last of these.
      for (let first = 0; first < 20; ++first) await this.ask(json);
      this.server.counts.forget();
      print(name, await this.#leastOf(json));
    }
    if (way === 'https') await this.#countHandshakes();
  }

  // The least of several, as of requests: a timer may strike, and frames may come one by one or together. About one
  // signature in twenty takes 2 % more, because its random number is an awkward one: hence so many.
  async #countHandshakes() {
    let least = { count: Infinity, longest: Infinity };
    for (let i = 0; i < 8; ++i) {
      await this.#countUntilQuiet();
      const socket = this.#connectTls(this.port);
      const connected = new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
      await within(limitMs, 'handshake', connected);
      const { count, longest } = await this.#countUntilQuiet();
      least = { count: Math.min(least.count, count), longest: Math.min(least.longest, longest) };
      socket.destroy();
    }
    print('handshake', least.count);
    print('handshake, its longest step', least.longest);
  }

  async #countUntilQuiet() {
    const sum = { count: 0, longest: 0 };
    for (;;) {
      const line = await this.server.counts.nextWithin(quietMs);
      if (line === undefined) return sum;
      const { count, longest } = countOf(line);
      sum.count += count;
      sum.longest = Math.max(sum.longest, longest);
    }
  }

  // A request makes one count, and the frame that acknowledges its answer the next one, for which the next request
  // waits: two frames in one count would cost more or less, as they come. Sometimes that one comes before the sleep.
  // Bytes are copied from each place of the ring of their connection, and words cost less: hence so many requests. The
  // first does not count, because no pause precedes it.
  async #leastOf(json) {
    let least = Infinity;
    for (let i = -1; i < 40; ++i) {
      this.server.counts.forget();
      await this.ask(json);
      const { count } = countOf(await this.server.counts.next('count'));
      const { count: other } = countOf(await this.server.counts.nextWithin(acknowledgementMs) ?? '0');
      if (i >= 0) least = Math.min(least, Math.max(count, other));
    }
    return least;
  }
}

// What happens in 25 periods of the clock, whose length is 320 ms, after three for the rest of what came before.
async function countWakeUps(state, load) {
  const sum = { 'wake-ups': 0, ...Object.fromEntries(causesOfWay.map((cause) => [cause, 0])), instructions: 0 };
  server.counts.forget();
  for (let periods = -3; periods < 25;) {
    const [count, marked] = (await server.counts.next('wake-up')).split(' ').map(Number);
    if (periods >= 0) {
      sum['wake-ups'] += 1;
      sum.instructions += count;
      causesOfWay.forEach((cause, bit) => { sum[cause] += marked >> bit & 1; });
    }
    if ((marked & bitOf('clock')) !== 0 && ++periods === 0) load?.begin();
  }
  if (load !== undefined) sum.requests = load.requests;
  if (mode === 'idle') delete sum.instructions;
  for (const [what, count] of Object.entries(sum)) print(`${state}, ${what} in 8 s`, count);
}

/** A client that calls a tool ten times a second. Counts the calls since begin(). */
class Load {
  requests = 0;
  #ended = false;
  #client;

  constructor(client) {
    this.#client = client;
  }

  begin() {
    this.requests = 0;
  }

  async run() {
    for (let next = performance.now(); !this.#ended; next += requestIntervalMs) {
      await new Promise((resolve) => setTimeout(resolve, next - performance.now()));
      await this.#client.askSlowly(measured['tools/call']);
      ++this.requests;
    }
  }

  end() {
    this.#ended = true;
  }
}

async function countLoad(client) {
  const load = new Load(client);
  const running = load.run();
  await countWakeUps('10 requests per second', load);
  load.end();
  await running;
}

async function countEnergy(client) {
  await client.begin((json, isAnswered) => client.ask(json, isAnswered));
  await countWakeUps('no subscriber');
  if (mode === 'energy') await countLoad(client);
  // As many as the image has memory for. HTTPS has one client in this program.
  if (way === 'https') return;
  await client.ask(sampleEachSecond);
  await client.subscribe();
  await countWakeUps('1 subscriber');
  const listeners = way === 'uart' ? ['first', 'second'] : ['first'];
  for (const id of listeners) await client.listen(id);
  await countWakeUps(`${1 + listeners.length} subscribers`);
}

async function measureRate(client) {
  const requests = way === 'uart' ? 200 : 2000;
  await client.begin((json, isAnswered) => client.ask(json, isAnswered));
  for (const [name, json] of Object.entries(measured)) {
    for (let first = 0; first < requests / 10; ++first) await client.ask(json);
    const startMs = performance.now();
    for (let i = 0; i < requests; ++i) await client.ask(json);
    print(`${name}, requests per second`, Math.round(requests * 1000 / (performance.now() - startMs)));
  }
}

function print(name, value) {
  console.log(`guest ${board}, ${way}, ${name}\t${value}`);
}

const folder = mkdtempSync(join(tmpdir(), 'mote-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const qmp = await Qmp.listen(join(folder, 'qmp'));
const server = new Board(plugin, join(folder, 'qmp'));
const client = way === 'uart' ? new UartClient(server) : new HttpClient(server);
if (countsCauses) {
  await countEnergy(client);
} else if (plugin) {
  await client.count();
} else {
  await measureRate(client);
  print('deepest stack, bytes', await usedStack(qmp, image));
}
await server.end();
process.exit(0);
