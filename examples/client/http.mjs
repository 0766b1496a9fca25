// Starts a server that listens for HTTP on this machine, and ends it. Knows no MCP.
import { spawn } from 'node:child_process';

// None outlives this process.
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/** A server process: `url`, what it has said on stderr, and how it ended. Get it from startHttp(). */
class HttpServer {
  #child;
  stderr = '';

  constructor(command, args, stdio) {
    this.#child = spawn(command, args, { stdio });
    running.add(this.#child);
    this.#child.stderr.setEncoding('utf8').on('data', (text) => { this.stderr += text; });
    /** Resolves with { code, signal } when the process has ended. */
    this.ended = new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      this.#child.on('close', (code, signal) => {
        running.delete(this.#child);
        resolve({ code, signal });
      });
    });
  }

  /** Resolves with what `find` finds in what was said on stderr, now or later; rejects when it has ended without. */
  said(find) {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = find(this.stderr);
        if (!found) return;
        this.#child.stderr.off('data', look);
        resolve(found);
      };
      this.#child.stderr.on('data', look);
      this.ended.then(({ code }) => reject(new Error(`the server ended with ${code}: ${this.stderr}`)), reject);
      look();
    });
  }

  /** Resolves when it listens, or has ended without. */
  async listening() {
    [, this.url] = await this.said((text) => /^listening on (\S+)\n/m.exec(text));
  }

  /** Of a board in an emulator: resolves when its UART says that it has an address, or when it has ended without. */
  async listeningOnBoard() {
    const [, scheme = 'http'] = await this.said((text) => (/^port 443 of the board is/m.test(text)
      ? /^(?:ready|listening on (https?):.*)\r?\n/m.exec(text) : undefined));
    const port = scheme === 'https' ? 443 : 80;
    const [, address] = new RegExp(`^port ${port} of the board is (\\S+)\n`, 'm').exec(this.stderr);
    this.url = `${scheme}://${address}/mcp`;
  }

  /** Ends it by a signal, and waits for that. */
  end(signal = 'SIGTERM') {
    this.#child.kill(signal);
    return this.ended;
  }
}

/** Starts a server, and resolves when it has said `listening on URL`. */
export async function startHttp(command, args) {
  const server = new HttpServer(command, args, ['ignore', 'ignore', 'pipe']);
  await server.listening();
  return server;
}

/**
 * Starts a firmware image that listens at port 80 (HTTP) or 443 (HTTPS) of an emulated board, with more `args` for the
 * emulator, and resolves when it can be reached through a port of this machine. `emulate` is toolchains/emulate.
 */
export async function startBoardHttp(emulate, board, image, args) {
  // Its UART speaks no MCP: with what the emulator says it goes to stderr. The end of stdin is the end of the emulator.
  const server = new HttpServer('sh',
    ['-c', 'exec "$@" >&2', 'sh', emulate, board, image, '--forward', '80', '--forward', '443', '--', ...args],
    ['pipe', 'ignore', 'pipe']);
  await server.listeningOnBoard();
  return server;
}
