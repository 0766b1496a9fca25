// SPDX-License-Identifier: Apache-2.0
// The same three log messages of a plain handler, of a job and of a job that exceeds its time limit reach each client that
// asks for them: the official clients of both generations, the page, both clients behind attach, and clients of a broker.
//
// usage: node logs.test.mjs host LOGS_SERVER (with the Node.js and the packages of build/node22)
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { clientV2, v2Installed } from './client_v2.mjs';
import { atEnd, command, limitMs, waitMs } from './support.mjs';
import { startHttp, startServer } from '../../examples/client/http.mjs';
import { Broker, MqttClientTransport } from '../../examples/client/mqtt.mjs';
import { clientLibrary, transportTo, within } from '../../examples/client/session.mjs';
import { call as pageCall, connect as connectPage, hooks, link } from '../../transports/http/page/rpc.mjs';

if (!v2Installed) {
  console.log('skipped: the client of the second generation is not installed (tests/run installs it)');
  process.exit(77);
}
const limits = { timeout: limitMs };
const [binary] = command;
const attach = fileURLToPath(new URL('../../toolchains/attach/attach.mjs', import.meta.url));

const level = 'io.modelcontextprotocol/logLevel';
const wanted = [
  { level: 'info', logger: 'steps', data: 'the first' },
  { level: 'notice', logger: 'steps', data: 'the "second"\n' },
  { level: 'warning', logger: 'steps', data: 'the third' },
];

const v1 = clientLibrary();
const v2 = clientV2();
const libraries = {
  'client v1, 2025-11-25': { library: v1, mode: 'legacy', set: v1.LoggingMessageNotificationSchema },
  'client v2, 2025-11-25': { library: v2, mode: 'legacy', set: v2.LoggingMessageNotificationSchema },
  'client v2, 2026-07-28': { library: v2, mode: { pin: '2026-07-28' }, set: v2.LoggingMessageNotificationSchema },
};

// The ways to the device. Each returns what transportTo() takes.
const ways = {
  stdio: async () => ({ command: binary, args: [] }),
  HTTP: async (t) => {
    const server = await startHttp(binary, ['http']);
    atEnd(t, () => server.end());
    return { url: server.url };
  },
  'attach exec': async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'mote-logs-'));
    atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
    const env = { ...process.env, XDG_RUNTIME_DIR: folder, MOTE_ATTACH_LINGER_MS: '0' };
    return { transport: (library) => new library.StdioClientTransport({
      command: process.execPath, args: [attach, 'exec', binary], env, stderr: 'ignore' }) };
  },
  'attach http': async (t) => {
    const { url } = await ways.HTTP(t);
    const folder = mkdtempSync(join(tmpdir(), 'mote-logs-'));
    atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
    const env = { ...process.env, XDG_RUNTIME_DIR: folder, MOTE_ATTACH_LINGER_MS: '0' };
    return { transport: (library) => new library.StdioClientTransport({
      command: process.execPath, args: [attach, 'http', url], env, stderr: 'ignore' }) };
  },
  MQTT: async (t) => {
    const broker = await Broker.start();
    atEnd(t, () => broker.close());
    const server = await startServer(binary, ['mqtt', `${broker.port}`], /: online\n/);
    atEnd(t, () => server.end());
    return { transport: () => new MqttClientTransport({ url: broker.url, id: 'logs-1', name: 'logs' }) };
  },
};

/** Collects messages, and waits until three have come. */
class Logs {
  messages = [];
  #arrived;

  put({ level: one, logger, data }) {
    this.messages.push({ level: one, logger, data });
    this.#arrived?.();
  }

  async three() {
    while (this.messages.length < 3) {
      await within(waitMs, `log message after ${JSON.stringify(this.messages)}`, new Promise((resolve) => { this.#arrived = resolve; }));
    }
    return this.messages.splice(0);
  }
}

const isLate = { plain: false, steps: false, late: true };

for (const [way, open] of Object.entries(ways)) {
  for (const [name, { library, mode, set }] of Object.entries(libraries)) {
    test(`${name}, over ${way}`, limits, async (t) => {
      const isModern = mode !== 'legacy';
      const { transport, ...server } = await open(t);
      const client = new library.Client({ name: 'c', version: '1' }, { capabilities: {}, versionNegotiation: { mode } });
      const logs = new Logs();
      client.setNotificationHandler(set, ({ params }) => logs.put(params));
      atEnd(t, () => client.close());
      await client.connect(transport ? transport(library) : transportTo(server, library));
      if (!isModern) await client.setLoggingLevel('info');
      for (const [tool, fails] of Object.entries(isLate)) {
        const result = await client.callTool({ name: tool, arguments: {}, ...(isModern && { _meta: { [level]: 'info' } }) });
        // The messages of a stateless call come before its response, and those of a session at any time.
        if (isModern) assert.equal(logs.messages.length, 3, `${tool}: ${JSON.stringify(logs.messages)}`);
        const came = await logs.three();
        // A session over HTTP has two streams during a call, and an order in each of them alone.
        const order = (one) => wanted.findIndex(({ data }) => data === one.data);
        assert.deepEqual(isModern ? came : came.sort((a, b) => order(a) - order(b)), wanted, tool);
        assert.equal(result.isError ?? false, fails);
      }
      if (!isModern) return;
      // Without a level, and below it, there are none.
      for (const _meta of [undefined, { [level]: 'error' }]) {
        await client.callTool({ name: 'plain', arguments: {}, ...(_meta && { _meta }) });
        assert.deepEqual(logs.messages, []);
      }
      await client.callTool({ name: 'plain', arguments: {}, _meta: { [level]: 'warning' } });
      assert.deepEqual(logs.messages, wanted.slice(2));
    });
  }
}

test('the page, 2026-07-28', limits, async (t) => {
  const { url } = await ways.HTTP(t);
  link.path = url;
  link.level = 'info';
  const logs = new Logs();
  hooks.notify = ({ method, params }) => { if (method === 'notifications/message') logs.put(params); };
  await connectPage('2026-07-28');
  for (const [tool, fails] of Object.entries(isLate)) {
    const result = await pageCall('tools/call', { name: tool, arguments: {} }, {});
    assert.deepEqual(logs.messages.splice(0), wanted, tool);
    assert.equal(result.isError ?? false, fails);
  }
});
