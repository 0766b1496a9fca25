// SPDX-License-Identifier: Apache-2.0
// Every bad input of bad_inputs.mjs against the thermometer: over stdio or HTTP, on this machine or (a third of them) on
// a board. Each has its answer, and the next message is served.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { body as usualBody, heads, messages } from './bad_inputs.mjs';
import { assertServes, atEnd, command, kind, limitMs, Lines, thermometer, waitMs } from './support.mjs';

const onBoard = command.length === 3;
const chosen = (list) => list.filter(({ board }) => board || !onBoard);
const name = ({ id, what, modern }) => `${id}: ${what}${modern ? ', 2026-07-28' : ''}`;
const types = 'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n';

// `text`: of an answer, or nothing.
function check(input, text) {
  if (input.wanted === 'nothing') return assert.equal(text, undefined, name(input));
  assert.ok(text, `${name(input)}: no answer`);
  const answer = JSON.parse(text);
  if (input.named === undefined && typeof input.wanted !== 'string') assert.ok(!('id' in answer), `${name(input)}: ${text}`);
  if (input.named !== undefined) assert.ok(text.includes(`"id":${input.named}`), `${name(input)}: ${text}`);
  if (input.wanted === 'result') return assert.ok(answer.result, `${name(input)}: ${text}`);
  if (input.wanted === 'fails') return assert.equal(answer.result?.isError, true, `${name(input)}: ${text}`);
  assert.ok([input.wanted].flat().includes(answer.error?.code), `${name(input)}: ${text}`);
}

async function playLines(t) {
  const lines = new Lines(t, await thermometer(t));
  const play = async (input) => {
    await lines.write(input.text);
    await lines.write('\n');
    if (input.wanted !== 'nothing') check(input, await lines.line());
    await assertServes(lines);  // also checks that the server sent nothing else
  };
  for (const input of chosen(messages).filter(({ open }) => open)) await play(input);
  await lines.initialize();
  for (const input of chosen(messages).filter(({ open }) => !open)) {
    await play(input);
    if (input.id === 'M02') await lines.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }
}

/** A connection on which requests go out as they are. */
class Connection {
  #socket;
  #received = Buffer.alloc(0);
  #ended = false;
  #changed = () => {};

  constructor(t, url) {
    const { hostname, port } = new URL(url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.on('data', (data) => {
      this.#received = Buffer.concat([this.#received, data]);
      this.#changed();
    });
    for (const event of ['end', 'error', 'close']) this.#socket.on(event, () => { this.#ended = true; this.#changed(); });
    atEnd(t, () => this.close());
  }

  close() {
    this.#socket.destroy();
  }

  send(bytes) {
    this.#socket.write(bytes);
  }

  // Until `found` gives something, or nothing more can come.
  async #until(found) {
    for (;;) {
      const value = found(this.#received);
      if (value !== undefined || this.#ended) return value;
      await new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no answer, but: ${this.#received}`)), waitMs);
        this.#changed = () => { clearTimeout(timer); resolve(); };
      });
    }
  }

  /** The next answer, { status, session, body }; undefined when the connection ended without one. */
  answer() {
    return this.#until((bytes) => {
      const end = bytes.indexOf('\r\n\r\n');
      if (end < 0) return undefined;
      const head = bytes.subarray(0, end).toString();
      const size = Number(/\r\nContent-Length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (bytes.length < end + 4 + size) return undefined;
      this.#received = bytes.subarray(end + 4 + size);
      return {
        status: Number(head.slice(9, 12)), session: /\r\nMCP-Session-Id: (\S+)/i.exec(head)?.[1],
        body: bytes.subarray(end + 4, end + 4 + size).toString(),
      };
    });
  }

  /** Resolves when the server has ended it: with what came until then. */
  async ended() {
    await this.#until(() => undefined);
    return this.#received.toString('latin1');
  }
}

async function startHttp(t) {
  const server = await thermometer(t);
  const host = 'Host: localhost\r\n';
  const post = (text, more = '') => Buffer.concat([
    Buffer.from(`POST /mcp HTTP/1.1\r\n${host}${types}${more}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n`),
    Buffer.from(text)]);
  const open = async () => {
    const connection = new Connection(t, server.url);
    const answer = await (connection.send(post(JSON.stringify({
      jsonrpc: '2.0', id: 0, method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '0' } },
    }))), connection.answer());
    assert.equal(answer.status, 200);
    const session = `MCP-Session-Id: ${answer.session}\r\n`;
    connection.send(post('{"jsonrpc":"2.0","method":"notifications/initialized"}', session));
    assert.equal((await connection.answer()).status, 202);
    return { connection, session };
  };
  const assertPong = async (connection, session) => {
    connection.send(post('{"jsonrpc":"2.0","id":99,"method":"ping"}', session));
    assert.equal((await connection.answer())?.body, '{"jsonrpc":"2.0","id":99,"result":{}}');
  };
  return { server, host, post, open, assertPong };
}

async function playBodies(t) {
  const { post, open, assertPong } = await startHttp(t);
  let { connection, session } = await open();
  for (const listed of chosen(messages)) {
    const input = { ...listed, ...listed.http };
    const { method, name: named } = input.modern ?? {};
    const claims = `MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: ${method}\r\n${named ? `Mcp-Name: ${named}\r\n` : ''}`;
    connection.send(post(input.text, input.modern ? claims : input.open ? '' : session));
    const { status, body } = await connection.answer();
    check(input, body === '' ? undefined : body);
    if (input.wanted === 'nothing') assert.equal(status, 202, name(input));
    else if (input.wanted === 'result' || input.wanted === 'fails') assert.equal(status, 200, name(input));
    else assert.ok(status === 400 || status === 404 || (status === 200 && input.named !== undefined), `${name(input)}: ${status}`);
    await assertPong(connection, session);
  }
  connection.close();
}

async function playHeads(t) {
  const { server, host, open, assertPong } = await startHttp(t);
  const { connection, session } = await open();
  for (const { head, body = usualBody, status, ...input } of chosen(heads)) {
    const usual = types + (head.includes('MCP-Session-Id') ? '' : session);
    const text = head.replaceAll('{host}', host).replaceAll('{usual}', usual)
      .replaceAll('{length}', `Content-Length: ${usualBody.length}\r\n`);
    const other = new Connection(t, server.url);
    other.send(Buffer.from(`${text}\r\n${body}`, 'latin1'));
    const answer = await other.answer();
    assert.equal(answer?.status, status, name(input));
    assert.equal(await other.ended(), '', `${name(input)}: a second answer`);
    other.close();
    await assertPong(connection, session);
  }
  connection.close();
}

if (kind === 'http') {
  test('rejects bad bodies', { timeout: limitMs }, playBodies);
  test('rejects bad heads', { timeout: limitMs }, playHeads);
} else {
  test('rejects bad lines', { timeout: limitMs }, playLines);
}
