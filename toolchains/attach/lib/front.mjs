// SPDX-License-Identifier: Apache-2.0
// The process that a host starts: joins stdin and stdout to the broker of the device, and starts the broker if there is none.
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, extname, join, resolve as resolvePath } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from './json.mjs';
import { LineReader, longestLine } from './lines.mjs';
import { code, cut, failure, key, metaOf, self } from './rpc.mjs';
import { keepMarked } from './secret_words.mjs';
import { makePrivate } from './socket.mjs';
import { serveWatchers, sessionName, timeNow, watchPath } from './watchers.mjs';

/** @typedef {import('./rpc.mjs').Message} Message */

const here = fileURLToPath(import.meta.url);
/** The program of a broker: beside this file, in a bundle (build.mjs) as in the sources. A build may have removed a bundle since. */
const programs = [join(dirname(here), `broker_main${extname(here)}`), join(dirname(here), '../lib/broker_main.mjs')];
/** A bundle has a cache of compiled code, which Node.js 22.1 and later keep. */
const cache = here.endsWith('.cjs') ? { NODE_COMPILE_CACHE: join(dirname(here), 'cache') } : {};
const startMs = 500;  // until another broker is started after one that has ended
const slowMs = 5000;  // until another one is started beside one that accepts no connections: a second start would delay it
const triesMs = 2;  // between two attempts to connect
const longestMs = 10_000;
// From the end of stdin until the responses: of a script, which has sent all before the first response, and of a host that leaves. A
// host that leaves must not leave a call running.
const answerMs = { script: 30_000, host: 500 };
// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;  // they control a terminal
const settings = new Set(['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']);

/** Milliseconds that do not change when the clock is set. */
const now = () => process.uptime() * 1000;

/**
 * @typedef {{at: number, command: string[], end?: string, before?: string}} Started a broker: when it was started, how it ended, and
 *   how the last one before it ended
 */

/**
 * Starts a broker. @param {string[]} argv of the target @param {string} path of the socket
 * @param {Started} [last] the one that was started before @returns {Promise<Started>}
 */
async function startBroker(argv, path, last) {
  const { spawn } = await import('node:child_process');
  const options = /** @type {const} */ ({ detached: true, stdio: 'ignore', env: { ...cache, ...process.env } });
  const words = [programs.find((file) => existsSync(file)) ?? programs[0], 'broker', path, ...argv];
  /** @type {Started} */
  const broker = { at: now(), command: [process.execPath, ...words], before: last?.end ?? last?.before };
  spawn(process.execPath, words, options)
    .on('error', (error) => { broker.end = error.message; })
    .on('exit', (status, signal) => { broker.end = `it ended with ${status ?? signal}`; })
    .unref();
  return broker;
}

/** @param {string} path of the socket */
const silentText = (path) => `the broker at ${path} does not respond; end its process.`;

/** @param {Started} [broker] */
function startText(broker) {
  const end = broker?.end ?? broker?.before;  // the last one may still be starting
  if (!broker || !end) return 'the broker does not start.';
  return `the broker does not start: ${end}. To see why, run: ${broker.command.join(' ')}`;
}

export class Front {
  /** @type {import('node:net').Socket | undefined} */ #socket;
  /** @type {Map<any, Message>} requests of the host without a response */ #open = new Map();
  /** @type {Map<any, Message>} subscriptions that the next broker has to know */ #listens = new Map();
  /** @type {Map<any, {line: string, time: import('./watchers.mjs').Time}>} input requests to the host */ #asked = new Map();
  /** @type {Message | undefined} */ #initialize;
  /** @type {Message | undefined} */ #initialized;
  /** @type {Map<string, Message>} */ #settings = new Map();
  /** @type {Set<string>} ids of what the front repeats */ #own = new Set();
  #repeats = 0;
  #ended = false;
  #joined = false;
  #isAnswered = false;  // the host has got a response
  /** @type {NodeJS.Timeout | undefined} */ #leaving;  // after the end of stdin
  /** @type {import('./trace.mjs').Trace | undefined} */ trace;
  /** @type {WeakMap<Message, import('./watchers.mjs').Time>} when the host has sent a request */ #times = new WeakMap();
  /** @type {Map<string, any>} schemas that mark a secret, by the names of tools */ #schemas = new Map();
  /** @type {any} */ client;  // the name and the version of the host

