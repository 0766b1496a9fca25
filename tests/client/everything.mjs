// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of everything_server (tests/conformance): a fresh server and the official client for each test,
// the notifications of the server, and the responses of the client to input requests.
//
// usage: as of support.mjs, and
//        node NAME.test.mjs sse BINARY
// sse: over HTTP, the transport of 2024-11-05.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Qmp } from '../../examples/client/qmp.mjs';
import { startBoardHttp, startHttp } from '../../examples/client/http.mjs';
import { sdk, transportTo, within } from '../../examples/client/session.mjs';
import { atEnd, command, inOrder, kind, library as types, waitMs } from './support.mjs';

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
    return within(waitMs, method, new Promise((resolve) => this.#waiting.set(method, resolve)));
  }

  /** Notifications with empty params are as good as any. */
  static of(notification) {
    return { method: notification.method, params: notification.params ?? {} };
  }
}

// On the board, the emulator's control socket changes the board, and reports the deepest stack.
async function control(t) {
  const folder = mkdtempSync(join(tmpdir(), 'mote-'));
  const socket = join(folder, 'qmp');
  const qmp = await Qmp.listen(socket);
  atEnd(t, () => {
    qmp.close();
    rmSync(folder, { recursive: true, force: true });
  });
  // The stack is at the lowest addresses of RAM. Unused parts of it still have the pattern of start-up.
  const deepestStack = async (size) => {
    const dump = await qmp.execute('human-monitor-command', { 'command-line': `xp /${size / 4}wx 0x20000000` });
    return size - 4 * dump.match(/0x[0-9a-f]{8}\b/g).findIndex((word) => word !== '0xc0de57ac');
  };
  return { args: ['-qmp', `unix:${socket},server=off`], deepestStack, execute: (...command) => qmp.execute(...command) };
}

async function startBoard(t, [emulate, board, image]) {
  const { args, deepestStack } = await control(t);
  return { command: emulate, args: [board, image, '--', ...args], deepestStack };
}

/** A fresh server with the transport of 2024-11-05. Its URL; it ends with the test `t`. */
export async function startSse(t) {
  const server = await startHttp(command[0], ['--port', '0', '--sse']);
  atEnd(t, () => server.end());
  return new URL('/sse', server.url);
}

/** A fresh everything_server, for connectEverything(). It ends with the test `t`. */
export async function startEverything(t) {
  if (kind === 'board') return startBoard(t, command);
  if (kind === 'host') return { command: command[0], args: ['--stdio'] };
  if (kind === 'sse') return { sse: await startSse(t) };
  const { args, ...board } = command.length === 3 ? await control(t) : {};
  const process = args ? await startBoardHttp(...command, args) : await startHttp(command[0], ['--port', '0']);
  atEnd(t, () => process.end());
  return { url: process.url, process, ...board };
}

/**
 * A server, fresh if none is given, and the official client, connected: { client, inbox, transport, server }.
 * `capabilities` are the client's, `answers` what it does with requests of the server: { 'roots/list': (params) =>
 * result, … }, `options` more for the Client, `tolerates` says which of its errors are none. Ends with the test `t`,
 * which fails if the client refused anything the server sent.
 */
export async function connectEverything(
  t, { capabilities = {}, answers = {}, options = {}, tolerates = () => false, server: running } = {}) {
  const server = running ?? await startEverything(t);
  const client = new types.Client({ name: 'mote-tests', version: '0.1.0' }, { capabilities, ...options });
  const inbox = new Inbox();
  const refused = [];
  let closing = false;
  // Streams that it closes itself are errors to the client.
  client.onerror = (error) => (closing && kind !== 'host' && kind !== 'board') || tolerates(error) || refused.push(error);
  for (const schema of notifications) client.setNotificationHandler(schema, (news) => inbox.put(Inbox.of(news)));
  for (const [method, answer] of Object.entries(answers)) {
    client.setRequestHandler(requests[method], ({ params }) => answer(params));
  }
  const transport = server.sse ? new (sdk('client/sse.js').SSEClientTransport)(server.sse) : transportTo(server, types);
  const taken = inOrder(transport);
  atEnd(t, async () => {
    await taken();
    closing = true;
    await client.close();
    assert.deepEqual(refused, []);
  });
  await client.connect(transport);
  return { client, inbox, transport, server, deepestStack: server.deepestStack };
}

/**
 * For `tolerates`: the stream of a call that was cancelled ends without an answer, and then this client asks for the
 * rest of it, of which there is none.
 */
export const noRestOfCancelled = ({ message }) => kind === 'http' && /Bad Request|reconnection attempts/.test(message);

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
