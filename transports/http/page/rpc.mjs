// SPDX-License-Identifier: Apache-2.0
// An MCP client over Streamable HTTP: 2026-07-28 without sessions, and 2025-11-25 with a session.
import { headerValue, isObject } from './schema.mjs';

const modern = '2026-07-28';
const legacy = '2025-11-25';
const key = (name) => `io.modelcontextprotocol/${name}`;

/** The connection. `token` stays in memory. */
export const link = { path: '/mcp', token: '', session: '', version: '', level: '', isModern: true };
/** Returns the path of MCP in the Link field of the page. It must not lead to another host. */
export const pathOf = (field) => /<(\/(?!\/)[^>\\\s]*)>/.exec(field)?.[1];
/** Functions of the page: `notify(message)`, and `answer(request)`, which returns the result of an input request. */
export const hooks = {};

const clientInfo = { name: 'mote-page', version: '1' };
const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const progresses = new Map();
let lastId = 0;

export const sleep = (ms, signal) => new Promise((done) => {
  setTimeout(done, ms);
  signal?.addEventListener('abort', done);
});

/** Returns the time to wait in milliseconds: that of the device, or twice as long after each failure; at most 60 s. */
export const backoff = (failures, retryAfter) =>
  Math.min(60, Math.max(1, Number(retryAfter) || 2 ** Math.min(failures, 6))) * 1000;

const failure = ({ message, code, data }, response) => Object.assign(new Error(message ?? 'Error'), {
  code, data, status: response?.status, retryAfter: response?.headers.get('retry-after'),
});

/** Returns a function that takes pieces of an event stream, and passes its events. Source: HTML, server-sent events. */
export function eventReader(take) {
  let rest = '';
  let event = {};
  let size = 0;
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    size += text.length;
    for (const whole of lines) {
      const line = whole.replace(/\r$/, '');
      const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line);
      if (line === '') {
        take(event);
        event = {};
        size = 0;
      } else if (name === 'data') {
        event.data = event.data === undefined ? value : `${event.data}\n${value}`;
      } else if (name) {
        event[name] = value;
      }
    }
    if (size > 4e6) throw new Error('An event is too long.');
  };
}

