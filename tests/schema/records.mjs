// SPDX-License-Identifier: Apache-2.0
// The record of a test: a file of JSON lines, of which `{"play": NAME, "way": HOW}` begins a play. In a play `in` is what
// came to the server and `out` a line that it said, both as bytes; `cut` in the first line says why the server breaks off
// a line there on purpose, `late` why it answers a request that was cancelled, `vendor` is the prefix of methods that MCP does not have, and `{"half": …}` is what was left of a line when the test ended the server.
// In the body of an HTTP response, `to` is the number of the line of the client that it answers, or 0 for a GET or DELETE.
import { readFileSync } from 'node:fs';
import { Play } from './play.mjs';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

function* linesOf(bytes) {
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0x0A, start);
    yield bytes.subarray(start, end < 0 ? bytes.length : end);
    start = end < 0 ? bytes.length : end + 1;
  }
}

function entryOf(bytes) {
  try {
    return JSON.parse(strict.decode(bytes));
  } catch {
    return { ...JSON.parse(lenient.decode(bytes)), notUtf8: true };
  }
}

/** Holds records against the schemas, and remembers what there is to say of them. */
export class Report {
  failures = [];      // texts
  cuts = [];          // texts: lines that a test has had broken off
  counts = { messages: new Map(), unchecked: new Map(), withoutId: new Map() };
  #schemas;

  constructor(schemas) {
    this.#schemas = schemas;
  }

  readFile(file) {
    this.read(file, readFileSync(file));
  }

  /** `bytes` are the content of `file`. */
  read(file, bytes) {
    const declared = new Map();  // play -> number of lines that were broken off, of those that say they have some
    let play, name, header;
    let messages = 0;
    for (const line of linesOf(bytes)) {
      const entry = entryOf(line);
      if ('play' in entry) {
        play = new Play(this.#schemas, this.counts, Boolean(entry.late), entry.vendor);
        header = entry;
        name = `${entry.play}, ${entry.way}`;
        if (entry.cut && !declared.has(entry.play)) declared.set(entry.play, 0);
      } else if ('in' in entry) {
        for (const text of entry.in.split('\n')) play.client(text);
      } else if ('half' in entry) {
        this.cuts.push(`${name}: the test ended the server in a line: ${entry.half.slice(0, 200)}`);
      } else {
        ++messages;
        if (this.#check(play, name, header, entry)) declared.set(header.play, declared.get(header.play) + 1);
      }
    }
    for (const [which, count] of declared) {
      if (count === 0) this.failures.push(`${which}: says that a line breaks off, and none does`);
    }
    if (messages === 0) this.failures.push(`${file}: not one message of a server`);
  }

  // Whether the line is one that is broken off on purpose.
  #check(play, name, { cut }, { out, to, notUtf8 }) {
    let complaint;
    try {
      complaint = notUtf8 ? 'not UTF-8' : play.server(out, to);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      if (cut) {
        this.cuts.push(`${name}: ${cut}: ${out.slice(0, 200)}`);
        return true;
      }
      complaint = `not JSON: ${error.message}`;
    }
    if (complaint) this.failures.push(`${name}: ${complaint}\n    ${out.length > 2000 ? `${out.slice(0, 2000)}…` : out}`);
    return false;
  }
}
