// SPDX-License-Identifier: Apache-2.0
// An MCP client that uses curl: each request is one process, and the client prints what the process received. All of
// these processes end before this one.
import { spawn } from 'node:child_process';

const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** One session with the endpoint at `url`; with an `authority`, the PEM file of who has signed its certificate. */
export class Curl {
  #url;
  #options;

  constructor(url, authority) {
    this.#url = url;
    this.#options = ['-sSN', '--max-time', '20', ...(authority ? ['--cacert', authority] : [])];
  }

  #start(...options) {
    const child = spawn('curl', [...this.#options, ...options, this.#url], { stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    child.stderr.setEncoding('utf8').on('data', (text) => { child.said = (child.said ?? '') + text; });
    child.ended = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => {
        running.delete(child);
        resolve(code);
      });
    });
    return child;
  }

  #session() {
    return this.id === undefined ? [] : ['-H', `Mcp-Session-Id: ${this.id}`, '-H', 'MCP-Protocol-Version: 2025-11-25'];
  }

  /** POSTs a message, and resolves with { status, body, type }. The first answer names the session. */
  async post(message) {
    const child = this.#start('-i', '-H', 'Content-Type: application/json', '-H',
      'Accept: application/json, text/event-stream', ...this.#session(), '--data', JSON.stringify(message));
    let text = '';
    for await (const piece of child.stdout.setEncoding('utf8')) text += piece;
    if (await child.ended !== 0) throw new Error(child.said);
    const [head, body] = text.split('\r\n\r\n');
    this.id ??= /^mcp-session-id: *(\S+)/im.exec(head)?.[1];
    return { status: head.split('\r\n', 1)[0], body };
  }

  /** POSTs a request, and resolves with its result. */
  async request(method, params) {
    const { body } = await this.post({ jsonrpc: '2.0', id: method, method, params });
    const { result, error } = JSON.parse(body);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /**
   * GETs the stream of the session: lines as they come. `end` ends it. Resolves when the server has begun it, with the
   * event that it begins with.
   */
  async listen() {
    const child = this.#start('-H', 'Accept: text/event-stream', ...this.#session());
    const lines = (async function* read() {
      let text = '';
      for await (const piece of child.stdout.setEncoding('utf8')) {
        const pieces = (text + piece).split('\n');
        text = pieces.pop();
        yield* pieces.filter((one) => one !== '');
      }
      throw new Error(`the stream ended: ${child.said ?? ''}`);
    })();
    const first = [(await lines.next()).value, (await lines.next()).value];
    const end = async () => {
      child.kill();
      await child.ended;
    };
    return { first, lines, end };
  }

  /** DELETEs the session. */
  async close() {
    await this.#start('-X', 'DELETE', ...this.#session()).ended;
  }
}
