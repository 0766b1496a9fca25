// SPDX-License-Identifier: Apache-2.0
// A model on loopback that plays a script: it calls one tool after another, and then ends its turn. It serves the APIs of the hosts:
// messages (Anthropic), responses and chat completions (OpenAI), generateContent (Gemini).
import { createServer } from 'node:http';

const end = 'The script has ended.';

/** The text in a result, whose shape differs from API to API. */
function textIn(value) {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textIn).join('\n');
  if (value === null || typeof value !== 'object') return value === undefined ? '' : String(value);
  return 'text' in value ? textIn(value.text) : textIn(Object.values(value));
}

const sse = (rows) => rows.map(({ type, ...more }) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`).join('');
const data = (rows) => rows.map((row) => `data: ${JSON.stringify(row)}\n\n`).join('');

/** Each API: `tools` that a request shows, `results` of calls in it, and the response with a call or without one. */
const apis = [{
  path: /\/messages$/,
  tools: ({ tools = [] }) => tools,
  results: ({ messages }) => messages.flatMap(({ content }) => (
    Array.isArray(content) ? content.filter(({ type }) => type === 'tool_result').map((part) => textIn(part.content)) : [])),
  respond({ model, stream }, call, id) {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const block = call ? { type: 'tool_use', id, name: call.name, input: call.args } : { type: 'text', text: end };
    const stop = { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null };
    const message = { id: `m${id}`, type: 'message', role: 'assistant', model, usage };
    if (!stream) return JSON.stringify({ ...message, content: [block], ...stop });
    const delta = call ? { type: 'input_json_delta', partial_json: JSON.stringify(call.args) } : { type: 'text_delta', text: end };
    return sse([
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
      { type: 'content_block_start', index: 0, content_block: call ? { ...block, input: {} } : { ...block, text: '' } },
      { type: 'content_block_delta', index: 0, delta }, { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: stop, usage }, { type: 'message_stop' },
    ]);
  },
}, {
  path: /\/responses$/,
  tools: ({ tools = [] }) => tools.flatMap((tool) => (
    tool.type === 'namespace' ? tool.tools.map((inner) => ({ ...inner, namespace: tool.name })) : [tool])),
  results: ({ input }) => [input].flat().filter(({ type }) => type?.endsWith('_output')).map(({ output }) => textIn(output)),
  respond({ model, stream }, call, id) {
    const item = call
      ? { type: 'function_call', id: `f${id}`, call_id: id, name: call.name, ...(call.namespace && { namespace: call.namespace }),
        arguments: JSON.stringify(call.args), status: 'completed' }
      : { type: 'message', id: `f${id}`, role: 'assistant', status: 'completed',
        content: [{ type: 'output_text', text: end, annotations: [] }] };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 } };
    const response = { id: `r${id}`, object: 'response', created_at: 1, status: 'completed', model, output: [item], usage };
    if (!stream) return JSON.stringify(response);
    return sse([
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item }, { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ]);
  },
}, {
  path: /\/chat\/completions$/,
  tools: ({ tools = [] }) => tools.map((tool) => tool.function),
  results: ({ messages }) => messages.filter(({ role }) => role === 'tool').map(({ content }) => textIn(content)),
  respond({ model, stream }, call, id) {
    const calls = call && [{ index: 0, id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.args) } }];
    const message = { role: 'assistant', ...(calls ? { content: null, tool_calls: calls } : { content: end }) };
    const reason = calls ? 'tool_calls' : 'stop';
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const whole = { id: `c${id}`, created: 1, model };
    if (!stream) return JSON.stringify({ ...whole, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: reason }], usage });
    const chunk = (delta, finish) => ({ ...whole, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] });
    return `${data([chunk(message, null), { ...chunk({}, reason), usage }])}data: [DONE]\n\n`;
  },
}, {
  path: /:(stream)?generateContent$/i,
  tools: ({ tools = [] }) => tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations),
  results: ({ contents = [] }) => contents.flatMap(({ parts = [] }) => (
    parts.filter((part) => part.functionResponse).map((part) => textIn(part.functionResponse.response)))),
  respond(_request, call, id, url) {
    const part = call ? { functionCall: { id, name: call.name, args: call.args } } : { text: end };
    const response = {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }], modelVersion: 'script',
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    };
    return /:stream/i.test(url) ? data([response]) : JSON.stringify(response);
  },
}];

/**
 * Serves a script to one host. Requests without the first tool of the script are not part of it: hosts ask for titles of sessions.
 * @param {{name: string, args: object}[]} script names are the ends of the names that the host gives to tools
 */
export async function serveModel(script) {
  const seen = { tools: [], results: [], others: [], requests: 0 };

  /** The response to one request of a model. */
  function answer(api, request, url) {
    const tools = api.tools(request);
    const find = ({ name }) => tools.find((tool) => tool.name?.endsWith(name));
    const results = api.results(request);
    if (!find(script[0])) return api.respond(request, undefined, `none${++seen.requests}`, url);
    seen.tools = tools.map(({ namespace, name }) => (namespace ? `${namespace} ${name}` : name));
    if (results.length >= seen.results.length) seen.results = results;
    const step = script[results.length];
    const tool = step && find(step);
    const call = tool && { name: tool.name, namespace: tool.namespace, args: step.args };
    return api.respond(request, call, `call${++seen.requests}`, url);
  }

  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part)).on('end', () => {
      const path = request.url.split('?')[0];
      const api = request.method === 'POST' && apis.find((each) => each.path.test(path));
      let body = JSON.stringify({ object: 'list', data: [{ id: 'script', object: 'model' }], models: [], input_tokens: 1 });
      if (api) body = answer(api, JSON.parse(Buffer.concat(parts).toString()), path);
      else seen.others.push(`${request.method} ${path}`);
      response.writeHead(200, { 'content-type': body.startsWith('{') ? 'application/json' : 'text/event-stream' }).end(body);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, seen, close: () => server.closeAllConnections() ?? server.close() };
}
