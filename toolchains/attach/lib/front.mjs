// SPDX-License-Identifier: Apache-2.0
// The process that a host starts: joins stdin and stdout to the broker of the device, and starts the broker if there is none.
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { LineReader, longestLine } from './lines.mjs';
import { code, failure, key, metaOf } from './rpc.mjs';

/** @typedef {import('./rpc.mjs').Message} Message */

const main = fileURLToPath(new URL('../attach.mjs', import.meta.url));
const triesMs = 20;
const tries = 500;
// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;  // they control a terminal
const settings = new Set(['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']);

export class Front {
  /** @type {import('node:net').Socket | undefined} */ #socket;
  /** @type {Map<any, Message>} requests of the host without a response */ #open = new Map();
  /** @type {Map<any, Message>} subscriptions that the next broker has to know */ #listens = new Map();
  /** @type {Set<any>} ids of input requests to the host */ #asked = new Set();
  /** @type {Message | undefined} */ #initialize;
  /** @type {Map<string, Message>} */ #settings = new Map();
  /** @type {Set<string>} ids of what the front repeats */ #own = new Set();
  #repeats = 0;
  #ended = false;
  #joined = false;

  /**
   * @param {string[]} argv of the target @param {string} path of the socket
   * @param {{input: NodeJS.ReadableStream, output: NodeJS.WritableStream, text: NodeJS.WritableStream}} streams
   */
  constructor(argv, path, { input, output, text }) {
    this.argv = argv;
    this.path = path;
    this.output = output;
    this.text = text;
    this.fromHost = new LineReader({
      message: (m, line) => this.#hostMessage(m, line),
      text: (line) => this.#write(`${line}\n`),
    }, longestLine, false);
    input.on('data', (bytes) => this.fromHost.feed(bytes));
    input.on('end', () => this.#end());
    output.on('error', () => this.#end());
    output.on('drain', () => this.#socket?.resume());
    text.on('error', () => {});  // a host may close stderr
    this.done = new Promise((resolve) => { this.resolve = resolve; });
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
    this.#write(`${line}\n`);
  }

  // What a new broker has to know, and what it cannot know.
  /** @param {Message} m */
  #remember(m) {
    if (m.method === undefined) return void this.#asked.delete(m.id);
    if (m.method === 'notifications/cancelled') return void this.#open.delete(m.params?.requestId);
    if (m.id === undefined) return;
    this.#open.set(m.id, m);
    if (m.method === 'initialize' && metaOf(m)[key.version] === undefined) this.#initialize = m;
    if (settings.has(m.method)) this.#settings.set(`${m.method.replace('un', '')} ${m.params?.uri ?? ''}`, m);
  }

  /** Joins the broker; starts one if there is none. */
  async join() {
    for (let i = 0; i < tries && !this.#ended; ++i) {
      if (await this.#connect()) return;
      if (i % 25 === 0) {
        const argv = [main, 'broker', this.path, ...this.argv];
        spawn(process.execPath, argv, { detached: true, stdio: 'ignore' }).on('error', () => {}).unref();
      }
      await new Promise((resolve) => setTimeout(resolve, triesMs));
    }
    if (!this.#ended) this.text.write('attach: the broker does not start.\n');
    this.#end(1);
  }

  /** @returns {Promise<boolean>} */
  #connect() {
    return new Promise((resolve) => {
      const socket = connect(this.path);
      socket.on('error', () => {});
      socket.once('close', () => resolve(false));
      // A broker that is about to end greets no host.
      socket.once('data', (bytes) => {
        this.#use(socket, bytes);
        resolve(true);
      });
    });
  }

  /** @param {import('node:net').Socket} socket @param {Buffer | string} first */
  #use(socket, first) {
    const reader = new LineReader({
      message: (m, line) => this.#brokerMessage(m, line),
      text: (line) => this.text.write(`${line.slice(1).replace(controls, '?')}\n`),
    }, longestLine, false);
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
    this.text.write('attach: the broker ended; starting another.\n');
    for (const [id, m] of this.#open) {
      if (m.method === 'subscriptions/listen') {
        this.#listens.set(id, m);
        continue;
      }
      const message = 'attach was restarted; the call may have taken effect.';
      this.#give(JSON.stringify({ jsonrpc: '2.0', id, ...failure(code.internal, message) }));
      this.#open.delete(id);
    }
    for (const requestId of this.#asked) {
      this.#give(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }));
    }
    this.#asked.clear();
    void this.join();
  }

  #replay() {
    /** @param {Message} m */
    const repeat = (m) => {
      const id = `front:${++this.#repeats}`;
      this.#own.add(id);
      this.#write(`${JSON.stringify({ ...m, id })}\n`);
    };
    if (this.#initialize) repeat(this.#initialize);
    for (const m of this.#settings.values()) repeat(m);
    for (const [id, m] of this.#listens) {  // subscriptions keep their id
      if (!this.#open.has(id)) continue;
      this.#own.add(`ack ${JSON.stringify(id)}`);
      this.#write(`${JSON.stringify(m)}\n`);
    }
    this.#listens.clear();
  }

  /** @param {Message} m @param {string} line */
  #brokerMessage(m, line) {
    if (m.method === undefined) {
      if (this.#own.delete(m.id)) return;
      this.#open.delete(m.id);
    } else if (m.id !== undefined) {
      this.#asked.add(m.id);
    } else if (m.method === 'notifications/subscriptions/acknowledged') {
      if (this.#own.delete(`ack ${JSON.stringify(metaOf(m)[key.subscription])}`)) return;
    }
    this.#give(line);
  }

  /** @param {string} line a message for the host */
  #give(line) {
    if (!this.output.write(`${line}\n`)) this.#socket?.pause();  // until the host reads
  }

  #end(status = 0) {
    if (this.#ended) return;
    this.#ended = true;
    this.#socket?.end();
    this.resolve?.(status);
  }
}

/** @param {string[]} argv @param {string} path @returns {Promise<any>} the exit status */
export function runFront(argv, path) {
  const front = new Front(argv, path, { input: process.stdin, output: process.stdout, text: process.stderr });
  void front.join();
  return front.done;
}
