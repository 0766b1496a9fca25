// SPDX-License-Identifier: Apache-2.0
// The page in Chromium against servers of this machine: what a person sees and does, in both eras.
//
// usage: node chromium.test.mjs EVERYTHING_SERVER THERMOMETER_HTTP
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { DevicePage, eras, limitMs, openBrowser, waitMs } from './browser.mjs';
import { FakeDevice } from './fake_device.mjs';
import { startHttp } from '../../examples/client/http.mjs';
import { holdPort } from '../../examples/client/mqtt.mjs';
import { httpThermometer } from '../../examples/client/thermometer.mjs';
import { within } from '../../examples/client/session.mjs';

const [everything, thermometer] = process.argv.slice(2);
const timeout = limitMs;
let browser;
let server;
let page;  // as the device serves it

before(async () => {
  [browser, server] = await Promise.all([openBrowser(), startHttp(everything, ['--port', '0'])]);
  const response = await fetch(new URL('/', server.url));
  const headers = Object.fromEntries(response.headers);
  delete headers['content-encoding'];
  delete headers['content-length'];
  delete headers['transfer-encoding'];
  page = { headers, body: await response.text() };
});
after(async () => {
  await browser?.close();
  await server?.end();
});

const open = (t, options, url = server.url) => DevicePage.open(t, browser, url, options);

