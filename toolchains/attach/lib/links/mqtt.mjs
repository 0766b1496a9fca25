// SPDX-License-Identifier: Apache-2.0
// A device behind an MQTT broker. See transports/mqtt/README.md for the topics.
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { PassThrough, Writable } from 'node:stream';
import { read } from '../incoming.mjs';
import { parse, stringify } from '../json.mjs';
import { code, cut, envelope, failure, key, metaOf } from '../rpc.mjs';
import { filterOf } from '../target.mjs';

/** @typedef {import('../rpc.mjs').Message} Message */
/** @typedef {{id: string, name: string, description?: string}} Server */
/** @typedef {{url: string, id?: string, passwordFile?: string, ca?: string, cert?: string, key?: string}} Target */
/** @typedef {(topic: string, text: string, done: (error: any, isUnheard: boolean) => void) => void} Publish */
/** @typedef {{mqtt: any, clientId: string, publish: Publish}} Connection */

export const presence = '$mcp-server/presence/';
/** The broker sends the presence that it keeps within this time after a subscription. */
export const findMs = 1000;
const end = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/disconnected' });
const connectMs = 10_000;
const leaveMs = 2000;  // for the PUBACK of the goodbye
/** A longer message is no line for a host either, so the broker need not send it. */
const largestPacket = 4 * 1024 * 1024;
/** PUBACK: no client has subscribed to the topic. */
const noSubscriber = 0x10;
const lostConnection = 'the connection to the broker was lost';
/** Times in milliseconds from the last message of a request to its error: a broker may lose a message without a word. */
export const answerMs = { call: 60_000, other: 30_000 };

/** The server that a presence message is of: id and name are in the topic. @param {string} topic @param {Buffer} payload */
export function readPresence(topic, payload) {
  const [id, ...name] = topic.slice(presence.length).split('/');
  let description;
  try {
    ({ description } = JSON.parse(payload.toString()).params);
  } catch {
    // Presence is what counts.
  }
  return { id, name: name.join('/'), ...(typeof description === 'string' && { description: cut(description, 200) }) };
}

/**
 * publish() with the Receive Maximum of the broker, which MQTT.js exceeds. Each message has the id of this client, for its response.
 * @param {any} mqtt @param {string} clientId @param {number} [receiveMaximum] @returns {Publish}
 */
function publisher(mqtt, clientId, receiveMaximum = 0xFFFF) {
  const options = { qos: 1, properties: { userProperties: { 'MCP-COMPONENT-TYPE': 'mcp-client', 'MCP-MQTT-CLIENT-ID': clientId } } };
  /** @type {(() => void)[]} */ const waiting = [];
  let free = receiveMaximum;
  // MQTT.js gives the reason of a PUBACK that is no error to its event only, directly before it calls `done`.
  let reason = 0;
  mqtt.on('packetreceive', (/** @type {any} */ { cmd, reasonCode }) => { reason = cmd === 'puback' ? reasonCode : 0; });
  /** @type {Publish} */
  const send = (topic, text, done) => {
    --free;
    mqtt.publish(topic, text, options, (/** @type {any} */ error) => {
      const isUnheard = !error && reason === noSubscriber;
      ++free;
      waiting.shift()?.();
      done(error, isUnheard);
    });
  };
  return (topic, text, done) => {
    if (free > 0) send(topic, text, done);
    else waiting.push(() => send(topic, text, done));
  };
}

/**
 * Connects to a broker, as a client that has not connected before: MCP over MQTT wants a new id for each session.
 * @param {Target} target @returns {Promise<Connection>}
 */
export async function connectBroker({ url, passwordFile, ca, cert, key: keyFile }) {
  const { connect } = await import('mqtt');
  const { protocol, host, username: encoded } = new URL(url);
  const username = decodeURIComponent(encoded);
  const clientId = username || `mote-attach-${randomBytes(8).toString('hex')}`;
  const mqtt = connect(`${protocol}//${host}`, {
    protocolVersion: 5, clientId, reconnectPeriod: 0, connectTimeout: connectMs,
    ...(username && { username }),
    // Read each time, because passwords are changed.
    ...(passwordFile && { password: readFileSync(passwordFile, 'utf8').trim() }),
    ...(ca && { ca: readFileSync(ca) }), ...(cert && keyFile && { cert: readFileSync(cert), key: readFileSync(keyFile) }),
    properties: { userProperties: { 'MCP-COMPONENT-TYPE': 'mcp-client' }, maximumPacketSize: largestPacket },
    will: { topic: `$mcp-client/presence/${clientId}`, payload: Buffer.from(end), qos: 1, retain: false },
  });
  // Else a request that follows the PUBACK of a response waits 40 ms and more, until the broker acknowledges the PUBACK.
  /** @type {any} */ (mqtt.stream).setNoDelay(true);
  // connectAsync() of MQTT.js never ends if the broker closes the connection before its CONNACK.
  const { properties } = await new Promise((resolve, reject) => {
    mqtt.once('connect', resolve);
    mqtt.on('error', reject);  // and an error without a listener ends the process
    mqtt.once('close', () => reject(new Error(lostConnection)));
  }).catch((error) => {
    mqtt.end(true);
    throw error;
  });
  return { mqtt, clientId, publish: publisher(mqtt, clientId, properties?.receiveMaximum) };
}

