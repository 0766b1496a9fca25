// SPDX-License-Identifier: Apache-2.0
// The file of `--trace FILE`. Several processes may append to one file: each writes a record with one call, and follows a file that
// another process, or a person, has replaced. At its limit, the file becomes FILE.1.
import fs from 'node:fs';
import { takeLock } from './socket.mjs';
import { title } from './trace.mjs';

/** Bytes of the file, unless a record is longer. FILE.1 has as many. */
export const fileLimit = 16 << 20;

const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDWR } = fs.constants;
const firstBytes = Buffer.from(`{"trace":"${title}"`);

/** The bytes of the title in a file that attach has begun, perhaps on a full disk; undefined for another file. @param {number} fd */
function titleOf(fd) {
  const begin = Buffer.alloc(firstBytes.length);
  const size = fs.readSync(fd, begin, 0, begin.length, 0);
  return begin.subarray(0, size).equals(firstBytes.subarray(0, size)) ? size : undefined;
}

/** @param {number} fd @param {bigint} size */
function endsLine(fd, size) {
  const last = Buffer.alloc(1);
  fs.readSync(fd, last, 0, 1, Number(size) - 1);
  return last[0] === 0x0a;
}

/** @param {number} fd @param {Buffer} bytes */
function writeAll(fd, bytes) {
  for (let at = 0; at < bytes.length;) at += fs.writeSync(fd, bytes, at);
}

export class TraceFile {
  #fd = -1;
  #inode = 0n;
  #device = 0n;

  /**
   * Errors: the file cannot be used.
   * @param {string} path @param {(isContinued: boolean) => string} begin returns the first record of a file
   * @param {number} [limit] in bytes
   */
  constructor(path, begin, limit = fileLimit) {
    this.path = path;
    this.begin = begin;
    this.limit = limit;
    this.#open(false);
  }

  /** @param {boolean} isContinued */
  #open(isContinued) {
    const fd = fs.openSync(this.path, O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_RDWR, 0o600);
    try {
      const found = fs.fstatSync(fd, { bigint: true });
      if (!found.isFile()) throw new Error('it is not a file');
      const user = process.getuid?.();
      if (user !== undefined && Number(found.uid) !== user) throw new Error('it belongs to another user');
      const begun = titleOf(fd);
      if (begun === undefined) throw new Error('it is not a trace of attach, and is kept; choose another FILE');
      if (Number(found.mode) & 0o077) fs.fchmodSync(fd, 0o600);
      const hasTitle = begun === firstBytes.length;
      if (!hasTitle && begun > 0) fs.ftruncateSync(fd);
      // A process may have ended within a record.
      const before = hasTitle && !endsLine(fd, found.size) ? '\n' : '';
      writeAll(fd, Buffer.from(`${before}${this.begin(isContinued)}\n`));
      [this.#fd, this.#inode, this.#device] = [fd, found.ino, found.dev];
    } catch (error) {
      fs.closeSync(fd);
      throw error;
    }
  }

  /** Whether the path still names the open file. @param {fs.BigIntStats | undefined} found */
  #isOwn(found) {
    return found !== undefined && found.ino === this.#inode && found.dev === this.#device;
  }

  #find() {
    return fs.statSync(this.path, { bigint: true, throwIfNoEntry: false });
  }

  /** Errors: those of the file system. @param {string} line a record without its line end */
  write(line) {
    const bytes = Buffer.from(`${line}\n`);
    const found = this.#find();
    if (!this.#isOwn(found)) this.#reopen();
    else this.#rotate(Number(found?.size) + bytes.length);
    writeAll(this.#fd, bytes);
  }

  #reopen() {
    this.close();
    this.#open(true);
  }

  // Under a lock, so that of two processes one alone replaces FILE.1. The other one follows at its next record.
  /** @param {number} size of the file with the next record */
  #rotate(size) {
    const lock = `${this.path}.lock`;
    if (size <= this.limit) return;
    if (!takeLock(lock)) {
      // In a folder of another user, no process can replace it.
      if (size > 2 * this.limit) throw new Error(`it is full, and ${lock} cannot be made`);
      return;
    }
    try {
      if (this.#isOwn(this.#find())) fs.renameSync(this.path, `${this.path}.1`);
      this.#reopen();
    } finally {
      fs.rmSync(lock, { force: true, recursive: true });
    }
  }

  close() {
    if (this.#fd >= 0) fs.closeSync(this.#fd);
    this.#fd = -1;
  }
}
