// SPDX-License-Identifier: Apache-2.0
// Three boards behind a Mosquitto broker, over TLS. A client finds them by their presence messages and calls each. One
// loses its power, and the broker publishes its will. Printed for people; any answer that is not as expected ends it with
// an error.
//
// usage: node demo_mqtt.mjs EMULATE BOARD IMAGE CERTIFICATES
import assert from 'node:assert/strict';
import { line, title } from './print.mjs';
import { Broker, connectMqtt } from './mqtt.mjs';
import { openSession, within } from './session.mjs';
import { boardOnBroker } from './thermometer.mjs';

const limitMs = 60_000;
const temperature = 'sensor://temperature';
const temperatures = [18.5, 21.5, 24.5];
const [emulate, board, image, certificates] = process.argv.slice(2);

/** Follows the presence messages. `seen(id, is)` resolves when the device `id` is there, or is gone. */
async function watch(broker) {
  const mqtt = await connectMqtt(broker.url);
  const devices = new Map();
  const waiting = [];
  mqtt.on('message', (topic, payload) => {
    devices.set(topic.split('/')[2], payload.length > 0 && JSON.parse(payload.toString()).params.description);
    for (const look of waiting) look();
  });
  await mqtt.subscribeAsync('$mcp-server/presence/+/#', { qos: 1 });
  const seen = (id, is) => within(limitMs, `presence of ${id}`, new Promise((resolve) => {
    const look = () => { if (devices.has(id) && Boolean(devices.get(id)) === is) resolve(devices.get(id)); };
    waiting.push(look);
    look();
  }));
  return { seen, close: () => mqtt.endAsync(true) };
}

async function use(thermometer, celsius) {
  const session = await openSession(thermometer, { name: 'mote-demo', version: '0.1.0' });
  try {
    assert.deepEqual(await session.readJson(temperature), { celsius });
    const { content } = await session.client.callTool({ name: 'set_led', arguments: { on: true } });
    line(thermometer.id, `${celsius} degrees. set_led {"on":true}: ${content[0].text}`);
  } finally {
    await session.close();
  }
}

const broker = await Broker.start(undefined, undefined, { certificates });
const boards = [];
try {
  const { seen, close } = await watch(broker);
  title('Three boards at one broker, found by their presence');
  boards.push(...await Promise.all(temperatures.map((celsius, number) =>
    within(limitMs, 'word from the board', boardOnBroker(broker, number + 1, emulate, board, image, celsius)))));
  for (const { id } of boards) line(id, await seen(id, true));

  title('The official client calls each');
  for (const [number, celsius] of temperatures.entries()) await use(boards[number], celsius);

  title('One loses its power');
  const [lost, ...rest] = boards;
  const started = performance.now();
  await lost.device.end('SIGKILL');
  await seen(lost.id, false);
  line(`${lost.id} is gone after`, `${Math.round(performance.now() - started)} ms, by its will`);
  for (const [number, thermometer] of rest.entries()) await use(thermometer, temperatures[number + 1]);
  await close();
} finally {
  for (const one of boards) await one.close();
  await broker.close();
}
title('An MCP host uses one of them, or all, through');
line('', "toolchains/attach/attach.mjs mqtt 'mqtt://BROKER/thermometer/#'");