/** @param {Connection} connection @param {(reason: string) => void} lost is called at its end, perhaps twice */
export function watch({ mqtt }, lost) {
  mqtt.on('close', () => lost(lostConnection));
  mqtt.on('error', (/** @type {Error} */ error) => lost(`${lostConnection}: ${error.message}`));
}

/**
 * The result of `work`; an error if the connection ends before.
 * @template T @param {Connection} connection @param {() => Promise<T>} work @returns {Promise<T>}
 */
export async function whileConnected({ mqtt }, work) {
  if (!mqtt.connected) throw new Error(lostConnection);
  let lost = () => {};
  const end = /** @type {Promise<never>} */ (new Promise((_, reject) => { lost = () => reject(new Error(lostConnection)); }));
  mqtt.once('close', lost);
  try {
    return await Promise.race([work(), end]);
  } finally {
    mqtt.off('close', lost);
  }
}

/** Ends a connection, and the sessions and requests of this client. @param {Connection} connection */
export function leave({ mqtt, clientId }) {
  if (!mqtt.connected) return;
  const timer = setTimeout(() => mqtt.end(true), leaveMs);
  mqtt.publish(`$mcp-client/presence/${clientId}`, end, { qos: 1 }, () => {
    clearTimeout(timer);
    mqtt.end();
  });
}

/** The servers whose names match the filter. @param {Connection} connection @param {string} filter @returns {Promise<Server[]>} */
export async function findServers(connection, filter) {
  const { mqtt } = connection;
  /** @type {Map<string, Server>} */ const found = new Map();
  /** @param {string} topic @param {Buffer} payload */
  const take = (topic, payload) => {
    if (topic.startsWith(presence) && payload.length > 0) found.set(topic, readPresence(topic, payload));
  };
  mqtt.on('message', take);
  await whileConnected(connection, async () => {
    await mqtt.subscribeAsync(`${presence}+/${filter}`, { qos: 1 });
    // The broker sends what it keeps directly after the subscription, and does not say where it ends.
    await new Promise((resolve) => setTimeout(resolve, findMs));
  }).finally(() => mqtt.off('message', take));
  return [...found.values()];
}

export class MqttLink extends EventEmitter {
  canReset = false;
  answerMs = answerMs;
  #closed = false;
  #onMessage = (/** @type {string} */ topic, /** @type {Buffer} */ payload, /** @type {{retain: boolean}} */ { retain }) => (
    this.#take(topic, payload, retain));

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
    await whileConnected(this.connection, async () => {
      await mqtt.subscribeAsync(this.isShared ? this.capability : [this.presence, this.capability], { qos: 1 });
      await mqtt.subscribeAsync(this.rpc, { qos: 1, nl: true });
    });
  }

  clear() {}

  /** @param {string} topic @param {Buffer} payload @param {boolean} isKept */
  #take(topic, payload, isKept) {
    if (topic === this.presence && payload.length === 0) return this.lose('the device is not connected to the broker');
    if (topic === this.presence && !isKept && !this.isShared) return void this.emit('present');
    if (isKept || (topic !== this.rpc && topic !== this.capability)) return;
    const { value: message, fault, id } = read(payload.toString());
    if (fault) return this.#rejected(payload, fault, topic === this.rpc ? id : undefined);
    // All clients may read this topic, so a broker may let other clients write there. A message with an id is a request
    // or a response, and not a notification.
    const isChange = message.id === undefined && /^notifications\/(tools|prompts|resources)\//.test(message.method);
    if (topic === this.capability && !isChange) return;
    if (message.method === 'notifications/disconnected') return this.lose('the device has ended the session');
    this.emit('message', message);
  }

  /** @param {Buffer} payload @param {string} fault @param {any} id of the response, if it can be read */
  #rejected(payload, fault, id) {
    if (id === undefined) return void this.emit('text', payload.toString('utf8', 0, 200));
    this.emit('message', { jsonrpc: '2.0', id, ...failure(code.internal, `The response of the device ${fault}.`) });
  }

  /**
   * Requests that need no session, and the one that begins it, go to the control topic. Each device subscribes to this
   * topic, but to the RPC topic only during a session.
   * @param {Message} m
   */
  send(m) {
    if (this.#closed) return;
    const isFirst = m.method === 'initialize' || metaOf(m)[key.version] !== undefined;
    this.connection.publish(isFirst ? this.control : this.rpc, stringify(m), (error, isUnheard) => {
      if (error) this.lose(error.message);
      else if (isUnheard && isFirst) this.lose('the device has no subscription at the broker');
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
    const servers = (await findServers(connection, filter)).filter(({ id }) => target.id === undefined || id === target.id);
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
  link.on('message', (message) => readable.write(`${stringify(message)}\n`));
  link.on('close', (reason) => readable.destroy(new Error(reason)));
  const writable = new Writable({
    write(line, _encoding, done) {
      const text = line.toString().trim();
      if (text !== '') link.send(parse(text));
      done();
    },
  });
  return { readable, writable, close: async () => link.close() };
}
