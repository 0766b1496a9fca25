// SPDX-License-Identifier: Apache-2.0
// An MCP client of many devices over one MQTT connection, with sessions or stateless. Each call ends once: with a
// result, with an error, or as lost.
import { Link, topicOf } from './link.mjs';
import { within } from '../../../examples/client/session.mjs';

export const serviceName = 'fleet/bench';
const noSubscribers = 0x10;  // a reason of PUBACK
const waitMs = 30_000;
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {},
};

// Ids are unique in all clients, and have the same number of digits.
let lastId = 1_000_000_000;

export const disconnected = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/disconnected' });

/** Calls of one client id. */
export class Client {
  #link;
  #topics = new Map();  // the id of a device -> its topics

  /** id -> a call without an outcome: { id, device, token, isStateless, text, done }. */
  pending = new Map();
  /** Responses without a pending call: to none, or the second one. */
  strays = [];
  onclose = () => {};

  static async open(port, clientId, Kind = Link) {
    const client = new Client();
    client.clientId = clientId;
    client.#link = await Kind.connect(port, clientId, {
      topic: `$mcp-client/presence/${clientId}`, payload: disconnected, qos: 1, retain: false,
    });
    client.#link.onmessage = (topic, text) => client.#take(text);
    client.#link.onack = (reason, call) => client.#acknowledge(reason, call);
    client.#link.onclose = () => client.onclose();
    await client.#link.subscribe(`$mcp-rpc/${clientId}/+/${serviceName}`, true);
    return client;
  }

  #topicsOf(device) {
    let topics = this.#topics.get(device);
    if (topics === undefined) {
      const server = `${device}/${serviceName}`;
      topics = { control: topicOf(`$mcp-server/${server}`), rpc: topicOf(`$mcp-rpc/${this.clientId}/${server}`) };
      this.#topics.set(device, topics);
    }
    return topics;
  }

  #take(text) {
    const message = JSON.parse(text);
    if (message.method !== undefined) return;
    const call = this.pending.get(message.id);
    if (call === undefined) this.strays.push(message.id);
    else if (message.error !== undefined) this.#end(call, 'error', message.error.message);
    else this.#end(call, 'result', message.result);
  }

  #acknowledge(reason, call) {
    if (call === undefined || !this.pending.has(call.id)) return;
    if (reason === noSubscribers) this.#end(call, 'unreachable', 'the device is not online');
    else if (reason >= 0x80) this.#end(call, 'unreachable', `the broker refuses the message, reason ${reason}`);
  }

  #end(call, outcome, value) {
    this.pending.delete(call.id);
    call.done(call, outcome, value);
  }

  #request(device, isFirst, method, params, done) {
    const id = ++lastId;
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    return this.send({ id, device, isFirst, text, done });
  }

  /** Sends a call, also a second time, after the connection in which it was pending has ended. */
  send(call) {
    this.pending.set(call.id, call);
    const { control, rpc } = this.#topicsOf(call.device);
    this.#link.publish(call.isFirst ? control : rpc, call.text, call);
    return call;
  }

  /** Calls a tool. done(call, outcome, value) gets the outcome: result, error or unreachable. */
  call(device, isStateless, name, values, done) {
    const params = { name, arguments: { token: lastId + 1, ...values }, ...(isStateless ? { _meta: meta } : {}) };
    return this.#request(device, isStateless, 'tools/call', params, done);
  }

  /** Begins a session. */
  async initialize(device) {
    const [outcome, value] = await within(waitMs, `session with ${device}`, new Promise((resolve) => {
      this.#request(device, true, 'initialize', {
        protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'fleet', version: '1' },
      }, (call, ...end) => resolve(end));
    }));
    if (outcome !== 'result') throw new Error(`no session with ${device}: ${value}`);
    this.#link.publish(this.#topicsOf(device).rpc,
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  }

  /** Throws unless the result of a tool has the token of its call. */
  static check(call, outcome, value) {
    if (outcome !== 'result' || value.content[0].text !== String(call.id)) {
      throw new Error(`call ${call.id} of ${call.device}: ${outcome}, ${JSON.stringify(value)}`);
    }
  }

  close() {
    return this.#link.close();
  }
}

/** The devices that are online, from their presence messages. */
export class Watcher {
  #link;
  #arrived = () => {};

  /** The id of a device -> the time at which it came online. */
  online = new Map();
  onchange = () => {};

  static async open(port) {
    const watcher = new Watcher();
    watcher.#link = await Link.connect(port, 'watcher');
    watcher.#link.onmessage = (topic, text) => watcher.#take(topic.split('/')[2], text !== '');
    await watcher.#link.subscribe('$mcp-server/presence/+/#');
    return watcher;
  }

  #take(device, isOnline) {
    if (isOnline) this.online.set(device, performance.now());
    else this.online.delete(device);
    this.onchange(device, isOnline);
    this.#arrived();
  }

  /** Resolves when `count` devices are online. */
  async all(count, limitMs) {
    await within(limitMs, `presence of ${count} devices`, new Promise((resolve) => {
      this.#arrived = () => { if (this.online.size >= count) resolve(); };
      this.#arrived();
    }));
  }

  close() {
    return this.#link.close();
  }
}
