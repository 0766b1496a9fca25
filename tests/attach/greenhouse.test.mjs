// SPDX-License-Identifier: Apache-2.0
// The official clients list and call every tool of the greenhouse through attach, in each revision with sessions. Some of its
// results and schemas are no objects, which these revisions do not have.
//
// usage: node greenhouse.test.mjs GREENHOUSE
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, open } from './clients.mjs';
import { environment, limitMs, server } from './support.mjs';

const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const clients = ['2025-11-25, SDK v1', '2025-11-25, SDK v2'];
/** Arguments that the greenhouse accepts, of tools that need some. */
const chosen = {
  wait_for_change: { uri: 'greenhouse://beds', seconds: 0 }, read_bed: { bed: '1' }, read_ph: { bed: '1' }, set_valve: { bed: 1, open: false },
  read_temperature_since: { since: null }, read_probe: { number: '0' }, read_events_of_bed: { bed: '1' },
  set_crop: { bed: 1, crop: 'basil' }, show_bed: { bed: 1 }, water_bed: { bed: 1, seconds: 1, dry_run: true },
  set_schedule: { entries: [] }, set_targets: { moisture: {} }, ask_gardener: { bed: 1 }, cancel_scheduled: { id: 0 },
  dose_0: { milliliters: 50 },
};

/** A transport whose client asks for another revision than its newest. */
const speaking = (Transport, version) => class extends Transport {
  send(message, ...more) {
    const asks = message.method === 'initialize';
    return super.send(asks ? { ...message, params: { ...message.params, protocolVersion: version } } : message, ...more);
  }
};

for (const version of versions) {
  for (const kind of clients) {
    test(`lists and calls every tool of the greenhouse, ${version}, ${kind.slice(-6)}`, { timeout: 2 * limitMs }, async (t) => {
      const host = await open(t, kind, 'gardener', environment(t), ['exec', server], undefined, (Transport) => speaking(Transport, version));
      const { tools, nextCursor } = await host.client.listTools();
      assert.equal(nextCursor, undefined);
      const names = tools.map(({ name }) => name);
      for (const name of ['dry_beds', 'measure_climate', 'dose_0', 'list_devices', 'read_bed']) assert.ok(names.includes(name), name);
      assert.equal(tools.find(({ name }) => name === 'dry_beds').outputSchema, undefined);
      assert.equal(tools.find(({ name }) => name === 'measure_climate').outputSchema.type, 'object');
      const rejected = [];
      for (const name of names) {
        const result = await call(host, name, chosen[name] ?? {}).catch((error) => {
          throw new Error(`${name}: ${error.stack}`);
        });
        assert.ok(Array.isArray(result.content), name);
        if (result.isError) rejected.push(`${name}: ${result.content[0].text}`);
      }
      for (const line of rejected) t.diagnostic(line);
      assert.ok(rejected.length < names.length / 3, rejected.join('\n'));
      const beds = await call(host, 'dry_beds');
      assert.equal(beds.structuredContent, undefined);
      assert.ok(Array.isArray(JSON.parse(beds.content[0].text)));
    });
  }
}