for (const era of eras) {
  test(`${era}: shows the device and its resources`, { timeout }, async (t) => {
    const device = await open(t, { era });
    await device.state(`Connected · ${era}`);
    assert.equal(await device.page.title(), 'Everything');
    assert.match(await device.text(), /Shows what a server can do[^]*https:\/\/example.com\/everything\n.*its tools show/);
    await (await device.card('Static text')).says('This is the content of the static text resource.');
    const image = await device.card('Static binary');
    await device.page.waitForFunction((card) => card.querySelector('img')?.naturalWidth > 0, {}, image.handle);
    const watched = await device.card('watched-resource');
    const count = Number(/Updated (\d+)/.exec(await watched.text())[1]);
    const update = await device.card('test_update_resource');
    await update.press('Run');
    await watched.says(`Updated ${count + 1} times.`);  // by a notification
  });

  test(`${era}: calls tools and shows their results`, { timeout }, async (t) => {
    const device = await open(t, { era });
    for (const [tool, text] of [['test_simple_text', 'This is a simple text response'], ['test_error_handling', 'This tool'],
      ['test_structured_content', 'conditions'], ['test_multiple_content_types', 'text']]) {
      const card = await device.card(tool);
      await card.press('Run');
      await card.says(text);
    }
    const image = await device.card('test_image_content');
    await image.press('Run');
    await device.page.waitForFunction((card) => card.querySelector('img')?.naturalWidth > 0, {}, image.handle);
    const audio = await device.card('test_audio_content');
    await audio.press('Run');
    await device.page.waitForFunction((card) => card.querySelector('audio[controls]'), {}, audio.handle);
    const link = await device.card('test_resource_link');
    await link.press('Run');
    await link.press('Read Static binary');
    await device.page.waitForFunction((card) => card.querySelector('img')?.naturalWidth > 0, {}, link.handle);
    const headers = await device.card('test_headers');
    await headers.type('region', 'Zürich =?');
    await headers.type('priority', '7');
    await headers.press('Run');
    await headers.says('Zürich =?');
  });

  test(`${era}: shows progress and cancels a call`, { timeout }, async (t) => {
    const device = await open(t, { era });
    const progress = await device.card('test_tool_with_progress');
    const seen = device.page.waitForFunction((card) => card.querySelector('progress')?.position > 0, {}, progress.handle);
    await progress.press('Run');
    await seen;
    await device.page.waitForFunction((card) => !card.querySelector('progress'), {}, progress.handle);
    const slow = await device.card('test_slow');
    await slow.press('Run');
    await device.page.waitForFunction((card) => card.querySelector('progress'), {}, slow.handle);
    await slow.press('Cancel');
    await slow.says('Cancelled.');
  });

  test(`${era}: shows input requests as dialogs`, { timeout }, async (t) => {
    const device = await open(t, { era });
    const call = async (tool, fill) => {
      const card = await device.card(tool);
      if (fill) await fill(card);
      await card.press('Run');
      return card;
    };
    const names = await call('test_elicitation', async (card) => card.type('message', 'Who?'));
    let dialog = await device.dialog();
    await dialog.says('Who?');
    await device.assertAccessible();
    await dialog.press('Send');
    assert.deepEqual((await dialog.errors()).map(([, error]) => error), ['Required.', 'Required.']);
    await dialog.type('username', 'mote');
    await dialog.type('email', 'mote@example.com');
    await dialog.press('Send');
    await names.says('mote@example.com');

    const declined = await call('test_elicitation', async (card) => card.type('message', 'Again?'));
    await (await device.dialog()).press('Decline');
    await declined.says('decline');
    const closed = await call('test_elicitation', async (card) => card.type('message', 'Again?'));
    await device.dialog();
    await device.page.keyboard.press('Escape');
    await closed.says('cancel');

    const enums = await call('test_elicitation_sep1330_enums');
    dialog = await device.dialog();
    await dialog.choose('untitledSingle', 'option2');
    await dialog.choose('titledSingle', 'Third Option');
    await dialog.choose('legacyEnum', 'Option One');
    await (await dialog.in('titledMulti')).check('First Choice');
    await dialog.press('Send');
    await enums.says('value3');
    assert.match(await enums.text(), /option2[^]*opt1/);

    const defaults = await call('test_elicitation_sep1034_defaults');
    await (await device.dialog()).press('Send');
    await defaults.says('John Doe');

    const url = await call('test_elicitation_url');
    dialog = await device.dialog();
    const anchor = await dialog.handle.$('a');
    assert.match(await anchor.evaluate(({ href }) => href), /^https:/);
    assert.equal(await anchor.evaluate(({ rel }) => rel), 'noreferrer');
    await dialog.press('Decline');
    await url.says('decline');

    const sampling = await call('test_sampling', (card) => card.type('prompt', 'A capital?'));
    dialog = await device.dialog();
    await dialog.says('A capital?');
    await dialog.type('Your answer', 'Paris');
    await dialog.press('Send');
    await sampling.says('Paris');
    const roots = await call('test_list_roots');
    await device.page.waitForFunction((card) => !card.querySelector('progress') && card.querySelector('[aria-live] > *'), {}, roots.handle);
    await device.noDialog();
  });

  test(`${era}: gets prompts and reads templates`, { timeout }, async (t) => {
    const device = await open(t, { era });
    const prompt = await device.card('test_prompt_with_arguments');
    await prompt.type('arg1', 'one');
    await prompt.press('Get');
    assert.deepEqual(await prompt.errors(), [['arg2 *', 'Required.']]);
    await prompt.type('arg2', 'two');
    await prompt.press('Get');
    await prompt.says("arg1='one', arg2='two'");
    const template = await device.card('template');
    await template.type('id', '12/3');
    await template.press('Read');
    await template.says('12');
  });

  test(`${era}: follows the log and lists`, { timeout }, async (t) => {
    const device = await open(t, { era });
    await device.state('Connected');
    await device.page.select('select[aria-label="Log level"]', 'debug');
    const logging = await device.card('test_tool_with_logging');
    await logging.press('Run');
    await device.page.waitForFunction(() => document.querySelector('[role=log]').childElementCount >= 3);
    const change = await device.card('test_set_enabled');
    const gone = (wanted) => device.page.waitForFunction((is) => is === ![...document.querySelectorAll('h3')]
      .some(({ textContent }) => textContent === 'test_switched_tool'), {}, wanted);
    await change.choose('what', 'The tool test_switched_tool');
    await change.press('Run');
    await gone(true);
    // The cards that stay have what was typed.
    await change.check('enabled');
    await change.press('Run');
    await gone(false);
  });
}

test('completes arguments of prompts', { timeout }, async (t) => {
  const device = await open(t);
  const prompt = await device.card('test_prompt_with_arguments');
  await prompt.type('arg1', 't');
  await device.page.waitForFunction((card) => card.querySelectorAll('datalist option').length > 0, {}, prompt.handle);
});

