// SPDX-License-Identifier: Apache-2.0
// Makes blocks of the records of trace.mjs: one for each request with its result, for people or as JSON. A record may come from a file
// of another person, so no member of it has a known type.
import { isObject } from './incoming.mjs';
import { numberOf, stringify, textOf } from './json.mjs';
import { key, metaOf } from './rpc.mjs';
import { cutTo, shown, width } from './shown.mjs';
import { safeJson } from './trace.mjs';

/** @typedef {import('./rpc.mjs').Message} Message */
/** @typedef {{method: string, params: any, response: any, durationMs?: number}} Input an input request and its response */
/**
 * @typedef {{message: Message, time: number, ms: number, isInput: boolean, inputs: Input[], progress: any[], timer?: NodeJS.Timeout}} Open
 *   a request without a response
 * @typedef {{id: string, pid: string, target: string, client?: {name: string, version: string}, isBegun?: boolean,
 *   open: Map<string, Open>}} Session
 */

const mostSessions = 1000;
const mostOpen = 200;  // requests of one session
const mostLines = 8;  // of a result
const longestLabel = 40;  // columns
const longestText = 100_000;  // characters of a result that are read

/** @param {any} value */
const compact = (value) => (value === undefined ? '' : stringify(value));
/** Any value as text. @param {any} value */
const wordsOf = (value) => (typeof value === 'object' && value !== null ? compact(value) : textOf(value));
/** @param {any} value @returns {any[]} */
const listOf = (value) => (Array.isArray(value) ? value : []);
/** @param {any} value */
const objectOf = (value) => (isObject(value) ? value : {});
/** @param {any} params */
const withoutMeta = (params) => {
  const { _meta, ...others } = objectOf(params);
  return Object.keys(others).length > 0 ? others : undefined;
};

