// SPDX-License-Identifier: Apache-2.0
// Devices that send what no server sends, over each link: the broker goes on, a device beside them answers every call, no host
// reads the text of an error of JavaScript, and the device is served again when it behaves.
//
// usage: node fuzz.test.mjs MESSAGES [SEED...]: without seeds, 1 and one that is new each day
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../at_end.mjs';
import { Fuzzer, honest, Random } from './devices/fuzz.mjs';
import { links, mqtt } from './devices/fuzz_links.mjs';
import { startBroker } from './devices/mqtt_device.mjs';
import { environment, meta, within } from './support.mjs';

const [messages, ...given] = process.argv.slice(2).map(Number);
const day = Math.floor(Date.now() / 86_400_000);
const seeds = given.length > 0 ? given : [1, day];
const mostMemory = 150 << 20;
const limitMs = 120_000 + messages * 20;
const program = fileURLToPath(new URL('devices/fuzz_broker.mjs', import.meta.url));
const ofJavaScript = new RegExp('is not (a function|iterable|an object)|Cannot (read|destructure|convert|use)|call stack|' +
  'Unexpected token|JSON at|valid HTTP token|Invalid (character|string|array)|ERR_|\\.mjs:');
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The process of the brokers of these targets. */
async function brokersOf(t, env, targets) {
  const child = spawn(process.execPath, [program, env.XDG_RUNTIME_DIR, ...targets.map((words) => JSON.stringify(words))],
    { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const process_ = { pid: child.pid, text: '', hasEnded: false };
  child.stderr.on('data', (data) => { process_.text += data; });
  const ended = new Promise((resolve) => child.on('close', (status, signal) => {
    process_.hasEnded = true;
    resolve(`${status ?? signal}: ${process_.text}`);
  }));
  process_.ended = ended;
  atEnd(t, async () => {
    child.stdin.end();
    await within('end of the brokers', ended);
  });
  let ready = 0;
  await within('brokers', Promise.race([ended, new Promise((resolve) => child.stdout.on('data', (data) => {
    ready += data.toString().split('\n').length - 1;
    if (ready === targets.length) resolve();
  }))]));
  assert.ok(!process_.hasEnded, process_.text);
  return process_;
}

/** A host at the socket of a broker. */
class Host {
  #open = new Map();
  #ids = 0;
  answers = 0;
  faults = [];

  constructor(t, path, random) {
    this.random = random;
    this.socket = connect(path);
    this.socket.on('error', () => {});
    createInterface({ input: this.socket }).on('line', (line) => this.#take(line));
    atEnd(t, () => this.socket.destroy());
  }

  #take(line) {
    if (ofJavaScript.test(line)) this.faults.push(line.slice(0, 500));
    if (!line.startsWith('{')) return;
    const m = JSON.parse(line);
    if (m.method !== undefined) return m.id === undefined ? undefined : this.#asked(m);
    ++this.answers;
    this.#open.get(m.id)?.(m);
    this.#open.delete(m.id);
  }

  // The answer of a person, who may also take long.
  #asked(m) {
    const { random } = this;
    if (random.oneIn(4)) return;
    if (random.oneIn(4)) return this.send({ id: m.id, error: { code: -1, message: 'no' } });
    this.send({ id: m.id, result: { action: random.pick(['accept', 'decline', 'cancel']), content: {}, roots: [], role: 'assistant' } });
  }

  send(m) { this.socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...m })}\n`); }

  begin(method, params) {
    const id = ++this.#ids;
    const response = new Promise((resolve) => this.#open.set(id, resolve));
    this.send({ id, method, params });
    return { id, response };
  }

  /** The response, or undefined after a request that was cancelled. */
  async ask(method, params, ms) {
    const { id, response } = this.begin(method, params);
    const m = await Promise.race([response, sleep(ms)]);  // a time limit, because a hostile device may not respond
    if (m === undefined) this.send({ method: 'notifications/cancelled', params: { requestId: id, _meta: params._meta } });
    return m;
  }

  initialize() {
    const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
    return this.ask('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'h', version: '1' } }, 500);
  }
}

/** Requests of a host, by the names of the device. */
const requests = ({ tool, uri, prompt }) => [
  ['tools/list', {}], ['tools/list', { cursor: 'c' }], ['resources/list', {}], ['resources/templates/list', {}], ['prompts/list', {}],
  ['tools/call', { name: tool, arguments: { a: 'x' } }], ['tools/call', { name: tool, arguments: {}, task: { ttl: 500 } }],
  ['tools/call', { name: tool, _meta: { progressToken: 7 } }], ['resources/read', { uri }], ['prompts/get', { name: prompt }],
  ['resources/subscribe', { uri }], ['resources/unsubscribe', { uri }], ['logging/setLevel', { level: 'debug' }], ['tasks/list', {}],
  ['tasks/get', { taskId: 't' }], ['tools/call', { name: 'wait_for_change', arguments: { uri, seconds: 0.05 } }],
  ['tools/call', { name: 'read_one', arguments: {} }], ['tools/call', { name: 'read_two', arguments: { b: 'x' } }],
  ['tools/call', { name: 'device_log', arguments: {} }], ['tools/call', { name: 'list_devices', arguments: {} }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: prompt }, argument: { name: 'x', value: '' } }], ['x/y', {}],
  ['subscriptions/listen', { notifications: { toolsListChanged: true, resourceSubscriptions: [uri] } }],
];

/** Sends requests until `isDone()`. */
async function busy(host, names, isModern, isDone) {
  const all = requests(names);
  for (let count = 0; !isDone(); ++count) {
    if (!isModern && count % 50 === 0) await host.initialize();
    const [method, params] = host.random.pick(all);
    const _meta = isModern ? meta(params._meta, { elicitation: {} }) : params._meta;
    await host.ask(method, { ...params, ...(_meta && { _meta }) }, 10 + host.random.below(50));
  }
}

/** Calls the tool of the device beside, one call after another; returns the longest time of one. */
async function calls(host, name, isDone) {
  let longest = 0;
  for (let count = 0; count < 20 || !isDone(); ++count) {
    const begun = Date.now();
    const { response } = host.begin('tools/call', { name, arguments: { count }, _meta: meta() });
    const m = await within(`answer ${count} of the device beside`, response, 60_000);
    assert.equal(m.result?.content[0].text, JSON.stringify({ count }), JSON.stringify(m));
    longest = Math.max(longest, Date.now() - begun);
    await sleep(2);  // a pace: without it, these calls would take the processor that the brokers under test need
  }
  return longest;
}

/** Waits until a device that behaves again answers. */
async function recovers(host, name) {
  for (;;) {
    const m = await host.ask('tools/call', { name, arguments: { a: 'again' }, _meta: meta() }, 1000);
    if (m?.result?.content?.[0]?.text === '{"a":"again"}') return;
  }
}

/** The fuzzed device, the hosts at it, and the one beside. */
async function fuzz(t, seed, targetsOf, { bad, good }) {
  const fuzzer = new Fuzzer(seed);
  let isHonest = false;
  const receive = (m) => (isHonest ? honest(m).map((each) => JSON.stringify(each)) : fuzzer.replies(m));
  const env = environment(t);
  const targets = await targetsOf(env.XDG_RUNTIME_DIR, receive, fuzzer.random, () => isHonest);
  const brokers = await brokersOf(t, env, targets);
  const path = (at) => join(env.XDG_RUNTIME_DIR, `${Math.min(at, targets.length - 1)}.sock`);
  const hosts = [true, false].map((isModern, at) => ({ isModern, host: new Host(t, path(0), new Random(seed + at + 1)) }));
  const beside = new Host(t, path(1), new Random(seed));
  const isDone = () => fuzzer.sent >= messages || brokers.hasEnded;
  const [longest] = await Promise.race([
    Promise.all([calls(beside, good.tool, isDone), ...hosts.map(({ host, isModern }) => busy(host, bad, isModern, isDone))]),
    brokers.ended.then((why) => assert.fail(`the brokers ended with ${why}, seed ${seed}, after ${fuzzer.sent} messages`)),
  ]);
  isHonest = true;
  await within('recovery', recovers(new Host(t, path(0), new Random(seed)), bad.tool), 60_000);
  const memory = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${brokers.pid}/status`, 'utf8'))[1]) * 1024;
  const answers = hosts.reduce((sum, { host }) => sum + host.answers, 0);
  t.diagnostic(`seed ${seed}: ${fuzzer.sent} messages, ${answers} answers to hosts, ${beside.answers} of the device beside, ` +
    `the longest after ${longest} ms, ${Math.round(memory / (1 << 20))} MB`);
  assert.deepEqual([...hosts.map(({ host }) => host), beside].flatMap(({ faults }) => faults), []);
  assert.equal(brokers.text, '');
  assert.ok(answers > messages / 1000, `${answers} answers`);
  assert.ok(memory < mostMemory, `${memory} bytes`);
}

const plain = { tool: 'echo', uri: 'a://1', prompt: 'p' };
for (const seed of seeds) {
  for (const [name, start] of Object.entries(links)) {
    test(`goes on with a hostile device over ${name}, seed ${seed}`, { timeout: limitMs }, (t) => fuzz(t, seed, async (folder, ...more) => [
      await start(t, folder, ...more),
      await links.exec(t, folder, (m) => honest(m).map((each) => JSON.stringify(each))),
    ], { bad: plain, good: plain }));
  }

  test(`goes on with a hostile device over mqtt, seed ${seed}`, { timeout: limitMs }, (t) => fuzz(t, seed, async (...more) => {
    const [, receive, random] = more;
    const broker = await startBroker(t, undefined, undefined, { options: [] });
    await mqtt(t, broker, 'bad', receive, random);
    await mqtt(t, broker, 'good', (m) => honest(m).map((each) => JSON.stringify(each)));
    return [['mqtt', `${broker.url}/house/#`]];
  }, { bad: { tool: 'bad_echo', uri: 'fleet:bad/a://1', prompt: 'bad_p' }, good: { tool: 'good_echo' } }));
}
