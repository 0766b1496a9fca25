// SPDX-License-Identifier: Apache-2.0
// One MQTT connection of the load generator. It codes PUBLISH and PUBACK itself, because MQTT.js takes more time for a
// call than the broker. mqtt-packet codes all other packets.
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import { nodeFolder, within } from '../../../examples/client/session.mjs';

const require = createRequire(join(nodeFolder, 'package.json'));
const types = { connack: 2, publish: 3, puback: 4, suback: 9 };
const slabSize = 1 << 16;
const waitMs = 30_000;

const userProperties = (clientId) => ({ 'MCP-COMPONENT-TYPE': 'mcp-client', 'MCP-MQTT-CLIENT-ID': clientId });

// The bytes of PUBLISH between the packet identifier and the payload.
function propertiesOf(clientId) {
  const { generate } = require('mqtt-packet');
  const packet = generate({
    cmd: 'publish', topic: 't', payload: '', qos: 1, messageId: 1,
    properties: { userProperties: userProperties(clientId) },
  }, { protocolVersion: 5 });
  return packet.subarray(packet.indexOf(Buffer.from([0, 1, 0x74])) + 5);
}

/** A topic as it is sent: its length and its bytes. */
export function topicOf(text) {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
}

/**
 * A connection with QoS 1 in both directions. Set onmessage(topic, text), onack(reason, tag) and onclose() before the
 * first message.
 */
export class Link {
  #socket;
  #parser;
  #properties;
  #rest = Buffer.alloc(0);
  #slab = Buffer.allocUnsafe(slabSize);
  #from = 0;
  #to = 0;
  #flushes = false;
  #lastId = 0;
  #unacknowledged = new Map();  // packet identifier -> the tag of its message
  #most = 65535;                // messages without acknowledgement that the broker accepts
  #waiting = new Map();         // the type of a packet -> the function that takes it

  onmessage = () => {};
  onack = () => {};
  onclose = () => {};

