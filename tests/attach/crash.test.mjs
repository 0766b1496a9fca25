// SPDX-License-Identifier: Apache-2.0
// A broker or a front that is killed after each step of a session. Each request ends, and the next one is served.
//
// usage: node crash.test.mjs EVERYTHING_SERVER
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environment, Host, limitMs, meta, server } from './support.mjs';

const target = ['exec', server, '--stdio'];
const watched = 'test://watched-resource';
const text = 'This is a simple text response for testing.';
const both = { elicitation: { form: {} } };

/** Ends with a result, or with the error that names the restart. */
async function ends(response) {
  const m = await response;
  if (m.error) assert.match(m.error.message, /restarted|lost|Send initialize first/, JSON.stringify(m.error));
  return m;
}

/** Steps of a host with a session; each returns when its request was sent or has ended. */
const steps = [
  (host) => ends(host.request('initialize', { protocolVersion: '2025-11-25', capabilities: both, clientInfo: { name: 'a', version: '1' } })),
  (host) => host.send({ method: 'notifications/initialized' }),
  (host) => ends(host.request('resources/subscribe', { uri: watched })),
  (host) => ends(host.request('tools/list')),
  (host) => { host.slow = ends(host.begin('tools/call', { name: 'test_slow', arguments: {}, _meta: { progressToken: 1 } }).response); },
  (host) => { host.asking = ends(host.begin('tools/call', { name: 'test_elicitation', arguments: { message: 'm' } }).response); },
  (host) => ends(host.request('tools/call', { name: 'test_task', arguments: {}, task: {} })),
  (host) => ends(host.request('ping')),
];

for (let killed = 0; killed < steps.length; ++killed) {
  test(`goes on when the broker is killed after step ${killed + 1}`, { timeout: limitMs }, async (t) => {
    const env = environment(t);
    const other = new Host(t, env, target);
    const { broker } = await other.device();
    const host = new Host(t, env, target);
    for (const [i, step] of steps.entries()) {
      await step(host);
      if (i !== killed) continue;
      process.kill(broker, 'SIGKILL');
      await Promise.all([other, host].map((each) => each.wrote(/the broker ended/)));
    }
    assert.deepEqual(await host.result('ping'), {});
    // The subscription and the session are those of the new broker.
    await other.tool('test_update_resource', {}, { _meta: meta() });
    await host.next('notifications/resources/updated');
    assert.equal(await host.tool('test_simple_text'), text);
    if (killed >= 4) await host.slow;
    if (killed >= 5) await host.asking;
    host.slow?.catch(() => {});
    host.asking?.catch(() => {});
  });

  test(`serves others when a front is killed after step ${killed + 1}`, { timeout: limitMs }, async (t) => {
    const env = environment(t);
    const other = new Host(t, env, target);
    const before = await other.device();
    const host = new Host(t, env, target);
    for (const step of steps.slice(0, killed + 1)) await step(host);
    host.slow?.catch(() => {});
    host.asking?.catch(() => {});
    host.child.kill('SIGKILL');
    await host.ended;
    assert.equal(await other.tool('test_simple_text', {}, { _meta: meta() }), text);
    assert.deepEqual(await other.device(), before);
  });
}

test('elects one broker for 12 hosts that start at once', { timeout: limitMs }, async (t) => {
  const env = environment(t);
  const hosts = Array.from({ length: 12 }, () => new Host(t, env, target));
  const brokers = await Promise.all(hosts.map(async (host) => (await host.device()).broker));
  assert.equal(new Set(brokers).size, 1);
});
