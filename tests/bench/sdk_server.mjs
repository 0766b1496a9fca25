// SPDX-License-Identifier: Apache-2.0
// The tool that the bench calls, served by the official SDK for TypeScript: over stdio, or over HTTP with a session for
// each client, as its documentation shows it.
//
// usage: node sdk_server.mjs stdio|http
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(join(fileURLToPath(new URL('../../build/node', import.meta.url)), 'package.json'));
const sdk = (file) => require(`@modelcontextprotocol/sdk/${file}`);
const { McpServer } = sdk('server/mcp.js');
const { z } = require('zod');

function makeServer() {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  const inputSchema = { what: z.string(), enabled: z.boolean() };
  server.registerTool('test_set_enabled', { description: 'Switch something.', inputSchema },
    async ({ what, enabled }) => ({ content: [{ type: 'text', text: `${what} is ${enabled ? 'on' : 'off'}` }] }));
  return server;
}

async function serveStdio() {
  await makeServer().connect(new (sdk('server/stdio.js').StdioServerTransport)());
}

function serveHttp() {
  const { StreamableHTTPServerTransport } = sdk('server/streamableHttp.js');
  const transports = new Map();
  const http = createServer(async (request, response) => {
    response.sendDate = false;  // the same answer each time
    let transport = transports.get(request.headers['mcp-session-id']);
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: true,
        onsessioninitialized: (id) => transports.set(id, transport),
      });
      await makeServer().connect(transport);
    }
    await transport.handleRequest(request, response);
  });
  http.listen(0, '127.0.0.1', () => console.error(`listening on http://127.0.0.1:${http.address().port}/mcp`));
}

if (process.argv[2] === 'stdio') await serveStdio();
else serveHttp();