  static async connect(port, clientId, will) {
    const link = new Link();
    link.#properties = propertiesOf(clientId);
    link.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await within(waitMs, 'connection', new Promise((resolve, reject) => {
      link.#socket.once('connect', resolve).once('error', reject);
    }));
    link.#socket.on('data', (chunk) => link.#read(chunk));
    link.#socket.on('error', () => {});  // a reset connection; `close` follows
    link.#socket.on('close', () => link.onclose());
    link.#parser = require('mqtt-packet').parser({ protocolVersion: 5 });
    link.#parser.on('packet', (packet) => link.#waiting.get(packet.cmd)?.(packet));
    const { properties = {} } = await link.#exchange({
      cmd: 'connect', protocolId: 'MQTT', protocolVersion: 5, clean: true, keepalive: 0, clientId, will,
      properties: { userProperties: { 'MCP-COMPONENT-TYPE': 'mcp-client' } },
    }, 'connack');
    link.#most = properties.receiveMaximum ?? link.#most;
    return link;
  }

  #exchange(packet, answer) {
    const promise = new Promise((resolve) => this.#waiting.set(answer, resolve));
    this.#socket.write(require('mqtt-packet').generate(packet, { protocolVersion: 5 }));
    return within(waitMs, answer, promise);
  }

  async subscribe(topic, nl = false) {
    const { granted } = await this.#exchange(
      { cmd: 'subscribe', messageId: 65535, subscriptions: [{ topic, qos: 1, nl, rap: false, rh: 0 }] }, 'suback');
    if (granted[0] !== 1) throw new Error(`the broker refuses ${topic}`);
  }

  /** Sends `text`, which is ASCII, to a topic of topicOf(). onack() gets `tag`. */
  publish(topic, text, tag) {
    if (this.#unacknowledged.size === this.#most) throw new Error('the Receive Maximum of the broker is too small');
    do this.#lastId = this.#lastId % 65534 + 1; while (this.#unacknowledged.has(this.#lastId));
    this.#unacknowledged.set(this.#lastId, tag);
    let rest = topic.length + 2 + this.#properties.length + text.length;
    const slab = this.#reserve(rest + 5);
    slab[this.#to++] = types.publish << 4 | 2;
    for (; rest > 127; rest >>= 7) slab[this.#to++] = rest & 127 | 128;
    slab[this.#to++] = rest;
    this.#to += topic.copy(slab, this.#to);
    slab[this.#to++] = this.#lastId >> 8;
    slab[this.#to++] = this.#lastId & 255;
    this.#to += this.#properties.copy(slab, this.#to);
    this.#to += slab.write(text, this.#to, 'latin1');
  }

  // All packets of one turn of the event loop are one write.
  #reserve(size) {
    if (this.#slab.length - this.#to < size) {
      this.#flush();
      this.#slab = Buffer.allocUnsafe(Math.max(slabSize, size));
      this.#from = this.#to = 0;
    }
    if (!this.#flushes) queueMicrotask(() => this.#flush());
    this.#flushes = true;
    return this.#slab;
  }

  #flush() {
    if (this.#to > this.#from && this.#socket.writable) this.#socket.write(this.#slab.subarray(this.#from, this.#to));
    this.#from = this.#to;
    this.#flushes = false;
  }

  #read(chunk) {
    const data = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let at = 0;
    for (;;) {
      let size = 0;
      let head = at;
      do size |= (data[++head] & 127) << 7 * (head - at - 1); while (head < data.length && data[head] & 128);
      const end = ++head + size;
      if (head > data.length || end > data.length) break;
      this.#take(data, at, head, end);
      at = end;
    }
    this.#rest = data.subarray(at);
  }

  #take(data, at, head, end) {
    const type = data[at] >> 4;
    if (type === types.puback) {
      const id = data.readUInt16BE(head);
      const tag = this.#unacknowledged.get(id);
      this.#unacknowledged.delete(id);
      this.onack(end - head > 2 ? data[head + 2] : 0, tag);
    } else if (type === types.publish) {
      let from = head + 2 + data.readUInt16BE(head);
      const topic = data.latin1Slice(head + 2, from);
      if (data[at] & 6) {
        const slab = this.#reserve(4);
        slab[this.#to++] = types.puback << 4;
        slab[this.#to++] = 2;
        slab[this.#to++] = data[from++];
        slab[this.#to++] = data[from++];
      }
      let size = 0;
      let shift = 0;
      do size |= (data[from] & 127) << shift, shift += 7; while (data[from++] & 128);
      this.onmessage(topic, data.utf8Slice(from + size, end));
    } else {
      this.#parser.parse(data.subarray(at, end));
    }
  }

  /** Ends the connection without a goodbye, so that the broker publishes the will. */
  close() {
    return new Promise((resolve) => {
      this.onclose = resolve;
      if (this.#socket.closed) resolve();
      this.#socket.destroy();
    });
  }
}

/** The same on MQTT.js, to compare the time that both take. */
export class MqttJsLink {
  #mqtt;

  onmessage = () => {};
  onack = () => {};
  onclose = () => {};

  static async connect(port, clientId) {
    const link = new MqttJsLink();
    const { connectMqtt } = await import('../../../examples/client/mqtt.mjs');
    link.#mqtt = await connectMqtt(`mqtt://127.0.0.1:${port}`, { clientId });
    link.#mqtt.on('message', (topic, payload) => link.onmessage(topic, payload.toString()));
    return link;
  }

  async subscribe(topic, nl = false) {
    await this.#mqtt.subscribeAsync(topic, { qos: 1, nl });
  }

  publish(topic, text, tag) {
    const properties = { userProperties: userProperties(this.#mqtt.options.clientId) };
    this.#mqtt.publish(topic.toString('latin1', 2), text, { qos: 1, properties }, (error, packet) => {
      this.onack(packet?.reasonCode ?? 0, tag);
    });
  }

  close() {
    return this.#mqtt.endAsync(true);
  }
}
