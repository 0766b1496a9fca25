// What the tests of everything_server (tests/conformance) share: a fresh server and the official client for each test,
// what the server tells of its own accord, and what the client answers when it is asked.
//
// usage: node NAME.test.mjs host BINARY
//        node NAME.test.mjs sse BINARY
//        node NAME.test.mjs board EMULATE BOARD IMAGE
// sse: over HTTP, the transport of 2024-11-05.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Qmp } from '../../examples/client/qmp.mjs';
import { sdk, within } from '../../examples/client/session.mjs';
import { atEnd, command, kind } from './support.mjs';

const types = sdk('types.js');

const requests = {
  'elicitation/create': types.ElicitRequestSchema,
  'roots/list': types.ListRootsRequestSchema,
  'sampling/createMessage': types.CreateMessageRequestSchema,
};
const notifications = [
  types.ElicitationCompleteNotificationSchema, types.LoggingMessageNotificationSchema,
  types.PromptListChangedNotificationSchema, types.ResourceListChangedNotificationSchema,
  types.ResourceUpdatedNotificationSchema, types.TaskStatusNotificationSchema, types.ToolListChangedNotificationSchema,
];

/** Notifications of the server, each kind in the order in which they came. */
class Inbox {
  #unread = new Map();   // method -> params that next() has not handed out yet
  #waiting = new Map();  // method -> resolve of a next() that waits

  put({ method, params }) {
    const resolve = this.#waiting.get(method);
    this.#waiting.delete(method);
    if (resolve) resolve(params);
    else this.#unread.set(method, [...this.unread(method), params]);
  }

  /** What came and was not handed out by next(). */
  unread(method) {
    return this.#unread.get(method) ?? [];
  }

  /** The params of the next notification, arrived or to come. */
  next(method) {
    const [first, ...rest] = this.unread(method);
    if (first !== undefined) {
      this.#unread.set(method, rest);
      return first;
    }
    return within(10_000, method, new Promise((resolve) => this.#waiting.set(method, resolve)));
  }

  /** Notifications with empty params are as good as any. */
  static of(notification) {
    return { method: notification.method, params: notification.params ?? {} };
  }
}

// On the board, the emulator's control socket tells how much of the stack was ever used.
async function startBoard(t, [emulate, board, image]) {
  const folder = mkdtempSync(join(tmpdir(), 'mote-'));
  const socket = join(folder, 'qmp');
  const qmp = await Qmp.listen(socket);
  atEnd(t, () => {
    qmp.close();
    rmSync(folder, { recursive: true, force: true });
  });
  // The stack is the lowest thing in RAM, and what was never used of it still has the paint of start-up.
  const deepestStack = async (size) => {
    const dump = await qmp.execute('human-monitor-command', { 'command-line': `xp /${size / 4}wx 0x20000000` });
    return size - 4 * dump.match(/0x[0-9a-f]{8}\b/g).findIndex((word) => word !== '0xc0de57ac');
  };
  return { command: emulate, args: [board, image, '--', '-qmp', `unix:${socket},server=off`], deepestStack };
}

/** A fresh server with the transport of 2024-11-05. Its URL; it ends with the test `t`. */
export async function startSse(t) {
  const server = spawn(command[0], ['--port', '0', '--sse'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => server.on('close', resolve));
  atEnd(t, async () => {
    server.kill('SIGKILL');
    await within(5000, 'end of the server', ended);
  });
  let text = '';
  const address = new Promise((resolve, reject) => {
    server.on('error', reject);
    server.on('close', () => reject(new Error(`the server does not listen: ${text}`)));
    server.stderr.on('data', (piece) => {
      text += piece;
      const found = /^listening on (\S+)\n/m.exec(text);
      if (found) resolve(found[1]);
    });
  });
  return new URL('/sse', await within(5000, 'address of the server', address));
}

/** The transport of the official client to a fresh server. */
async function openTransport(t, server) {
  if (kind === 'sse') {
    const { SSEClientTransport } = sdk('client/sse.js');
    return new SSEClientTransport(await startSse(t));
  }
  const { StdioClientTransport } = sdk('client/stdio.js');
  return new StdioClientTransport(server);
}

/**
 * A fresh server and the official client, connected: { client, inbox, deepestStack }. `capabilities` are the client's,
 * `answers` what it does with requests of the server: { 'roots/list': (params) => result, … }, `options` more for the
 * Client. Ends with the test `t`, which fails if the client refused anything the server sent.
 */
export async function connectEverything(t, { capabilities = {}, answers = {}, options = {} } = {}) {
  const server = kind === 'board' ? await startBoard(t, command) : { command: command[0], args: ['--stdio'] };
  const { Client } = sdk('client/index.js');
  const transport = await openTransport(t, server);
  const client = new Client({ name: 'mote-tests', version: '0.1.0' }, { capabilities, ...options });
  const inbox = new Inbox();
  const refused = [];
  client.onerror = (error) => refused.push(error);
  for (const schema of notifications) client.setNotificationHandler(schema, (news) => inbox.put(Inbox.of(news)));
  for (const [method, answer] of Object.entries(answers)) {
    client.setRequestHandler(requests[method], ({ params }) => answer(params));
  }
  atEnd(t, async () => {
    await client.close();
    assert.deepEqual(refused, []);
  });
  await client.connect(transport);
  return { client, inbox, deepestStack: server.deepestStack };
}

/** All items of a list, page by page: `listAll((params) => client.listTools(params), 'tools')`. */
export async function listAll(list, key) {
  const items = [];
  for (let cursor; ;) {
    const page = await list(cursor === undefined ? {} : { cursor });
    items.push(...page[key]);
    cursor = page.nextCursor;
    if (cursor === undefined) return items;
  }
}

/** Calls a tool that is expected to succeed, and returns the text of its result. */
export async function callText(client, name, toolArguments, options) {
  const result = await client.callTool({ name, arguments: toolArguments }, undefined, options);
  assert.ok(!result.isError, JSON.stringify(result));
  return result.content.map(({ text }) => text).join('\n');
}

/** Calls a tool that is expected to fail, and returns the text of its result. */
export async function callFailure(client, name, toolArguments) {
  const result = await client.callTool({ name, arguments: toolArguments });
  assert.equal(result.isError, true, JSON.stringify(result));
  return result.content[0].text;
}
