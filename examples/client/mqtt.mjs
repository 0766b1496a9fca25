// SPDX-License-Identifier: Apache-2.0
// MCP over MQTT for the official client, and a Mosquitto broker of its own for tests. Knows no temperature.
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
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
  const mqtt = await require('mqtt').connectAsync(url, {
    protocolVersion: 5, reconnectPeriod: 0, properties: { userProperties: { 'MCP-COMPONENT-TYPE': 'mcp-client' } },
    ...options,
  });
  // Else a request that follows the PUBACK of a response waits 40 ms and more, until the broker acknowledges the PUBACK.
  mqtt.stream.setNoDelay(true);
  return mqtt;
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

// Below the ports that Linux (from 32768) and macOS (from 49152) give to sockets without a port of their own.
const firstPort = 20_000;
const portCount = 10_000;

/** Whether a socket that is not open yet can have the port. It stays open if so. */
const opens = (socket, begin) => new Promise((resolve) => {
  socket.once('error', () => resolve(false));
  begin(() => resolve(true));
});

/**
 * A TCP port of 127.0.0.1 for a server that this process starts, and may end and start again: `port`, and release().
 *
 * Mosquitto takes no port 0. A port that was free, from listen(0), may be another process's before Mosquitto opens it, and
 * again while Mosquitto is stopped. So the port is none that the system gives away, and the UDP port with its number is the
 * lock: two processes cannot open that, and the system closes it when this process ends.
 */
export async function holdPort() {
  for (let i = 0; i < portCount; ++i) {
    const port = firstPort + (process.pid * 7 + i) % portCount;
    const lock = createSocket('udp4');
    const isHeld = await opens(lock, (done) => lock.bind({ port, address: '127.0.0.1', exclusive: true }, done));
    // A service of this machine may have it.
    const server = createServer();
    const isFree = isHeld && await opens(server, (done) => server.listen(port, '127.0.0.1', done));
    if (isFree) {
      await new Promise((resolve) => server.close(resolve));
      lock.unref();
      return { port, release: () => lock.close() };
    }
    lock.close();
  }
  throw new Error('no TCP port is free');
}

// None outlives this process.
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Mosquitto on a port of this machine: `url`, `port`, `pid`, stop() and start() again. `settings` are lines of its file. It
 * sends each packet at once: with its default, a call takes 40 ms and more, because packets wait for delayed acknowledgements.
 * With the option -v it prints each packet, which takes time. With `certificates`, a folder of
 * toolchains/make-certificates, `tlsPort` is for devices with a certificate.
 */
export class Broker {
  #folder = mkdtempSync(join(tmpdir(), 'mote-'));
  #held = [];
  #options;
  #child;

  static async start(settings = ['allow_anonymous true'], files = {}, { options = ['-v'], certificates } = {}) {
    const broker = new Broker();
    broker.#options = options;
    for (const [name, text] of Object.entries(files)) writeFileSync(join(broker.#folder, name), text, { mode: 0o600 });
    broker.port = await broker.#hold();
    broker.url = `mqtt://127.0.0.1:${broker.port}`;
    const lines = [`listener ${broker.port} 127.0.0.1`, `user ${userInfo().username}`, 'persistence false', 'set_tcp_nodelay true',
      ...settings.map((line) => line.replaceAll('FOLDER', broker.#folder))];
    if (certificates) {
      broker.tlsPort = await broker.#hold();
      lines.push(`listener ${broker.tlsPort} 127.0.0.1`, `cafile ${certificates}/authority.pem`,
        `certfile ${certificates}/server.pem`, `keyfile ${certificates}/server_key.pem`, 'require_certificate true');
    }
    writeFileSync(join(broker.#folder, 'conf'), `${lines.join('\n')}\n`);
    await broker.start();
    return broker;
  }

  async #hold() {
    const held = await holdPort();
    this.#held.push(held);
    return held.port;
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
    for (const held of this.#held.splice(0)) held.release();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