test('asks several inputs of one call', { timeout }, async (t) => {
  const device = await open(t);
  const card = await device.card('test_input_required_result_multiple_inputs');
  await card.press('Run');
  let dialog = await device.dialog();
  await dialog.type('name', 'Ada');
  await dialog.press('Send');
  await device.page.waitForFunction(() => document.querySelector('dialog')?.innerText.includes('Generate a greeting'));
  dialog = await device.dialog();
  await dialog.press('Decline');
  await card.says('declined');
});

test('has a strict policy and no accessibility problem, light and dark', { timeout }, async (t) => {
  for (const scheme of ['light', 'dark']) {
    const device = await open(t, { scheme });
    await device.state('Connected');
    for (const name of ['test_headers', 'test_elicitation', 'template', 'test_prompt_with_arguments']) await device.card(name);
    await device.assertAccessible();
    const blocked = await device.page.evaluate(async () => {
      const violations = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => violations.push(effectiveDirective));
      const attempts = [
        () => document.body.append(Object.assign(document.createElement('img'), { src: 'http://127.0.0.1:9/x.png' })),
        () => fetch('http://127.0.0.1:9/').catch(() => {}),
        () => { document.body.innerHTML += '<b>x</b>'; },
        () => document.head.append(Object.assign(document.createElement('style'), { textContent: 'b{}' })),
        () => document.head.append(Object.assign(document.createElement('base'), { href: 'http://127.0.0.1:9/' })),
      ];
      for (const attempt of attempts) {
        try {
          await attempt();
        } catch {}
      }
      await new Promise((done) => setTimeout(done));
      return violations;
    });
    for (const directive of ['img-src', 'connect-src', 'require-trusted-types-for', 'style-src-elem', 'base-uri']) {
      assert.ok(blocked.includes(directive), `${directive} is not in ${blocked}`);
    }
    device.problems.length = 0;  // of these attempts
  }
});

test('works with the keyboard alone', { timeout }, async (t) => {
  const device = await open(t);
  const card = await device.card('test_simple_text');
  await card.handle.evaluate((element) => { element.open = false; });
  await (await card.handle.$('summary')).focus();
  await device.page.keyboard.press('Enter');
  await device.page.keyboard.press('Tab');
  await device.page.keyboard.press('Enter');
  await card.says('This is a simple text response');
});

