// SPDX-License-Identifier: Apache-2.0
// The socket on which one process gives its records to `attach watch`. It is in the folder of the sockets of brokers, which other users
// cannot enter. A watcher sends nothing.
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';

const suffix = '.watch';
const mostWaiting = 16 << 20;  // bytes for a watcher that does not read; then it is ended

/** The names of pipes begin with this on Windows, which has no folder for them. */
const pipe = () => `mote-attach-${userInfo().username}-`;
const isWindows = process.platform === 'win32';

/** The path of a process. It is not longer than that of its broker. @param {string} session @param {string} broker its path */
export const watchPath = (session, broker) => (
  isWindows ? `\\\\.\\pipe\\${pipe()}${session}${suffix}` : join(dirname(broker), `${session}${suffix}`));

/** @typedef {{at: number, ms: number}} Time the time of day, and milliseconds that do not change when the clock is set */
/** @returns {Time} */
export const timeNow = () => ({ at: Date.now(), ms: Math.round(process.uptime() * 1e6) / 1e3 });

/** A name of this process that no other one has at this time. */
export const sessionName = () => `${process.pid}-${(Date.now() % 36 ** 6).toString(36)}`;

/**
 * Folders that may have sockets of this user. Many hosts start their servers without XDG_RUNTIME_DIR and TMPDIR, so the folders of a host
 * and of a terminal differ. A person who has chosen another XDG_RUNTIME_DIR has it for both.
 * @param {NodeJS.ProcessEnv} env @param {{user?: number, temporary?: string}} [system]
 */
export function watchFolders({ XDG_RUNTIME_DIR: given }, { user = process.getuid?.(), temporary = tmpdir() } = {}) {
  const usual = `/run/user/${user}`;
  if (given && isAbsolute(given) && relative(usual, given) !== '') return [join(given, 'mote-attach')];
  return [...new Set([join(usual, 'mote-attach'), join(temporary, `mote-attach-${user}`), `/tmp/mote-attach-${user}`])];
}

/** The names in a folder into which other users cannot put a socket. @param {string} folder */
function namesIn(folder) {
  try {
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0 ? readdirSync(folder) : [];
  } catch {
    return [];  // there is none, or it has been removed
  }
}

/** The paths of processes that run, or were killed. @param {string[]} folders @returns {string[]} */
export function watchPaths(folders) {
  if (isWindows) {
    const names = readdirSync('\\\\.\\pipe\\').filter((name) => name.startsWith(pipe()) && name.endsWith(suffix));
    return names.map((name) => `\\\\.\\pipe\\${name}`);
  }
  return folders.flatMap((folder) => namesIn(folder).filter((name) => name.endsWith(suffix)).map((name) => join(folder, name)));
}

/** Whether a process of this user runs. @param {number} pid */
function runs(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * Connects to a process. Resolves with undefined if it has ended; its socket is removed. Between bind() and listen(), a socket refuses
 * connections, too.
 * @param {string} path @returns {Promise<import('node:net').Socket | undefined>}
 */
export const joinProcess = (path) => new Promise((resolve) => {
  const socket = connect(path);
  socket.once('connect', () => resolve(socket));
  socket.once('error', (error) => {
    const isRefused = /** @type {any} */ (error).code === 'ECONNREFUSED' && !isWindows;
    if (isRefused && !runs(parseInt(basename(path), 10))) rmSync(path, { force: true });
    resolve(undefined);
  });
});

/** Removes the sockets of processes that were killed. @param {string} folder of sockets */
export async function removeStale(folder) {
  if (isWindows) return;
  for (const path of watchPaths([folder])) (await joinProcess(path))?.destroy();
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
