// SPDX-License-Identifier: Apache-2.0
// The socket of a broker: where it is, and who may serve it.
import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, rmdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

const staleMs = 5000;
/** Bytes of a path in `sun_path`, 104 on macOS and 108 on Linux, with its end. Node.js cuts longer paths without an error. */
const longestPath = 103;

/** Makes a folder that other users cannot enter, if there is none. Errors: a sentence. @param {string} folder */
export function makePrivate(folder) {
  const advice = 'set XDG_RUNTIME_DIR to another folder.';
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code, message } = /** @type {any} */ (error);
    if (code !== 'EEXIST') throw new Error(`The folder for sockets cannot be used: ${message}. S${advice.slice(1)}`, { cause: error });
  }
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new Error(`${folder} is no folder of this user. Remove it, or ${advice}`);
  }
  if (found.mode & 0o077) chmodSync(folder, 0o700);
}

/** The folder for sockets. As its specification says, a path in XDG_RUNTIME_DIR has to be absolute. @param {NodeJS.ProcessEnv} env */
export function runtimeFolder({ XDG_RUNTIME_DIR: given } = process.env) {
  const folder = given && isAbsolute(given) ? join(given, 'mote-attach') : join(tmpdir(), `mote-attach-${process.getuid?.()}`);
  makePrivate(folder);
  return folder;
}

/**
 * 16 hexadecimal digits of a text: FNV-1a with 64 bits. The caller of attach chooses the text, so it needs no hash of `node:crypto`, whose
 * load would take a tenth of the start.
 * @param {string} text
 */
function hashOf(text) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}

/** @param {string} name what tells the device from others @param {NodeJS.ProcessEnv} [env] */
export function socketPath(name, env) {
  const hash = hashOf(name);
  if (process.platform === 'win32') return `\\\\.\\pipe\\mote-attach-${userInfo().username}-${hash}`;
  const path = join(runtimeFolder(env), `${hash}.sock`);
  const bytes = Buffer.byteLength(path);
  if (bytes <= longestPath) return path;
  throw new Error(`The path of the socket has ${bytes} bytes, and at most ${longestPath} are possible: ${path}. ` +
    'Set XDG_RUNTIME_DIR to a folder with a shorter path.');
}

/** Whether a broker listens. One whose queue of connections is full does, too. @param {string} path @returns {Promise<boolean>} */
const isServed = (path) => new Promise((resolve) => {
  const socket = connect(path);
  socket.once('connect', () => {
    socket.destroy();
    resolve(true);
  });
  socket.once('error', (error) => resolve(/** @type {any} */ (error).code === 'EAGAIN'));
});

/**
 * Returns the code of an error, or undefined.
 * @param {import('node:net').Server} server @param {string} path @returns {Promise<string | undefined>}
 */
const listen = (server, path) => new Promise((resolve) => {
  const before = process.umask(0o177);
  server.once('error', (error) => resolve(/** @type {any} */ (error).code));
  server.listen(path, () => resolve(undefined));
  process.umask(before);
});

/** Whether a lock is of a process that was killed. The clock may have been set since, also back. @param {string} lock */
function isStale(lock) {
  const madeAt = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  return madeAt !== undefined && Math.abs(Date.now() - madeAt) > staleMs;
}

/** Takes a lock, also one of a process that was killed. Returns false if another process has it. @param {string} lock */
export function takeLock(lock) {
  try {
    if (isStale(lock)) {
      const taken = `${lock}.${process.pid}`;
      renameSync(lock, taken);
      if (!isStale(taken)) return renameSync(taken, lock), false;  // another successor took the lock between these lines
      rmdirSync(taken);
    }
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes `server` the only one at `path`. The socket of a broker that has crashed is replaced under a lock, so that of two
 * successors one alone removes it. Returns false if another broker serves the path. Errors: the path takes no socket.
 * @param {import('node:net').Server} server @param {string} path
 */
export async function elect(server, path) {
  const code = await listen(server, path);
  if (code === undefined) return true;
  if (code !== 'EADDRINUSE') throw new Error(`A broker cannot listen at ${path}: ${code}`);
  if (process.platform === 'win32' || await isServed(path)) return false;
  const lock = `${path}.lock`;
  if (!takeLock(lock)) return false;
  try {
    if (await isServed(path)) return false;
    rmSync(path, { force: true });  // a broker that ends removes it, too
    return await listen(server, path) === undefined;
  } finally {
    rmSync(lock, { force: true, recursive: true });
  }
}
