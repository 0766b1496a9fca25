// SPDX-License-Identifier: Apache-2.0
// MCP over MQTT for the official client, and a Mosquitto broker of its own for tests. Knows no temperature.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { nodeFolder } from './session.mjs';

const require = createRequire(join(nodeFolder, 'package.json'));
const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** A connection of MQTT.js. */
export async function connectMqtt(url, options = {}) {
  return require('mqtt').connectAsync(url, {
    protocolVersion: 5, reconnectPeriod: 0, properties: { userProperties: { 'MCP-COMPONENT-TYPE': 'mcp-client' } },
    ...options,
  });
}

/**
 * A transport for the official client: to the server `id` with the service `name`, through the broker at `url`. Calls
 * watch('in' or 'out', bytes), if it is set, with each message.
 */
export class MqttClientTransport {
  #server;
  #options;
  #mqtt;

  constructor({ url, id, name, clientId = `client-${randomUUID().slice(0, 23)}`, ...options }) {
    this.url = url;
    this.clientId = clientId;
    this.#server = `${id}/${name}`;
    this.#options = { ...options, clientId };
  }

  get #rpc() {
    return `$mcp-rpc/${this.clientId}/${this.#server}`;
  }

  async start() {
    const presence = `$mcp-server/presence/${this.#server}`;
    this.#mqtt = await connectMqtt(this.url, {
      ...this.#options,
      will: {
        topic: `$mcp-client/presence/${this.clientId}`, qos: 1,
        payload: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/disconnected' }),
      },
    });
    this.#mqtt.on('message', (topic, payload) => {
      if (topic !== presence) return this.#take(payload);
      if (payload.length === 0) this.close();
    });
    this.#mqtt.on('close', () => this.onclose?.());
    this.#mqtt.on('error', (error) => this.onerror?.(error));
    await this.#mqtt.subscribeAsync([presence, `$mcp-server/capability/${this.#server}`], { qos: 1 });
    await this.#mqtt.subscribeAsync(this.#rpc, { qos: 1, nl: true });
  }

  #take(payload) {
    this.watch?.('out', payload);
    const message = JSON.parse(payload.toString());
    if (message.method === 'notifications/disconnected') return this.close();
    return this.onmessage?.(message);
  }

  /** Requests that need no session, and the one that begins it, go to the control topic. */
  async send(message) {
    const isFirst = message.method === 'initialize' || message.params?._meta?.[versionKey] !== undefined;
    const text = JSON.stringify(message);
    this.watch?.('in', Buffer.from(text));
    await this.#mqtt.publishAsync(isFirst ? `$mcp-server/${this.#server}` : this.#rpc, text, {
      qos: 1,
      properties: { userProperties: { 'MCP-COMPONENT-TYPE': 'mcp-client', 'MCP-MQTT-CLIENT-ID': this.clientId } },
    });
  }

  async close() {
    const mqtt = this.#mqtt;
    this.#mqtt = undefined;
    if (mqtt === undefined) return;
    if (mqtt.connected) {
      await mqtt.publishAsync(`$mcp-client/presence/${this.clientId}`,
        JSON.stringify({ jsonrpc: '2.0', method: 'notifications/disconnected' }), { qos: 1 });
    }
    await mqtt.endAsync();
  }
}

/** A TCP port of this machine that is free now. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

// None outlives this process.
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Mosquitto on a port of this machine: `url`, `port`, `pid`, stop() and start() again. `settings` are lines of its file.
 * With the option -v it prints each packet, which takes time. With `certificates`, a folder of
 * toolchains/make-certificates, `tlsPort` is for devices with a certificate.
 */
export class Broker {
  #folder = mkdtempSync(join(tmpdir(), 'mote-'));
  #options;
  #child;

  static async start(settings = ['allow_anonymous true'], files = {}, { options = ['-v'], certificates } = {}) {
    const broker = new Broker();
    broker.#options = options;
    for (const [name, text] of Object.entries(files)) writeFileSync(join(broker.#folder, name), text, { mode: 0o600 });
    broker.port = await freePort();
    broker.url = `mqtt://127.0.0.1:${broker.port}`;
    const lines = [`listener ${broker.port} 127.0.0.1`, `user ${userInfo().username}`, 'persistence false',
      ...settings.map((line) => line.replaceAll('FOLDER', broker.#folder))];
    if (certificates) {
      broker.tlsPort = await freePort();
      lines.push(`listener ${broker.tlsPort} 127.0.0.1`, `cafile ${certificates}/authority.pem`,
        `certfile ${certificates}/server.pem`, `keyfile ${certificates}/server_key.pem`, 'require_certificate true');
    }
    writeFileSync(join(broker.#folder, 'conf'), `${lines.join('\n')}\n`);
    await broker.start();
    return broker;
  }

  /** Resolves when it accepts connections. */
  async start() {
    const child = spawn('mosquitto', [...this.#options, '-c', join(this.#folder, 'conf')],
      { stdio: ['ignore', 'ignore', 'pipe'] });
    running.add(child);
    this.#child = child;
    let said = '';
    this.ended = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', () => {
        running.delete(child);
        resolve();
      });
    });
    const listens = new Promise((resolve) => {
      child.stderr.setEncoding('utf8').on('data', (text) => {
        said += said.length < 4096 ? text : '';
        if (/ running\n/.test(said)) resolve(true);
      });
    });
    if (await Promise.race([listens, this.ended]) !== true) throw new Error(`mosquitto has ended: ${said}`);
  }

  get pid() {
    return this.#child.pid;
  }

  /** Ends it at once, as a crash does. */
  async stop() {
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  async close() {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
