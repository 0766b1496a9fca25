// SPDX-License-Identifier: Apache-2.0
// A device behind an MQTT broker. See transports/mqtt/README.md for the topics.
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { PassThrough, Writable } from 'node:stream';
import { isMessage } from '../lines.mjs';
import { envelope, key, metaOf } from '../rpc.mjs';
import { filterOf } from '../target.mjs';

/** @typedef {import('../rpc.mjs').Message} Message */
/** @typedef {{id: string, name: string, description?: string}} Server */
/** @typedef {{url: string, id?: string, passwordFile?: string, ca?: string}} Target */
/** @typedef {{mqtt: any, clientId: string}} Connection */

export const presence = '$mcp-server/presence/';
/** The broker sends the presence that it keeps within this time after a subscription. */
export const findMs = 1000;
const end = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/disconnected' });
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
 * @param {Target} target @returns {Promise<Connection>}
 */
export async function connectBroker({ url, passwordFile, ca }) {
  const { connectAsync } = await import('mqtt');
  const { protocol, host, username: encoded } = new URL(url);
  const username = decodeURIComponent(encoded);
  const clientId = username || `mote-attach-${randomBytes(8).toString('hex')}`;
  const mqtt = await connectAsync(`${protocol}//${host}`, {
    protocolVersion: 5, clientId, reconnectPeriod: 0, connectTimeout: connectMs,
    ...(username && { username }),
    // Read each time, because passwords are changed.
    ...(passwordFile && { password: readFileSync(passwordFile, 'utf8').trim() }),
    ...(ca && { ca: readFileSync(ca) }),
    properties: { userProperties: { 'MCP-COMPONENT-TYPE': 'mcp-client' } },
    will: { topic: `$mcp-client/presence/${clientId}`, payload: Buffer.from(end), qos: 1, retain: false },
  });
  return { mqtt, clientId };
}

/** @param {Connection} connection @param {(reason: string) => void} lost is called at its end, perhaps twice */
export function watch({ mqtt }, lost) {
  mqtt.on('close', () => lost('the connection to the broker was lost'));
  mqtt.on('error', (/** @type {Error} */ error) => lost(`the connection to the broker was lost: ${error.message}`));
}

/** Ends a connection, and the sessions and requests of this client. @param {Connection} connection */
export function leave({ mqtt, clientId }) {
  if (mqtt.connected) mqtt.publish(`$mcp-client/presence/${clientId}`, end, { qos: 1 }, () => mqtt.end());
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
  #onMessage = (/** @type {string} */ topic, /** @type {Buffer} */ payload) => this.#take(topic, payload);

  /** @param {Connection} connection @param {Server} server @param {boolean} [isShared] whether other links use the connection, too */
  constructor(connection, { id, name }, isShared = false) {
    super();
    this.connection = connection;
    this.isShared = isShared;
    this.control = `$mcp-server/${id}/${name}`;
    this.rpc = `$mcp-rpc/${connection.clientId}/${id}/${name}`;
    this.presence = `${presence}${id}/${name}`;
    this.capability = `$mcp-server/capability/${id}/${name}`;
    const { mqtt } = connection;
    mqtt.on('message', this.#onMessage);
    if (isShared) return;
    watch(connection, (reason) => this.lose(reason));
  }

  async listen() {
    const { mqtt } = this.connection;
    await mqtt.subscribeAsync(this.isShared ? this.capability : [this.presence, this.capability], { qos: 1 });
    await mqtt.subscribeAsync(this.rpc, { qos: 1, nl: true });
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
      // Text, as below.
    }
    if (![message].flat().every(isMessage)) return void this.emit('text', payload.toString().slice(0, 200));
    if (message.method === 'notifications/disconnected') return this.lose('the device has ended the session');
    this.emit('message', message);
  }

  /** Requests that need no session, and the one that begins it, go to the control topic. @param {Message} m */
  send(m) {
    if (this.#closed) return;
    const isFirst = m.method === 'initialize' || metaOf(m)[key.version] !== undefined;
    const { mqtt, clientId } = this.connection;
    mqtt.publish(isFirst ? this.control : this.rpc, JSON.stringify(m), {
      qos: 1, properties: { userProperties: { 'MCP-COMPONENT-TYPE': 'mcp-client', 'MCP-MQTT-CLIENT-ID': clientId } },
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
    const { mqtt } = this.connection;
    mqtt.off('message', this.#onMessage);
    if (!this.isShared) leave(this.connection);
    else if (mqtt.connected) mqtt.unsubscribe([this.capability, this.rpc]);
  }
}

/** @param {string} filter */
export const noDevice = (filter) => `No device named ${filter} is connected to the broker.`;

/** @param {Target} target @returns {Promise<MqttLink>} */
export async function openMqtt(target) {
  const filter = filterOf(target.url);
  const connection = await connectBroker(target);
  try {
    const servers = (await findServers(connection.mqtt, filter)).filter(({ id }) => target.id === undefined || id === target.id);
    if (servers.length === 0) throw new Error(noDevice(filter));
    if (servers.length > 1) {
      const ids = servers.map(({ id }) => id).sort().slice(0, 8).join(', ');
      throw new Error(`${servers.length} devices match ${filter}: ${ids}. Name one with --id, or serve all of them with ${filter}/#.`);
    }
    const link = new MqttLink(connection, servers[0]);
    await link.listen();
    return link;
  } catch (error) {
    connection.mqtt.end();
    throw error;
  }
}

/** A link as streams of lines. @param {MqttLink} link @returns {import('../ask.mjs').Link} */
export function streamOf(link) {
  const readable = new PassThrough();
  link.on('message', (message) => readable.write(`${JSON.stringify(message)}\n`));
  link.on('close', (reason) => readable.destroy(new Error(reason)));
  const writable = new Writable({
    write(line, _encoding, done) {
      const text = line.toString().trim();
      if (text !== '') link.send(JSON.parse(text));
      done();
    },
  });
  return { readable, writable, close: async () => link.close() };
}
