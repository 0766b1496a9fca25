// SPDX-License-Identifier: Apache-2.0
// The socket of a broker: where it is, and who may serve it.
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, rmdirSync, statSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const staleMs = 5000;

/** The folder for sockets, which nobody else can enter. @param {NodeJS.ProcessEnv} env */
export function runtimeFolder(env = process.env) {
  const uid = process.getuid?.();
  const folder = env.XDG_RUNTIME_DIR ? join(env.XDG_RUNTIME_DIR, 'mote-attach') : join(tmpdir(), `mote-attach-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid: owner, mode } = lstatSync(folder);
  if (!lstatSync(folder).isDirectory() || owner !== uid) throw new Error(`${folder} belongs to another user; remove it.`);
  if (mode & 0o077) chmodSync(folder, 0o700);
  return folder;
}

/** @param {string} name what tells the device from others @param {NodeJS.ProcessEnv} [env] */
export function socketPath(name, env) {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return `\\\\.\\pipe\\mote-attach-${userInfo().username}-${hash}`;
  return join(runtimeFolder(env), `${hash}.sock`);
}

/** Whether a broker accepts connections. @param {string} path @returns {Promise<boolean>} */
const isServed = (path) => new Promise((resolve) => {
  const socket = connect(path);
  socket.once('connect', () => {
    socket.destroy();
    resolve(true);
  });
  socket.once('error', () => resolve(false));
});

/** @param {import('node:net').Server} server @param {string} path @returns {Promise<boolean>} */
const listen = (server, path) => new Promise((resolve) => {
  const before = process.umask(0o177);
  server.once('error', () => resolve(false));
  server.listen(path, () => resolve(true));
  process.umask(before);
});

/**
 * Makes `server` the only one at `path`. The socket of a broker that has crashed is replaced under a lock, so that of two
 * successors one alone removes it. Returns false if another broker serves the path.
 * @param {import('node:net').Server} server @param {string} path
 */
export async function elect(server, path) {
  if (await listen(server, path)) return true;
  if (process.platform === 'win32' || await isServed(path)) return false;
  const lock = `${path}.lock`;
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  try {
    if (age > staleMs) rmdirSync(lock);
    mkdirSync(lock);
  } catch {
    return false;  // a successor is at work
  }
  try {
    if (await isServed(path)) return false;
    unlinkSync(path);
    return await listen(server, path);
  } finally {
    rmdirSync(lock);
  }
}
