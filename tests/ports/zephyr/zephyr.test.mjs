// SPDX-License-Identifier: Apache-2.0
// The application of examples/zephyr with the official client, on the board of host_board.cpp: with a UART that has
// interrupts, and with one that has none. Its sensor is warm while the LED is on.
//
// usage: node zephyr.test.mjs board INTERRUPTS POLLED
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSession, within } from '../../../examples/client/session.mjs';
import { atEnd, command, kind, library, limitMs, Lines, rejected, waitMs } from '../../client/support.mjs';

assert.ok(kind === 'board' && command.length === 2, 'usage: node zephyr.test.mjs board INTERRUPTS POLLED');
const air = 'sensor://zephyr/bme280@76';
const absent = 'sensor://zephyr/tmp112@48';

/** A client of a fresh server. `printed(text)` resolves when the kernel has printed a line. */
async function connect(t, program, env = {}) {
  const transport = new library.StdioClientTransport({ command: program, args: [], env, stderr: 'pipe' });
  let text = '';
  let changed = () => {};
  transport.stderr.on('data', (data) => {
    text += data;
    changed();
  });
  const session = await openSession({ transport: () => transport }, undefined, library);
  atEnd(t, () => session.close());
  const printed = (line) => within(waitMs, line, (async () => {
    while (!text.split('\n').includes(line)) await new Promise((resolve) => { changed = resolve; });
  })());
  const call = async (name, values) => {
    const { content: [{ text: said }], isError } = await session.client.callTool({ name, arguments: values });
    return isError ? { error: said } : said;
  };
  return { session, client: session.client, printed, call };
}

/** Resolves with the first value of `read` that passes `is`. Each further one is read after a notification. */
async function next(session, uri, read, is) {
  for (;;) {
    const value = await read();
    if (is(value)) return value;
    await session.nextUpdate(uri);
  }
}

for (const [what, program] of [['with interrupts', command[0]], ['without interrupts', command[1]]]) {
  test(`lists the sensors of the devicetree and the LED ${what}`, { timeout: limitMs }, async (t) => {
    const { client, printed } = await connect(t, program);
    await printed('mote: sensors: 2');
    assert.equal(client.getServerVersion().name, 'zephyr');
    const { resources } = await client.listResources();
    assert.deepEqual(resources.map(({ uri, title }) => [uri, title]), [[air, 'Air'], [absent, undefined]]);
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name).sort(), ['read_bme280_76', 'read_tmp112_48', 'set_led']);
    assert.deepEqual(await client.ping(), {});
    assert.equal((await rejected(client.readResource({ uri: 'sensor://zephyr/none' }))).code, library.notFound);
  });

  test(`reads a sensor as a resource and a tool, and notifies a subscriber ${what}`, { timeout: limitMs }, async (t) => {
    const { session, client, call, printed } = await connect(t, program);
    await client.subscribeResource({ uri: air });
    const read = async () => {
      // An error before the first measurement, and if the thread is late. A notification follows it.
      const result = await client.readResource({ uri: air }).catch(() => undefined);
      return result && JSON.parse(result.contents[0].text);
    };
    const { secondsAgo, ...values } = await next(session, air, read, (value) => value !== undefined);
    assert.deepEqual(values, {
      temperature: { value: 21.5, unit: 'Cel' }, pressure: { value: 96.3862, unit: 'kPa' },
      humidity: { value: 46.333, unit: '%' },
    });
    assert.ok(secondsAgo <= 1);
    for (const [on, state, degrees] of [[true, 'active', 30.25], [false, 'inactive', 21.5]]) {
      assert.equal(await call('set_led', { on }), `The LED is ${on ? 'on' : 'off'}.`);
      await printed(`pin 13: ${state}`);
      await next(session, air, read, (value) => value?.temperature.value === degrees);
    }
    const called = await next(session, air, () => call('read_bme280_76'), (text) => typeof text === 'string');
    const { temperature } = JSON.parse(called);
    assert.deepEqual(temperature, { value: 21.5, unit: 'Cel' });
  });

  test(`returns the error of a sensor whose driver has not started ${what}`, { timeout: limitMs }, async (t) => {
    const { session, client, call } = await connect(t, program);
    await client.subscribeResource({ uri: absent });
    const read = async () => (await rejected(client.readResource({ uri: absent }))).message;
    const message = await next(session, absent, read, (text) => text.includes('did not find'));
    assert.match(message, /tmp112@48: The driver did not find the device at the start\. Check its power .* restart\.$/);
    assert.match((await call('read_tmp112_48')).error, /^tmp112@48: The driver did not find the device/);
  });

  test(`rejects a wrong argument, and reports the errors of the LED ${what}`, { timeout: limitMs }, async (t) => {
    const { call } = await connect(t, program);
    assert.match((await call('set_led', { on: 'yes' })).error, /^Argument "on" must be true or false\.$/);
    assert.match((await call('set_led', {})).error, /"on"/);
    for (const [led, error] of [['absent', -19], ['broken', -5]]) {
      const { call: callOther } = await connect(t, program, { LED: led });
      assert.deepEqual(await callOther('set_led', { on: true }), { error: `The driver of the LED returns ${error}.` });
    }
  });

  test(`loses no byte of 40 requests at once ${what}`, { timeout: limitMs }, async (t) => {
    const lines = new Lines(t, { command: program, args: [] });
    await lines.initialize();
    const request = { jsonrpc: '2.0', method: 'tools/list' };
    const requests = Array.from({ length: 40 }, (_, id) => JSON.stringify({ id, ...request }));
    await lines.write(`${requests.join('\n')}\n`);
    for (let id = 0; id < 40; ++id) assert.equal((await lines.message()).id, id);
    lines.closeInput();
    assert.deepEqual(await within(waitMs, 'end', lines.ended), { code: 0, signal: null });
  });
}
