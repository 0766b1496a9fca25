// SPDX-License-Identifier: Apache-2.0
// examples/greenhouse, used by the official client as a host uses it: every part of the application.
//
// usage: node greenhouse.test.mjs [v2] host BINARY
//        node greenhouse.test.mjs [v2] http BINARY
//        node greenhouse.test.mjs [v2] board|http EMULATE BOARD IMAGE
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasOwnMethods } from './record.mjs';
import { atEnd, command, kind, library, limitMs, rejected, waitMs } from './support.mjs';
import { startBoardHttp, startHttp } from '../../examples/client/http.mjs';
import { sdk, transportTo, within } from '../../examples/client/session.mjs';

const {
  ElicitRequestSchema, LoggingMessageNotificationSchema, ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema, ResultSchema,
} = sdk('types.js');

hasOwnMethods('x-greenhouse/');

// The tokens of the HTTP server. A board has them in its image.
const tokens = { reader: 'read-only', operator: 'operator' };

async function start(t) {
  if (kind !== 'http') return { command: command[0], args: command.slice(1) };
  const server = command.length === 3
    ? await startBoardHttp(...command, [])
    : await startHttp(command[0], ['--reader', tokens.reader, '--operator', tokens.operator]);
  atEnd(t, () => server.end());
  return server;
}

/** A fresh greenhouse and a client. `consent` is the response of its user. */
async function connect(t, { consent = { action: 'decline' }, token = tokens.operator, server = undefined } = {}) {
  const { url, command: program, args } = server ?? await start(t);
  const client = new library.Client({ name: 'mote-tests', version: '0.1.0' }, { capabilities: { elicitation: {} } });
  const news = { questions: [], logs: [] };
  const waiting = new Map();
  const arrived = new Map();
  const come = (what) => {
    arrived.set(what, (arrived.get(what) ?? 0) + 1);
    waiting.get(what)?.();
  };
  // Resolves when the message has come since the last call for it.
  news.next = async (what) => {
    if (!arrived.get(what)) {
      await within(waitMs, what, new Promise((resolve) => { waiting.set(what, resolve); }));
      waiting.delete(what);
    }
    arrived.set(what, arrived.get(what) - 1);
  };
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    news.questions.push(params.message);
    return consent;
  });
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    news.logs.push(params);
    come('log');
  });
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => come('list'));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => come(params.uri));
  atEnd(t, () => client.close());
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(transportTo({ url, command: program, args, requestInit }, library));
  return { client, news };
}

const call = (client, name, args = {}, options = undefined) =>
  client.callTool({ name, arguments: args }, undefined, options);
// All pages of a list.
async function all(list, key) {
  const items = [];
  for (let page; ;) {
    const result = await list(page);
    items.push(...result[key]);
    if (!result.nextCursor) return items;
    page = { cursor: result.nextCursor };
  }
}
const textOf = (result) => result.content[0].text;
const read = async (client, uri) => (await client.readResource({ uri })).contents[0].text;
const readJson = async (client, uri) => JSON.parse(await read(client, uri));

test('lists tools with units, and answers with values of a table', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  const tools = await all((page) => client.listTools(page), 'tools');
  assert.deepEqual(tools.map(({ name }) => name), ['measure_climate', 'set_valve', 'set_crop', 'water_bed', 'fill_tank',
    'set_schedule', 'search_probes', 'cancel_scheduled']);
  const { outputSchema } = tools[0];
  assert.equal(outputSchema.properties.temperature.description, '(unit: °C)');
  assert.deepEqual(outputSchema.properties.temperature._meta, { 'mote/unit': 'Cel' });
  const { structuredContent } = await call(client, 'measure_climate');
  assert.ok(structuredContent.temperature >= 18 && structuredContent.temperature <= 28);
  assert.ok(structuredContent.humidity >= 45 && structuredContent.humidity <= 85);
});

test('reads beds by table and by typed variables', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  const { beds } = await readJson(client, 'bed://all');
  assert.deepEqual(beds.map(({ bed, crop }) => [bed, crop]),
    [[1, 'tomato'], [2, 'basil'], [3, 'cucumber'], [4, 'lettuce']]);
  assert.deepEqual(await readJson(client, 'bed://2'), beds[1]);
  const error = await rejected(client.readResource({ uri: 'bed://5' }));
  assert.equal(error.code, -32602);
  assert.match(error.message, /bed/);
  assert.match(textOf(await call(client, 'set_crop', { bed: 2, crop: 'Basil!' })), /crop/);
  assert.equal(textOf(await call(client, 'set_crop', { bed: 2, crop: 'mint' })), 'In bed 2 grows mint.');
  assert.equal((await readJson(client, 'bed://2')).crop, 'mint');
});

