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

  constructor(command, args) {
    this.#child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    running.add(this.#child);
    /** Resolves with { code, signal } when the process has ended. */
    this.ended = new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      this.#child.on('close', (code, signal) => {
        running.delete(this.#child);
        resolve({ code, signal });
      });
    });
  }

  /** Resolves when it listens, or has ended without. */
  listening() {
    this.#child.stderr.setEncoding('utf8');
    return new Promise((resolve, reject) => {
      this.#child.stderr.on('data', (text) => {
        this.stderr += text;
        this.url = /^listening on (\S+)\n/m.exec(this.stderr)?.[1];
        if (this.url) resolve();
      });
      this.ended.then(({ code }) => reject(new Error(`the server ended with ${code}: ${this.stderr}`)), reject);
    });
  }

  /** Ends it by a signal, and waits for that. */
  end(signal = 'SIGTERM') {
    this.#child.kill(signal);
    return this.ended;
  }
}

/** Starts a server, and resolves when it has said `listening on URL`. */
export async function startHttp(command, args) {
  const server = new HttpServer(command, args);
  await server.listening();
  return server;
}
