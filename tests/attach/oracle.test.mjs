// SPDX-License-Identifier: Apache-2.0
// Two and five hosts of all revisions use everything at once, in an order that a seed selects. Each request bears the mark of
// its host. The oracle: no host gets a message with the mark of another one, each request gets one response, and no progress
// comes after it.
//
// usage: node oracle.test.mjs EVERYTHING_SERVER
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { attach, environment, limitMs, meta, server, within } from './support.mjs';

const watched = 'test://watched-resource';
const operations = 24;  // of each host
const atOnce = 3;  // of each host

/** xorshift32, in which each seed begins elsewhere. */
class Random {
  constructor(seed) { this.state = (seed * 2654435761 + 1) >>> 0 || 1; }

  next(below) {
    for (const shift of [13, -17, 5]) this.state ^= shift > 0 ? this.state << shift : this.state >>> -shift;
    return (this.state >>> 0) % below;
  }

  of(list) { return list[this.next(list.length)]; }
}

/** A host that judges each message that it gets. */
class JudgedHost {
  #ids = 0;
  #open = new Map();
  #tokens = new Map();
  faults = [];
  cancelled = new Set();

  constructor(t, env, number, revision) {
    Object.assign(this, { number, revision });
    this.isModern = revision === '2026-07-28';
    this.capabilities = { ...(revision >= '2025-06-18' && { elicitation: {} }), sampling: {}, roots: {} };
    this.child = spawn(process.execPath, [attach, 'exec', server, '--stdio'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    const ended = new Promise((resolve) => this.child.on('close', resolve));
    createInterface({ input: this.child.stdout }).on('line', (line) => this.#judge(line));
    atEnd(t, async () => {
      this.child.stdin.end();
      await within('end of attach', ended);
    });
  }

  mark() { return `mark${this.number}x${++this.#ids}x`; }

  #judge(line) {
    for (const [mark, number] of line.matchAll(/mark(\d+)x/g)) {
      if (Number(number) !== this.number) this.faults.push(`host ${this.number} got ${mark}: ${line}`);
    }
    const m = JSON.parse(line);
    if (m.method === undefined) {
      const wanted = this.#open.get(m.id);
      if (wanted) wanted(m);
      else if (!this.cancelled.has(m.id)) this.faults.push(`host ${this.number} got a response that it does not wait for: ${line}`);
      this.#open.delete(m.id);
    } else if (m.method === 'notifications/progress') {
      if (!this.#tokens.has(m.params.progressToken)) this.faults.push(`host ${this.number} got progress of no request: ${line}`);
    } else if (m.id !== undefined) {
      this.send({ id: m.id, result: this.answer(m) });
    }
  }

  /** The answer to a question of the device. */
  answer({ method, params }) {
    const mark = /mark\d+x\d+x/.exec(JSON.stringify(params ?? {}))?.[0] ?? this.mark();
    if (method === 'elicitation/create') return { action: 'accept', content: { username: mark, email: 'a@b.cd' } };
    if (method === 'roots/list') return { roots: [{ uri: `file:///${mark}`, name: mark }] };
    return { role: 'assistant', model: 'm', content: { type: 'text', text: mark } };
  }

  send(m) { this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...m })}\n`); }

  begin(method, params, mark) {
    const id = `${mark}.${++this.#ids}`;
    const _meta = { ...(this.isModern && meta({}, this.capabilities)), ...params?._meta };
    const response = within(`response to ${method} ${id}`, new Promise((resolve) => this.#open.set(id, resolve)));
    const { progressToken } = _meta;
    if (progressToken) {
      this.#tokens.set(progressToken, id);
      void response.then(() => this.#tokens.delete(progressToken));
    }
    this.send({ id, method, params: { ...params, ...(Object.keys(_meta).length > 0 && { _meta }) } });
    return { id, response };
  }

  async result(method, params, mark) {
    const m = await this.begin(method, params, mark).response;
    assert.ok(m.result, `${this.revision} ${method}: ${JSON.stringify(m.error)}`);
    if (m.result.resultType !== 'input_required') return m.result;
    const { inputRequests, requestState } = m.result;
    const inputResponses = Object.fromEntries(Object.entries(inputRequests).map(([name, request]) => [name, this.answer(request)]));
    return this.result(method, { ...params, inputResponses, ...(requestState !== undefined && { requestState }) }, mark);
  }

  async tool(name, args, mark, more = {}) {
    return JSON.stringify(await this.result('tools/call', { name, arguments: args, ...more }, mark));
  }

  async connect() {
    if (this.isModern) return;
    const mark = this.mark();
    const params = { protocolVersion: this.revision, capabilities: this.capabilities, clientInfo: { name: mark, version: '1' } };
    assert.equal((await this.result('initialize', params, mark)).protocolVersion, this.revision);
    this.send({ method: 'notifications/initialized' });
  }
}

const holds = (text, mark) => assert.ok(text.includes(mark), `${text} has no ${mark}`);
const does = {
  async prompt(host, mark) {
    holds(JSON.stringify(await host.result('prompts/get', { name: 'test_prompt_with_arguments', arguments: { arg1: mark, arg2: 'x' } }, mark)), mark);
  },
  async elicitation(host, mark) {
    if (host.capabilities.elicitation) holds(await host.tool('test_elicitation', { message: mark }, mark), mark);
  },
  async sampling(host, mark) { holds(await host.tool('test_sampling', { prompt: mark }, mark), mark); },
  async roots(host, mark) { holds(await host.tool('test_list_roots', {}, mark), `mark${host.number}x`); },
  async progress(host, mark) {
    await host.tool('test_tool_with_progress', {}, mark, { _meta: { progressToken: `${mark}p` } });
  },
  async logging(host, mark) {
    const level = host.isModern ? { _meta: { 'io.modelcontextprotocol/logLevel': 'info' } } : {};
    if (!host.isModern) await host.result('logging/setLevel', { level: 'info' }, mark);
    await host.tool('test_tool_with_logging', {}, mark, level);
  },
  async subscription(host, mark) {
    if (!host.isModern) await host.result('resources/subscribe', { uri: watched }, mark);
    await host.tool('test_update_resource', {}, mark);
    if (!host.isModern) await host.result('resources/unsubscribe', { uri: watched }, mark);
  },
  async cancellation(host, mark) {
    const { id, response } = host.begin('tools/call', { name: 'test_slow', arguments: {} }, mark);
    response.catch(() => {});  // none may come
    host.cancelled.add(id);
    host.send({ method: 'notifications/cancelled', params: { requestId: id, ...(host.isModern && { _meta: meta() }) } });
    await host.tool('test_simple_text', {}, mark);
  },
  async completion(host, mark) {
    const ref = { type: 'ref/prompt', name: 'test_prompt_with_arguments' };
    await host.result('completion/complete', { ref, argument: { name: 'arg1', value: 'test' } }, mark);
  },
  async task(host, mark) {
    if (host.revision !== '2025-11-25') return;
    const { task } = await host.result('tools/call', { name: 'test_task', arguments: {}, task: {} }, mark);
    await host.result('tasks/get', { taskId: task.taskId }, mark);
    await host.result('tasks/result', { taskId: task.taskId }, mark);
  },
  async unknown(host, mark) {
    const { error } = await host.begin(`x/${mark}`, {}, mark).response;
    assert.equal(error.code, -32601);
  },
  async lists(host, mark) {
    for (const method of ['tools/list', 'resources/list', 'prompts/list', 'resources/templates/list']) await host.result(method, {}, mark);
  },
};

const revisions = ['2025-11-25', '2026-07-28', '2024-11-05', '2025-03-26', '2025-06-18'];
for (const count of [2, 5]) {
  for (const seed of [1, Math.floor(Date.now() / 86_400_000)]) {
    test(`keeps ${count} hosts apart that use everything at once, seed ${seed}`, { timeout: 2 * limitMs }, async (t) => {
      const random = new Random(seed * 10 + count);
      const env = environment(t);
      const hosts = revisions.slice(0, count).map((revision, i) => new JudgedHost(t, env, i, revision));
      await Promise.all(hosts.map((host) => host.connect()));
      const ran = {};
      const work = async (host, list) => {
        for (const name of list) {
          try {
            await does[name](host, host.mark());
          } catch (error) {
            throw new Error(`${name} of host ${host.number}, revision ${host.revision}: ${error.message}`);
          }
          ran[name] = (ran[name] ?? 0) + 1;
        }
      };
      const lanes = hosts.flatMap((host) => Array.from({ length: atOnce }, () =>
        [host, Array.from({ length: operations / atOnce }, () => random.of(Object.keys(does)))]));
      const begun = Date.now();
      await Promise.all(lanes.map(([host, list]) => work(host, list)));
      t.diagnostic(`${JSON.stringify(ran)} in ${Date.now() - begun} ms`);
      assert.deepEqual(hosts.flatMap(({ faults }) => faults), []);
    });
  }
}
