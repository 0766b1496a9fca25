// SPDX-License-Identifier: Apache-2.0
// Official clients of both generations at one device through attach, each feature with all hosts at once. Prints the
// matrix of features, revisions of hosts and revisions of the device.
//
// usage: node official.test.mjs EVERYTHING_SERVER
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { call, hosts, open, text, types } from './clients.mjs';
import { environment, limitMs, prefix, server } from './support.mjs';

const watched = 'test://watched-resource';
const era = fileURLToPath(new URL('devices/era.mjs', import.meta.url));
const targets = {
  both: ['exec', server, '--stdio'],
  '2026-07-28': ['exec', process.execPath, era, 'modern', server, '--stdio'],
  '2025-11-25': ['exec', process.execPath, era, 'legacy', server, '--stdio'],
};

/** Each takes all hosts and the number of one of them, and all hosts run it at once. */
const features = {
  async tools(host) {
    const names = [];
    for (let cursor; ;) {
      const page = await host.client.listTools(cursor ? { cursor } : {});
      names.push(...page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
      if (!cursor) break;
    }
    assert.ok(names.length > 40 && names.includes('list_devices') === host.isShared);
    assert.equal((await call(host, 'test_structured_content')).structuredContent.celsius, 22.5);
  },
  async progress(host) {
    const seen = [];
    await call(host, 'test_tool_with_progress', {}, { onprogress: ({ progress }) => seen.push(progress) });
    assert.deepEqual(seen.filter((value, i) => value !== seen[i - 1]).slice(0, 2), [0, 50]);
  },
  async elicitation(host) {
    const message = `question for ${host.name}`;
    assert.match(text(await call(host, 'test_elicitation', { message })), new RegExp(host.name));
    assert.ok(host.asked.includes(message));
  },
  async urls(host) {
    assert.match(text(await call(host, 'test_elicitation_url')), /action=accept/);
  },
  async sampling(host) {
    assert.equal(text(await call(host, 'test_sampling', { prompt: `for ${host.name}` })), `LLM response: model of ${host.name}`);
  },
  async roots(host) {
    assert.match(text(await call(host, 'test_list_roots')), new RegExp(`file:///${host.name}`));
  },
  async prompts(host) {
    assert.ok((await host.client.getPrompt({ name: 'test_prompt_with_arguments', arguments: { arg1: 'a', arg2: 'b' } })).messages);
    assert.equal((await host.client.getPrompt({ name: 'test_input_required_result_prompt' })).messages.length, 1);
    const ref = { type: 'ref/prompt', name: 'test_prompt_with_arguments' };
    assert.ok((await host.client.complete({ ref, argument: { name: 'arg1', value: 'test' } })).completion.values.length > 0);
  },
  async resources(host) {
    assert.match((await host.client.readResource({ uri: 'test://static-text' })).contents[0].text, /static text/);
    await assert.rejects(host.client.readResource({ uri: 'test://none' }));
  },
  async logging(host) {
    const level = host.modern ? { [`${prefix}logLevel`]: 'info' } : undefined;
    if (!host.modern) await host.client.setLoggingLevel('info');
    await call(host, 'test_tool_with_logging', {}, {}, level);
    for (let i = 0; i < 3; ++i) await host.inbox.next('notifications/message');
  },
  async subscriptions(host) {
    if (host.modern) await host.client.listen({ toolsListChanged: true, resourceSubscriptions: [watched] });
    else await host.client.subscribeResource({ uri: watched });
    await call(host, 'test_update_resource');
    await host.inbox.next('notifications/resources/updated');
    await call(host, 'test_trigger_tool_change');
    await host.inbox.next('notifications/tools/list_changed');
  },
  async cancellation(host) {
    const abort = new AbortController();
    let slow;
    await new Promise((onprogress) => { slow = call(host, 'test_slow', {}, { onprogress, signal: abort.signal }); slow.catch(() => {}); });
    abort.abort('enough');
    await assert.rejects(slow);
    assert.match(text(await call(host, 'test_simple_text')), /simple text/);
  },
  async tasks(host) {
    if (host.modern) return 'the SDK has no client for the extension';
    if (!host.named) return 'the SDK has no tasks';
    const stream = host.client.experimental.tasks.callToolStream({ name: 'test_task', arguments: {} }, types.CallToolResultSchema, { task: {} });
    const kinds = [];
    for await (const { type } of stream) kinds.push(type);
    assert.equal(kinds[0], 'taskCreated');
    assert.equal(kinds.at(-1), 'result');
    return undefined;
  },
  async errors(host) {
    const unknown = await call(host, 'none').catch((error) => ({ isError: true, error }));
    assert.ok(unknown.isError);
  },
};

/** Uses each feature with all of the hosts at once; returns a row of cells for each. */
async function useAll(all) {
  const rows = new Map();
  for (const [feature, use] of Object.entries(features)) {
    rows.set(feature, await Promise.all(all.map(async (host) => {
      try {
        return await use(host) ?? 'ran';
      } catch (error) {
        throw new Error(`${feature}, ${host.kind}: ${error.stack}`);
      }
    })));
  }
  const others = all.map(({ name }) => name);
  for (const host of all) {
    const foreign = host.asked.filter((message) => others.some((name) => name !== host.name && message.includes(name)));
    assert.deepEqual(foreign, [], `${host.name} was asked a question for another host`);
  }
  return rows;
}

const tell = (t, device, kinds, rows) => {
  t.diagnostic(`| device of ${device} | ${kinds.join(' | ')} |`);
  for (const [feature, cells] of rows) t.diagnostic(`| ${feature} | ${cells.join(' | ')} |`);
};

for (const device of ['both', '2026-07-28']) {
  test(`serves official clients at once, device of ${device}`, { timeout: 2 * limitMs }, async (t) => {
    const env = environment(t);
    const all = await Promise.all(Object.keys(hosts).map((kind, i) => open(t, kind, `host${i}`, env, targets[device])));
    for (const host of all) host.isShared = true;
    tell(t, device, Object.keys(hosts), await useAll(all));
  });
}

test('serves one official client at a time, device of 2025-11-25', { timeout: 2 * limitMs }, async (t) => {
  const env = environment(t, { MOTE_ATTACH_LINGER_MS: '5000' });
  const target = targets['2025-11-25'];
  const newer = Object.keys(hosts).filter((kind) => kind.startsWith('2026'));
  const older = Object.keys(hosts).filter((kind) => !newer.includes(kind));
  for (const kind of newer) await assert.rejects(open(t, kind, 'new', env, target), /supports revisions with initialize only/);
  const rows = new Map(Object.keys(features).map((feature) => [feature, []]));
  for (const [i, kind] of older.entries()) {
    const host = await open(t, kind, `host${i}`, env, target);
    host.isShared = false;
    for (const [feature, cells] of await useAll([host])) rows.get(feature).push(...cells);
    await assert.rejects(open(t, older[1 - i], 'next', env, target), new RegExp(`one host at a time, and host${i} uses it`));
    await host.client.close();
  }
  for (const cells of rows.values()) cells.push(...newer.map(() => 'the device has no such revision'));
  tell(t, '2025-11-25', [...older, ...newer], rows);
});
