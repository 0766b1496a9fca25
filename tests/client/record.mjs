// SPDX-License-Identifier: Apache-2.0
// Writes the messages between the tests and their servers to the file that MOTE_RECORD names, for tests/schema
// (tests/schema/records.mjs has the form). Writes nothing without MOTE_RECORD. A test imports it for this effect,
// because only child_process.spawn and fetch() see the bytes of the server, also for the official client. A process
// that a test starts and that imports this file adds to the record.
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { closeSync, openSync, writeSync } from 'node:fs';
import { basename } from 'node:path';

const file = process.env.MOTE_RECORD
  ? openSync(process.env.MOTE_RECORD, process.env.MOTE_RECORD_ADD ? 'a' : 'w') : undefined;
const open = new Set();  // records of servers that still run
let servers = 0;
let vendor;  // prefix of methods that MCP does not have, or undefined

/** Says that the server has methods of its own, whose names begin with `prefix`. Before the first server. */
export function hasOwnMethods(prefix) {
  vendor = prefix;
}

// One server. Its entries go to the file in one piece, because several servers may run at once.
class Record {
  #entries;
  #partial = { in: Buffer.alloc(0), out: Buffer.alloc(0) };
  #lines = 0;           // of the client
  #events = new Map();  // id of a server-sent event -> its data

  constructor() {
    ++servers;
    const play = basename(process.argv[1]);
    // On a slow machine its coroutine has ended when the cancellation comes (reachLimits).
    const late = play === 'features.test.mjs' ? 'the answer and the cancellation cross' : undefined;
    this.#entries = [JSON.stringify({ play, way: `server ${servers}`, vendor, late })];
    open.add(this);
  }

  /** A whole message. */
  message(key, bytes) {
    if (bytes.length > 0) this.#put(key, bytes);
  }

  /** A whole message of the client. The number of its line, for answer(). */
  request(text) {
    const lines = text.split('\n').filter((line) => line.trim() !== '').length;
    this.message('in', Buffer.from(text));
    this.#lines += lines;
    return lines > 0 ? this.#lines : 0;
  }

  /** The body of the response to the line `to` of the client, or to a request without one: 0. */
  answer(bytes, to) {
    if (bytes.length > 0) this.#put('out', bytes, { to });
  }

  /**
   * The data of a server-sent event. `after` is the Last-Event-ID of its stream, or null. A resumed stream repeats the
   * events after that one, which the server sent and the client lost: the record contains them once.
   */
  event(id, data, after) {
    if (id !== undefined && after !== null && this.#events.get(id)?.equals(data)) {
      const ids = [...this.#events.keys()];
      if (ids.indexOf(id) > ids.indexOf(after)) return;
    }
    if (id !== undefined) this.#events.set(id, data);
    this.message('out', data);
  }

  // latin1 is a character for a byte, so that bytes that are not UTF-8 get to the file as they are.
  #put(key, bytes, more = {}) {
    this.#entries.push(JSON.stringify({ [key]: bytes.toString('latin1'), ...more }));
  }

  add(key, bytes) {
    let rest = Buffer.concat([this.#partial[key], bytes]);
    for (let end = rest.indexOf(0x0A); end >= 0; end = rest.indexOf(0x0A)) {
      // The mark of a boot is no message.
      const isMark = key === 'out' && /^(# mote boot [0-9a-f]{8})?$/.test(rest.toString('latin1', 0, end));
      if (!isMark) this.#put(key, rest.subarray(0, end));
      rest = rest.subarray(end + 1);
    }
    this.#partial[key] = rest;
  }

  // A server that was ended may have been in the middle of a line; one that ends by itself may not.
  end(wasEnded) {
    if (!open.delete(this)) return;
    if (this.#partial.out.length > 0) this.#put(wasEnded ? 'half' : 'out', this.#partial.out);
    writeSync(file, Buffer.from(this.#entries.map((entry) => `${entry}\n`).join(''), 'latin1'));
  }
}

function recorded(child) {
  const record = new Record();
  const write = child.stdin.write.bind(child.stdin);
  child.stdin.write = (data, ...others) => {
    record.add('in', Buffer.from(data));
    return write(data, ...others);
  };
  child.stdout.on('data', (data) => record.add('out', data));
  child.on('close', (code, signal) => record.end(signal !== null || code === 128 + 15));
  return child;
}

// The messages in a body of server-sent events, one after the other.
class Events {
  #record;
  #after;
  #partial = Buffer.alloc(0);

  constructor(record, after) {
    this.#record = record;
    this.#after = after;
  }

  add(bytes) {
    let rest = Buffer.concat([this.#partial, bytes]);
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const lines = rest.subarray(0, end).toString('latin1').split('\n');
      const field = (name) => lines.filter((line) => line.startsWith(`${name}:`))
        .map((line) => line.slice(name.length + 1).replace(/^ /, ''));
      this.#record.event(field('id').at(-1), Buffer.from(field('data').join('\n'), 'latin1'), this.#after);
      rest = rest.subarray(end + 2);
    }
    this.#partial = rest;
  }

  end() {}
}

class WholeBody {
  #record;
  #to;
  #pieces = [];

  constructor(record, to) {
    this.#record = record;
    this.#to = to;
  }

  add(bytes) {
    this.#pieces.push(bytes);
  }

  end() {
    this.#record.answer(Buffer.concat(this.#pieces), this.#to);
  }
}

const sessions = new Map();  // id of a session over HTTP -> record

// The record contains the bytes that the client reads: a cut connection cuts the record, too. It may contain bytes that
// the client has not read before the cut.
function recordedResponse(record, response, to, after) {
  if (!response.body) return response;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  const body = isStream ? new Events(record, after) : new WholeBody(record, to);
  const reading = response.body.pipeThrough(new TransformStream({
    transform(bytes, controller) {
      body.add(Buffer.from(bytes));
      controller.enqueue(bytes);
    },
    flush: () => body.end(),
  }));
  return new Response(reading, { status: response.status, statusText: response.statusText, headers: response.headers });
}

function recordedFetch(fetch) {
  return async (url, init = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.get('accept')?.includes('text/event-stream')) return fetch(url, init);
    const known = sessions.get(headers.get('mcp-session-id'));
    const record = known ?? new Record();
    const to = typeof init.body === 'string' ? record.request(init.body) : 0;
    const response = await fetch(url, init);
    const id = response.headers.get('mcp-session-id');
    if (id) sessions.set(id, record);
    return recordedResponse(record, response, to, headers.get('last-event-id'));
  };
}

/** Records the messages of a transport that uses neither a process nor fetch(): its watch(key, bytes). */
export function watch() {
  if (file === undefined) return undefined;
  const record = new Record();
  return (key, bytes) => record.message(key, bytes);
}

if (file !== undefined) {
  const { spawn } = childProcess;
  childProcess.spawn = (...command) => {
    const child = spawn(...command);
    return child.stdin && child.stdout ? recorded(child) : child;
  };
  syncBuiltinESMExports();
  globalThis.fetch = recordedFetch(globalThis.fetch);
  process.on('exit', () => {
    for (const record of open) record.end(true);
    closeSync(file);
  });
}
