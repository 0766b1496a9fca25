// SPDX-License-Identifier: Apache-2.0
// examples/greenhouse, used by the official client as a host uses it: every part of the application, in each era that
// the client supports.
//
// usage: node greenhouse.test.mjs [v2] host BINARY
//        node greenhouse.test.mjs [v2] http BINARY
//        node greenhouse.test.mjs [v2] board|http EMULATE BOARD IMAGE
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  all, call, connect, eras, read, readJson, request, start, textOf, tokens, Wire,
} from './greenhouse.mjs';
import { cannotAsk, command, kind, library, limitMs, rejected } from './support.mjs';

// On a PC, the tests wait at the same time.
const concurrency = command.length === 1 ? 6 : 1;
const isOverHttp = kind === 'http';

for (const era of eras) {
  describe(era.revision, { concurrency }, () => {
    const limits = { timeout: limitMs };
    const open = (t, more) => connect(t, { ...more, era });

    test('describes itself: icons, and a capability of this vendor', limits, async (t) => {
      const { client } = await open(t);
      assert.deepEqual(client.getServerVersion().icons,
        [{ src: 'https://example.com/greenhouse.svg', mimeType: 'image/svg+xml', sizes: ['any'] }]);
      assert.deepEqual(client.getServerCapabilities().experimental, { 'x-greenhouse': { calibrate: true } });
    });

    test('lists tools on several pages, with units and icons', limits, async (t) => {
      const { client } = await open(t);
      const pages = [];
      for (let cursor; pages.length === 0 || cursor !== undefined;) {
        const page = await request(client, 'tools/list', cursor === undefined ? {} : { cursor });
        pages.push(page.tools.map(({ name }) => name));
        cursor = page.nextCursor;
      }
      assert.ok(pages.length > 1, `${pages.length} pages`);
      assert.deepEqual(pages.flat(), ['measure_climate', 'set_valve', 'set_crop', 'show_bed', 'dry_beds', 'water_bed', 'fill_tank', 'set_schedule',
        'set_targets', 'check_targets', 'ask_gardener', 'search_probes', 'search_dosing_pumps', 'cancel_scheduled',
        'dose_0']);
      const tools = await all(client, 'tools');
      assert.deepEqual(tools.map(({ name }) => name), pages.flat());
      const { temperature } = tools[0].outputSchema.properties;
      assert.deepEqual([temperature.description, temperature._meta], ['unit: °C', undefined]);
      assert.equal(tools[1].inputSchema.properties.bed.description, '1..4');
      assert.deepEqual(tools[5].icons, [{ src: 'https://example.com/water.png', mimeType: 'image/png', sizes: ['48x48'] }]);
      const { structuredContent } = await call(client, 'measure_climate');
      assert.ok(structuredContent.temperature >= 18 && structuredContent.temperature <= 28);
      assert.ok(structuredContent.humidity >= 45 && structuredContent.humidity <= 85);
    });

    test('reads beds by table and by typed variables', limits, async (t) => {
      const { client } = await open(t);
      const { beds } = await readJson(client, 'bed://all');
      assert.deepEqual(beds.map(({ bed, crop }) => [bed, crop]),
        [[1, 'tomato'], [2, 'basil'], [3, 'cucumber'], [4, 'lettuce']]);
      assert.deepEqual(await readJson(client, 'bed://2'), beds[1]);
      for (const bad of ['bed://5', 'bed://two']) {
        const error = await rejected(client.readResource({ uri: bad }));
        assert.equal(error.code, -32602);
        assert.match(error.message, /bed/);
      }
    });

    test('checks texts by a pattern and a format', limits, async (t) => {
      const { client } = await open(t);
      const { inputSchema } = (await all(client, 'tools')).find(({ name }) => name === 'set_crop');
      assert.equal(inputSchema.properties.crop.pattern, '^[a-z]{2,16}$');
      assert.equal(inputSchema.properties.sown.format, 'date');
      assert.match(textOf(await call(client, 'set_crop', { bed: 2, crop: 'Basil!' })), /crop/);
      assert.equal(inputSchema.properties.planted.deprecated, true);
      assert.match(textOf(await call(client, 'set_crop', { bed: 2, crop: 'mint', sown: '2026-02-30' })), /sown/);
      assert.equal((await readJson(client, 'bed://2')).crop, 'basil');
      const set = await call(client, 'set_crop', { bed: 2, crop: 'mint', sown: '2026-03-01' });
      assert.equal(textOf(set), 'In bed 2 grows mint.');
      const { crop, sown } = await readJson(client, 'bed://2');
      assert.deepEqual([crop, sown], ['mint', '2026-03-01']);
    });

    test('keeps a schedule of unique beds and whole quarters of an hour', limits, async (t) => {
      const { client, news } = await open(t, { watches: ['schedule://current'] });
      const { inputSchema } = (await all(client, 'tools')).find(({ name }) => name === 'set_schedule');
      const { beds, everyMinutes } = inputSchema.properties.entries.items.properties;
      assert.equal(beds.uniqueItems, true);
      assert.equal(everyMinutes.multipleOf, 15);
      const entries = [
        { beds: [1, 3], everyMinutes: 60, seconds: 10, onlyIf: { moistureBelow: 30 } },
        { beds: [4], everyMinutes: 120, seconds: 5, onlyIf: { moistureBelow: 50 } },
      ];
      assert.equal(textOf(await call(client, 'set_schedule', { entries })), 'The schedule has 2 entries.');
      await news.next('schedule://current');
      const kept = { entries, setBy: 'mote-tests' };
      assert.deepEqual(await readJson(client, 'schedule://current'), kept);
      for (const [bad, said] of [
        [{ onlyIf: { moistureBelow: 101 } }, /moistureBelow/], [{ everyMinutes: 50 }, /everyMinutes.*multiple of 15/],
        [{ beds: [1, 3, 1] }, /beds/], [{ beds: [] }, /beds/],
      ]) {
        const result = await call(client, 'set_schedule', { entries: [{ ...entries[0], ...bad }] });
        assert.equal(result.isError, true);
        assert.match(textOf(result), said);
      }
      assert.deepEqual(await readJson(client, 'schedule://current'), kept);
    });

    test('shows a bed with several items, and dry beds as a list', limits, async (t) => {
      const { client } = await open(t);
      const { content: [text, body, link] } = await call(client, 'show_bed', { bed: 3 });
      assert.equal(text.text, 'In bed 3 grows cucumber.');
      assert.deepEqual([body.resource.uri, body.resource.text, body.resource._meta],
        ['bed://3', '30 % moisture', { 'greenhouse.example/valve': 'normally closed' }]);
      assert.deepEqual([link.type, link.uri, link.icons[0].sizes], ['resource_link', 'log://bed/3', ['48x48']]);
      const dry = await call(client, 'dry_beds');
      assert.equal(textOf(dry), '[4]');
      assert.deepEqual(dry.structuredContent, era.isModern ? [4] : undefined);
    });

    test('keeps targets in a map, and a temperature that can be null', limits, async (t) => {
      const { client } = await open(t);
      const { inputSchema } = (await all(client, 'tools')).find(({ name }) => name === 'set_targets');
      assert.deepEqual(inputSchema.properties.moisture.additionalProperties.maximum, 90);
      assert.deepEqual(inputSchema.properties.temperature.type, ['integer', 'null']);
      const warmest = async () => (await call(client, 'measure_climate')).structuredContent.temperature;
      const set = async (targets) => {
        assert.equal(textOf(await call(client, 'set_targets', targets)), '2 crops have a target.');
        return readJson(client, 'targets://current');
      };
      const moisture = { basil: 60, tomato: 20 };
      assert.deepEqual(await set({ moisture, temperature: 30 }), { moisture, temperature: 30 });
      assert.equal(await warmest(), 30);
      assert.deepEqual(await set({ moisture }), { moisture, temperature: 30 });  // absent is not null
      assert.deepEqual(await set({ moisture, temperature: null }), { moisture, temperature: null });
      assert.ok(await warmest() < 30);
      for (const [bad, said] of [
        [{ moisture: { basil: 95 } }, /moisture.*basil/], [{ moisture, temperature: 31 }, /temperature.*null/],
        [{ moisture: { a: 10, b: 10, c: 10, d: 10, e: 10 } }, /moisture/],
      ]) {
        const result = await call(client, 'set_targets', bad);
        assert.equal(result.isError, true);
        assert.match(textOf(result), said);
      }
      // A result whose schema is a literal.
      const { structuredContent } = await call(client, 'check_targets');
      assert.deepEqual(structuredContent, { findings: [{ bed: 2, moisture: 35, target: 60 }] });
    });

    test('reads a slow probe while it serves other requests', limits, async (t) => {
      const { client } = await open(t);
      // Over HTTP, opens two connections. If the client opens more than the board has, the board first closes an idle one,
      // which takes a second of the three.
      await Promise.all([read(client, 'bed://1'), read(client, 'bed://2')]);
      const order = [];
      const slow = read(client, 'bed://3/ph').then((value) => { order.push('ph'); return value; });
      await read(client, 'bed://3').then(() => order.push('bed'));
      assert.equal(await slow, '6.4');
      assert.deepEqual(order, ['bed', 'ph']);
    });

    test('waters a bed, and notifies of this bed and of its progress', limits, async (t) => {
      const { client, news } = await open(t, { watches: ['bed://1'] });
      const before = (await readJson(client, 'bed://1')).moisture;
      const progress = [];
      const result = await call(client, 'water_bed', { bed: 1, seconds: 2 },
        { onprogress: ({ progress: done, total, message }) => progress.push([done, total, message]) });
      assert.match(textOf(result), /^Bed 1 has \d+ % moisture, and the tank (39|38\.9\d*|39\.0\d*) liters\.$/);
      await news.next('bed://1');
      const after = await readJson(client, 'bed://1');
      assert.ok(after.moisture > before, `${after.moisture} % after ${before} %`);
      assert.equal(after.valveOpen, false);
      assert.equal(progress[0][2], 'The pump runs.');
      assert.ok(progress[0][0] < 1);
      // Fractions of 1, which grow.
      assert.ok(progress.length >= 2);
      progress.forEach(([done, total], i) => assert.ok(total === 1 && done <= 1 && (i === 0 || done > progress[i - 1][0])));
      assert.deepEqual(news.asked, []);
    });

    test('waters for long only with consent', limits, async (t) => {
      const { client, news } = await open(t);
      const result = await call(client, 'water_bed', { bed: 2, seconds: 60 });
      assert.equal(result.isError, true);
      assert.equal(textOf(result),
        'The user declined. Call again only if the user asks for it. Up to 30 s need no consent.');
      assert.deepEqual(news.asked, ['Water bed 2 for 60 s?']);
    });

    test('says what a client cannot be asked', limits, async (t) => {
      const { client } = await open(t, { capabilities: {} });
      const watering = await call(client, 'water_bed', { bed: 2, seconds: 60 });
      assert.equal(watering.isError, true);
      assert.equal(textOf(watering), `${cannotAsk} Up to 30 s need no consent.`);
      const advice = await call(client, 'ask_gardener', { bed: 2 });
      assert.equal(advice.isError, true);
      assert.equal(textOf(advice), cannotAsk);
    });

    test('stops the pump when the call is cancelled', limits, async (t) => {
      const { client, news } = await open(t, {
        watches: ['bed://4'], consent: { action: 'accept', content: { water: true } } });
      const stop = new AbortController();
      const watering = call(client, 'water_bed', { bed: 4, seconds: 60 }, { signal: stop.signal }).catch((error) => error);
      await news.next('bed://4');  // the valve is open
      assert.equal((await readJson(client, 'bed://4')).valveOpen, true);
      stop.abort();
      await watering;
      await news.next('bed://4');
      assert.equal((await readJson(client, 'bed://4')).valveOpen, false);
      assert.deepEqual(news.asked, ['Water bed 4 for 60 s?']);
    });

    test('says what a call would do', limits, async (t) => {
      const { client, news } = await open(t);
      const result = await call(client, 'water_bed', { bed: 3, seconds: 45, dry_run: true });
      assert.equal(textOf(result), 'It would pump 22.5 liters on bed 3, if the user agrees.');
      assert.equal(result._meta['mote/dryRun'], true);
      assert.deepEqual(news.asked, []);
    });

    test('runs a call later without the client, and cancels one', limits, async (t) => {
      const { client, news } = await open(t, { watches: ['bed://2'] });
      await call(client, 'set_valve', { bed: 2, open: true, after: 1 });
      await call(client, 'set_valve', { bed: 3, open: true, after: 3600 });
      await news.next('bed://2');
      assert.equal((await readJson(client, 'bed://2')).valveOpen, true);
      const { calls } = await readJson(client, 'schedule://calls');
      assert.equal(calls.length, 2);
      const waiting = calls.find(({ status }) => status === 'scheduled');
      assert.ok(!(await call(client, 'cancel_scheduled', { id: waiting.id })).isError);
      const left = (await readJson(client, 'schedule://calls')).calls;
      assert.deepEqual(left.filter(({ status }) => status === 'scheduled'), []);
    });

    test('runs a call at a time of day, as soon as the device knows it', limits, async (t) => {
      const { client, news } = await open(t, { watches: ['bed://2'] });
      const at = new Date(Date.now() + 5000).toISOString();
      const result = await call(client, 'set_valve', { bed: 2, open: true, at });
      assert.equal(result._meta['mote/scheduledCall'], 1);
      if (command.length !== 1) return;  // a board has no calendar
      await news.next('bed://2');
      assert.ok(Date.now() >= Date.parse(at));
      assert.equal((await readJson(client, 'bed://2')).valveOpen, true);
    });

    test('streams a log that is larger than the transmit buffer', limits, async (t) => {
      const { client } = await open(t);
      for (let i = 0; i < 80; ++i) await call(client, 'set_valve', { bed: 1 + i % 4, open: i % 2 === 0 });
      const log = await read(client, 'log://events');
      const lines = log.trimEnd().split('\n');
      assert.equal(lines.length, 80);
      assert.ok(log.length > 2048, `${log.length} bytes`);
      assert.match(lines[79], /^ +\d+ valve closed +4$/);
      // Without the age, which grows meanwhile.
      const events = (text) => text.trimEnd().split('\n').map((line) => line.slice(10));
      assert.deepEqual(events(await read(client, 'log://bed/2')), events(log).filter((line) => line.endsWith('2')));
      assert.equal((await rejected(client.readResource({ uri: 'log://bed/5' }))).code, -32602);
    });

    test('logs objects', limits, async (t) => {
      const { client, news, logMeta } = await open(t, { logs: true });
      await call(client, 'water_bed', { bed: 1, seconds: 1 }, undefined, logMeta);
      await news.next('log');
      assert.deepEqual(news.logs[0], { level: 'info', logger: 'greenhouse', data: { event: 'watering', bed: 1 } });
      if (era.isModern) return;  // a stateless call gets only its own messages
      await call(client, 'dose_0', { milliliters: 50 });
      await news.next('log');
      await news.next('log');
      assert.deepEqual(news.logs.at(-1).data, { event: 'dosed' });
    });

    test('serves the last samples since a time', limits, async (t) => {
      const { client } = await open(t);
      const history = await readJson(client, 'climate://temperature/history');
      assert.equal(history.unit, 'Cel');
      assert.equal(history.level, 'normal');
      assert.equal(history.truncated, false);
      assert.ok(history.count >= 1 && history.minimum >= 18 && history.maximum <= 28);
      const since = await readJson(client, 'climate://temperature/history?since=3600');
      assert.equal(since.count, history.count);
      const none = await readJson(client, 'climate://temperature/history?until=3600');
      assert.equal(none.count, 0);
      const error = await rejected(client.readResource({ uri: 'climate://temperature/history?since=yesterday' }));
      assert.equal(error.code, -32602);
      assert.match(error.message, /since must be an age in seconds, such as 3600/);
    });

    test('finds probes at run time: the list of a template, and a body for each', limits, async (t) => {
      const { client, news } = await open(t, { watches: [] });
      const templates = (await all(client, 'resourceTemplates')).map(({ uriTemplate }) => uriTemplate);
      assert.deepEqual(templates,
        ['bed://{bed}', 'bed://{bed}/ph', 'climate://temperature/history{?since,until}', 'probe://{number}',
          'log://bed/{bed}']);
      const probes = async () => (await all(client, 'resources')).map(({ uri }) => uri)
        .filter((uri) => /^probe:..\d/.test(uri));
      assert.deepEqual(await probes(), ['probe://0', 'probe://1']);
      const missing = await rejected(client.readResource({ uri: 'probe://2' }));
      assert.equal(missing.code, library.notFound);
      assert.equal((await rejected(client.readResource({ uri: 'probe://4' }))).code, -32602);
      assert.equal(textOf(await call(client, 'search_probes')), '1 probe is new.');
      await news.next('resources');
      assert.deepEqual(await probes(), ['probe://0', 'probe://1', 'probe://2']);
      assert.ok(Number(await read(client, 'probe://2')) > 10);
      const { contents } = await client.readResource({ uri: 'probe://all' });
      assert.deepEqual(contents.map(({ uri, _meta }) => [uri, _meta['greenhouse.example/address']]),
        [['probe://0', 40], ['probe://1', 41], ['probe://2', 42]]);
      const { tenths, offset } = JSON.parse(contents[2].text);
      assert.ok(tenths > 100 && offset === 0);
    });

    test('calibrates probes with a method of its own', limits, async (t) => {
      const { client } = await open(t);
      const { before, now } = await request(client, 'x-greenhouse/calibrate', { tenths: 5 });
      assert.deepEqual({ before, now }, { before: 0, now: 5 });
      const { contents } = await client.readResource({ uri: 'probe://all' });
      assert.equal(JSON.parse(contents[0].text).offset, 5);
      const error = await rejected(request(client, 'x-greenhouse/calibrate', { tenths: 51 }));
      assert.equal(error.code, -32602);
      assert.match(error.message, /tenths/);
    });

    test('takes a notification of its own', limits, async (t) => {
      const { client } = await open(t);
      const tank = async () => (await call(client, 'check_targets')).structuredContent.findings[0]?.tankLiters;
      await call(client, 'fill_tank', { liters: 1 });
      assert.equal(await tank(), 1);
      await client.notification({ method: 'x-greenhouse/rain', params: { liters: 20 } });
      assert.equal(await tank(), undefined);
    });

    test('finds dosing pumps at run time: each is a tool', limits, async (t) => {
      const { client, news } = await open(t, { watches: [] });
      const pumps = async () => (await all(client, 'tools')).map(({ name }) => name)
        .filter((name) => name.startsWith('dose_'));
      assert.deepEqual(await pumps(), ['dose_0']);
      assert.equal(textOf(await call(client, 'search_dosing_pumps')), '1 dosing pump is new.');
      await news.next('tools');
      assert.deepEqual(await pumps(), ['dose_0', 'dose_1']);
      assert.equal(textOf(await call(client, 'dose_1', { milliliters: 150 })), 'Dosing pump 1 has pumped 150 ml.');
      for (const milliliters of [160, 0, 550, 'much']) {
        const result = await call(client, 'dose_1', { milliliters });
        assert.equal(result.isError, true);
        assert.match(textOf(result), /multiple of 50/);
      }
      assert.equal((await rejected(call(client, 'dose_2', { milliliters: 50 }))).code, -32602);
    });

    test('gives prompts, and completes crops anywhere in their names', limits, async (t) => {
      const { client } = await open(t);
      const { messages } = await client.getPrompt({ name: 'plan_watering', arguments: { crop: 'basil' } });
      assert.match(messages[0].content.text, /^Plan how to water the basil in bed 2\./);
      const night = await client.getPrompt({ name: 'what_happened', arguments: { hours: '8' } });
      assert.match(night.messages[0].content.text, /^Report on the last 8 hours\./);
      const complete = async (ref, name, value) =>
        (await client.complete({ ref, argument: { name, value } })).completion.values;
      const crops = { type: 'ref/prompt', name: 'plan_watering' };
      assert.deepEqual(await complete(crops, 'crop', 'TO'), ['tomato']);
      assert.deepEqual(await complete(crops, 'crop', 'u'), ['cucumber', 'lettuce']);
      assert.deepEqual(await complete({ type: 'ref/resource', uri: 'bed://{bed}' }, 'bed', '3'), ['3']);
    });

    test('asks the model of the client with several messages and metadata', limits, async (t) => {
      const { client, news } = await open(t);
      assert.equal(textOf(await call(client, 'ask_gardener', { bed: 3 })), 'It needs water.');
      const [{ messages, metadata, systemPrompt, maxTokens }] = news.sampled;
      // A message for each item, since this client does not have sampling.tools.
      assert.deepEqual(messages, [
        { role: 'user', content: { type: 'text', text: 'In bed 3 grows cucumber.' } },
        { role: 'user', content: { type: 'text', text: 'The soil has 30 % moisture and pH 6.4. What does it need?' } },
      ]);
      assert.deepEqual(metadata, { topic: 'gardening' });
      assert.deepEqual([systemPrompt, maxTokens], ['You are a gardener. Answer in one sentence.', 60]);
    });

    test('a read asks the user of a stateless client', limits, async (t) => {
      const { client, news } = await open(t, { consent: { action: 'accept', content: { unit: 'fahrenheit' } } });
      const now = await read(client, 'climate://now');
      assert.match(now, era.isModern ? /^6\d.* °F, \d+ %$/ : /^18.* °C, \d+ %$/);
      assert.deepEqual(news.asked, era.isModern ? ['Which unit do you prefer?'] : []);
      if (!era.isModern) return;
      const { client: other } = await open(t, { consent: { action: 'decline' } });
      assert.match(await read(other, 'climate://now'), /^18.* °C, \d+ %$/);
    });

    test('names the tool to call first when the tank is empty', limits, async (t) => {
      const { client } = await open(t);
      assert.equal(textOf(await call(client, 'fill_tank', { liters: 3 })), 'The tank has 3 liters.');
      // The pump stops below 2 liters: after 2 s at 0.5 liters in a second.
      const ended = await call(client, 'water_bed', { bed: 1, seconds: 30 });
      assert.equal(ended.isError, true);
      assert.equal(textOf(ended), 'The tank has become nearly empty. Call fill_tank, then water the rest.');
      const refused = await call(client, 'water_bed', { bed: 2, seconds: 1 });
      assert.equal(refused.isError, true);
      assert.equal(textOf(refused), 'The tank is nearly empty. Call fill_tank first.');
      const { structuredContent } = await call(client, 'check_targets');
      assert.ok(structuredContent.findings[0].tankLiters < 2);
      assert.equal(textOf(await call(client, 'fill_tank')), 'The tank has 40 liters.');
      assert.match(textOf(await call(client, 'water_bed', { bed: 2, seconds: 1 })), /^Bed 2 has/);
    });

    test('keeps the valves while the pump runs', limits, async (t) => {
      const { client, news } = await open(t, { watches: ['bed://1'] });
      const watering = call(client, 'water_bed', { bed: 1, seconds: 10 });
      await news.next('bed://1');
      const valve = await call(client, 'set_valve', { bed: 1, open: false });
      assert.equal(valve.isError, true);
      assert.equal(textOf(valve), 'The pump runs. Wait until it ends.');
      assert.match(textOf(await watering), /^Bed 1 has/);
    });

    test('says how much a bottle still had', limits, async (t) => {
      const { client } = await open(t);
      for (const milliliters of [500, 400]) assert.ok(!(await call(client, 'dose_0', { milliliters })).isError);
      const result = await call(client, 'dose_0', { milliliters: 150 });
      assert.equal(result.isError, true);
      assert.equal(textOf(result), 'The bottle is empty. Dosing pump 0 has pumped 100 ml.');
    });

    test('a task is taken over after a reconnect', limits, async (t) => {
      const server = isOverHttp ? await start(t) : undefined;
      const wire = isOverHttp ? undefined : await Wire.open(t);
      const again = (more) => open(t, { server, wire, ...more });
      const first = await again({ watches: ['bed://1'] });
      const { task, reference } = await first.startTask('water_bed', { bed: 1, seconds: 2 });
      assert.equal(task.status, 'working');
      assert.equal(task.pollInterval, 500);
      await first.news.next('bed://1');  // the pump runs
      await first.leave();
      if (server) {
        // Another principal does not see it.
        const other = await open(t, { server, token: tokens.reader });
        await assert.rejects(other.getTask(reference));
        await other.leave();
      }
      const second = await again();
      const { status, statusMessage } = await second.getTask(reference);
      assert.deepEqual([status, statusMessage], ['working', 'The pump runs.']);
      assert.match(textOf(await second.taskResult(reference)), /^Bed 1 has/);
      assert.equal((await second.getTask(reference)).status, 'completed');
      await second.leave();
    });

    test('shows its own figures: pools, messages, errors, times', limits, async (t) => {
      const { client } = await open(t);
      await rejected(client.readResource({ uri: 'bed://5' }));
      const health = await readJson(client, 'mote://health');
      assert.equal(health.version, '1.0.0');
      assert.equal(health.reset, 'other');
      assert.ok(health.uptime_ms >= 0 && health.longest_poll_ms >= 0);
      assert.ok(health.messages.request >= 2);
      assert.deepEqual(health.errors, { '-32602': 1 });
      assert.equal(health.pools.jobs.size, 2);
      assert.ok(health.pools.sessions.high >= 1);
      assert.equal(health.memory.log.size, 256);
      for (const { size, used, high, full } of [...Object.values(health.pools), ...Object.values(health.memory)]) {
        assert.ok(used <= high && high <= size);
        assert.equal(full, 0);
      }
    });

    const skip = !isOverHttp && 'a wire has no tokens';
    test('lets the token of a reader read, and that of an operator act', { ...limits, skip }, async (t) => {
      const server = await start(t);
      const { client: reader } = await open(t, { server, token: tokens.reader });
      assert.equal((await readJson(reader, 'bed://all')).beds.length, 4);
      assert.equal((await call(reader, 'measure_climate')).isError, undefined);
      await assert.rejects(call(reader, 'set_valve', { bed: 1, open: true }), /\bwater\b/);
      await assert.rejects(read(reader, 'mote://health'), /\bservice\b/);
      await assert.rejects(call(reader, 'dose_0', { milliliters: 50 }), /\bwater\b/);
      await assert.rejects(request(reader, 'x-greenhouse/calibrate', { tenths: 1 }), /\bschedule\b/);
      assert.equal((await readJson(reader, 'bed://1')).valveOpen, false);
      const { client: operator } = await open(t, { server });
      await call(operator, 'set_valve', { bed: 1, open: true });
      assert.equal((await readJson(reader, 'bed://1')).valveOpen, true);
      await assert.rejects(open(t, { server, token: 'wrong' }), /token is invalid|401/);
    });
  });
}
