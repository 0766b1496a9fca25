// SPDX-License-Identifier: Apache-2.0
// A device behind an MQTT broker. See transports/mqtt/README.md for the topics.
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { envelope, key, metaOf } from '../rpc.mjs';

/** @typedef {import('../rpc.mjs').Message} Message */
/** @typedef {{id: string, name: string, description?: string}} Server */

const presence = '$mcp-server/presence/';
const end = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/disconnected' });
const findMs = 1000;
const connectMs = 10_000;

/** The server that a presence message is of: id and name are in the topic. @param {string} topic @param {Buffer} payload */
export function readPresence(topic, payload) {
  const [id, ...name] = topic.slice(presence.length).split('/');
  let description;
  try {
    ({ description } = JSON.parse(payload.toString()).params);
  } catch {
    // Presence is what counts.
  }
  return { id, name: name.join('/'), ...(typeof description === 'string' && { description }) };
}

/**
 * Connects to a broker, as a client that has not connected before: MCP over MQTT wants a new id for each session.
 * @param {{url: string, passwordFile?: string, ca?: string}} target
 */
export async function connectBroker({ url, passwordFile, ca }) {
  const { connectAsync } = await import('mqtt');
  const { protocol, host, username } = new URL(url);
  const clientId = username || `mote-attach-${randomBytes(8).toString('hex')}`;
  const mqtt = await connectAsync(`${protocol}//${host}`, {
    protocolVersion: 5, clientId, reconnectPeriod: 0, connectTimeout: connectMs,
    ...(username && { username: decodeURIComponent(username) }),
    // Read each time, because passwords are changed.
    ...(passwordFile && { password: readFileSync(passwordFile, 'utf8').trim() }),
    ...(ca && { ca: readFileSync(ca) }),
    properties: { userProperties: { 'MCP-COMPONENT-TYPE': 'mcp-client' } },
    will: { topic: `$mcp-client/presence/${clientId}`, payload: Buffer.from(end), qos: 1, retain: false },
  });
  return { mqtt, clientId };
}

/** The servers whose names match the filter. @param {any} mqtt @param {string} filter @returns {Promise<Server[]>} */
export async function findServers(mqtt, filter) {
  /** @type {Map<string, Server>} */ const found = new Map();
  /** @param {string} topic @param {Buffer} payload */
  const take = (topic, payload) => {
    if (topic.startsWith(presence) && payload.length > 0) found.set(topic, readPresence(topic, payload));
  };
  mqtt.on('message', take);
  await mqtt.subscribeAsync(`${presence}+/${filter}`, { qos: 1 });
  // The broker sends what it keeps directly after the subscription, and does not say where it ends.
  await new Promise((resolve) => setTimeout(resolve, findMs));
  mqtt.off('message', take);
  return [...found.values()];
}

export class MqttLink extends EventEmitter {
  canReset = false;
  #closed = false;

  /** @param {any} mqtt @param {string} clientId @param {Server} server */
  constructor(mqtt, clientId, { id, name }) {
    super();
    this.mqtt = mqtt;
    this.clientId = clientId;
    this.control = `$mcp-server/${id}/${name}`;
    this.rpc = `$mcp-rpc/${clientId}/${id}/${name}`;
    this.presence = `${presence}${id}/${name}`;
    this.capability = `$mcp-server/capability/${id}/${name}`;
    mqtt.on('message', (/** @type {string} */ topic, /** @type {Buffer} */ payload) => this.#take(topic, payload));
    mqtt.on('close', () => this.lose('the connection to the broker was lost'));
    mqtt.on('error', (/** @type {Error} */ error) => this.lose(error.message));
  }

  async listen() {
    await this.mqtt.subscribeAsync([this.presence, this.capability], { qos: 1 });
    await this.mqtt.subscribeAsync(this.rpc, { qos: 1, nl: true });
  }

  clear() {}

  /** @param {string} topic @param {Buffer} payload */
  #take(topic, payload) {
    if (topic === this.presence && payload.length === 0) return this.lose('the device is not connected to the broker');
    if (topic !== this.rpc && topic !== this.capability) return;
    let message;
    try {
      message = JSON.parse(payload.toString());
    } catch {
      this.emit('text', payload.toString().slice(0, 200));
      return;
    }
    if (message.method === 'notifications/disconnected') return this.lose('the device has ended the session');
    this.emit('message', message);
  }

  /** Requests that need no session, and the one that begins it, go to the control topic. @param {Message} m */
  send(m) {
    if (this.#closed) return;
    const isFirst = m.method === 'initialize' || metaOf(m)[key.version] !== undefined;
    this.mqtt.publish(isFirst ? this.control : this.rpc, JSON.stringify(m), {
      qos: 1, properties: { userProperties: { 'MCP-COMPONENT-TYPE': 'mcp-client', 'MCP-MQTT-CLIENT-ID': this.clientId } },
    }, (/** @type {any} */ error) => {
      if (error) this.lose(error.message);
    });
  }

  /** @param {any} requestId */
  cancel(requestId) {
    this.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, _meta: envelope() } });
  }

  /** @param {string} reason */
  lose(reason) {
    if (this.#closed) return;
    this.close();
    setTimeout(() => this.emit('close', reason), 0);
  }

  close() {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.mqtt.connected) return;
    this.mqtt.publish(`$mcp-client/presence/${this.clientId}`, end, { qos: 1 }, () => this.mqtt.end());
  }
}

/** @param {any} target @returns {Promise<MqttLink>} */
export async function openMqtt(target) {
  const filter = decodeURIComponent(new URL(target.url).pathname.slice(1));
  const { mqtt, clientId } = await connectBroker(target);
  try {
    const servers = (await findServers(mqtt, filter)).filter(({ id }) => target.id === undefined || id === target.id);
    if (servers.length === 0) throw new Error(`No device named ${filter} is connected to the broker.`);
    if (servers.length > 1) {
      const ids = servers.map(({ id }) => id).sort().slice(0, 8).join(', ');
      throw new Error(`${servers.length} devices match ${filter}: ${ids}. Name one with --id.`);
    }
    const link = new MqttLink(mqtt, clientId, servers[0]);
    await link.listen();
    return link;
  } catch (error) {
    mqtt.end();
    throw error;
  }
}