test('signs in with a token and keeps it in memory only', { timeout }, async (t) => {
  for (const era of eras) {
    const secured = await httpThermometer(thermometer, 21.5, '--token', 'secret-of-the-test');
    atEnd(t, () => secured.close());
    const device = await open(t, { era, tolerates: /401/ }, secured.url);
    await device.state('Sign in');
    await device.assertAccessible();
    await device.page.waitForSelector('input[type=password]');
    await device.page.type('input[type=password]', 'wrong');
    await device.page.keyboard.press('Enter');
    await device.page.waitForFunction(() => document.querySelector('section.card .error')?.textContent);
    await device.page.type('input[type=password]', 'secret-of-the-test');
    await device.page.keyboard.press('Enter');
    await device.state(`Connected · ${era}`);
    await (await device.card('Temperature')).says('21.5');
    const kept = await device.page.evaluate(() => JSON.stringify(
      [{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]));
    assert.doesNotMatch(kept, /secret/);
    await device.page.reload();
    await device.state('Sign in');
  }
});

test('shows values live, plots them, and connects again after a reset', { timeout }, async (t) => {
  for (const era of eras) {
    const { port, release } = await holdPort();
    atEnd(t, release);
    let running = await httpThermometer(thermometer, 21.5, '--port', String(port));
    atEnd(t, () => running.close());
    const { url } = running;
    const device = await open(t, { era, tolerates: /ERR_|404/ }, url);
    const card = await device.card('Temperature');
    await card.says('21.5');
    await running.setTemperature(23.25);
    await card.says('23.25');
    await device.page.waitForFunction((part) => part.querySelector('svg[role=img]'), {}, card.handle);
    assert.match(await card.text(), /celsius\s+21.5 to 23.25/);
    const interval = await device.card('Sampling interval');
    await interval.type('milliseconds', '99');
    await interval.press('Run');
    assert.deepEqual(await interval.errors(), [['milliseconds *', 'Enter 100 to 60000.']]);
    const slider = await interval.handle.$('input[type=range]');
    await slider.focus();
    await device.page.keyboard.press('End');
    assert.equal(await (await interval.field('milliseconds')).evaluate(({ value }) => value), '60000');

    await running.process.end('SIGKILL');
    await device.state('The device does not respond.');
    running = await restart(t, String(port));
    await (await device.page.waitForSelector('#state button')).click();
    await device.state(`Connected · ${era}`);
    await card.says('30');
    // What a person has typed is still there.
    assert.equal(await (await interval.field('milliseconds')).evaluate(({ value }) => value), '60000');
  }
});

// The same address after the reset.
async function restart(t, port) {
  const again = await httpThermometer(thermometer, 30, '--port', port);
  atEnd(t, () => again.close());
  return again;
}

const everyKind = {
  type: 'object',
  properties: {
    percent: { type: 'integer', title: 'Percent', minimum: 0, maximum: 100, default: 5 },
    five: { type: 'integer', minimum: 1, maximum: 21, multipleOf: 5 },
    ratio: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    wide: { type: 'integer', description: 'of 64 bits' },
    mode: { type: 'string', enum: ['off', 'on'] },
    titled: { oneOf: [{ const: 1, title: 'One' }, { const: 2, title: 'Two' }] },
    fixed: { const: 'only' },
    flag: { type: 'boolean' },
    sure: { type: 'boolean' },
    word: { type: 'string', minLength: 2, maxLength: 3, pattern: '^[a-z]+$' },
    slow: { type: 'string', pattern: '^(a+)+$' },
    mail: { type: 'string', format: 'email' },
    uri: { type: 'string', format: 'uri' },
    day: { type: 'string', format: 'date' },
    when: { type: 'string', format: 'date-time' },
    long: { type: 'string', maxLength: 500 },
    list: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 9 }, minItems: 1, maxItems: 2, uniqueItems: true },
    several: { type: 'array', items: { enum: ['a', 'b', 'c'] } },
    point: { type: 'object', properties: { x: { type: 'number' }, inner: { $ref: '#/$defs/inner' } }, required: ['x'] },
    map: { type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 2 },
    maybe: { type: ['integer', 'null'] },
    either: { anyOf: [{ type: 'string' }, { type: 'null' }], title: 'Either' },
    json: {},
    __proto__: null,
  },
  required: ['percent', 'sure', 'mode', 'list'],
  $defs: { inner: { type: 'object', properties: { y: { type: 'string' } } } },
};

