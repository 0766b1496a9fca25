// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of examples/greenhouse: a fresh greenhouse and the official client, in each era that it supports.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hasOwnMethods } from './record.mjs';
import { v2Folder } from './client_v2.mjs';
import { atEnd, command, kind, library, waitMs } from './support.mjs';
import { startBoardHttp, startHttp } from '../../examples/client/http.mjs';
import { sdk, transportTo, within } from '../../examples/client/session.mjs';

const {
  CreateMessageRequestSchema, ElicitRequestSchema, LoggingMessageNotificationSchema,
  ResourceListChangedNotificationSchema, ResourceUpdatedNotificationSchema, ResultSchema,
  ToolListChangedNotificationSchema,
} = sdk('types.js');

hasOwnMethods('x-greenhouse/');

const newest = '2026-07-28';
export const eras = [{ revision: '2025-11-25', isModern: false, mode: 'legacy' }];
if (library.joinsPages) eras.push({ revision: newest, isModern: true, mode: { pin: newest } });

// The tokens of the HTTP server. A board has them in its image.
const { GREENHOUSE_READER: reader = 'read-only', GREENHOUSE_OPERATOR: operator = 'operator' } = process.env;
export const tokens = { reader, operator };

/** Starts a greenhouse over HTTP, which ends with the test; or names the command of one over stdio or a UART. */
export async function start(t) {
  if (kind !== 'http') return { command: command[0], args: command.slice(1) };
  const server = command.length === 3
    ? await startBoardHttp(...command, [])
    : await startHttp(command[0], ['--reader', tokens.reader, '--operator', tokens.operator]);
  atEnd(t, () => server.end());
  return server;
}

/** A wire that stays when its client goes, as a serial port: stdio of a process, or a UART. */
export class Wire {
  #line;

  static async open(t) {
    const wire = new Wire();
    wire.#line = transportTo(await start(t), library);
    atEnd(t, () => wire.#line.close());
    await wire.#line.start();
    return wire;
  }

  /** The transport of the next client. */
  transport() {
    const line = this.#line;
    const transport = {
      start: async () => { line.onmessage = (...message) => transport.onmessage?.(...message); },
      send: (...message) => line.send(...message),
      close: async () => {
        line.onmessage = undefined;
        transport.onclose?.();
      },
    };
    return transport;
  }
}

// What the server says on its own.
class News {
  asked = [];    // messages of forms
  sampled = [];  // params of requests to the model
  logs = [];
  #arrived = new Map();
  #waiting = new Map();

  put(what) {
    this.#arrived.set(what, (this.#arrived.get(what) ?? 0) + 1);
    this.#waiting.get(what)?.();
  }

  /** Resolves when the notification has come since the last call for it: a URI, a list, or "log". */
  async next(what) {
    if (!this.#arrived.get(what)) {
      await within(waitMs, what, new Promise((resolve) => { this.#waiting.set(what, resolve); }));
      this.#waiting.delete(what);
    }
    this.#arrived.set(what, this.#arrived.get(what) - 1);
  }
}

function listen(client, news, consent, capabilities) {
  if (capabilities.elicitation) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      news.asked.push(params.message);
      return consent;
    });
  }
  if (capabilities.sampling) {
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
      news.sampled.push(params);
      return { role: 'assistant', model: 'm', content: { type: 'text', text: 'It needs water.' } };
    });
  }
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    const { level, logger, data } = params;
    news.logs.push({ level, logger, data });
    news.put('log');
  });
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => news.put('resources'));
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => news.put('tools'));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => news.put(params.uri));
}

const info = { name: 'mote-tests', version: '0.1.0' };
const allCapabilities = { elicitation: {}, sampling: {} };

// Tasks of a session. In the second generation, no method of the client has them.
const sessionTasks = (client) => ({
  async startTask(name, toolArguments) {
    const { task } = await request(client, 'tools/call', { name, arguments: toolArguments, task: {} });
    return { task, reference: task.taskId };
  },
  getTask: (taskId) => request(client, 'tasks/get', { taskId }),
  taskResult: (taskId) => request(client, 'tasks/result', { taskId }),
});