async function* eventsOf(response, alive) {
  const events = [];
  const push = eventReader((event) => events.push(event));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      alive?.();
      push(value);
      while (events.length) yield events.shift();
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function exchange(message, { signal, headers, method = message ? 'POST' : 'GET', keepalive } = {}) {
  const stream = 'text/event-stream';
  const all = { accept: message ? `application/json, ${stream}` : stream, ...headers };
  if (message) all['content-type'] = 'application/json';
  if (link.version) all['mcp-protocol-version'] = link.version;
  if (link.session) all['mcp-session-id'] = link.session;
  if (link.token) all.authorization = `Bearer ${link.token}`;
  const response = await fetch(link.path, {
    method, headers: all, body: message && JSON.stringify(message), signal, keepalive,
    cache: 'no-store', credentials: 'omit', redirect: 'error',
  }).catch((error) => {
    throw error.name === 'TypeError' ? new Error('The device does not respond.') : error;
  });
  if (response.ok) return response;
  let error = {};
  try {
    ({ error } = await response.json());
  } catch {}
  throw failure({ message: `HTTP ${response.status}`, ...error }, response);
}

const message = (method, params, id) => ({ jsonrpc: '2.0', id, method, params });

export const tell = (method, params) => exchange(message(method, params));

/** Ends the session when the page is closed. */
export const leave = () => exchange(undefined, { method: 'DELETE', keepalive: true }).catch(() => {});

async function respond({ id, method, params }) {
  const reply = await hooks.answer({ method, params, id }).then((result) => ({ result }), ({ code, message: text }) => (
    { error: { code: code ?? -32603, message: text } }));
  await exchange({ jsonrpc: '2.0', id, ...reply });
}

function dispatch(incoming) {
  const { method, params, id } = incoming;
  try {
    if (method === 'notifications/progress') progresses.get(params?.progressToken)?.(params);
    else if (method && id !== undefined) respond(incoming).catch(() => {});
    else if (method) hooks.notify(incoming);
  } catch {}  // a malformed message does not end the stream
}

/**
 * Passes each message of a stream to dispatch(), until the response to `id` has come, which it returns. If the stream of
 * a session ends before, it resumes the stream.
 */
async function follow(response, id, signal, alive) {
  let last;
  let retryMs = 1000;
  for (let tries = 0; tries < 50; ++tries) {
    try {
      for await (const { data, id: event, retry } of eventsOf(response, alive)) {
        last = event ?? last;
        retryMs = Math.min(Number(retry) || retryMs, 60000);
        if (!data) continue;
        const incoming = JSON.parse(data);
        if (incoming.id === id && !incoming.method) return incoming;
        dispatch(incoming);
      }
    } catch (error) {
      if (signal?.aborted) throw error;
    }
    if (!last || id === undefined) break;
    await sleep(retryMs, signal);
    response = await exchange(undefined, { signal, headers: { 'last-event-id': last } });
  }
  throw new Error('The connection has ended.');
}

/** Sends a request and returns its result. Errors: an Error with `code`, `data`, `status` and `retryAfter`. */
export async function request(method, params, { signal, timeout, progress, headers, alive } = {}) {
  const id = ++lastId;
  const meta = {};
  if (progress) {
    progresses.set(id, progress);
    meta.progressToken = id;
  }
  const more = { ...headers };
  if (link.isModern) {
    meta[key('protocolVersion')] = modern;
    meta[key('clientInfo')] = clientInfo;
    meta[key('clientCapabilities')] = capabilities;
    if (link.level) meta[key('logLevel')] = link.level;
    more['mcp-method'] = method;
    const name = params?.name ?? params?.uri;
    if (/call|get|read$/.test(method) && name) more['mcp-name'] = headerValue(name);
  }
  const ends = [signal, timeout && AbortSignal.timeout(timeout)].filter(Boolean);
  const any = AbortSignal.any(ends);
  try {
    const response = await exchange(message(method, { ...params, _meta: meta }, id), { signal: any, headers: more });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    const { result, error } = isStream ? await follow(response, id, any, alive) : await response.json();
    if (error) throw failure(error, response);
    if (method === 'initialize') link.session = response.headers.get('mcp-session-id') ?? '';
    return result ?? {};
  } catch (error) {
    if (signal?.aborted && !link.isModern) tell('notifications/cancelled', { requestId: id }).catch(() => {});
    throw error.name === 'TimeoutError' ? new Error('The device does not respond.') : error;
  } finally {
    progresses.delete(id);
  }
}

/** The same for a request that may need input: the page gives it, and the request is sent again. */
export async function call(method, params, options) {
  for (let round = 0; round < 20; ++round) {
    const result = await request(method, params, options);
    if (result.resultType !== 'input_required') return result;
    const inputResponses = {};
    for (const [name, input] of Object.entries(result.inputRequests ?? {})) {
      inputResponses[name] = await hooks.answer(input, options?.signal);
    }
    params = { ...params, inputResponses, requestState: result.requestState };
  }
  throw new Error('The device needs input.');
}

/** Returns all rows of a list. */
export async function listAll(method, member) {
  const rows = [];
  let cursor;
  for (let page = 0; page < 100 && rows.length < 1000; ++page) {
    const result = await request(method, cursor === undefined ? {} : { cursor }, { timeout: 10000 });
    if (Array.isArray(result[member])) rows.push(...result[member].filter(isObject));
    if (typeof result.nextCursor !== 'string' || result.nextCursor === cursor) break;
    cursor = result.nextCursor;
  }
  return rows;
}

/** Begins the use of the device and returns what it is. `era` forces a protocol version. */
export async function connect(era) {
  const timeout = 10000;
  Object.assign(link, { session: '', isModern: era !== legacy, version: modern });
  if (link.isModern) {
    try {
      const result = await request('server/discover', {}, { timeout });
      return { ...result, ...seen(result) };
    } catch (error) {
      const isOld = error.code !== undefined && ![401, 403, 429, 503].includes(error.status);
      if (era || !(isOld || [400, 404, 405].includes(error.status))) throw error;
    }
  }
  Object.assign(link, { isModern: false, version: '' });
  const result = await request('initialize', { protocolVersion: legacy, capabilities, clientInfo }, { timeout });
  link.version = result.protocolVersion;
  await tell('notifications/initialized');
  return { ...result, ...seen(result) };
}

const seen = ({ serverInfo, _meta }) => ({
  serverInfo: serverInfo ?? _meta?.[key('serverInfo')] ?? {}, boot: _meta?.['mote/boot'] ?? '',
});

/** Returns the boot id, to notice a reset. A session that the device does not know is an error. */
export const probe = async () => (link.isModern ? seen(await request('server/discover', {}, { timeout: 10000 })).boot :
  (await request('ping', {}, { timeout: 10000 }), undefined));

/** Receives notifications until the stream ends or is silent for 40 s. `uris` are subscription targets. */
export async function listen(uris, { resources, tools, prompts } = {}, signal) {
  const silence = new AbortController();
  let timer;
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), 40000);
  };
  const any = AbortSignal.any([signal, silence.signal]);
  alive();
  try {
    if (!link.isModern) {
      await follow(await exchange(undefined, { signal: any }), undefined, any, alive);
    }
    const notifications = {
      resourceSubscriptions: resources?.subscribe && uris.length ? uris : undefined,
      resourcesListChanged: resources?.listChanged,
      toolsListChanged: tools?.listChanged,
      promptsListChanged: prompts?.listChanged,
    };
    await request('subscriptions/listen', { notifications }, { signal: any, alive });
  } finally {
    clearTimeout(timer);
  }
}
