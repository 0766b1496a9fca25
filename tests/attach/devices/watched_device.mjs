// SPDX-License-Identifier: Apache-2.0
// A device on stdin and stdout whose tools do what a trace shows: they succeed, fail, ask, wait, write text, and end the device.
import { createInterface } from 'node:readline';

const send = (m) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...m })}\n`);
const text = (words, more = {}) => ({ resultType: 'complete', content: [{ type: 'text', text: words }], ...more });
const empty = { type: 'object', properties: {} };
const login = { type: 'object', properties: {
  user: { type: 'string' }, answer: { type: 'string', writeOnly: true }, digits: { type: 'integer', format: 'password' } } };
const asks = { yes: { method: 'elicitation/create', params: {
  message: 'Open the valve?', requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } } } } };

const tools = {
  echo: (args) => text(String(args.text)),
  login: () => text('Welcome.'),
  fail: () => text('Too hot.', { isError: true }),
  ask: (_, params) => (params.inputResponses ? text(JSON.stringify(params.inputResponses)) :
    { resultType: 'input_required', requestState: 's', inputRequests: asks }),
  hang: () => { process.stdout.write('hangs now\n'); },
  write: (args) => {
    process.stdout.write(`${args.line}\n`);
    return text('written');
  },
  end: () => process.exit(3),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line.trim() === '') return;
  const { id, method, params = {} } = JSON.parse(line);
  const answer = (result) => result && send({ id, result });
  if (method === 'server/discover') {
    const _meta = { 'io.modelcontextprotocol/serverInfo': { name: 'watched', version: '1.0.0' } };
    return answer({ supportedVersions: ['2026-07-28'], capabilities: { tools: {}, resources: {} }, resultType: 'complete', _meta });
  }
  if (method === 'tools/list') {
    return answer({ tools: Object.keys(tools).map((name) => ({ name, inputSchema: name === 'login' ? login : empty })) });
  }
  if (method === 'resources/list') return answer({ resources: [{ uri: 'sensor://level', name: 'level' }] });
  if (method === 'resources/read') return answer({ contents: [{ uri: params.uri, text: '{"level":7}' }] });
  if (method === 'tools/call') return answer(tools[params.name](params.arguments ?? {}, params));
  if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
});
