// SPDX-License-Identifier: Apache-2.0
// Reads the lines of a file, also while it grows, is cut or is replaced.
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { isDeep, limits } from './incoming.mjs';
import { parse } from './json.mjs';

const longestLine = 64 << 20;  // characters; a message has at most 4 MiB, before escapes
const pieceSize = 1 << 16;

const mostLevels = 2 * limits.levels;  // of a record; a message has at most half of them

/** The value of a line, or undefined. @param {string} line */
export function recordOf(line) {
  try {
    return isDeep(line, mostLevels) ? undefined : parse(line);
  } catch {
    return undefined;
  }
}

/** Splits bytes into lines. A line that is too long is empty. */
export class LineSplitter {
  #decoder = new StringDecoder('utf8');
  /** @type {string[]} */ #pieces = [];
  #length = 0;
  line = 0;  // lines so far

  /** @param {(line: string, number: number) => void} take */
  constructor(take) {
    this.take = take;
  }

  /** @param {Buffer} bytes */
  feed(bytes) {
    const parts = this.#decoder.write(bytes).split('\n');
    const last = /** @type {string} */ (parts.pop());
    for (const part of parts) {
      this.#add(part);
      this.#end();
    }
    this.#add(last);
  }

  /** @param {string} part */
  #add(part) {
    this.#length += part.length;
    if (this.#length > longestLine) this.#pieces = [];
    else if (part !== '') this.#pieces.push(part);
  }

  #end() {
    const text = this.#pieces.join('');
    const isEmpty = this.#length === 0;
    this.#pieces = [];
    this.#length = 0;
    ++this.line;
    if (!isEmpty) this.take(text, this.line);
  }

  /** Whether a line has no end yet. */
  get isOpen() { return this.#length > 0; }

  /** Ends the last line. */
  finish() {
    if (this.isOpen) this.#end();
  }
}

/** @param {string} path */
function open(path) {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const found = fstatSync(fd, { bigint: true });
  if (found.isFile()) return { fd, inode: found.ino, device: found.dev, at: 0 };
  closeSync(fd);
  throw new Error(`${path} is not a file.`);
}

/**
 * Passes the lines of a file. With `wait`, it waits at the end for more, until `signal`: also for the file that replaces this one.
 * Errors: the file cannot be read.
 * @param {string} path
 * @param {{take: (line: string, number: number) => void, note: (text: string) => any, wait?: () => Promise<any>,
 *   signal: AbortSignal}} options
 */
export async function follow(path, { take, note, wait, signal }) {
  let file = open(path);
  let lines = new LineSplitter(take);
  const bytes = Buffer.alloc(pieceSize);
  const readAll = () => {
    while (!signal.aborted) {
      const count = readSync(file.fd, bytes, 0, bytes.length, file.at);
      if (count === 0) return;
      file.at += count;
      lines.feed(bytes.subarray(0, count));
    }
  };
  const unfinished = () => {
    if (lines.isOpen) note(`line ${lines.line + 1} is not finished.`);
  };
  try {
    for (;;) {
      readAll();
      if (!wait || signal.aborted) break;
      await wait();
      const found = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (found && (found.ino !== file.inode || found.dev !== file.device)) {
        readAll();  // a process writes the last records of a file before it knows the next one
        unfinished();
        const next = open(path);
        closeSync(file.fd);
        file = next;
        lines = new LineSplitter(take);
      } else if (Number(fstatSync(file.fd).size) < file.at) {
        note('it was cut, and is read from its begin.');
        file.at = 0;
        lines = new LineSplitter(take);
      }
    }
    // A process may have been killed within its last line, or writes it now.
    unfinished();
  } finally {
    closeSync(file.fd);
  }
}
