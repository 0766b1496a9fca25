// SPDX-License-Identifier: Apache-2.0
// Starts a server that listens for HTTP on this machine, and ends it. Knows no MCP.
import { spawn } from 'node:child_process';

// None outlives this process.
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/** A server process: `url`, what it has said on stderr and its board's UART, and how it ended. Get it from startHttp(). */
class HttpServer {
  #child;
  #streams;
  stderr = '';
  uart = '';

  constructor(command, args, stdio) {
    this.#child = spawn(command, args, { stdio });
    running.add(this.#child);
    this.#streams = { stderr: this.#child.stderr, uart: this.#child.stdio[3] };
    for (const [name, stream] of Object.entries(this.#streams)) {
      stream?.setEncoding('utf8').on('data', (text) => { this[name] += text; });
    }
    /** Resolves with { code, signal } when the process has ended. */
    this.ended = new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      this.#child.on('close', (code, signal) => {
        running.delete(this.#child);
        resolve({ code, signal });
      });
    });
  }

  /** Resolves with the match of `pattern` in what was said, now or later; rejects when it has ended without. */
  said(pattern, stream = 'stderr') {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(this[stream]);
        if (!found) return;
        this.#streams[stream].off('data', look);
        resolve(found);
      };
      this.#streams[stream].on('data', look);
      this.ended.then(({ code }) => reject(new Error(`the server ended with ${code}: ${this.stderr}`)), reject);
      look();
    });
  }

  /** Resolves when it listens, or has ended without. */
  async listening() {
    [, this.url] = await this.said(/^listening on (\S+)\n/m);
  }

  /** Of a board in an emulator: resolves when its UART says that it has an address, or when it has ended without. */
  async listeningOnBoard() {
    const [, scheme = 'http'] = await this.said(/^(?:ready|listening on (https?):.*)\r?\n/m, 'uart');
    const port = scheme === 'https' ? 443 : 80;
    const [, address] = await this.said(new RegExp(`^port ${port} of the board is (\\S+)\n`, 'm'));
    this.url = `${scheme}://${address}/mcp`;
  }

  /** Ends it by a signal, and waits for that. */
  end(signal = 'SIGTERM') {
    this.#child.kill(signal);
    return this.ended;
  }
}

/** Starts a server, and resolves when it has said `pattern` on stderr. */
export async function startServer(command, args, pattern) {
  const server = new HttpServer(command, args, ['ignore', 'ignore', 'pipe']);
  await server.said(pattern);
  return server;
}

/** Starts a server, and resolves when it has said `listening on URL`. */
export async function startHttp(command, args) {
  const server = new HttpServer(command, args, ['ignore', 'ignore', 'pipe']);
  await server.listening();
  return server;
}

/** Starts a firmware image in an emulator, `args` come after `--`, and resolves when it has said `pattern` on its UART. */
export async function startBoard(emulate, board, image, options, args, pattern) {
  // Its UART has its own pipe, because it carries no MCP: a line of the emulator may come in the middle of a line of
  // the board. The end of stdin ends the emulator.
  const server = new HttpServer('sh', ['-c', 'exec "$@" >&3 3>&-', 'sh', emulate, board, image, ...options, '--', ...args],
    ['pipe', 'ignore', 'pipe', 'pipe']);
  if (pattern) await server.said(pattern, 'uart');
  return server;
}

/**
 * Starts a firmware image that listens at port 80 (HTTP) or 443 (HTTPS) of an emulated board, with more `args` for the
 * emulator, and resolves when it can be reached through a port of this machine. `emulate` is toolchains/emulate.
 */
export async function startBoardHttp(emulate, board, image, args) {
  const server = await startBoard(emulate, board, image, ['--forward', '80', '--forward', '443'], args);
  await server.listeningOnBoard();
  return server;
}
