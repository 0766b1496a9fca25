// SPDX-License-Identifier: Apache-2.0
// A device on stdin and stdout whose messages have numbers that JavaScript would change. It sends the bytes of arguments back.
import { createInterface } from 'node:readline';

const send = (text) => process.stdout.write(`${text}\n`);
const bounds = '"minimum":-9223372036854775808,"maximum":18446744073709551615,"default":1.0,"multipleOf":1e-1';
const discover = '{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"logging":{}},"resultType":"complete","ttlMs":0.0}';

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line.trim() === '') return;
  const { id, method, params } = JSON.parse(line);
  const answer = (result) => send(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
  if (method === 'server/discover') return answer(discover);
  if (method === 'tools/list') {
    return answer(`{"tools":[{"name":"echo","inputSchema":{"type":"object","properties":{"n":{"type":"integer",${bounds}}}}}],"ttlMs":60000.0}`);
  }
  if (method !== 'tools/call') return id !== undefined && send(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32601,"message":"no"}}`);
  const token = params._meta.progressToken;
  if (token !== undefined) {
    send(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${JSON.stringify(token)},"progress":1.0,"total":9007199254740993}}`);
  }
  if (params.arguments.ask && !params.inputResponses) {
    return answer('{"resultType":"input_required","requestState":"s","inputRequests":{"q":{"method":"elicitation/create","params":' +
      `{"message":"?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer",${bounds}}}}}}}}`);
  }
  const [, sent] = (params.inputResponses ? /"content":(\{[^{}]*\})/ : /"arguments":(\{[^{}]*\})/).exec(line);
  answer(`{"resultType":"complete","content":[],"structuredContent":${sent}}`);
});