  /**
   * @param {string[]} argv of the target @param {string} path of the socket
   * @param {{input: NodeJS.ReadableStream, output: NodeJS.WritableStream, text: NodeJS.WritableStream}} streams
   *   `text` is read at the first text
   */
  constructor(argv, path, streams) {
    const { input, output } = streams;
    this.argv = argv;
    this.path = path;
    this.output = output;
    this.streams = streams;
    this.fromHost = new LineReader({
      message: (m, line) => this.#hostMessage(m, line),
      text: (line) => {
        this.trace?.text('host', line);
        this.#write(`${line}\n`);
      },
    }, longestLine, false);
    input.on('data', (bytes) => this.fromHost.feed(bytes));
    input.on('end', () => this.#inputEnded());
    output.on('error', () => this.#end());
    output.on('drain', () => this.#socket?.resume());
    this.done = new Promise((resolve) => { this.resolve = resolve; });
  }

  /** @type {NodeJS.WritableStream | undefined} */ #stderr;

  /** @param {string} line of text */
  say(line) {
    this.trace?.text('device', line);
    this.#stderr ??= this.streams.text.on('error', () => {});  // a host may close stderr
    this.#stderr.write(`${line}\n`);
  }

  /** @type {string[]} */ #waiting = [];

  /** @param {string} line */
  #write(line) {
    if (this.#socket) this.#socket.write(line);
    else this.#waiting.push(line);
  }

  /** @param {Message} message @param {string} line */
  #hostMessage(message, line) {
    for (const m of Array.isArray(message) ? message : [message]) this.#remember(m);
    this.trace?.add('host', line);
    this.#write(`${line}\n`);
  }

  // What a new broker has to know, and what it cannot know.
  /** @param {Message} m */
  #remember(m) {
    if (m.method === undefined) return void this.#asked.delete(m.id);
    if (m.method === 'notifications/cancelled') return void this.#open.delete(m.params?.requestId);
    if (m.method === 'notifications/initialized') this.#initialized = m;
    if (m.id === undefined) return;
    this.#open.set(m.id, m);
    this.#times.set(m, timeNow());
    this.client = metaOf(m)[key.clientInfo] ?? (m.method === 'initialize' ? m.params?.clientInfo : undefined) ?? this.client;
    if (m.method === 'initialize' && metaOf(m)[key.version] === undefined) this.#initialize = m;
    if (settings.has(m.method)) this.#settings.set(`${m.method.replace('un', '')} ${m.params?.uri ?? ''}`, m);
  }

  /** Joins the broker; starts one if there is none. @param {Started} [broker] the one that was started before */
  async join(broker) {
    const end = now() + longestMs;
    while (now() < end && !this.#ended) {
      if (await this.#connect(end - now())) return;
      if (!broker || now() - broker.at >= (broker.end ? startMs : slowMs)) broker = await startBroker(this.argv, this.path, broker);
      await new Promise((resolve) => setTimeout(resolve, triesMs));
    }
    if (!this.#ended) this.say(`attach: ${this.#isSilent ? silentText(this.path) : startText(broker)}`);
    this.#end(1);
  }

  #isSilent = false;  // a broker has accepted a connection and sent nothing

  /** @param {number} ms @returns {Promise<boolean>} */
  #connect(ms) {
    return new Promise((resolve) => {
      const socket = connect(this.path);
      const timer = setTimeout(() => {
        this.#isSilent = true;
        socket.destroy();
      }, ms);
      socket.on('error', () => {});
      socket.once('close', () => {
        clearTimeout(timer);
        resolve(false);
      });
      // A broker that is about to end greets no host.
      socket.once('data', (bytes) => {
        clearTimeout(timer);
        this.#use(socket, bytes);
        resolve(true);
      });
    });
  }

  /** @param {import('node:net').Socket} socket @param {Buffer | string} first */
  #use(socket, first) {
    const reader = new LineReader({
      message: (m, line) => this.#brokerMessage(m, line),
      text: (line) => this.say(line.slice(1).replace(controls, '?')),
    }, 2 * longestLine, false);  // the broker adds to a message
    socket.on('data', (bytes) => reader.feed(bytes));
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      if (!this.#ended) this.#rejoin();
    });
    this.#socket = socket;
    if (this.#joined) this.#replay();
    this.#joined = true;
    for (const line of this.#waiting.splice(0)) socket.write(line);
    reader.feed(first);
  }

  // The broker has ended: what became of the requests in flight is unknown.
  #rejoin() {
    this.say('attach: the broker ended; starting another.');
    for (const [id, m] of this.#open) {
      if (m.method === 'subscriptions/listen') {
        this.#listens.set(id, m);
        continue;
      }
      const message = 'attach was restarted; the call may have taken effect.';
      this.#give(stringify({ jsonrpc: '2.0', id, ...failure(code.internal, message) }));
      this.#open.delete(id);
    }
    for (const requestId of this.#asked.keys()) {
      this.#give(stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }));
    }
    this.#asked.clear();
    this.#leaveIfDone();
    try {
      if (process.platform !== 'win32') makePrivate(dirname(this.path));  // it may have been removed
      void this.join();
    } catch (error) {
      this.say(`attach: ${/** @type {Error} */ (error).message}`);
      this.#end(1);
    }
  }

  #replay() {
    /** @param {Message} m */
    const repeat = (m) => {
      const id = `front:${++this.#repeats}`;
      this.#own.add(id);
      this.#write(`${stringify({ ...m, id })}\n`);
    };
    if (this.#initialize) repeat(this.#initialize);
    if (this.#initialized) this.#write(`${JSON.stringify(this.#initialized)}\n`);
    for (const m of this.#settings.values()) repeat(m);
    for (const [id, m] of this.#listens) {  // subscriptions keep their id
      if (!this.#open.has(id)) continue;
      this.#own.add(`ack ${JSON.stringify(id)}`);
      this.#write(`${stringify(m)}\n`);
    }
    this.#listens.clear();
  }

  /** @param {Message} m @param {string} line */
  #brokerMessage(m, line) {
    if (m.method === undefined) {
      if (this.#own.delete(m.id)) return;
      this.#open.delete(m.id);
      if (Array.isArray(m.result?.tools)) keepMarked(m.result.tools, line, this.#schemas);
    } else if (m.id !== undefined) {
      this.#asked.set(m.id, { line, time: timeNow() });
      this.#leaveIfDone();
    } else if (m.method === 'notifications/subscriptions/acknowledged') {
      if (this.#own.delete(`ack ${JSON.stringify(metaOf(m)[key.subscription])}`)) return;
    }
    this.#give(line);
    if (m.method === undefined) {
      this.#isAnswered = true;
      this.#leaveIfDone();
    }
  }

  /** @param {string} line a message for the host */
  #give(line) {
    this.trace?.add('device', line);
    if (!this.output.write(`${line}\n`)) this.#socket?.pause();  // until the host reads
  }

  /**
   * Makes the records of this host while a watcher or a file takes them.
   * @param {typeof import('./trace.mjs')} module @param {string} session @param {string} target
   */
  traced({ Trace }, session, target) {
    if (this.trace) return this.trace;
    this.trace = new Trace({ session, target, version: self.version, schemas: this.#schemas, client: () => this.client });
    return this.trace;
  }

  /** The requests without a response, for a watcher that comes late. */
  openRequests() {
    const [host, device] = /** @type {const} */ (['host', 'device']);
    const calls = [...this.#open.values()].map((m) => ({ from: host, line: stringify(m), time: this.#times.get(m) }));
    return [...calls, ...[...this.#asked.values()].map((request) => ({ from: device, ...request }))];
  }

  // The last line may have no line end. Responses that are due are still sent.
  #inputEnded() {
    this.fromHost.feed('\n');
    if (this.#isAnswered) this.#leaving = setTimeout(() => this.#end(), answerMs.host);
    else this.#leaving = setTimeout(() => this.#leaveScript(), answerMs.script);
    this.#leaveIfDone();
  }

  #due() {
    return [...this.#open.values()].map(({ method }) => method).filter((method) => method !== 'subscriptions/listen');
  }

  #leaveScript() {
    const reason = `no response within ${answerMs.script / 1000} s`;
    this.say(`attach: ${reason} to ${cut(this.#due().join(', '), 200).replace(controls, '?')}.`);
    this.#end(1, reason);
  }

  // After the end of stdin, the host cannot answer an input request.
  #leaveIfDone() {
    if (this.#leaving === undefined) return;
    if (this.#due().length === 0 || this.#asked.size > 0) this.#end();
  }

  #end(status = 0, reason = status === 0 ? 'stdin or stdout has ended' : 'there is no broker') {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#leaving);
    this.trace?.end(reason);
    this.#socket?.end();
    this.resolve?.(status);
  }
}

/**
 * Writes the records of a host to a file until that fails.
 * @param {Front} front @param {import('./trace.mjs').Trace} trace @param {string} path
 * @param {typeof import('./trace_file.mjs').TraceFile} TraceFile
 */
function traceTo(front, trace, path, TraceFile) {
  const failed = (/** @type {unknown} */ error) => front.say(`attach: the trace ${path} ends: ${/** @type {Error} */ (error).message}.`);
  try {
    const file = new TraceFile(path, (isContinued) => trace.begin(isContinued));
    const sink = (/** @type {string} */ line) => {
      try {
        file.write(line);
      } catch (error) {
        trace.sinks.delete(sink);
        file.close();
        failed(error);
      }
    };
    trace.sinks.add(sink);
  } catch (error) {
    failed(error);
  }
}

/** Lets `attach watch` see a host. @param {Front} front @param {string} session @param {string} target */
function showTo(front, session, target) {
  const close = serveWatchers(watchPath(session, front.path), async (give) => {
    const trace = front.traced(await import('./trace.mjs'), session, target);
    give(trace.begin(front.client !== undefined));
    for (const { from, line, time } of front.openRequests()) give(trace.message(from, line, time));
    trace.sinks.add(give);
    return () => trace.sinks.delete(give);
  });
  process.once('exit', close);
  // A signal ends the process as if it had no handler.
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])) {
    process.once(signal, () => {
      close();
      front.trace?.end(`it got ${signal}`);
      process.kill(process.pid, signal);
    });
  }
}

/**
 * @param {string[]} argv @param {string} path of the socket @param {{target: string, trace?: string}} about the target as text, and a
 *   file for the records
 * @returns {Promise<any>} the exit status
 */
export async function runFront(argv, path, { target, trace: file }) {
  // The broker starts while this process prepares its streams. A named pipe is no file.
  const isAlone = process.platform !== 'win32' && !existsSync(path);
  const broker = isAlone ? await startBroker(argv, path) : undefined;
  const modules = file && await Promise.all([import('./trace.mjs'), import('./trace_file.mjs')]);
  const front = new Front(argv, path, { input: process.stdin, output: process.stdout, get text() { return process.stderr; } });
  const session = sessionName();
  if (modules) traceTo(front, front.traced(modules[0], session, target), resolvePath(file), modules[1].TraceFile);
  void front.join(broker).then(() => showTo(front, session, target));
  return front.done;
}
