// SPDX-License-Identifier: Apache-2.0
// The thermometer firmware on the network, on an emulated board: over HTTP and then over HTTPS, curl and the official
// client use it, the temperature changes, and the server tells. Printed for people; any answer that is not as expected
// ends it with an error.
//
// usage: node demo_network.mjs EMULATE BOARD HTTP_IMAGE HTTPS_IMAGE CERTIFICATES
// with NODE_EXTRA_CA_CERTS=CERTIFICATES/authority.pem in the environment.
import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { Curl } from './curl.mjs';
import { line, title } from './print.mjs';
import { openSession, within } from './session.mjs';
import { stackBound, stackSize } from './stack.mjs';
import { boardHttpThermometer } from './thermometer.mjs';

const limitMs = 60_000;
const temperature = 'sensor://temperature';

async function changeTemperature(thermometer, from, to) {
  await within(limitMs, 'answer from the emulator', thermometer.setTemperature(to));
  line('sensor model in the emulator (QMP)', `${from} -> ${to} degrees`);
}

async function readByCurl(curl) {
  const { contents } = await curl.request('resources/read', { uri: temperature });
  line(`POST resources/read ${temperature}`, contents[0].text);
  return JSON.parse(contents[0].text);
}

/** As anybody may, with nothing but curl. */
async function showCurl(thermometer, authority) {
  title(`curl${authority ? ` --cacert ${basename(authority)}` : ''} ${thermometer.url}`);
  const curl = new Curl(thermometer.url, authority);
  const { status, body } = await curl.post({
    jsonrpc: '2.0', id: 1, method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'curl', version: '1' } },
  });
  const { serverInfo, protocolVersion } = JSON.parse(body).result;
  line('POST initialize', `${status}: ${serverInfo.name} ${serverInfo.version}, protocol ${protocolVersion}`);
  assert.equal(protocolVersion, '2025-11-25');
  line('session', curl.id);
  await curl.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  assert.deepEqual(await readByCurl(curl), { celsius: 21.5 });

  const stream = await curl.listen();
  line('GET: the stream of events begins with', stream.first.join(' | '));
  await curl.request('resources/subscribe', { uri: temperature });
  line('POST resources/subscribe', temperature);
  await changeTemperature(thermometer, 21.5, 23.25);
  for (const what of ['id', 'data']) {
    const { value } = await within(limitMs, 'event', stream.lines.next());
    assert.ok(value.startsWith(`${what}: `), value);
    line(what === 'id' ? 'the event' : '', value);
    if (what === 'data') assert.equal(JSON.parse(value.slice(6)).method, 'notifications/resources/updated');
  }
  await stream.end();
  assert.deepEqual(await readByCurl(curl), { celsius: 23.25 });
  await curl.close();
}

/** What a program does that uses the official client. */
async function showClient(thermometer) {
  title(`The official client, ${thermometer.url}`);
  const session = await openSession(thermometer, { name: 'mote-demo', version: '0.1.0' });
  try {
    const { client } = session;
    const { tools } = await client.listTools();
    line('tools', tools.map(({ name }) => name).join(', '));
    const { content } = await client.callTool({ name: 'set_led', arguments: { on: true } });
    line('set_led {"on":true}', content[0].text);
    await client.callTool({ name: 'set_sample_interval', arguments: { milliseconds: 100 } });
    await client.subscribeResource({ uri: temperature });
    const before = await session.readJson(temperature);
    await changeTemperature(thermometer, before.celsius, -5);
    const changed = performance.now();
    await session.nextUpdate(temperature, limitMs);
    line('notification over SSE', `after ${Math.round(performance.now() - changed)} ms, sampling every 100 ms`);
    const after = await session.readJson(temperature);
    line(temperature, JSON.stringify(after));
    assert.deepEqual([before, after], [{ celsius: 23.25 }, { celsius: -5 }]);
    await client.transport.terminateSession();
  } finally {
    await session.close();
  }
}

/** The page for browsers, if the image has one. */
async function showPage(thermometer) {
  if (thermometer.url.startsWith('https:')) return;
  const { origin } = new URL(thermometer.url);
  const response = await fetch(`${origin}/`);
  const { status, headers } = response;
  assert.deepEqual([status, headers.get('content-encoding'), headers.get('link')], [200, 'gzip', '</mcp>; rel="service"']);
  assert.match(await response.text(), /^<!doctype html>/);
  line('the page for browsers, while this runs', `${origin}/ (${headers.get('content-length')} bytes)`);
}

async function show(image, authority) {
  const started = performance.now();
  const thermometer = await within(limitMs, 'word from the board', boardHttpThermometer(emulate, board, image, 21.5));
  try {
    title(`${basename(image)} on ${board}`);
    line('the board has an address (DHCP), as', `${thermometer.url}, after ${Math.round(performance.now() - started)} ms`);
    await showPage(thermometer);
    await showCurl(thermometer, authority);
    await showClient(thermometer);
    const deepest = await within(limitMs, 'answer from the emulator', thermometer.stackUse());
    line('deepest stack', `${deepest} bytes, by bound ${stackBound(image)}, of ${stackSize(image)}`);
  } finally {
    await thermometer.close();
  }
}

const [emulate, board, httpImage, httpsImage, certificates] = process.argv.slice(2);
const started = performance.now();
await show(httpImage);
await show(httpsImage, join(certificates, 'authority.pem'));
console.log(`\nThe session took ${((performance.now() - started) / 1000).toFixed(1)} s.`);
