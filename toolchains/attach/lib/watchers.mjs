// SPDX-License-Identifier: Apache-2.0
// The socket on which one process gives its records to `attach watch`. It is in the folder of the sockets of brokers, which other users
// cannot enter. A watcher sends nothing.
import { readdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { runtimeFolder } from './socket.mjs';

const suffix = '.watch';
const mostWaiting = 16 << 20;  // bytes for a watcher that does not read; then it is ended

/** The names of pipes begin with this on Windows, which has no folder for them. */
const pipe = () => `mote-attach-${userInfo().username}-`;
const isWindows = process.platform === 'win32';

/** The path of a process. It is not longer than that of a broker. @param {string} session */
export const watchPath = (session) => (
  isWindows ? `\\\\.\\pipe\\${pipe()}${session}${suffix}` : join(runtimeFolder(), `${session}${suffix}`));

/** A name of this process that no other one has at this time. */
export const sessionName = () => `${process.pid}-${(Date.now() % 36 ** 6).toString(36)}`;

/** The paths of processes that run, or were killed. @param {string} [folder] @returns {string[]} */
export function watchPaths(folder = isWindows ? '\\\\.\\pipe\\' : runtimeFolder()) {
  const own = (/** @type {string} */ name) => name.endsWith(suffix) && (!isWindows || name.startsWith(pipe()));
  return readdirSync(folder).filter(own).map((name) => (isWindows ? folder + name : join(folder, name)));
}

/**
 * Connects to a process. Resolves with undefined if it has ended; its socket is removed.
 * @param {string} path @returns {Promise<import('node:net').Socket | undefined>}
 */
export const joinProcess = (path) => new Promise((resolve) => {
  const socket = connect(path);
  socket.once('connect', () => resolve(socket));
  socket.once('error', (error) => {
    if (/** @type {any} */ (error).code === 'ECONNREFUSED' && !isWindows) rmSync(path, { force: true });
    resolve(undefined);
  });
});

/** Removes the sockets of processes that were killed. @param {string} folder of sockets */
export async function removeStale(folder) {
  if (isWindows) return;
  for (const path of watchPaths(folder)) (await joinProcess(path))?.destroy();
}

/**
 * Serves watchers until the process ends. Without such a socket, attach works, so errors have no effect.
 * @param {string} path @param {(give: (line: string) => void) => Promise<() => void>} join returns what ends a watcher
 */
export function serveWatchers(path, join) {
  const server = createServer((socket) => {
    const give = (/** @type {string} */ line) => {
      if (socket.writableLength > mostWaiting) socket.destroy();
      else socket.write(`${line}\n`);
    };
    socket.on('error', () => {});
    socket.resume();
    void join(give).then((leave) => {
      socket.once('close', leave);
      if (socket.destroyed) leave();
    });
    socket.unref();
  });
  server.on('error', () => {});
  const before = process.umask(0o177);
  server.listen(path);
  process.umask(before);
  server.unref();
  return () => {
    server.close();
    if (!isWindows) rmSync(path, { force: true });
  };
}
