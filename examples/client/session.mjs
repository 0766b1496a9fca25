// SPDX-License-Identifier: Apache-2.0
// Connects to an MCP server with the official client: to a child process over stdio, or to a URL. Knows no temperature
// (thermometer.mjs does).
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The npm packages are installed below the build folder, where an `import` from this folder would not find them.
export const nodeFolder = fileURLToPath(new URL('../../build/node', import.meta.url));
const require = createRequire(join(nodeFolder, 'package.json'));

/** Whether the official client is installed; without it only `sdk` and `openSession` cannot be used. */
export const sdkInstalled = existsSync(join(nodeFolder, 'node_modules/@modelcontextprotocol/sdk/package.json'));

/** One file of the official SDK, such as sdk('types.js'). */
export function sdk(file) {
  return require(`@modelcontextprotocol/sdk/${file}`);
}

/** What openSession() needs of the official client. */
export function clientLibrary() {
  return {
    ...sdk('types.js'), ...sdk('client/index.js'), ...sdk('client/stdio.js'), ...sdk('client/streamableHttp.js'),
  };
}

/** The way to `server`: { command, args } is a process that is started, { url } one that runs, transport() any other. */
export function transportTo({ url, command, args, transport, ...options }, library) {
  if (transport) return transport();
  if (url === undefined) return new library.StdioClientTransport({ command, args });
  return new library.StreamableHTTPClientTransport(new URL(url), options);
}

/** `promise`, or an error that says `what` was missing once `limitMs` have passed. Only ever fails early, never waits. */
export function within(limitMs, what, promise) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no ${what} within ${limitMs} ms`)), limitMs);
  });
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}

/** One connection to one server. Get it from openSession(), and close() it. */
class Session {
  #transport;
  #unread = new Map();   // uri -> notifications/resources/updated that nextUpdate() has not handed out yet
  #waiting = new Map();  // uri -> { resolve, reject } of a nextUpdate() that waits
  #total = new Map();    // uri -> notifications/resources/updated since the start
  #ended = false;

  constructor(client, transport) {
    this.client = client;
    this.#transport = transport;
  }

  async connect({ ResourceUpdatedNotificationSchema }) {
    this.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => this.#updated(params.uri));
    const transport = this.#transport;
    const setVersion = transport.setProtocolVersion?.bind(transport);
    transport.setProtocolVersion = (version) => {
      this.protocolVersion = version;
      setVersion?.(version);
    };
    this.client.onclose = () => {
      this.#ended = true;
      for (const { reject } of this.#waiting.values()) reject(new Error('the server ended'));
    };
    await this.client.connect(this.#transport);
  }

  #updated(uri) {
    this.#total.set(uri, this.updates(uri) + 1);
    const waiting = this.#waiting.get(uri);
    if (waiting) waiting.resolve();
    else this.#unread.set(uri, (this.#unread.get(uri) ?? 0) + 1);
  }

  /** How many notifications/resources/updated for `uri` have arrived so far. */
  updates(uri) {
    return this.#total.get(uri) ?? 0;
  }

  /** Resolves with the next notifications/resources/updated for `uri` that no earlier call has had, arrived or to come. */
  async nextUpdate(uri, limitMs = 30_000) {
    const unread = this.#unread.get(uri) ?? 0;
    if (unread > 0) {
      this.#unread.set(uri, unread - 1);
      return;
    }
    if (this.#ended) throw new Error('the server ended');
    const update = new Promise((resolve, reject) => this.#waiting.set(uri, { resolve, reject }));
    await within(limitMs, `notification for ${uri}`, update).finally(() => this.#waiting.delete(uri));
  }

  /** The JSON value of a resource that has one content of type application/json. */
  async readJson(uri) {
    const { contents } = await this.client.readResource({ uri });
    return JSON.parse(contents[0].text);
  }

  /** Id of the process that was started; null once it has ended. */
  get pid() {
    return this.#transport.pid;
  }

  /** Ends a process that was started: closes its stdin, then SIGTERM, then SIGKILL, as the specification orders it. */
  close() {
    return this.client.close();
  }
}

/** Connects to `server` (see transportTo) and completes the MCP handshake. */
export async function openSession(
  server, clientInfo = { name: 'mote-client', version: '0.1.0' }, library = clientLibrary()) {
  const session = new Session(new library.Client(clientInfo), transportTo(server, library));
  try {
    await session.connect(library);
  } catch (error) {
    await session.close();
    throw error;
  }
  return session;
}
