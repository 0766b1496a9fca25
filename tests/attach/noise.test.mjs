// SPDX-License-Identifier: Apache-2.0
// A conversation with each of its bytes damaged in turn, in both directions: every request ends, no answer goes to another
// request, and the next request is served. The broker is in this process; the device is a server of its own for each run.
//
// usage: node noise.test.mjs EVERYTHING_SERVER [each | all]
// A seed selects the way for each byte: a fixed one and that of the day, for as many bytes as the time permits. With `each`, each
// byte is damaged in the way of the day, and with `all` in all ways, which takes 7 minutes on two cores.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { Broker } from '../../toolchains/attach/lib/broker.mjs';
import { times } from '../../toolchains/attach/lib/device.mjs';
import { LineLink } from '../../toolchains/attach/lib/links/line_link.mjs';
import { FakeHost, meta, server } from './support.mjs';

// The waits of attach, shortened, so that a lost byte costs less than a second.
Object.assign(times, { meet: 150, probe: 100, idle: 200, answer: 150, damaged: 300, away: 2000, busy: 1000 });
const isAll = process.argv.includes('all');
const isEach = isAll || process.argv.includes('each');
const limitMs = isEach ? Infinity : 3000;  // of the runs of one revision and seed
const atOnce = 32 * availableParallelism();
const day = Math.floor(Date.now() / 86_400_000);
const seeds = isEach ? [day] : [1, day];
const watched = 'test://watched-resource';

/** Ways to damage the byte at `at` of a chunk. */
const ways = {
  flip: (data, at, value) => {
    const copy = Buffer.from(data);
    copy[at] ^= 1 << value % 8;
    return copy;
  },
  drop: (data, at) => Buffer.concat([data.subarray(0, at), data.subarray(at + 1)]),
  insert: (data, at, value) => Buffer.concat([data.subarray(0, at), Buffer.from([value]), data.subarray(at)]),
  duplicate: (data, at) => Buffer.concat([data.subarray(0, at + 1), data.subarray(at)]),
  cut: (data, at) => data.subarray(0, at),  // and the rest of what was written with it
};

/** Damages the byte at `position` of one direction. */
class Noise {
  seen = 0;

  constructor(position, way, value) {
    Object.assign(this, { position, way, value });
  }

  pass(data) {
    const at = this.position - this.seen;
    this.seen += data.length;
    return at >= 0 && at < data.length ? ways[this.way](data, at, this.value) : data;
  }
}

const none = () => new Noise(Infinity);

