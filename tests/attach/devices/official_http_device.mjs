// SPDX-License-Identifier: Apache-2.0
// A device of 2025-11-25 with Streamable HTTP in the process of the test: the official server of the first generation, which
// keeps its events, so that streams can be resumed.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { atEnd } from '../../at_end.mjs';

const require = createRequire(new URL('../../../build/node/package.json', import.meta.url));
const { Server } = require('@modelcontextprotocol/sdk/server/index.js');
const { StreamableHTTPServerTransport } = require('@modelcontextprotocol/sdk/server/streamableHttp.js');
const types = require('@modelcontextprotocol/sdk/types.js');

/** What tools do: (server, extra) returns a text. */
const tools = {
  text: () => 'ok',
  update: async (server) => {
    await server.sendResourceUpdated({ uri: 'a://1' });
    return 'updated';
  },
  ask: async (_server, { sendRequest }) => {
    const params = { message: 'who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
    const { content } = await sendRequest({ method: 'elicitation/create', params }, types.ElicitResultSchema);
    return content.name;
  },
  // The client gets the response when it has resumed the stream.
  poll: (_server, { closeSSEStream }) => {
    closeSSEStream();
    return 'polled';
  },
};

// The store in the examples of the SDK loses an event that comes in the same millisecond as the one before.
class EventStore {
  #events = [];

  async storeEvent(stream, message) {
    this.#events.push({ stream, message });
    return String(this.#events.length);
  }

  async getStreamIdForEventId(id) { return this.#events[id - 1]?.stream; }

  async replayEventsAfter(id, { send }) {
    const { stream } = this.#events[id - 1];
    for (const [i, each] of this.#events.entries()) if (i >= id && each.stream === stream) await send(String(i + 1), each.message);
    return stream;
  }
}

function serverOf() {
  const server = new Server({ name: 'official', version: '1' }, { capabilities: { tools: {}, resources: { subscribe: true } } });
  server.setRequestHandler(types.SubscribeRequestSchema, () => ({}));
  server.setRequestHandler(types.ListToolsRequestSchema, () => (
    { tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })) }));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, extra) => (
    { content: [{ type: 'text', text: await tools[params.name](server, extra) }] }));
  return server;
}

/** Starts it. `transports` has its sessions. */
export async function startOfficial(t) {
  const transports = new Map();
  const begin = async () => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID, eventStore: new EventStore(), retryInterval: 1,
      onsessioninitialized: (id) => transports.set(id, transport), onsessionclosed: (id) => transports.delete(id),
    });
    await serverOf().connect(transport);
    return transport;
  };
  const server = createServer(async (request, response) => {
    const id = request.headers['mcp-session-id'];
    const transport = id === undefined ? await begin() : transports.get(id);
    if (transport) return transport.handleRequest(request, response);
    response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(t, () => server.close());
  atEnd(t, () => server.closeAllConnections());
  return { url: `http://127.0.0.1:${server.address().port}/mcp`, transports, server };
}