test('makes a field of every kind, and sends what was entered', { timeout }, async (t) => {
  const fake = await FakeDevice.start(t, page, {
    'tools/call': (params) => ({ content: [{ type: 'text', text: 'done' }], structuredContent: params.arguments }),
  });
  fake.tools = [{ name: 'every', inputSchema: everyKind, annotations: { destructiveHint: true } }];
  const device = await open(t, {}, fake.url);
  const card = await device.card('every');
  await device.assertAccessible();
  await card.says('destructive');
  await card.press('Run');
  assert.deepEqual(await card.errors(), [['mode *', 'Required.'], ['Item 1 *', 'Required.']]);
  for (const [label, text] of [['five', '7'], ['ratio', '1'], ['word', 'abcd'], ['mail', 'x'], ['uri', 'no uri'],
    ['Item 1', '10']]) await card.type(label, text);
  await card.choose('mode', 'on');
  await card.press('Run');
  assert.deepEqual(await card.errors(), [['five', 'Enter a multiple of 5.'], ['ratio', 'Enter less than 1.'],
    ['word', 'Enter at most 3 characters.'], ['mail', 'Not a valid email.'], ['uri', 'Not a valid uri.'],
    ['Item 1 *', 'Enter 1 to 9.']]);
  assert.equal(await card.handle.evaluate(() => document.activeElement.getAttribute('aria-invalid')), 'true');
  for (const [label, text] of [['five', '15'], ['ratio', '0.5'], ['wide', '9223372036854775807'], ['word', 'abc'],
    ['slow', `${'a'.repeat(40)}!`], ['mail', 'a@b'], ['uri', 'a:b'], ['long', 'text'], ['Item 1', '3'],
    ['x', '-1.5'], ['y', 'in'], ['maybe', '4'], ['json', '{"a":[1]}']]) await card.type(label, text);
  for (const [label, text] of [['day', '2026-07-28'], ['when', '2026-07-28T12:00']]) {
    await (await card.field(label)).evaluate((input, value) => { input.value = value; }, text);
  }
  await card.choose('titled', 'Two');
  await card.choose('fixed', 'only');
  await card.check('flag');
  const several = await card.in('several');
  await several.check('a');
  await several.check('c');
  const list = await card.in('list');
  await list.press('Add');
  await card.type('Item 2', '3');
  await (await card.in('map')).press('Add');
  await card.type('Name', 'key');
  await card.type('Value', '8');
  await card.check('Either: no value');
  await card.press('Run');
  assert.deepEqual(await card.errors(), [['list *', 'Each item must differ.']]);
  await card.type('Item 2', '4');
  await card.press('Run');
  await card.says('done');
  const [{ message, text: sent }] = fake.called('tools/call');
  assert.match(sent, /"wide":9223372036854775807,/);  // each digit
  const { when, ...values } = message.params.arguments;
  assert.match(when, /^2026-07-2\d.*Z$/);
  assert.deepEqual(values, {
    percent: 5, five: 15, ratio: 0.5, wide: 2 ** 63, mode: 'on', titled: 2, fixed: 'only', flag: true, sure: false,
    word: 'abc', slow: `${'a'.repeat(40)}!`, mail: 'a@b', uri: 'a:b', day: '2026-07-28', long: 'text', list: [3, 4],
    several: ['a', 'c'], point: { x: -1.5, inner: { y: 'in' } }, map: { key: 8 }, maybe: 4, either: null, json: { a: [1] },
  });
});

test('shows the error of the device at its field', { timeout }, async (t) => {
  const fake = await FakeDevice.start(t, page, {
    'tools/call': () => ({ isError: true, content: [{ type: 'text', text: 'Argument "point.x" must be less.' }] }),
  });
  fake.tools = [{ name: 'every', inputSchema: { ...everyKind, required: [] } }];
  const device = await open(t, {}, fake.url);
  const card = await device.card('every');
  await card.type('x', '1');
  await card.press('Run');
  await card.says('must be less');
  assert.deepEqual(await card.errors(), [['x *', 'Argument "point.x" must be less.']]);
});

test('shows hostile data as text', { timeout }, async (t) => {
  const evil = '<img src=x onerror=alert(1)>\u202Egnp.exe';
  const endless = { count: 0 };
  const fake = await FakeDevice.start(t, page, {
    'resources/list': () => ({
      resources: [{ uri: 'a:b', name: evil, description: evil }, null, 7, { uri: 'c:d', name: 'numbers' }],
      nextCursor: `c${++endless.count}`,
    }),
    'resources/templates/list': () => ({ resourceTemplates: 'none' }),
    'resources/read': ({ uri }) => ({
      contents: [{ uri, text: uri === 'a:b' ? evil : '{"n":1e999,"m":[1,1e999],"__proto__":{"x":1}}' }, null],
    }),
    'tools/call': () => ({
      content: [null, { type: evil }, { type: 'text', text: evil }, { type: 'image', mimeType: 'text/html', data: 'PGI+' },
        { type: 'image', mimeType: 'image/svg+xml', data: 'PHN2Zy8+' },
        { type: 'resource_link', uri: 'javascript:alert(1)', name: evil }],
    }),
  });
  fake.capabilities = { tools: {}, resources: {} };
  fake.serverInfo = { name: evil, title: evil, version: evil, websiteUrl: 'javascript:alert(1)', description: evil };
  fake.instructions = evil;
  const properties = { deep: { $ref: '#' }, bad: { type: 'string', pattern: '(' }, no: 7, list: { type: 'array', items: 4 } };
  const bad = { type: 'object', properties, required: 'all' };
  fake.tools = [...Array.from({ length: 1500 }, (_, i) => ({ name: `tool ${i}`, description: evil })),
    { name: 'late', inputSchema: bad }];
  fake.tools.unshift({ name: 'first', inputSchema: bad }, { name: evil });
  const device = await open(t, { tolerates: /polyline/ }, fake.url);
  await device.state('Connected');
  assert.ok(endless.count <= 100, `${endless.count} pages`);
  const cards = await device.page.evaluate(() => document.querySelectorAll('.card').length);
  assert.ok(cards > 1000 && cards < 2500, `${cards} cards`);
  const card = await device.card('first');
  await card.press('Run');
  await card.says('<img src=x');
  assert.equal(await device.page.evaluate(() => document.querySelectorAll('img[src=x], a[href^="javascript"]').length), 0);
  assert.equal(await device.page.evaluate(() => ({}).x), undefined);
});

