// SPDX-License-Identifier: Apache-2.0
// Resources through the official client (spec: server/resources).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertTemperature, connect, library, limitMs, rejected, temperature } from './support.mjs';

test('lists resources and templates', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  const { resources } = await client.listResources();
  assert.deepEqual(resources.map(({ uri }) => uri).sort(), ['device://info', temperature]);
  assert.equal(resources.find(({ uri }) => uri === temperature).mimeType, 'application/json');
  for (const { name } of resources) assert.ok(name.length > 0);
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.deepEqual(resourceTemplates.map(({ uriTemplate }) => uriTemplate), ['sensor://history/{minutes}']);
});

test('reads every listed resource', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  const { resources } = await client.listResources();
  for (const { uri, mimeType } of resources) {
    const { contents } = await client.readResource({ uri });
    assert.equal(contents.length, 1);
    assert.equal(contents[0].uri, uri);
    assert.equal(contents[0].mimeType, mimeType);
    assert.ok(contents[0].text.length > 0);
  }
});

test('returns the description of the device, with a clock that starts at zero', { timeout: limitMs }, async (t) => {
  const started = performance.now();
  const { session } = await connect(t);
  const { hardware, uptimeSeconds, ...settings } = await session.readJson('device://info');
  assert.ok(hardware.length > 0);
  assert.ok(uptimeSeconds <= (performance.now() - started) / 1000, `uptimeSeconds is ${uptimeSeconds}`);
  assert.deepEqual(settings, { sampleIntervalMs: 1000, sensorAnswers: true, led: false });
});

test('reads the temperature of the sensor', { timeout: limitMs }, async (t) => {
  const { server, session } = await connect(t, 21.5);
  assertTemperature(server, await session.readJson(temperature), 21.5);
});

test('reads a temperature below zero', { timeout: limitMs }, async (t) => {
  const { server, session } = await connect(t, -12.25);
  assertTemperature(server, await session.readJson(temperature), -12.25);
});

test('reads a template with its variable', { timeout: limitMs }, async (t) => {
  const { server, client } = await connect(t, 21.5);
  const { contents } = await client.readResource({ uri: 'sensor://history/5' });
  assert.equal(contents[0].uri, 'sensor://history/5');
  const [newest] = JSON.parse(contents[0].text).newestFirstCelsius;
  assertTemperature(server, { celsius: newest }, 21.5);
});

test('names an unknown resource in the error', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  const unknown = ['sensor://no-such-thing', 'sensor://temperature/', 'SENSOR://temperature', 'sensor://history/',
    'sensor://history/1/2', 'https://example.com/'];
  for (const uri of unknown) {
    const error = await rejected(client.readResource({ uri }));
    assert.equal(error.code, library.notFound, uri);
    assert.deepEqual(error.data, { uri });
  }
});