/** @param {number} ms */
export function durationText(ms) {
  if (!(ms >= 0)) return '';
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

/** The begin of a request, and its arguments. @param {Message} m @returns {[string, string]} */
function requestText({ method = '', params: all }) {
  const params = objectOf(all);
  const uri = compact(params.uri).slice(1, -1);
  switch (method) {
    case 'tools/call': return [wordsOf(params.name), compact(params.arguments)];
    case 'prompts/get': return [`prompt ${wordsOf(params.name)}`, compact(params.arguments)];
    case 'resources/read': return ['read', uri];
    case 'resources/subscribe': return ['subscribe', uri];
    case 'resources/unsubscribe': return ['unsubscribe', uri];
    case 'initialize': return ['initialize', wordsOf(params.protocolVersion ?? '')];
    case 'elicitation/create': return ['asks:', wordsOf(params.message ?? params.url ?? '')];
    case 'sampling/createMessage':
      return ['asks the model:', listOf(params.messages).map((each) => contentText(objectOf(each).content)).join(' ')];
    default: return [method, compact(withoutMeta(params))];
  }
}

/** A request in one line. @param {Message} m */
const requestLine = (m) => requestText(m).filter((part) => part !== '').join(' ');

/** @param {any} content */
function contentText(content) {
  const { type, text, mimeType, data, uri, resource } = objectOf(content);
  if (typeof text === 'string') return text;
  if (isObject(resource)) return resourceText(resource);
  if (typeof data === 'string') return `${wordsOf(mimeType)}, ${Math.floor(data.length * 3 / 4)} bytes`;
  return uri === undefined ? compact(content) : `${wordsOf(type)} ${wordsOf(uri)}`;
}

/** @param {any} content */
function resourceText({ text, blob, mimeType, uri }) {
  if (typeof text === 'string') return text;
  return `${wordsOf(mimeType ?? 'binary')}, ${Math.floor(String(blob ?? '').length * 3 / 4)} bytes of ${wordsOf(uri)}`;
}

/** The lines of an end: a result, or an error. @param {any} end @returns {string[]} */
function endLines({ result, error }) {
  if (error !== undefined) return [`error ${compact(objectOf(error).code)}: ${wordsOf(objectOf(error).message)}`];
  const { content, contents, isError, structuredContent, inputRequests, serverInfo, protocolVersion, _meta, resultType, ...others } =
    objectOf(result);
  const server = serverInfo ?? objectOf(_meta)[key.serverInfo];
  if (inputRequests !== undefined) return Object.values(objectOf(inputRequests)).map((each) => requestLine(objectOf(each)));
  if (isObject(server) && (protocolVersion || others.supportedVersions)) {
    const revision = protocolVersion ?? listOf(others.supportedVersions)[0];
    return [`${wordsOf(server.name)} ${wordsOf(server.version ?? '')}, revision ${wordsOf(revision)}`];
  }
  const texts = [...listOf(content).map(contentText), ...listOf(contents).map((each) => resourceText(objectOf(each)))];
  if (texts.length === 0 && structuredContent !== undefined) texts.push(compact(structuredContent));
  if (texts.length > 0) return `${isError === true ? 'error: ' : ''}${texts.join('\n')}`.slice(0, longestText).split('\n');
  const list = Object.entries(others).find(([, value]) => Array.isArray(value));
  if (list) {
    const names = list[1].map((/** @type {any} */ row) => wordsOf(row?.name ?? row?.uri ?? compact(row)));
    return [`${names.length} ${list[0]}${names.length > 0 ? `: ${names.join(', ')}` : ''}`];
  }
  return Object.keys(others).length > 0 ? [compact(others)] : [];
}

/** The line of a notification, or undefined for one that says nothing to a person. @param {Message} m @param {boolean} isHost */
function noticeText({ method = '', params: all }, isHost) {
  const params = objectOf(all);
  if (['notifications/initialized', 'notifications/subscriptions/acknowledged'].includes(method)) return undefined;
  if (method === 'notifications/resources/updated') return `changed: ${wordsOf(params.uri)}`;
  if (method === 'notifications/message') {
    const { level, logger, data } = params;
    return `log ${wordsOf(level)}${logger === undefined ? '' : ` ${wordsOf(logger)}`}: ${typeof data === 'string' ? data : compact(data)}`;
  }
  const [, list] = /^notifications\/(\w+)\/list_changed$/.exec(method) ?? [];
  if (list) return `changed: the list of ${list}`;
  return `${isHost ? 'sends' : 'gets'} ${method} ${compact(withoutMeta(params))}`;
}

export class View {
  /** @type {Map<string, Session>} */ #sessions = new Map();
  #date = '';

  /**
   * @param {{write: (line: string) => void, columns?: () => number, isJson?: boolean, slowMs?: number}} options `slowMs`: after this time,
   *   a request without a response is shown; never without it
   */
  constructor({ write, columns = () => 120, isJson = false, slowMs }) {
    this.write = write;
    this.columns = columns;
    this.isJson = isJson;
    this.slowMs = slowMs;
  }

  /** Shows what a line of a file or of a process says. Returns false if it is no record. @param {any} record */
  take(record) {
    if (!isObject(record) || typeof record.session !== 'string') return false;
    const session = this.#session(record);
    const at = Date.parse(wordsOf(record.time));
    const ms = numberOf(record.ms) ?? NaN;
    if (record.trace !== undefined) this.#begun(session, record, at);
    else if (record.end !== undefined) this.ended(record.session, wordsOf(record.end), at);
    else if (typeof record.text === 'string') this.#text(session, record, at);
    else if (isObject(record.message) || Array.isArray(record.message)) {
      for (const m of [record.message].flat()) if (isObject(m)) this.#message(session, record.from === 'host', m, at, ms);
    } else return false;
    return true;
  }

  /** @param {any} record @returns {Session} */
  #session({ session: id, pid, target }) {
    const found = this.#sessions.get(id);
    if (found) return found;
    /** @type {Session} */ const session = { id, pid: wordsOf(pid ?? id), target: wordsOf(target ?? ''), open: new Map() };
    this.#sessions.set(id, session);
    const [[oldest]] = this.#sessions;
    if (this.#sessions.size > mostSessions) this.#sessions.delete(oldest);
    return session;
  }

  /** Whether a process has given an end. @param {string} id */
  has(id) { return this.#sessions.has(id); }

  /** @param {Session} session */
  #label(session) {
    const nameOf = (/** @type {Session} */ { client, pid }) => (
      client ? [client.name, client.version].filter(Boolean).map(shown).join(' ') : `host ${shown(pid)}`);
    const name = cutTo(nameOf(session), longestLabel);
    const isShared = [...this.#sessions.values()].some((other) => other !== session && cutTo(nameOf(other), longestLabel) === name);
    return isShared ? `${name} (${cutTo(shown(session.pid), longestLabel)})` : name;
  }

  /** @param {any} info @param {Session} session */
  #named(info, session) {
    if (isObject(info) && info.name !== undefined) session.client = { name: wordsOf(info.name), version: wordsOf(info.version ?? '') };
  }

  // ---- What is printed -----------------------------------------------------------------------------------------------

  /** @param {number} at */
  #clock(at) {
    const time = new Date(at);
    if (Number.isNaN(at)) return '--:--:--.---';
    const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
    const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
    if (date !== this.#date) this.write(`--- ${date}`);
    this.#date = date;
    return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${String(time.getMilliseconds()).padStart(3, '0')}`;
  }

  /**
   * A line with the time and the host, whose text is shortened to the terminal.
   * @param {Session} session @param {number} at @param {string} text @param {string} [tail] is not shortened
   */
  #line(session, at, text, tail = '') {
    const head = `${this.#clock(at)}  ${this.#label(session)}  `;
    const end = tail === '' ? '' : `  ${tail}`;
    this.write(`${head}${cutTo(shown(text), Math.max(this.columns() - width(head) - width(end), 20))}${end}`);
  }

  /** Lines of a block below its first one. @param {string[]} lines @param {number} [most] */
  #below(lines, most = mostLines) {
    for (const line of lines.slice(0, most)) this.write(`    ${cutTo(shown(line), Math.max(this.columns() - 4, 20))}`);
    if (lines.length > most) this.write(`    … ${lines.length - most} more lines`);
  }

  /** @param {Session} session @param {number} at @param {string} kind @param {any} members */
  #json(session, at, kind, members) {
    const time = Number.isNaN(at) ? undefined : new Date(at).toISOString();
    const { id, client, target } = session;
    this.write(safeJson(stringify({ kind, time, session: id, host: client, target: target || undefined, ...members })));
  }

  /** @param {Session} session @param {number} at @param {string} kind @param {string} text @param {any} [members] of the JSON */
  #notice(session, at, kind, text, members = { text }) {
    if (this.isJson) this.#json(session, at, kind, members);
    else this.#line(session, at, text);
  }

  // ---- What has happened ---------------------------------------------------------------------------------------------

  /** @param {Session} session @param {any} record @param {number} at */
  #begun(session, record, at) {
    this.#named(record.client, session);
    if (session.isBegun) return;  // a file that follows another one
    session.isBegun = true;
    const { target, pid } = session;
    const continued = record.continued === true;
    this.#notice(session, at, 'begin', `${continued ? 'uses' : 'begins with'} ${target} (process ${pid})`, { pid, continued });
  }

  /** A session has ended. @param {string} id @param {string} reason @param {number} [at] */
  ended(id, reason, at = Date.now()) {
    const session = this.#sessions.get(id);
    if (!session) return;
    for (const open of session.open.values()) this.#close(session, open, {}, NaN);
    this.#notice(session, at, 'end', `ends: ${reason}`, { reason });
    this.#sessions.delete(id);
  }

  /** @param {Session} session @param {any} record @param {number} at */
  #text(session, { from, text }, at) {
    const isHost = from === 'host';
    this.#notice(session, at, 'text', `${isHost ? 'sends no message' : 'text'}: ${text}`, { from: isHost ? 'host' : 'device', text });
  }

  /** Shows the requests that have no response at the end of a file. */
  end() {
    for (const session of this.#sessions.values()) for (const open of session.open.values()) this.#close(session, open, {}, NaN);
    this.#sessions.clear();
  }

  /** @param {Session} session @param {boolean} isHost @param {Message} m @param {number} at @param {number} ms */
  #message(session, isHost, m, at, ms) {
    const id = compact(m.id ?? null);
    if (typeof m.method !== 'string') {
      // A response belongs to a request of the other side.
      const name = `${isHost ? 'device' : 'host'} ${id}`;
      const open = session.open.get(name);
      session.open.delete(name);
      if (open) this.#close(session, open, m, ms);
      else if (m.error !== undefined) this.#notice(session, at, 'error', endLines(m)[0]);
      return;
    }
    if (isHost) {
      const params = objectOf(m.params);
      this.#named(objectOf(params._meta)[key.clientInfo] ?? (m.method === 'initialize' ? params.clientInfo : undefined), session);
    }
    if (m.id === undefined || m.id === null) return this.#notified(session, isHost, m, at, ms);
    this.#opened(session, `${isHost ? 'host' : 'device'} ${id}`, {
      message: m, time: at, ms, isInput: !isHost, inputs: [], progress: [] });
  }

  /** @param {Session} session @param {string} name @param {Open} open */
  #opened(session, name, open) {
    const before = session.open.get(name);
    if (before) this.#close(session, before, {}, NaN);
    session.open.set(name, open);
    if (session.open.size > mostOpen) {
      const [[oldest, request]] = session.open;
      session.open.delete(oldest);
      this.#close(session, request, {}, NaN);
    }
    if (this.slowMs === undefined || this.isJson || open.message.method === 'subscriptions/listen') return;
    open.timer = setTimeout(() => this.#line(session, open.time, requestLine(open.message), '(no response yet)'), this.slowMs);
    open.timer.unref();
  }

  /** @param {Session} session @param {boolean} isHost @param {Message} m @param {number} at @param {number} ms */
  #notified(session, isHost, m, at, ms) {
    const params = objectOf(m.params);
    if (m.method === 'notifications/cancelled') {
      const name = `${isHost ? 'host' : 'device'} ${compact(params.requestId ?? null)}`;
      const open = session.open.get(name);
      session.open.delete(name);
      if (open) return this.#close(session, open, { cancelled: isHost ? 'the host has cancelled it' : 'the device has withdrawn it' }, ms);
    }
    if (m.method === 'notifications/progress' && params.progressToken !== undefined) {
      const token = compact(params.progressToken);
      const call = [...session.open.values()].find(({ message }) => compact(objectOf(metaOf(message)).progressToken) === token);
      if (call) return void (call.progress = [call.progress.length > 0 ? call.progress[0] + 1 : 1, params]);
    }
    const { method, params: sent } = m;
    if (this.isJson) return this.#json(session, at, 'notification', { from: isHost ? 'host' : 'device', method, params: sent });
    const text = noticeText(m, isHost);
    if (text !== undefined) this.#line(session, at, text);
  }

  /** A request has ended. @param {Session} session @param {Open} open @param {any} end @param {number} ms */
  #close(session, open, end, ms) {
    clearTimeout(open.timer);
    const { message: { method = '', params }, inputs, progress, time } = open;
    const durationMs = ms - open.ms >= 0 ? Math.round((ms - open.ms) * 1000) / 1000 : undefined;
    const { result, error, cancelled } = end;
    const response = error === undefined ? result : { error };
    // An input request is a part of the last request of the host, unless there is none.
    const call = open.isInput && [...session.open.values()].filter(({ isInput, message }) => (
      !isInput && message.method !== 'subscriptions/listen')).at(-1);
    if (call) return void call.inputs.push({ method, params, response: response ?? cancelled ?? null, durationMs });
    if (this.isJson) {
      return this.#json(session, time, open.isInput ? 'input' : 'request', {
        method, params, durationMs, ...(error === undefined ? { result } : { error }), cancelled,
        ...(inputs.length > 0 && { inputs }), ...(progress.length > 0 && { progress: progress[0] }) });
    }
    if (method === 'ping' && result !== undefined) return undefined;
    const hasEnd = result !== undefined || error !== undefined;
    this.#line(session, time, requestLine(open.message), durationMs === undefined ? '' : durationText(durationMs));
    const answers = Object.entries(objectOf(objectOf(params).inputResponses));
    this.#below(answers.map(([name, answer]) => `answers ${name}: ${compact(answer)}`));
    for (const input of inputs) {
      const ends = `${compact(input.response)}  ${durationText(input.durationMs ?? NaN)}`;
      this.#below([requestLine(input), `answer: ${ends}`]);
    }
    if (progress.length > 0) {
      const { progress: done, total, message: text } = progress[1];
      const of = total === undefined ? '' : ` of ${compact(total)}`;
      this.#below([`progress, ${progress[0]} messages: ${compact(done)}${of}${text === undefined ? '' : ` ${wordsOf(text)}`}`]);
    }
    if (open.isInput && hasEnd) return this.#below([`answer: ${compact(response)}`]);
    this.#below(hasEnd ? endLines(end) : [cancelled ?? 'no response']);
  }
}
