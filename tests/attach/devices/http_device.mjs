// SPDX-License-Identifier: Apache-2.0
// A device of 2025-11-25 alone with Streamable HTTP, in the process of the test. It keeps what clients send.
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import { atEnd } from '../../at_end.mjs';
import { within } from '../support.mjs';

const json = { 'content-type': 'application/json' };
const stream = { 'content-type': 'text/event-stream' };

/** An event with an id, or one without data. */
export const event = (id, m) => `${id === undefined ? '' : `id: ${id}\n`}data: ${m ? JSON.stringify({ jsonrpc: '2.0', ...m }) : ''}\n\n`;

export class HttpDevice extends EventEmitter {
  /** Of each request: its HTTP method, headers, session and message. */
  requests = [];
  sessions = new Map();
  /** Responses to tools, by their name: (request, response, reply). */
  tools = { text: (_request, _response, reply) => reply({ content: [{ type: 'text', text: 'ok' }] }) };

  /** Results of tools/list, by the cursor. */
  pages = { first: { tools: [] } };

  /** Starts it; `options` replaces methods. */
  static async start(t, options = {}, port = 0) {
    const device = Object.assign(new HttpDevice(), options);
    device.server = createServer((request, response) => device.receive(request, response));
    await new Promise((resolve) => device.server.listen(port, '127.0.0.1', resolve));
    device.url = `http://127.0.0.1:${device.server.address().port}/mcp`;
    atEnd(t, () => device.stop());
    return device;
  }

  stop() {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** The device forgets all sessions, and its connections end. */
  reset() {
    this.sessions.clear();
    this.server.closeAllConnections();
  }

  /** The next request that matches, which has come or comes. */
  async next(what, matches) {
    const find = () => this.requests.find((request) => !request.isSeen && matches(request));
    return within(what, new Promise((resolve) => {
      const check = () => {
        const found = find();
        if (!found) return;
        found.isSeen = true;
        this.off('request', check);
        resolve(found);
      };
      this.on('request', check);
      check();
    }));
  }

  nextMessage(method, matches = () => true) {
    return this.next(method, ({ message }) => message?.method === method && matches(message));
  }

  nextStream(matches = () => true) { return this.next('GET', (request) => request.method === 'GET' && matches(request)); }

  receive(request, response) {
    let body = '';
    request.on('data', (data) => { body += data; });
    request.on('end', () => {
      const { method, headers, url } = request;
      if (method === 'OPTIONS') return response.writeHead(204).end();
      const session = this.sessions.get(headers['mcp-session-id']);
      const message = body === '' ? undefined : JSON.parse(body);
      const received = { method, headers, url, session, message, response };
      this.requests.push(received);
      this.serve(received);
      this.emit('request', received);
    });
  }

  serve(request) {
    const { method, headers, session, message, response } = request;
    if (headers['mcp-session-id'] !== undefined && !session) return response.writeHead(404).end();
    if (method === 'DELETE') {
      this.sessions.delete(headers['mcp-session-id']);
      return response.writeHead(200).end();
    }
    if (method === 'GET') return this.listen(request);
    if (message.id === undefined || message.method === undefined) return response.writeHead(202).end();
    const reply = (result) => response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    if (message.method === 'initialize') return this.begin(request);
    if (!session) {
      const error = { code: -32600, message: 'Send initialize first.' };
      return response.writeHead(400, json).end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }));
    }
    if (message.method === 'tools/call') return this.tools[message.params.name](request, response, reply);
    if (message.method === 'tools/list') return reply(this.pages[message.params?.cursor ?? 'first']);
    if (message.method === 'resources/subscribe') session.uris.push(message.params.uri);
    return reply({});
  }

  begin({ message, response }) {
    const id = randomUUID();
    this.sessions.set(id, { id, uris: [], client: message.params.clientInfo.name });
    const result = {
      protocolVersion: message.params.protocolVersion, capabilities: { tools: {}, resources: { subscribe: true } },
      serverInfo: { name: 'device', version: '1' },
    };
    response.writeHead(200, { ...json, 'mcp-session-id': id }).end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
  }

  listen({ response }) { this.open(response); }

  /** Begins an event stream. */
  open(response, ...events) {
    response.writeHead(200, stream).flushHeaders();
    for (const each of events) response.write(each);
  }
}