/** One device and one broker; `noises` are those to and from the device. */
async function run(noises, converse) {
  const children = [];
  const open = async () => {
    const child = spawn(server, ['--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
    children.push(child);
    child.stdin.on('error', () => {});
    const link = new LineLink((data) => child.stdin.write(noises.to.pass(Buffer.from(data))), () => child.kill('SIGKILL'));
    child.stdout.on('data', (data) => link.take(noises.from.pass(data)));
    child.on('close', () => link.lose('The server ended'));
    await once(child, 'spawn');
    return link;
  };
  const broker = new Broker({ kind: 'exec', command: server, args: [], plain: true }, open);
  await broker.device.start();
  const host = new FakeHost(broker);
  try {
    return await converse(host, () => { noises.to.position = noises.from.position = Infinity; });
  } finally {
    host.leave();
    broker.device.stop();
    await Promise.all(children.map((child) => {
      child.kill('SIGKILL');
      return child.exitCode ?? child.signalCode ?? once(child, 'close');
    }));
  }
}

const token = (n) => `token-${String.fromCharCode(97 + n).repeat(4)}`;
const prompt = (n) => ['prompts/get', { name: 'test_prompt_with_arguments', arguments: { arg1: token(n), arg2: 'x' } }];
const elicit = (n) => ({ name: 'test_elicitation', arguments: { message: token(n) } });
const answer = (n) => ({ action: 'accept', content: { username: token(n), email: 'a@b.cd' } });

/** Each conversation ends with `served`, which is what the last request got. All requests before it end in some way. */
const conversations = {
  async '2025-11-25'(host, quiet) {
    const endings = [];
    const request = async (...args) => endings.push(JSON.stringify(await host.request(...args)));
    while ((await host.initialize({ elicitation: { form: {} } })).error) endings.push('again');
    assert.ok(endings.length < 3, 'initialize was rejected');
    host.send({ method: 'notifications/initialized' });
    await request('tools/list', {});
    await request(...prompt(0));
    await request('resources/subscribe', { uri: watched });
    await request('tools/call', { name: 'test_update_resource', arguments: {} });
    const id = host.begin('tools/call', elicit(1));
    const ends = (m) => m.id === id && m.method === undefined;
    const question = (m) => m.method === 'elicitation/create';
    let m;
    // A damaged answer is asked for again.
    for (let i = 0; i < 3; ++i) {
      m = await host.next('question or response', (each) => question(each) || ends(each));
      if (!question(m)) break;
      host.send({ id: m.id, result: answer(1) });
    }
    endings.push(JSON.stringify(m));
    assert.ok(ends(m), 'the call has not ended');
    quiet();
    await request(...prompt(2));  // the damaged line may have taken the begin of this one
    return { endings, tokens: [, 0, , , 1, 2], served: await host.request(...prompt(3)) };
  },
  async '2026-07-28'(host, quiet) {
    const endings = [];
    const capabilities = { elicitation: { form: {} } };
    const _meta = meta({}, capabilities);
    const ask = (method, params) => host.request(method, { ...params, _meta });
    const request = async (...args) => {
      const m = await ask(...args);
      endings.push(JSON.stringify(m));
      return m;
    };
    await request('server/discover', {});
    await request('tools/list', {});
    await request(...prompt(0));
    host.begin('subscriptions/listen', { notifications: { resourceSubscriptions: [watched] }, _meta });
    await request('tools/call', { name: 'test_update_resource', arguments: {} });
    const { result } = await request('tools/call', elicit(1));
    const names = Object.keys(result?.inputRequests ?? {});
    const inputResponses = Object.fromEntries(names.map((name) => [name, answer(1)]));
    const { requestState } = result ?? {};
    await request('tools/call', { ...elicit(1), inputResponses, ...(requestState !== undefined && { requestState }) });
    quiet();
    await request(...prompt(2));
    return { endings, tokens: [, , 0, , 1, 1, 2], served: await ask(...prompt(3)) };
  },
};

/** Throws if an ending has the token of another request, or the last request was not served. */
function judge({ endings, tokens, served }) {
  for (const [i, ending] of endings.entries()) {
    for (let n = 0; n < 4; ++n) {
      if (n !== tokens[i]) assert.ok(!ending.includes(token(n)), `request ${i} got the answer to another one: ${ending}`);
    }
  }
  assert.ok(JSON.stringify(served.result ?? served).includes(token(3)), `the next request was not served: ${JSON.stringify(served)}`);
}

/** Each damage of one byte, in an order in which all regions are visited, however early the time is over. */
function damages(clean, seed) {
  const names = Object.keys(ways);
  const runs = [];
  for (const direction of ['to', 'from']) {
    for (let position = 0; position < clean[direction].seen; ++position) {
      const some = isAll ? names : [names[(position + seed) % names.length]];
      for (const way of some) runs.push({ direction, position, way, value: (position * 37 + seed) & 0xff });
    }
  }
  const stride = 7919;  // a prime
  assert.notEqual(runs.length % stride, 0);
  return runs.map((_, i) => runs[(i * stride + seed) % runs.length]);
}

for (const [revision, converse] of Object.entries(conversations)) {
  for (const seed of seeds) {
    test(`ends every request of ${revision} with any byte damaged, seed ${seed}`, { timeout: isEach ? 900_000 : 60_000 }, async (t) => {
      const clean = { to: none(), from: none() };
      judge(await run(clean, converse));
      const order = damages(clean, seed);
      const count = order.length;
      const begun = Date.now();
      let done = 0;
      const faults = [];
      const work = async () => {
        while (order.length > 0 && Date.now() - begun < limitMs) {
          const one = order.pop();
          const noises = { to: none(), from: none(), [one.direction]: new Noise(one.position, one.way, one.value) };
          try {
            judge(await run(noises, converse));
          } catch (error) {
            faults.push(`${JSON.stringify(one)}: ${error.message}`);
          }
          ++done;
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      t.diagnostic(`${clean.to.seen} bytes to the device, ${clean.from.seen} from it; ${done} of ${count} runs in ${Date.now() - begun} ms`);
      assert.deepEqual(faults.slice(0, 20), [], `${faults.length} faults`);
    });
  }
}
