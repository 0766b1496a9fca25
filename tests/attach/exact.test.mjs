// SPDX-License-Identifier: Apache-2.0
// Numbers keep their source text on all ways. usage: node exact.test.mjs EVERYTHING_SERVER
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../at_end.mjs';
import { startHttp } from '../../examples/client/http.mjs';
import { numberOf, parse, stringify, textOf } from '../../toolchains/attach/lib/json.mjs';
import { attach, environment, limitMs, meta, server, within } from './support.mjs';

const device = fileURLToPath(new URL('devices/exact_device.mjs', import.meta.url));
const bounds = '"minimum":-9223372036854775808,"maximum":18446744073709551615,"default":1.0,"multipleOf":1e-1';
const envelope = JSON.stringify(meta());

/** A host that sends and receives the bytes of lines. */
class RawHost {
  #lines = [];
  #waiting = [];

  constructor(t, env, target) {
    this.child = spawn(process.execPath, [attach, ...target], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    const ended = new Promise((resolve) => this.child.on('close', resolve));
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      this.#lines.push(line);
      this.#waiting = this.#waiting.filter((check) => !check());
    });
    atEnd(t, async () => {
      this.child.stdin.end();
      await within('end of attach', ended);
    });
  }

  send(line) { this.child.stdin.write(`${line}\n`); }

  /** The next line that has all of these texts. */
  line(...texts) {
    return within(texts.join(), new Promise((resolve) => {
      const check = () => {
        const at = this.#lines.findIndex((line) => texts.every((text) => line.includes(text)));
        if (at >= 0) resolve(this.#lines.splice(at, 1)[0]);
        return at >= 0;
      };
      if (!check()) this.#waiting.push(check);
    }));
  }

  async initialize() {
    this.send('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",' +
      '"capabilities":{"elicitation":{}},"clientInfo":{"name":"h","version":"1.0"}}}');
    await this.line('"id":0,');
  }
}

test('keeps the source of each number that JavaScript would write in another way', () => {
  const texts = ['9007199254740993', '-9223372036854775808', '1.0', '-0', '-0.0', '1e3', '1E+2', '0.10', '12345678901234567890.5', '1e400'];
  for (const text of texts) {
    for (const json of [text, `[${text}]`, `{"a":${text},"b":[0,${text},1.5]}`, `{"${text}":"${text}, \\" ${text}"}`]) {
      assert.equal(stringify(parse(json)), json);
    }
    assert.equal(numberOf(parse(text)), Number(text));
    assert.equal(textOf(parse(text)), text);
  }
  assert.deepEqual(parse('{"a":1,"b":-1.5,"c":"1.0","d":1e21}').b, -1.5);
  assert.equal(parse('[1.0]')[0], parse('{"x":1.0}').x);
  assert.equal(numberOf('7'), undefined);
  assert.equal(textOf('7'), '7');
  for (const text of ['01', '1.', '[1.0', '-', '{"a":1.0']) assert.throws(() => parse(text), SyntaxError);
});

test('reads long texts in a time like that of JSON.parse()', (t) => {
  const time = (work) => Math.min(...Array.from({ length: 3 }, () => {
    const begun = performance.now();
    work();
    return performance.now() - begun;
  }));
  const n = 1 << 20;
  const texts = [`["${'\\"'.repeat(n)}",1.0]`, `[1.0,${'1'.repeat(n)}]`, `[${'1.0,'.repeat(n / 4)}1]`, `[1.0${' '.repeat(n)}]`];
  for (const text of texts) {
    const plain = time(() => JSON.stringify(JSON.parse(text)));
    const exact = time(() => stringify(parse(text)));
    t.diagnostic(`${exact} ms, and ${plain} ms without exact numbers`);
    assert.ok(exact < 100 * plain, `${exact / plain} times as long`);
  }
});

test('passes numbers of a device and of a host of 2026-07-28 as they are', { timeout: limitMs }, async (t) => {
  const host = new RawHost(t, environment(t), ['exec', process.execPath, device]);
  const id = '9007199254740993';
  const args = '{"n":9007199254740993,"x":1.0,"y":-0}';
  host.send(`{"jsonrpc":"2.0","id":${id},"method":"tools/list","params":{"_meta":${envelope}}}`);
  const list = await host.line(`"id":${id}`);
  assert.ok(list.includes(bounds), list);
  assert.match(list, /"ttlMs":[0-9.]+/);
  const token = JSON.stringify({ ...meta(), progressToken: 0 }).replace('"progressToken":0', '"progressToken":9007199254740995');
  host.send(`{"jsonrpc":"2.0","id":9007199254740994,"method":"tools/call","params":{"name":"echo","arguments":${args},"_meta":${token}}}`);
  const progress = await host.line('notifications/progress');
  assert.ok(progress.includes('"progressToken":9007199254740995'), progress);
  assert.ok(progress.includes('"progress":1.0,"total":9007199254740993'), progress);
  const result = await host.line('"id":9007199254740994');
  assert.ok(result.includes(`"structuredContent":${args}`), result);
});

test('passes numbers of questions and answers of a host with a session as they are', { timeout: limitMs }, async (t) => {
  const host = new RawHost(t, environment(t), ['exec', process.execPath, device]);
  await host.initialize();
  host.send('{"jsonrpc":"2.0","id":1.0,"method":"tools/call","params":{"name":"echo","arguments":{"ask":true}}}');
  const question = await host.line('elicitation/create');
  assert.ok(question.includes(bounds), question);
  const content = '{"n":18446744073709551615,"x":2.50}';
  host.send(`{"jsonrpc":"2.0","id":${JSON.stringify(JSON.parse(question).id)},"result":{"action":"accept","content":${content}}}`);
  const result = await host.line('"id":1.0,');
  assert.ok(result.includes(`"structuredContent":${content}`), result);
});

test('cancels a call by an id beyond 2^53, and ends one after a crash of the broker', { timeout: limitMs }, async (t) => {
  const host = new RawHost(t, environment(t), ['exec', server, '--stdio']);
  const slow = (id) => host.send(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"test_slow","arguments":{},` +
    `"_meta":${JSON.stringify(meta({ progressToken: id.at(-1) }))}}}`);
  slow('9007199254740993');
  await host.line('"progressToken":"3"');
  host.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9007199254740993}}');
  slow('9007199254740993');  // the id is free again
  await host.line('"progressToken":"3"');
  host.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"list_devices","arguments":{},"_meta":${envelope}}}`);
  const { broker } = JSON.parse(JSON.parse(await host.line('"id":5')).result.content[0].text)[0];
  process.kill(broker, 'SIGKILL');
  assert.match(await host.line('"id":9007199254740993,'), /restarted/);
});

test('passes numbers over HTTP as they are, in headers, too', { timeout: limitMs }, async (t) => {
  const process = await startHttp(server, ['--port', '0']);
  atEnd(t, () => process.end());
  const host = new RawHost(t, environment(t), ['http', String(process.url)]);
  const args = '{"name":9007199254740993,"phone":1.0}';
  host.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"json_schema_2020_12_tool","arguments":${args},"_meta":${envelope}}}`);
  const result = await host.line('"id":2');
  assert.ok(result.includes(JSON.stringify(args).slice(1, -1)), result);
});
