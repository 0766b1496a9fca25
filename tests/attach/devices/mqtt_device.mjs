// SPDX-License-Identifier: Apache-2.0
// Devices of an MQTT broker for the tests of attach: thermometers, a server behind a bridge, and devices that a test writes.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { atEnd } from '../../at_end.mjs';
import { Broker, connectMqtt } from '../../../examples/client/mqtt.mjs';
import { hostThermometer } from '../../../examples/client/thermometer.mjs';
import { within } from '../support.mjs';

/** A broker that ends with the test. */
export async function startBroker(t, settings, files, more) {
  const broker = await Broker.start(settings, files, more);
  atEnd(t, () => broker.close());
  return broker;
}

/**
 * A thermometer that is online. `text` is what it wrote since it started, and `wrote(pattern)` waits for more. `stop()` pauses it,
 * `kill()` resolves when it has ended, and `start()` starts it again.
 */
export async function thermometer(t, binary, broker, id, { name = 'house/roof', celsius = 21.5, args = [] } = {}) {
  const { setTemperature, close, args: sensor } = await hostThermometer(binary, celsius);
  const device = { id, text: '', setTemperature };
  let child, ended;
  let waiting = [];
  device.wrote = (pattern) => within(`text ${pattern}`, new Promise((resolve) => {
    const check = () => pattern.test(device.text) && (resolve(), true);
    if (!check()) waiting.push(check);
  }));
  device.start = async () => {
    child = spawn(binary, ['--broker', `127.0.0.1:${broker.port}`, '--id', id, '--name', name, ...sensor, ...args],
      { stdio: ['ignore', 'ignore', 'pipe'] });
    ended = new Promise((resolve) => child.on('close', resolve));
    device.text = '';
    child.stderr.on('data', (data) => {
      device.text += data;
      waiting = waiting.filter((check) => !check());
    });
    await device.wrote(/: online\n/);
  };
  device.stop = () => child.kill('SIGSTOP');
  device.kill = () => (child.kill('SIGKILL'), ended);
  atEnd(t, async () => {
    await device.kill();
    close();
  });
  await device.start();
  return device;
}

/** A device whose requests go to receive(message, send). */
export class MqttDevice {
  #mqtt;

  static async start(t, broker, id, name, receive) {
    const device = Object.assign(new MqttDevice(), { id, name });
    const will = { topic: device.presence, payload: '', qos: 1, retain: true };
    const mqtt = await connectMqtt(broker.url, { clientId: id, will });
    device.#mqtt = mqtt;
    atEnd(t, () => mqtt.endAsync(true));
    mqtt.on('message', (_topic, payload, { properties }) => {
      const client = properties.userProperties['MCP-MQTT-CLIENT-ID'];
      receive(JSON.parse(payload.toString()), (m) => mqtt.publish(`$mcp-rpc/${client}/${id}/${name}`,
        JSON.stringify({ jsonrpc: '2.0', ...m }), { qos: 1 }));
    });
    await device.subscribe();
    await device.announce();
    return device;
  }

  get presence() { return `$mcp-server/presence/${this.id}/${this.name}`; }
  get control() { return `$mcp-server/${this.id}/${this.name}`; }

  subscribe() { return this.#mqtt.subscribeAsync(this.control, { qos: 1 }); }

  /** Receives no more requests. */
  unsubscribe() { return this.#mqtt.unsubscribeAsync(this.control); }

  /** Publishes its presence. */
  announce(more = {}) {
    const online = { jsonrpc: '2.0', method: 'notifications/server/online', params: { server_name: this.name, ...more } };
    return this.#mqtt.publishAsync(this.presence, JSON.stringify(online), { qos: 1, retain: true });
  }

  /** Ends without a goodbye. */
  die() { this.#mqtt.stream.destroy(); }
}

/** A server with MCP on stdin and stdout, as a device. */
export async function bridge(t, broker, id, command) {
  const child = spawn(command, ['--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.on('close', resolve));
  atEnd(t, async () => {
    child.stdin.end();
    await ended;
  });
  let reply = () => {};
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) reply(JSON.parse(line));
  });
  return MqttDevice.start(t, broker, id, 'lab', (m, send) => {
    reply = send;
    child.stdin.write(`${JSON.stringify(m)}\n`);
  });
}

/** The response of a server with these lists and results, or undefined for a method that it does not have. */
export const answers = (methods) => (m, send) => {
  if (m.id === undefined) return;
  const { 'server/discover': discover = {}, ...others } = methods;
  const acknowledged = { notifications: m.params.notifications, _meta: { 'io.modelcontextprotocol/subscriptionId': m.id } };
  if (m.method === 'subscriptions/listen') {
    if (m.params.notifications) send({ method: 'notifications/subscriptions/acknowledged', params: acknowledged });
    else send({ id: m.id, error: { code: -32600, message: 'This id is in use.' } });
  } else if (m.method === 'server/discover') {
    send({ id: m.id, result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ...discover } });
  } else {
    const result = others[m.method]?.(m.params, m, send);
    if (result) send({ id: m.id, result: { resultType: 'complete', ...result } });
  }
};
