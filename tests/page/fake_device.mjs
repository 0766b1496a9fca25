// SPDX-License-Identifier: Apache-2.0
// A device of the tests over HTTP: it serves the page as mote does, and answers as a test wants, also wrongly.
import { atEnd } from '../at_end.mjs';
import { createServer } from 'node:http';
import { once } from 'node:events';

const key = 'io.modelcontextprotocol/serverInfo';

/** `page` is { head, body } of a device with mote. `handlers` has a function for each method. */
export class FakeDevice {
  /** Of each request: its headers and message. */
  requests = [];
  serverInfo = { name: 'fake', version: '1' };
  capabilities = { tools: {} };
  boot = '00000001';

  static async start(t, page, handlers = {}) {
    const device = new FakeDevice();
    device.page = page;
    device.handlers = handlers;
    device.server = createServer((request, response) => device.take(request, response));
    device.server.listen(0, '127.0.0.1');
    await once(device.server, 'listening');
    atEnd(t, () => {
      device.server.close();
      device.server.closeAllConnections();
    });
    device.url = `http://127.0.0.1:${device.server.address().port}/`;
    return device;
  }

  called(method) {
    return this.requests.filter(({ message }) => message.method === method);
  }

  async take(request, response) {
    if (request.url === '/') {
      response.writeHead(200, this.page.headers);
      return response.end(request.method === 'HEAD' ? undefined : this.page.body);
    }
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += piece;
    if (request.method !== 'POST') return response.writeHead(405).end();
    const message = JSON.parse(text);
    this.requests.push({ headers: request.headers, message, text });
    if (this.filter?.(request, response, message)) return undefined;
    if (message.id === undefined) return response.writeHead(202).end();
    const handler = this.handlers[message.method] ?? this[message.method];
    const result = await handler?.call(this, message.params, response, message);
    if (result === undefined && handler) return undefined;  // it has sent its response, or never does
    const answer = handler ? { result } : { error: { code: -32601, message: 'Unknown method.' } };
    return this.send(response, { jsonrpc: '2.0', id: message.id, ...answer });
  }

  send(response, message, status = 200) {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(message));
  }

  'server/discover'() {
    const { capabilities, serverInfo, boot, instructions } = this;
    return { supportedVersions: ['2026-07-28'], capabilities, instructions, _meta: { [key]: serverInfo, 'mote/boot': boot } };
  }

  'tools/list'() {
    return { tools: this.tools ?? [] };
  }
}