test('loads a list once for many changes', { timeout }, async (t) => {
  const changed = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  const fake = await FakeDevice.start(t, page, {
    'subscriptions/listen': (_, response) => {
      fake.tools = [{ name: 'after' }];
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${changed}\n\n`.repeat(500));
    },
  });
  fake.tools = [{ name: 'before' }];
  fake.capabilities = { tools: { listChanged: true } };
  const device = await open(t, {}, fake.url);
  await device.card('after');
  await device.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await device.state('Connected');
  const { length } = fake.called('tools/list');
  assert.ok(length >= 2 && length <= 4, `${length} loads`);
});

test('listens to the resources of a list that has changed', { timeout }, async (t) => {
  const rows = [{ uri: 'x:before', name: 'before' }];
  const subscribed = [];
  let heard;
  const again = new Promise((resolve) => { heard = resolve; });
  const fake = await FakeDevice.start(t, page, {
    'resources/list': () => ({ resources: rows }),
    'resources/templates/list': () => ({ resourceTemplates: [] }),
    'resources/read': ({ uri }) => ({ contents: [{ uri, text: uri }] }),
    'subscriptions/listen': ({ notifications }, response) => {
      subscribed.push(notifications.resourceSubscriptions);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (subscribed.length > 1) return heard();
      rows.push({ uri: 'x:after', name: 'after' });
      response.write('data: {"jsonrpc":"2.0","method":"notifications/resources/list_changed"}\n\n');
      return undefined;
    },
  });
  fake.capabilities = { resources: { listChanged: true, subscribe: true } };
  await open(t, {}, fake.url);
  await within(waitMs, 'second subscription', again);
  assert.deepEqual(subscribed, [['x:before'], ['x:before', 'x:after']]);
});

for (const era of eras) {
  // The value changes after the page has read it, and before the device has the subscription.
  test(`${era}: shows a change between a read and its subscription`, { timeout }, async (t) => {
    const values = { 'x:level': 'first', 'x:large': 'large first' };
    const change = () => Object.keys(values).forEach((uri) => { values[uri] = values[uri].replace('first', 'second'); });
    let isRead;
    const afterRead = new Promise((resolve) => { isRead = resolve; });
    const fake = await FakeDevice.start(t, page, {
      initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: fake.capabilities, serverInfo: fake.serverInfo }),
      ping: () => ({}),
      'resources/list': () => ({ resources: [{ uri: 'x:level', name: 'level' }, { uri: 'x:large', name: 'large', size: 1e6 }] }),
      'resources/templates/list': () => ({ resourceTemplates: [] }),
      'resources/read': ({ uri }) => {
        if (uri === 'x:large') isRead();
        return { contents: [{ uri, text: values[uri] }] };
      },
      'resources/subscribe': () => {  // after the first read, because the page sends one request at a time
        change();
        return {};
      },
      'subscriptions/listen': async (_, response, { id }) => {
        await afterRead;
        change();
        const params = { notifications: {}, _meta: { 'io.modelcontextprotocol/subscriptionId': id } };
        const acknowledged = { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params };
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${JSON.stringify(acknowledged)}\n\n`);
      },
    });
    fake.capabilities = { resources: { subscribe: true } };
    const device = await open(t, { era, tolerates: /405/ }, fake.url);
    const [level, large] = [await device.card('level'), await device.card('large')];
    if (era === eras[0]) {
      await level.says('first');
      assert.deepEqual(fake.called('resources/read').map(({ message }) => message.params.uri), ['x:level']);
      await large.press('Read');
      await large.says('large second');
    }
    await level.says('second');
  });
}

