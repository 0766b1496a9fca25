// SPDX-License-Identifier: Apache-2.0
// mote-attach watch: what hosts do with their devices, while they do it, or from a file of --trace.
import { parseArgs } from 'node:util';
import { follow, LineSplitter, recordOf } from '../lib/follow.mjs';
import { shown } from '../lib/shown.mjs';
import { View } from '../lib/watch_view.mjs';
import { joinProcess, watchFolders, watchPaths } from '../lib/watchers.mjs';

export const usage = `mote-attach watch [FILE [--follow]] [--json]
  Shows each request of the hosts that use attach now, and of those that come: time, host, tool, arguments, result and duration.
  FILE, of --trace FILE, is shown from its begin; --follow waits for more. --json prints one object for each request,
  notification, text, begin and end of a host. It ends with Ctrl-C. Secrets are hidden.`;

const lookMs = 200;  // between two looks for processes, or for more of a file
const slowMs = 1000;  // then a request without a response is shown

/**
 * @typedef {{write: (text: string) => any, columns?: number, on?: (event: string, done: (error: any) => void) => any}} Output
 * @typedef {{stdout: Output, stderr: Output, env?: NodeJS.ProcessEnv, signal?: AbortSignal}} Context
 */

/** @param {number} ms @param {AbortSignal} signal */
const pause = (ms, signal) => new Promise((resolve) => {
  const done = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', done);
    resolve(undefined);
  };
  const timer = setTimeout(done, ms);
  signal.addEventListener('abort', done);
});

/** Shows the processes that run. @param {View} view @param {Context} context @param {AbortSignal} signal */
async function watchProcesses(view, { stderr, env = {} }, signal) {
  const folders = watchFolders(env);
  /** @type {Map<string, import('node:net').Socket>} */ const joined = new Map();
  let isFirst = true;
  while (!signal.aborted) {
    for (const path of watchPaths(folders)) {
      if (joined.has(path)) continue;
      const socket = await joinProcess(path);
      if (!socket) continue;
      joined.set(path, socket);
      let session = '';
      const lines = new LineSplitter((line) => {
        const record = recordOf(line);
        session = record?.session ?? session;
        if (!view.take(record)) stderr.write('mote-attach: a process sent what is no record.\n');
      });
      socket.on('data', (bytes) => lines.feed(bytes));
      socket.on('error', () => {});
      socket.on('close', () => {
        joined.delete(path);
        if (view.has(session)) view.ended(session, 'its process has ended, or this terminal was too slow');
      });
    }
    if (isFirst && joined.size === 0) stderr.write('mote-attach: no host uses attach now; waiting.\n');
    isFirst = false;
    await pause(lookMs, signal);
  }
  for (const socket of joined.values()) socket.destroy();
}

/** @param {string[]} argv @param {Context} context @returns {Promise<number>} */
export async function run(argv, context) {
  const { stdout, stderr } = context;
  const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: {
    json: { type: 'boolean' }, follow: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help) {
    stdout.write(`${usage}\n`);
    return 0;
  }
  const [file, ...more] = positionals;
  if (more.length > 0) throw new Error(`Unexpected argument ${more[0]}.\n${usage}`);
  if (values.follow && file === undefined) throw new Error('--follow needs a FILE.');
  const end = new AbortController();
  context.signal?.addEventListener('abort', () => end.abort());
  stdout.on?.('error', () => end.abort());  // such as a pipe to head
  const columns = () => stdout.columns ?? (Number(context.env?.COLUMNS) || 120);
  const isLive = file === undefined || values.follow === true;
  const view = new View({ write: (line) => stdout.write(`${line}\n`), columns, isJson: values.json, ...(isLive && { slowMs }) });
  if (file === undefined) {
    await watchProcesses(view, context, end.signal);
    return 0;
  }
  let records = 0;
  const damaged = (/** @type {string} */ text) => stderr.write(`mote-attach: ${shown(file)}: ${text}\n`);
  const take = (/** @type {string} */ line, /** @type {number} */ number) => {
    if (view.take(recordOf(line))) ++records;
    else damaged(`line ${number} is no record.`);
  };
  await follow(file, { take, note: damaged, ...(values.follow && { wait: () => pause(lookMs, end.signal) }), signal: end.signal });
  view.end();
  if (records > 0 || values.follow) return 0;
  damaged('it has no record of attach.');
  return 1;
}
