// SPDX-License-Identifier: Apache-2.0
// A device without revision 2026-07-28: the official server of the first generation. usage: node legacy_device.mjs
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../../build/node/package.json', import.meta.url));
const { Server } = require('@modelcontextprotocol/sdk/server/index.js');
const { StdioServerTransport } = require('@modelcontextprotocol/sdk/server/stdio.js');
const types = require('@modelcontextprotocol/sdk/types.js');

const capabilities = { tools: {}, resources: { subscribe: true }, logging: {} };
const server = new Server({ name: 'legacy', version: '1' }, { capabilities });
const subscribed = [];
server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools: [{ name: 'name', inputSchema: { type: 'object' } }] }));
server.setRequestHandler(types.SubscribeRequestSchema, ({ params }) => {
  subscribed.push(params.uri);
  return {};
});
server.setRequestHandler(types.CallToolRequestSchema, async ({ params }) => {
  if (params.name === 'hang') {
    await server.sendLoggingMessage({ level: 'info', data: 'hanging' });
    return new Promise(() => {});
  }
  if (params.name === 'update') for (const uri of subscribed) await server.sendResourceUpdated({ uri });
  return { content: [{ type: 'text', text: JSON.stringify({ client: server.getClientVersion()?.name, subscribed }) }] };
});
await server.connect(new StdioServerTransport());
