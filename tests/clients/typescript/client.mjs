// SPDX-License-Identifier: Apache-2.0
// Plays steps of tests/clients/scenario.tsv with the TypeScript SDK, v1 or v2.
//
// usage: node client.mjs v1|v2 STEPS ERA URL|COMMAND [ARGUMENT...]
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { clientLibrary } from '../../../examples/client/session.mjs';
import { clientV2 } from '../../client/client_v2.mjs';

const [sdk, path, era, ...target] = process.argv.slice(2);
const library = sdk === 'v2' ? clientV2() : clientLibrary();
const isModern = era === 'modern';
const limitMs = 30_000;  // of one wait for a notification
const longText = 300;    // characters of a text that is printed whole

const printed = (text) => (text.length > longText ? `${text.length} characters`
  : text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t'));

function compact(value) {
  if (Array.isArray(value)) return `[${value.map(compact).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${compact(value[key])}`).join(',')}}`;
}

const bytes = (base64) => `${Buffer.from(base64, 'base64').length} bytes`;
const body = ({ text, blob }) => (text === undefined ? bytes(blob) : printed(text));

function block(item) {
  switch (item.type) {
    case 'text': return `text ${printed(item.text)}`;
    case 'image': case 'audio': return `${item.type} ${item.mimeType} ${bytes(item.data)}`;
    case 'resource': return `resource ${item.resource.uri} ${body(item.resource)}`;
    default: return `link ${item.uri}`;
  }
}

// What the server sends during one step.
const events = {
  begin(parameters) {
    this.parameters = parameters;
    this.expected = parameters.expect ?? {};
    this.lines = { progress: [], input: [], logs: [], updates: [], changes: [] };
  },
  add(kind, line) {
    const wanted = kind === 'input' ? Infinity : this.expected[kind] ?? 0;
    if (kind === 'progress' && this.lines.progress.length === wanted) return;
    if (kind === 'input' || kind in this.expected) this.lines[kind].push(line);
    this.changed?.();
  },
  async complete() {
    for (const [kind, count] of Object.entries(this.expected)) {
      let timer;
      const late = new Promise((resolve) => { timer = setTimeout(() => resolve(true), limitMs); });
      while (this.lines[kind].length < count) {
        const change = new Promise((resolve) => { this.changed = () => resolve(false); });
        if (await Promise.race([change, late])) {
          this.lines[kind].push(`no more ${kind} within ${limitMs / 1000} s`);
          break;
        }
      }
      clearTimeout(timer);
    }
  },
  parts() {
    const { progress, input, logs, updates, changes } = this.lines;
    return [...progress, ...input, ...logs, ...updates.sort(), ...changes];  // updates have no order
  },
};

let client;
let level;

function handlers() {
  client.setRequestHandler(library.ElicitRequestSchema, ({ params }) => {
    events.add('input', `elicit ${params.message}${params.url ? ` ${params.url}` : ''}`);
    return events.parameters.answer ?? { action: 'cancel' };
  });
  client.setRequestHandler(library.CreateMessageRequestSchema, ({ params }) => {
    const items = params.messages.flatMap(({ content }) => content);
    events.add('input', `sample ${items.map(({ text }) => printed(text)).join(' ')}`);
    return { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hello.' } };
  });
  client.setRequestHandler(library.ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///work', name: 'work' }] }));
  client.setNotificationHandler(library.LoggingMessageNotificationSchema, ({ params }) => {
    const data = typeof params.data === 'string' ? params.data : compact(params.data);
    events.add('logs', `log ${params.level} ${params.logger} ${data}`);
  });
  client.setNotificationHandler(library.ResourceUpdatedNotificationSchema,
    ({ params }) => events.add('updates', `updated ${params.uri}`));
  client.setNotificationHandler(library.ToolListChangedNotificationSchema, () => events.add('changes', 'changed tools'));
}

function transportTo() {
  const [command, ...args] = target;
  if (command.startsWith('http')) {
    const headers = { authorization: `Bearer ${process.env.MOTE_TOKEN}` };
    return new library.StreamableHTTPClientTransport(new URL(command), { requestInit: { headers } });
  }
  return new library.StdioClientTransport({ command, args, env: process.env, stderr: 'ignore' });
}

// Lets the client take one message after the other. By itself it drops the progress that comes just before a result, when
// a slow machine delivers both in one piece.
function inOrder(transport) {
  let take;
  let last = Promise.resolve();
  const queued = (...message) => {
    last = last.then(() => take(...message)).catch((error) => transport.onerror?.(error))
      .then(() => new Promise(setImmediate));
  };
  Object.defineProperty(transport, 'onmessage', { get: () => take && queued, set: (next) => { take = next; } });
}

const operations = {
  async connect() {
    const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
    const info = { name: 'mote-tests', version: '1' };
    client = new library.Client(info, { capabilities, versionNegotiation: { mode: isModern ? 'auto' : 'legacy' } });
    handlers();
    const transport = transportTo();
    inOrder(transport);
    let version;
    const setVersion = transport.setProtocolVersion?.bind(transport);
    transport.setProtocolVersion = (chosen) => {
      version = chosen;
      setVersion?.(chosen);
    };
    await client.connect(transport);
    client.own = transport;
    const { name, version: release } = client.getServerVersion();
    return [`${name} ${release} ${version ?? client.getNegotiatedProtocolVersion?.()}`];
  },

  async end() {
    await client.own.terminateSession?.();
    await client.close();
    return ['ok'];
  },

  async reconnect() {
    await operations.end().catch(() => client.close());
    await operations.connect();
    return ['ok'];
  },

  async restart() {
    // The caller of this program restarts the server, then it writes a line.
    console.log('restart');
    await input.next();
    return ['ok'];
  },

  async call({ name, arguments: args, cancel, timeout }) {
    const options = { timeout: timeout ?? 60_000 };
    const controller = new AbortController();
    if (cancel || 'progress' in events.expected) {
      options.onprogress = ({ progress, total, message }) => {
        events.add('progress', `progress ${progress}/${total}${message ? ` ${message}` : ''}`);
        if (cancel) controller.abort();
      };
    }
    if (cancel) options.signal = controller.signal;
    const params = { name };
    if (args) params.arguments = args;
    if (level && isModern) params._meta = { 'io.modelcontextprotocol/logLevel': level };
    let result;
    try {
      result = await client.callTool(params, undefined, options);
    } catch (error) {
      if (controller.signal.aborted) return ['cancelled'];
      if (timeout && /timed out/i.test(error.message)) return ['timeout'];
      throw error;
    }
    const parts = [result.isError ? 'failed' : 'ok', ...result.content.map(block)];
    if (result.structuredContent !== undefined) parts.push(`structured ${compact(result.structuredContent)}`);
    return parts;
  },

  async list({ list }) {
    const [method, key] = {
      tools: ['listTools', 'tools'], resources: ['listResources', 'resources'],
      templates: ['listResourceTemplates', 'resourceTemplates'], prompts: ['listPrompts', 'prompts'],
    }[list];
    const rows = [];
    for (let cursor; ;) {
      const page = await client[method](cursor === undefined ? undefined : { cursor });
      rows.push(...page[key]);
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    return [`${rows.length} ${list} from ${rows[0]?.name} to ${rows.at(-1)?.name}`];
  },

  async read({ uri }) {
    const { contents } = await client.readResource({ uri });
    return ['ok', ...contents.map((one) => `${one.uri} ${one.mimeType ?? '-'} ${body(one)}`)];
  },

  async subscribe({ uris }) {
    if (isModern) await client.listen({ resourceSubscriptions: uris, toolsListChanged: true });
    else for (const uri of uris) await client.subscribeResource({ uri });
    return ['ok'];
  },

  async log({ level: wanted }) {
    level = wanted;
    if (!isModern) await client.setLoggingLevel(wanted);
    return ['ok'];
  },

  async prompt({ name, arguments: args }) {
    const { messages } = await client.getPrompt({ name, ...args && { arguments: args } });
    return ['ok', ...messages.map(({ role, content }) => `${role} ${block(content)}`)];
  },

  async complete({ prompt, template, argument, value, others }) {
    const ref = prompt ? { type: 'ref/prompt', name: prompt } : { type: 'ref/resource', uri: template };
    const context = others && { context: { arguments: others } };
    const { completion } = await client.complete({ ref, argument: { name: argument, value }, ...context });
    return ['ok', ...completion.values];
  },
};

// SDK v1 puts the code into the message, too.
const failure = ({ code, message }) =>
  `error ${printed(`${code === undefined ? '' : `${code} `}${message.replace(/^MCP error -?\d+: /, '')}`)}`;

const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) {
  const [step, operation, parameters] = line.split('\t');
  events.begin(JSON.parse(parameters));
  let parts;
  try {
    parts = await operations[operation](events.parameters);
    await events.complete();
  } catch (error) {
    parts = [failure(error)];
  }
  console.log(`${step}\t${[...events.parts(), ...parts].join(' | ')}`);
}
process.exit(0);