// Tasks of stateless requests, by the official package for this extension. The client itself rejects their messages,
// so they go around it.
async function statelessTasks(client, transport) {
  const path = join(v2Folder, 'node_modules/@modelcontextprotocol/ext-tasks/dist/client/index.js');
  const { createTaskSessionFromClient, resultFromTaskOutcome } = await import(pathToFileURL(path));
  const pending = new Map();
  const taken = transport.onmessage;
  transport.onmessage = (message, ...rest) => {
    const resolve = pending.get(message.id);
    if (!resolve) return taken(message, ...rest);
    pending.delete(message.id);
    return resolve(message.error ? { kind: 'error', error: message.error } : { kind: 'result', result: message.result });
  };
  let requests = 0;
  const rawDispatch = (message) => {
    const id = `task-${++requests}`;
    const response = new Promise((resolve, reject) => {
      pending.set(id, resolve);
      transport.send({ jsonrpc: '2.0', id, ...message }).catch(reject);
    });
    return within(waitMs, `response to ${message.method}`, response);
  };
  const session = createTaskSessionFromClient(client, {
    endpointId: 'greenhouse', rawDispatch,
    v2RequestFraming: { protocolVersion: newest, clientInfo: info, clientCapabilities: allCapabilities },
  });
  return {
    async startTask(name, toolArguments) {
      const execution = await session.callTool(name, toolArguments);
      let reference;
      await execution.handoff((kept) => { reference = kept; });
      const task = await session.task(reference.taskId).snapshot();
      return { task, reference };
    },
    getTask: ({ taskId }) => session.task(taskId).snapshot(),
    async taskResult(reference) {
      const { outcome } = await (await session.resumeTask(reference)).settle();
      return resultFromTaskOutcome(outcome);
    },
  };
}

/**
 * A greenhouse, fresh if neither `server` nor `wire` is given, and a client. `consent` is the response of its user,
 * `watches` URIs of which it wants notifications, and of lists; `logs`: it wants log messages. Ends with the test.
 * Gives also functions for tasks, `leave()`, which ends the client, and the `_meta` of a call that wants log messages.
 */
export async function connect(t, {
  era, consent = { action: 'decline' }, token = tokens.operator, server = undefined, wire = undefined,
  watches = undefined, logs = false, capabilities = allCapabilities,
}) {
  const client = new library.Client(info, { capabilities, versionNegotiation: { mode: era.mode } });
  const news = new News();
  listen(client, news, consent, capabilities);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const { url, command: program, args } = wire ? {} : server ?? await start(t);
  const transport = wire ? wire.transport() : transportTo({ url, command: program, args, requestInit }, library);
  let hasLeft = false;
  const leave = async () => {
    if (hasLeft) return;
    hasLeft = true;
    await transport.terminateSession?.();
    await client.close();
  };
  atEnd(t, leave);
  await client.connect(transport);
  if (watches && era.isModern) {
    await client.listen({ resourceSubscriptions: watches, resourcesListChanged: true, toolsListChanged: true });
  } else if (watches) {
    for (const uri of watches) await client.subscribeResource({ uri });
  }
  if (logs && !era.isModern) await client.setLoggingLevel('info');
  const tasks = era.isModern ? await statelessTasks(client, transport) : sessionTasks(client);
  const logMeta = era.isModern ? { 'io.modelcontextprotocol/logLevel': 'info' } : undefined;
  return { client, news, leave, logMeta, ...tasks };
}

export const request = (client, method, params) => client.request({ method, params }, ResultSchema);

export const call = (client, name, args = {}, options = undefined, _meta = undefined) =>
  client.callTool({ name, arguments: args, ..._meta && { _meta } }, undefined, options);

const lists = { tools: 'listTools', resources: 'listResources', resourceTemplates: 'listResourceTemplates' };

/** All pages of a list: tools, resources or resourceTemplates. */
export async function all(client, key) {
  const items = [];
  for (let page; ;) {
    const result = await client[lists[key]](page);
    items.push(...result[key]);
    if (!result.nextCursor) return items;
    page = { cursor: result.nextCursor };
  }
}

export const textOf = (result) => result.content[0].text;
export const read = async (client, uri) => (await client.readResource({ uri })).contents[0].text;
export const readJson = async (client, uri) => JSON.parse(await read(client, uri));
