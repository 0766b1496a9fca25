// SPDX-License-Identifier: Apache-2.0
// One session with the thermometer firmware on an emulated board, printed for people: what is there, a reading, a tool
// call, and the notification when the temperature changes. Any answer that is not as expected ends it with an error.
//
// usage: node demo.mjs EMULATE BOARD IMAGE
// The Raspberry Pi Pico (BOARD is pico) is on USB.
import assert from 'node:assert/strict';
import { line, title } from './print.mjs';
import { openSession, within } from './session.mjs';
import { picoThermometer } from './pico.mjs';
import { stackSize } from './stack.mjs';
import { boardThermometer, isAt } from './thermometer.mjs';

const temperature = 'sensor://temperature';

/** A JSON Schema property in a few words, such as `integer 100..60000`. */
function describe({ type, enum: values, minimum, maximum }) {
  const range = minimum === undefined && maximum === undefined ? '' : ` ${minimum ?? ''}..${maximum ?? ''}`;
  return values ? values.map((value) => JSON.stringify(value)).join(' | ') : `${type}${range}`;
}

function describeArguments({ properties = {}, required = [] }) {
  const one = ([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${describe(schema)}`;
  return `{ ${Object.entries(properties).map(one).join(', ')} }`;
}

function showServer({ client, protocolVersion }, startMs) {
  const { name, version } = client.getServerVersion();
  title('Server');
  line('name, version', `${name} ${version}`);
  line('protocol', protocolVersion);
  line('capabilities', JSON.stringify(client.getServerCapabilities()));
  line('start to first answer', `${startMs} ms, emulator included`);
  assert.equal(name, 'thermometer');
  assert.equal(protocolVersion, '2025-11-25');
}

async function showLists(client) {
  const { tools } = await client.listTools();
  title('Tools');
  for (const { name, description, inputSchema } of tools) {
    line(name, `${describeArguments(inputSchema)}  ${description ?? ''}`);
  }
  assert.deepEqual(tools.map(({ name }) => name).sort(), ['set_led', 'set_sample_interval']);

  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  title('Resources');
  for (const { uri, mimeType, description } of resources) line(uri, `${mimeType ?? ''}  ${description ?? ''}`);
  for (const { uriTemplate, mimeType, description } of resourceTemplates) {
    line(uriTemplate, `${mimeType ?? ''}  ${description ?? ''}`);
  }
  assert.ok(resources.some(({ uri }) => uri === temperature));
  assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'sensor://history/{minutes}'));
}

async function show(client, uri) {
  const { contents } = await client.readResource({ uri });
  line(uri, contents[0].text);
  return contents[0].text;
}

async function call(client, name, toolArguments) {
  const result = await client.callTool({ name, arguments: toolArguments });
  line(`${name} ${JSON.stringify(toolArguments)}`, `${result.isError ? 'error' : 'result'}: ${result.content[0].text}`);
  return result;
}

async function showSession(thermometer) {
  const started = performance.now();
  const session = await openSession(thermometer, { name: 'mote-demo', version: '0.1.0' });
  try {
    const { client } = session;
    showServer(session, Math.round(performance.now() - started));
    await showLists(client);

    title('A reading');
    assert.ok(isAt(thermometer, JSON.parse(await show(client, temperature)).celsius, 21.5));
    const { uptimeSeconds } = JSON.parse(await show(client, 'device://info'));
    assert.ok(uptimeSeconds <= (performance.now() - started) / 1000, 'the clock of the board begins at zero');

    title('Tool calls: two good ones, and one that tells the model what it did wrong');
    assert.ok(!(await call(client, 'set_led', { on: true })).isError);
    assert.ok(!(await call(client, 'set_sample_interval', { milliseconds: 100 })).isError);
    assert.equal((await call(client, 'set_sample_interval', { milliseconds: 5 })).isError, true);

    title('The temperature changes');
    await client.subscribeResource({ uri: temperature });
    line('subscribed to', temperature);
    await within(60_000, 'answer from the emulator', thermometer.setTemperature(23.25));
    line('sensor model in the emulator', '21.5 -> 23.25 degrees');
    await session.nextUpdate(temperature);
    line('notification received', `notifications/resources/updated ${temperature}`);
    assert.ok(isAt(thermometer, JSON.parse(await show(client, temperature)).celsius, 23.25));
    await show(client, 'sensor://history/1');

    title('The processor');
    const size = board === 'pico' ? 2048 : stackSize(image);
    const deepest = await within(60_000, 'answer from the emulator', thermometer.stackUse(size));
    line('deepest stack in this session', `${deepest} bytes of ${size}`);
  } finally {
    await session.close();
  }
}

const [emulate, board, image] = process.argv.slice(2);
const thermometer = await (board === 'pico' ? picoThermometer(emulate, image, 'usb', 21.5)
  : boardThermometer(emulate, board, image, 21.5));
try {
  await showSession(thermometer);
} finally {
  thermometer.close();
}
