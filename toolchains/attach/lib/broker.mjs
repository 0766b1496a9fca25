// SPDX-License-Identifier: Apache-2.0
// One process per device. Hosts reach it over a Unix socket (a named pipe on Windows), one connection per host.
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { Additions } from './additions.mjs';
import { Device } from './device.mjs';
import { Host } from './host.mjs';
import { HttpSessions } from './http_sessions.mjs';
import { Lists } from './lists.mjs';
import { Relay } from './relay.mjs';
import { openLink } from './open_link.mjs';
import { key } from './rpc.mjs';
import { elect } from './socket.mjs';
import { targetText } from './target.mjs';
import { TextLog } from './text_log.mjs';
import { removeStale } from './watchers.mjs';

export class Broker {
  /** @type {Set<Host>} */ hosts = new Set();
  log = new TextLog();
  #unseen = 0;  // the position in the log of text that no host has
  #isMissing = false;  // hosts got the reason

  /** @param {import('./target.mjs').Target} target @param {() => Promise<any>} [open] */
  constructor(target, open = () => openLink(target)) {
    this.target = target;
    this.device = new Device(open, (text) => this.text(text));
    this.device.waits = () => [...this.hosts].some((host) => host.waits());
    this.relay = target.kind === 'http' || target.kind === 'mdns' ? new HttpSessions(this) : new Relay(this);
    this.lists = new Lists(this.device);
    this.additions = new Additions(this, target.plain === true);
    this.device.on('news', (m) => this.#news(m));
    this.device.on('legacy', (m) => this.relay.fromDevice(m));
    this.device.on('lost', (reason) => {
      this.additions.forget();
      this.relay.lost(reason);
      for (const host of this.hosts) host.lost(reason);
      this.#miss(reason);
    });
    this.device.on('left', (reason, owns) => {
      for (const host of this.hosts) host.lost(reason, owns);
    });
    this.device.on('away', (reason) => this.#miss(reason));
    this.device.on('open', () => this.#opened());
    this.device.on('gap', () => {
      for (const host of this.hosts) host.returned();
    });
  }

  describe() {
    const { device, target } = this;
    const server = device.discover?._meta?.[key.serverInfo];
    return { target: targetText(target), broker: process.pid, present: device.isOpen, ...(device.away && { reason: device.away }), server };
  }

  /** @param {string} reason */
  #miss(reason) {
    this.#isMissing = true;
    this.text(`attach: ${reason}`);
  }

  #opened() {
    if (this.#isMissing) this.text('attach: The device is connected.');
    this.#isMissing = false;
    this.additions.forget();
    if (this.device.era === 'legacy') {
      this.relay.returned();
      for (const host of this.hosts) if (host.wasAbsent) this.relay.take(host);
    } else {
      this.relay.adopt();
      for (const host of this.hosts) host.returned();
    }
    for (const host of this.hosts) host.arrived();
  }

  /** @param {import('./rpc.mjs').Message} m */
  #news(m) {
    if (m.method?.endsWith('/list_changed')) this.additions.forget();
    for (const host of this.hosts) host.news(m);
  }

  // A line that does not begin with { is text; the front writes it to stderr.
  /** @param {string} text */
  text(text) {
    for (const line of text.split('\n')) {
      this.log.add(line);
      for (const host of this.hosts) host.write(`#${line}\n`);
    }
    if (this.hosts.size > 0) this.#unseen = this.log.position;
  }

  // The device may write, or be away, before the first host has connected.
  /** @param {Host} host */
  #showUnseen(host) {
    const { text, position } = this.log.read(this.#unseen, this.log.size);
    this.#unseen = position;
    for (const line of text.split('\n').slice(0, -1)) host.write(`#${line}\n`);
  }

  /** @param {import('node:net').Socket} socket */
  serve(socket) {
    const host = new Host(this, (line) => {
      // A host that does not read is ended, so that it does not take the memory of the others.
      if (socket.writableLength > 16 << 20) socket.destroy();
      else socket.write(line);
    });
    this.hosts.add(host);
    socket.write('\n');
    this.#showUnseen(host);
    socket.on('data', (bytes) => host.reader.feed(bytes));
    socket.on('error', () => {});
    socket.on('close', () => {
      this.hosts.delete(host);
      host.close();
      this.relay.left(host);
    });
  }
}

/**
 * Serves hosts until the last one has left. Returns at once if another broker has the device.
 * @param {import('./target.mjs').Target} target @param {string} path of the socket @param {number} lingerMs
 */
export async function runBroker(target, path, lingerMs) {
  const server = createServer();
  if (!await elect(server, path)) return;
  const broker = new Broker(target);
  let timer = setTimeout(end, 10_000);  // until the first host
  function end() {
    server.close();
    broker.device.stop();
    removeStale(dirname(path)).catch(() => {});  // the folder may have been removed
    // What was written last leaves the port.
    broker.relay.close().finally(() => setTimeout(() => process.exit(0), 200));
  }
  server.on('connection', (socket) => {
    clearTimeout(timer);
    broker.serve(socket);
    socket.on('close', () => {
      clearTimeout(timer);
      if (broker.hosts.size === 0) timer = setTimeout(end, lingerMs);
    });
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, end);
  await broker.device.start();
}