test('reads a slow probe while it serves other requests', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  const order = [];
  const slow = read(client, 'bed://3/ph').then((value) => { order.push('ph'); return value; });
  await client.ping().then(() => order.push('ping'));
  assert.equal(await slow, '6.4');
  assert.deepEqual(order, ['ping', 'ph']);
});

test('waters a bed, and notifies of this bed and of its progress', { timeout: limitMs }, async (t) => {
  const { client, news } = await connect(t);
  await client.subscribeResource({ uri: 'bed://1' });
  const before = (await readJson(client, 'bed://1')).moisture;
  const progress = [];
  const result = await call(client, 'water_bed', { bed: 1, seconds: 2 },
    { onprogress: ({ progress: done, total, message }) => progress.push([done, total, message]) });
  assert.match(textOf(result), /^Bed 1 has \d+ % moisture, and the tank 3\.\d+ liters\.$/);
  await news.next('bed://1');
  const after = await readJson(client, 'bed://1');
  assert.ok(after.moisture > before, `${after.moisture} % after ${before} %`);
  assert.equal(after.valveOpen, false);
  assert.deepEqual(progress[0], [0, 2, 'The pump runs.']);
  assert.deepEqual(news.questions, []);
});

test('waters for long only with consent', { timeout: limitMs }, async (t) => {
  const { client, news } = await connect(t);
  const result = await call(client, 'water_bed', { bed: 2, seconds: 60 });
  assert.equal(result.isError, true);
  assert.equal(textOf(result), 'The user did not agree.');
  assert.deepEqual(news.questions, ['Water bed 2 for 60 s?']);
});

test('stops the pump when the call is cancelled', { timeout: limitMs }, async (t) => {
  const { client, news } = await connect(t, { consent: { action: 'accept', content: { water: true } } });
  await client.subscribeResource({ uri: 'bed://4' });
  const stop = new AbortController();
  const watering = call(client, 'water_bed', { bed: 4, seconds: 90 }, { signal: stop.signal }).catch((error) => error);
  await news.next('bed://4');  // the valve is open
  assert.equal((await readJson(client, 'bed://4')).valveOpen, true);
  stop.abort();
  await watering;
  await news.next('bed://4');
  assert.equal((await readJson(client, 'bed://4')).valveOpen, false);
  assert.deepEqual(news.questions, ['Water bed 4 for 90 s?']);
});

test('says what a call would do', { timeout: limitMs }, async (t) => {
  const { client, news } = await connect(t);
  const result = await call(client, 'water_bed', { bed: 3, seconds: 45, dry_run: true });
  assert.equal(textOf(result), 'It would pump 9 liters on bed 3, if the user agrees.');
  assert.equal(result._meta['mote/dryRun'], true);
  assert.deepEqual(news.questions, []);
});

test('runs a call later without the client, and cancels one', { timeout: limitMs }, async (t) => {
  const { client, news } = await connect(t);
  await client.subscribeResource({ uri: 'bed://2' });
  await call(client, 'set_valve', { bed: 2, open: true, after: 1 });
  await call(client, 'set_valve', { bed: 3, open: true, after: 3600 });
  await news.next('bed://2');
  assert.equal((await readJson(client, 'bed://2')).valveOpen, true);
  const { calls } = await readJson(client, 'schedule://calls');
  assert.equal(calls.length, 2);
  const waiting = calls.find(({ status }) => status === 'scheduled');
  assert.ok(!(await call(client, 'cancel_scheduled', { id: waiting.id })).isError);
});

test('keeps a schedule of nested entries', { timeout: limitMs }, async (t) => {
  const { client, news } = await connect(t);
  await client.subscribeResource({ uri: 'schedule://current' });
  const entries = [
    { bed: 1, everyMinutes: 60, seconds: 10, onlyIf: { moistureBelow: 30 } },
    { bed: 4, everyMinutes: 120, seconds: 5, onlyIf: { moistureBelow: 50 } },
  ];
  assert.equal(textOf(await call(client, 'set_schedule', { entries })), 'The schedule has 2 entries.');
  await news.next('schedule://current');
  assert.deepEqual(await readJson(client, 'schedule://current'), { entries });
  const bad = await call(client, 'set_schedule', { entries: [{ ...entries[0], onlyIf: { moistureBelow: 101 } }] });
  assert.equal(bad.isError, true);
  assert.match(textOf(bad), /moistureBelow/);
});

test('streams the log, and logs objects', { timeout: limitMs }, async (t) => {
  const { client, news } = await connect(t);
  await client.setLoggingLevel('info');
  for (let i = 0; i < 40; ++i) await call(client, 'set_valve', { bed: 1 + i % 4, open: i % 2 === 0 });
  const lines = (await read(client, 'log://events')).trimEnd().split('\n');
  assert.equal(lines.length, 40);  // 1120 bytes
  assert.match(lines[39], /^ +\d+ valve closed +4$/);
  await news.next('log');
  assert.deepEqual(news.logs[0], { level: 'info', logger: 'greenhouse', data: { event: 'valve open', bed: 1 } });
});