test('asks to complete the argument of a field, whatever its name is', { timeout }, async (t) => {
  const names = ['b', '1', '__proto__', 'a'];
  const fake = await FakeDevice.start(t, page, {
    'prompts/list': () => ({ prompts: [{ name: 'odd', arguments: names.map((name) => ({ name, title: `The ${name}` })) }] }),
    'prompts/get': () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'got' } }] }),
    'completion/complete': ({ argument }) => ({ completion: { values: [`of ${argument.name}`] } }),
  });
  fake.capabilities = { prompts: {}, completions: {} };
  const device = await open(t, {}, fake.url);
  const card = await device.card('odd');
  for (const name of names) {
    await card.type(`The ${name}`, `my ${name}`);
    await device.page.waitForFunction((part, value) => [...part.querySelectorAll('option')].some((one) => one.value === value), {},
      card.handle, `of ${name}`);
    const { message: { params } } = fake.called('completion/complete').at(-1);
    assert.deepEqual(params.argument, { name, value: `my ${name}` });
    assert.ok(Object.entries(params.context.arguments).every(([other, value]) => value === `my ${other}`));
  }
  await card.press('Get');
  await card.says('got');
  const [{ message: { params } }] = fake.called('prompts/get');
  assert.deepEqual(Object.entries(params.arguments).sort(), names.map((name) => [name, `my ${name}`]).sort());
});

test('waits for a device that does not respond, and as long as it says', { timeout }, async (t) => {
  const fake = await FakeDevice.start(t, page, {});
  let mode = 'busy';
  fake.filter = (request, response, message) => {
    if (mode === 'works') return false;
    if (mode === 'silent') return true;
    response.writeHead(503, { 'retry-after': '100000', 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32603, message: `All are in use: ${message.method}` } }));
    return true;
  };
  const device = await open(t, { tolerates: /503/ }, fake.url);
  await device.state('All are in use: server/discover Next try in 60 s.');
  mode = 'silent';
  await (await device.page.waitForSelector('#state button')).click();
  await device.state('Connecting…');
  await device.state('The device does not respond. Next try in');
  mode = 'works';
  await (await device.page.waitForSelector('#state button')).click();
  await device.state('Connected');
});

test('notices a reset by the boot id', { timeout }, async (t) => {
  const fake = await FakeDevice.start(t, page, {});
  fake.tools = [{ name: 'before' }];
  const device = await open(t, {}, fake.url);
  await device.card('before').catch(() => {});
  fake.boot = '00000002';
  fake.tools = [{ name: 'after' }];
  await device.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await device.page.waitForFunction(() => document.querySelector('h3')?.textContent === 'after');
});

test('uses a server of sessions alone', { timeout }, async (t) => {
  const fake = await FakeDevice.start(t, page, {
    initialize: ({ protocolVersion }, response, { id }) => {
      response.setHeader('mcp-session-id', 'abc');
      fake.send(response, { jsonrpc: '2.0', id, result: { protocolVersion, capabilities: {}, serverInfo: { name: 'old', version: '1' } } });
    },
    ping: () => ({}),
  });
  fake['server/discover'] = undefined;
  fake.filter = (request, response, message) => {
    if (message.method !== 'server/discover') return false;
    fake.send(response, { jsonrpc: '2.0', id: message.id, error: { code: -32600, message: 'Unsupported MCP-Protocol-Version.' } }, 400);
    return true;
  };
  const device = await open(t, { tolerates: /400/ }, fake.url);
  await device.state('Connected · 2025-11-25');
  assert.equal(fake.called('notifications/initialized')[0].headers['mcp-session-id'], 'abc');
  assert.equal(await within(waitMs, 'title', device.page.title()), 'old');
});
