// SPDX-License-Identifier: Apache-2.0
// The lamp on the emulated board: clients on its UART, over HTTP and through a broker at once.
//
// usage: node lamp.test.mjs board EMULATE BOARD IMAGE
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd, command, library, limitMs, waitMs } from './support.mjs';
import { Broker, MqttClientTransport, connectMqtt, holdPort } from '../../examples/client/mqtt.mjs';
import { openSession, within } from '../../examples/client/session.mjs';

const state = 'lamp://state';

/** The board and its broker. Resolves with the sessions of its three clients. */
async function connectThree(t) {
  const broker = await Broker.start(undefined, undefined, { certificates: process.env.MOTE_CERTIFICATES });
  atEnd(t, () => broker.close());
  const open = async (server) => {
    const session = await openSession(server, undefined, library);
    atEnd(t, () => session.close());
    return session;
  };
  const { port, release } = await holdPort();
  atEnd(t, release);
  const [emulate, board, image] = command;
  const args = [board, image, '--forward', `80:${port}`, '--reach', `8883:${broker.tlsPort}`];
  const uart = await open({ command: emulate, args });

  const watcher = await connectMqtt(broker.url);
  atEnd(t, () => watcher.endAsync(true));
  const presence = new Promise((resolve) => { watcher.once('message', resolve); });
  await watcher.subscribeAsync('$mcp-server/presence/lamp-1/lamp', { qos: 1 });
  await within(waitMs, 'presence of the lamp', presence);
  const http = await open({ url: `http://127.0.0.1:${port}/mcp` });
  const mqtt = await open({ transport: () => new MqttClientTransport({ url: broker.url, id: 'lamp-1', name: 'lamp' }) });
  return { uart, http, mqtt };
}

test('one client switches, and the others are told', { timeout: limitMs }, async (t) => {
  const sessions = Object.values(await connectThree(t));
  for (const session of sessions) await session.client.subscribeResource({ uri: state });
  for (const [number, session] of sessions.entries()) {
    const on = number % 2 === 0;
    await session.client.callTool({ name: 'switch_lamp', arguments: { on } });
    for (const other of sessions) {
      await other.nextUpdate(state);
      assert.deepEqual(await other.readJson(state), { on });
    }
  }
});

test('keeps the other clients after two disconnect', { timeout: limitMs }, async (t) => {
  const { uart, http, mqtt } = await connectThree(t);
  await mqtt.close();
  await http.close();
  await uart.client.callTool({ name: 'switch_lamp', arguments: { on: true } });
  assert.deepEqual(await uart.readJson(state), { on: true });
});