test('serves the last samples since a time', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  const history = await readJson(client, 'climate://temperature/history');
  assert.equal(history.unit, 'Cel');
  assert.equal(history.level, 'normal');
  assert.equal(history.truncated, false);
  assert.ok(history.count >= 1 && history.minimum >= 18 && history.maximum <= 28);
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'climate://temperature/history{?since,until}'));
  const since = await readJson(client, 'climate://temperature/history?since=3600');
  assert.equal(since.count, history.count);
  const none = await readJson(client, 'climate://temperature/history?until=3600');
  assert.equal(none.count, 0);
  const error = await rejected(client.readResource({ uri: 'climate://temperature/history?since=yesterday' }));
  assert.equal(error.code, -32602);
  assert.match(error.message, /since must be an age in seconds, such as 3600/);
});

test('finds probes at run time, and calibrates them with a method of its own', { timeout: limitMs }, async (t) => {
  const { client, news } = await connect(t);
  const probes = async () => (await all((page) => client.listResources(page), 'resources'))
    .filter(({ uri }) => uri.startsWith('probe://'));
  assert.equal((await probes()).length, 2);
  assert.equal(textOf(await call(client, 'search_probes')), '1 probe is new.');
  await news.next('list');
  assert.deepEqual((await probes()).map(({ uri }) => uri), ['probe://0', 'probe://1', 'probe://2']);
  assert.ok(Number(await read(client, 'probe://2')) > 10);
  const calibrated = await client.request({ method: 'x-greenhouse/calibrate', params: { tenths: 5 } }, ResultSchema);
  assert.equal(calibrated.before, 0);
  assert.equal(calibrated.now, 5);
});

test('gives prompts, and completes crops anywhere in their names', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  const { messages } = await client.getPrompt({ name: 'plan_watering', arguments: { crop: 'basil' } });
  assert.match(messages[0].content.text, /^Plan how to water the basil in bed 2\./);
  const night = await client.getPrompt({ name: 'what_happened', arguments: { hours: '8' } });
  assert.match(night.messages[0].content.text, /^Report on the last 8 hours\./);
  const complete = async (ref, name, value) =>
    (await client.complete({ ref, argument: { name, value } })).completion.values;
  assert.deepEqual(await complete({ type: 'ref/prompt', name: 'plan_watering' }, 'crop', 'TO'), ['tomato']);
  assert.deepEqual(await complete({ type: 'ref/prompt', name: 'plan_watering' }, 'crop', 'u'), ['cucumber', 'lettuce']
    .filter((crop) => crop.includes('u')));
  assert.deepEqual(await complete({ type: 'ref/resource', uri: 'bed://{bed}' }, 'bed', '3'), ['3']);
});

test('waters as a task that says what it does', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  const { task } = await client.request(
    { method: 'tools/call', params: { name: 'water_bed', arguments: { bed: 1, seconds: 1 }, task: {} } }, ResultSchema);
  assert.equal(task.status, 'working');
  assert.equal(task.pollInterval, 500);
  const result = await client.request({ method: 'tasks/result', params: { taskId: task.taskId } }, ResultSchema);
  assert.match(textOf(result), /^Bed 1 has/);
});

test('names the tool to call first when the tank is empty', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  // The pump stops below 2 of 4 liters: after 10 s at 0.2 liters in a second.
  const result = await call(client, 'water_bed', { bed: 1, seconds: 30 });
  assert.match(textOf(result), /the tank 1\.9\d* liters\.$/);
  const refused = await call(client, 'water_bed', { bed: 2, seconds: 1 });
  assert.equal(refused.isError, true);
  assert.equal(textOf(refused), 'The tank is nearly empty. Call fill_tank first.');
  assert.equal(textOf(await call(client, 'fill_tank')), 'The tank has 4 liters.');
  assert.match(textOf(await call(client, 'water_bed', { bed: 2, seconds: 1 })), /^Bed 2 has/);
});

const skip = kind !== 'http' && 'a wire has no tokens';
test('lets the token of a reader read, and that of an operator act', { timeout: limitMs, skip }, async (t) => {
  const server = await start(t);
  const { client: reader } = await connect(t, { server, token: tokens.reader });
  assert.equal((await readJson(reader, 'bed://all')).beds.length, 4);
  assert.equal((await call(reader, 'measure_climate')).isError, undefined);
  await assert.rejects(call(reader, 'set_valve', { bed: 1, open: true }), /403|scope/);
  assert.equal((await readJson(reader, 'bed://1')).valveOpen, false);
  const { client: operator } = await connect(t, { server });
  await call(operator, 'set_valve', { bed: 1, open: true });
  assert.equal((await readJson(reader, 'bed://1')).valveOpen, true);
  await assert.rejects(connect(t, { server, token: 'wrong' }), /token is invalid/);
});
