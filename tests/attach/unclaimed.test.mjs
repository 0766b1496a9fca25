// SPDX-License-Identifier: Apache-2.0
// What hosts of 2026-07-28 send without an envelope, and ids that hosts can read. usage: node unclaimed.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { hurry, start } from './devices/fake_link.mjs';
import { Broker } from '../../toolchains/attach/lib/broker.mjs';
import { FakeHost, limitMs, meta } from './support.mjs';

const question = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } } };

/** The responses of a host that has sent server/discover, as go-sdk sends these requests. */
async function answers(host) {
  assert.ok((await host.request('server/discover', { _meta: meta() })).result);
  const [ping, level, list] = [await host.request('ping', {}), await host.request('logging/setLevel', { level: 'info' }),
    await host.request('tools/list', {})];
  return { ping: ping.result, level: level.error, list: list.error?.code };
}
const level = { code: -32601, message: 'Method not found: logging/setLevel' };

test('responds to ping and logging/setLevel without an envelope as a device does', { timeout: limitMs }, async (t) => {
  const { broker } = await start(t);
  const host = new FakeHost(broker);
  assert.deepEqual((await host.request('ping', {})).result, {});
  assert.match((await host.request('logging/setLevel', { level: 'info' })).error.message, /Send initialize first/);
  assert.deepEqual(await answers(host), { ping: {}, level, list: -32602 });
  assert.ok((await host.initialize()).result);
  assert.deepEqual((await host.request('ping', {})).result, {});
});

test('responds so while the device is away, too', { timeout: limitMs }, async (t) => {
  hurry(t, { absent: 50 });
  const broker = new Broker({ kind: 'exec', command: 'x', args: [], plain: true }, async () => { throw new Error('there is no port'); });
  atEnd(t, () => broker.device.stop());
  void broker.device.start();
  const { ping, level: error } = await answers(new FakeHost(broker, 20_000));
  assert.deepEqual({ ping, error }, { ping: {}, error: level });
});

test('responds to ping at a device with sessions before initialize', { timeout: limitMs }, async (t) => {
  const { broker } = await start(t, { 'server/discover': (m, device) => device.fail(m, -32601) });
  assert.deepEqual((await new FakeHost(broker).request('ping', {})).result, {});
});

test('numbers its input requests with integers of 32 bits, each once', { timeout: limitMs }, async (t) => {
  const ids = new Set();
  for (let i = 0; i < 2; ++i) {
    const { broker } = await start(t, { 'tools/call': (m) => (m.params.inputResponses
      ? { resultType: 'complete', content: [] } : { resultType: 'input_required', requestState: 's', inputRequests: { q: question } }) });
    const host = new FakeHost(broker);
    await host.initialize({ elicitation: { form: {} } });
    for (let k = 0; k < 2; ++k) {
      const call = host.request('tools/call', { name: 'x', arguments: {} });
      const { id } = await host.next('question', ({ method }) => method === question.method);
      assert.ok(Number.isInteger(id) && id >= 1_000_000_000 && id < 2 ** 31, String(id));
      ids.add(id);
      host.send({ id, result: { action: 'decline' } });
      assert.ok((await call).result);
    }
  }
  assert.equal(ids.size, 4);
});
