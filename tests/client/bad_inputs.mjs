// SPDX-License-Identifier: Apache-2.0
// Inputs that have hurt other servers, and what becomes of them: one list for every way and place. Ids are those of
// spec/bad-inputs.md. What is marked `board` is played on an emulated board, too: a third.
//
// A message: { id, what, text, wanted } is a line of stdio or the body of a POST. `wanted` is a code of an error, or
// "result", "fails" (a result that says so), "nothing"; with `named`, the error must name this id, otherwise it has none.
// With `open` it is sent before initialize. A message of revision 2026-07-28 has `modern: { method, name }`.
// `http` replaces members over HTTP.
// A head: { id, what, head, status } is a request of HTTP up to its empty line, and `body`; {host}, {usual}, {length}
// stand for what a good request has there.

const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none"}}';
const bytes = (...parts) => Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));
const calling = (more) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none","arguments":{${more}}}}`;
const meta = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';
const modern = (more) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":{${more}${meta}}}`;
const inString = (...content) => bytes('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"', ...content, '"}}');

export const messages = [
  { id: 'J01', what: 'a depth bomb', text: `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(900)}`, wanted: -32700, named: 1, board: true },
  { id: 'J02', what: '32 levels', text: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(30)}${']'.repeat(30)}}}`, wanted: 'result', board: true },
  { id: 'J02', what: '33 levels', text: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(31)}${']'.repeat(31)}}}`, wanted: -32700, named: 1, board: true },
  { id: 'J03', what: 'Method beside method', text: '{"jsonrpc":"2.0","id":1,"Method":"tools/call","method":"ping"}', wanted: 'result' },
  { id: 'J03', what: 'Method alone', text: '{"jsonrpc":"2.0","id":1,"Method":"ping"}', wanted: -32600, named: 1, board: true },
  { id: 'J04', what: 'a folded key', text: '{"jsonrpc":"2.0","id":1,"method":"tools/call","param\u017f":{"name":"none"}}', wanted: -32602, named: 1 },
  { id: 'J05', what: 'a key with NUL behind it', text: '{"jsonrpc":"2.0","id":1,"method\\u0000":"ping"}', wanted: -32600, named: 1, board: true },
  { id: 'J06', what: 'an escaped key', text: '{"jsonrpc":"2.0","id":1,"m\\u0065thod":"ping"}', wanted: 'result' },
  { id: 'J07', what: 'method twice', text: '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}', wanted: -32600, named: 1, board: true },
  { id: 'J08', what: 'an id of 1e400', text: '{"jsonrpc":"2.0","id":1e400,"method":"ping"}', wanted: -32600 },
  { id: 'J08', what: 'an id beyond 2^53', text: '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', wanted: 'result', named: '9007199254740993', board: true },
  { id: 'J09', what: 'a number of 500 digits', text: calling(`"a":${'7'.repeat(500)}`), wanted: -32602, named: 1, board: true },
  { id: 'J10', what: 'numbers at the edge', text: '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[-0,1E-400,0e1]}}', wanted: 'result' },
  { id: 'J11', what: 'NaN', text: calling('"a":NaN'), wanted: -32700, named: 1 },
  { id: 'J12', what: 'an overlong NUL', text: inString([0xC0, 0x80]), wanted: -32700, named: 1, board: true },
  { id: 'J12', what: 'an overlong slash', text: inString([0xE0, 0x80, 0xAF]), wanted: -32700, named: 1 },
  { id: 'J12', what: 'an overlong slash of four bytes', text: inString([0xF0, 0x80, 0x80, 0xAF]), wanted: -32700, named: 1 },
  { id: 'J13', what: 'half of a surrogate pair', text: inString('\\ud800'), wanted: -32700, named: 1, board: true },
  { id: 'J14', what: 'a raw surrogate', text: inString([0xED, 0xA0, 0x80]), wanted: -32700, named: 1 },
  { id: 'J14', what: 'beyond 10FFFF', text: inString([0xF4, 0x90, 0x80, 0x80]), wanted: -32700, named: 1 },
  { id: 'J15', what: 'a NUL in a string', text: inString([0]), wanted: -32700, named: 1, board: true },
  { id: 'J15', what: 'a control byte in a string', text: inString([0x1F]), wanted: -32700, named: 1 },
  { id: 'J16', what: 'half a byte order mark', text: bytes([0xEF, 0xBB], call), wanted: -32700, named: 1 },
  ...Array.from({ length: call.length - 1 }, (_, size) => (
    { id: 'J17', what: `the first ${size + 1} bytes`, text: call.slice(0, size + 1), wanted: -32700, named: size + 1 > call.indexOf('"id":1,') + 6 ? 1 : undefined, board: size % 16 === 0 })),
  { id: 'J18', what: 'two messages', text: call + call, wanted: -32700, board: true },
  { id: 'J18', what: 'a letter behind', text: `${call}x`, wanted: -32700, named: 1 },
  ...['1', '"x"', 'null', '[]', '{}'].map((text) => ({ id: 'J19', what: text, text, wanted: -32600 })),
  { id: 'J19', what: 'an empty line', text: '', wanted: 'nothing', http: { wanted: -32700 } },
  { id: 'J20', what: 'a batch', text: `[${call},${call}]`, wanted: -32600, board: true },
  { id: 'M01', what: 'a call before initialize', text: call, open: true, wanted: -32600, named: 1, board: true },
  { id: 'M02', what: 'initialize once more', text: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"0"}}}', wanted: 'result', named: 1, http: { wanted: -32600 } },
  { id: 'M03', what: 'no such tool', text: call, wanted: -32602, named: 1 },
  { id: 'M03', what: 'no name', text: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}', wanted: -32602, named: 1 },
  { id: 'M03', what: 'an argument of another type', text: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"set_sample_interval","arguments":{"milliseconds":"x"}}}', wanted: 'fails', named: 1, board: true },
  ...['7', '"x"', 'null', '{}'].map((id) => (
    { id: 'M04', what: `${id} is cancelled`, text: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`, wanted: 'nothing', board: id === '7' })),
  ...['file:///../../etc/passwd', 'sensor://%2e%2e/temperature', 'sensor://temperature%00', '//host'].map((uri) => (
    { id: 'M06', what: uri, text: `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"${uri}"}}`, wanted: -32002, named: 1, board: uri.endsWith('%00') })),

  // Revision 2026-07-28: the message names its client, so a malformed message also has mismatching headers.
  { id: 'J01', what: 'a depth bomb', modern: { method: 'ping' }, text: `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(900)}`, wanted: -32700, named: 1 },
  { id: 'J03', what: '_Meta', modern: { method: 'server/discover' }, text: `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{${meta.replace('_meta', '_Meta')}}}`, wanted: -32602, named: 1, http: { wanted: [-32600, -32602, -32020] } },
  { id: 'J07', what: '_meta twice', modern: { method: 'server/discover' }, text: `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{${meta},${meta}}}`, wanted: -32602, named: 1, board: true },
  { id: 'J12', what: 'an overlong NUL', modern: { method: 'server/discover' }, text: bytes('{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"a":"', [0xC0, 0x80], `",${meta}}}`), wanted: -32700, named: 1 },
  { id: 'J20', what: 'a batch', modern: { method: 'server/discover' }, text: `[${modern('')}]`, wanted: -32600, board: true },
  { id: 'M02', what: 'a method that is gone', modern: { method: 'ping' }, text: modern(''), wanted: -32601, named: 1, board: true },
  { id: 'M03', what: 'no such tool', modern: { method: 'tools/call', name: 'none' }, text: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none",${meta}}}`, wanted: -32602, named: 1, board: true },
  { id: 'M06', what: 'a URI with dots', modern: { method: 'resources/read', name: 'file:///../../etc/passwd' }, text: `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///../../etc/passwd",${meta}}}`, wanted: -32602, named: 1 },
];

const post = 'POST /mcp HTTP/1.1\r\n';
const good = `${post}{host}{usual}`;
const withLength = (value) => ({ head: `${good}Content-Length:${value}\r\n` });
const sized = (more) => ({ head: `${good}${more}{length}` });
const chunked = (body) => ({ head: `${good}Transfer-Encoding: chunked\r\n`, body });

export const heads = [
  { id: 'H01', what: 'length and coding', ...sized('Transfer-Encoding: chunked\r\n'), status: 400, board: true },
  { id: 'H02', what: 'two lengths', head: `${good}Content-Length: 5\r\nContent-Length: 6\r\n`, status: 400 },
  { id: 'H02', what: 'a list of lengths', ...withLength(' 5, 6'), status: 400 },
  ...[' +5', ' -5', ' 1_0', ' 0x10', '', ' 5;'].map((value) => ({ id: 'H03', what: `a length of "${value}"`, ...withLength(value), status: 400, board: value === ' -5' })),
  ...[' 4294967301', ' 18446744073709551616', ' 99999999999999999999'].map((value) => (
    { id: 'H04', what: `a length of${value}`, ...withLength(value), status: 413, board: value === ' 4294967301' })),
  { id: 'H05', what: 'a body that is too long', ...withLength(' 100000'), status: 413 },
  ...['-2', '0x', '1_0', '', '00000000000000048'].map((size) => (
    { id: 'H06', what: `a chunk of "${size}"`, ...chunked(`${size}\r\n${call}\r\n0\r\n\r\n`), status: 400, board: size === '-2' })),
  { id: 'H06', what: 'a chunk of 2^64 - 2', ...chunked(`FFFFFFFFFFFFFFFE\r\n${call}`), status: 413, board: true },
  { id: 'H07', what: 'chunks without end', ...chunked('1\r\nx\r\n'.repeat(2000)), status: 413 },
  { id: 'H08', what: 'an extension without end', ...chunked(`1;${'a'.repeat(2000)}`), status: 413, board: true },
  { id: 'H08', what: 'trailers without end', ...chunked(`1\r\nx\r\n0\r\n${'a: b\r\n'.repeat(200)}`), status: 413 },
  ...['xchunked', 'chunked, identity', '\x0Bchunked', '\xA0chunked'].map((value) => (
    { id: 'H09', what: `a coding "${value}"`, head: `${good}Transfer-Encoding: ${value}\r\n`, body: `48\r\n${call}\r\n0\r\n\r\n`, status: 400, board: value === 'xchunked' })),
  { id: 'H10', what: 'a bare CR', ...sized('Visible: a\rSmuggled: b\r\n'), status: 400, board: true },
  { id: 'H10', what: 'a bare LF', ...sized('Visible: a\nSmuggled: b\r\n'), status: 400 },
  { id: 'H10', what: 'a NUL', ...sized('Visible: a\0b\r\n'), status: 400 },
  { id: 'H11', what: 'a blank before the colon', head: `${good}Content-Length : 72\r\n`, status: 400, board: true },
  { id: 'H11', what: 'a folded field', ...sized('A: b\r\n c\r\n'), status: 400 },
  { id: 'H11', what: 'no name', ...sized(': b\r\n'), status: 400 },
  { id: 'H11', what: 'a name that is no token', ...sized('A(b): c\r\n'), status: 400 },
  { id: 'H12', what: 'many fields', ...sized('a: b\r\n'.repeat(3000)), status: 431, board: true },
  { id: 'H12', what: 'a long field', ...sized(`A: ${'b'.repeat(17_000)}\r\n`), status: 431 },
  { id: 'H12', what: 'a long target', head: `POST /${'m'.repeat(4096)} HTTP/1.1\r\n{host}{usual}{length}`, status: 414 },
  { id: 'H13', what: 'no Host', head: `${post}{usual}{length}`, status: 400, board: true },
  { id: 'H13', what: 'two Hosts', ...sized('{host}'), status: 400 },
  { id: 'H14', what: 'HTTP/1.32', head: 'POST /mcp HTTP/1.32\r\n{host}{usual}{length}', status: 400 },
  { id: 'H14', what: 'the preface of HTTP/2', head: 'PRI * HTTP/2.0\r\n', body: 'SM\r\n\r\n', status: 505, board: true },
  { id: 'H15', what: 'a foreign Origin', ...sized('Origin: http://evil.example\r\n'), status: 403, board: true },
  { id: 'H16', what: 'a foreign Host', head: `${post}Host: evil.example:8080\r\n{usual}{length}`, status: 403, board: true },
  ...['null', 'http://localhost.evil.com', 'http://localhost:80@evil'].map((origin) => (
    { id: 'H17', what: `Origin ${origin}`, ...sized(`Origin: ${origin}\r\n`), status: 403 })),
  { id: 'H18', what: 'text/plain', head: `${post}{host}Content-Type: text/plain\r\nAccept: application/json, text/event-stream\r\n{length}`, status: 415, board: true },
  { id: 'H19', what: 'Accept of another type', head: `${post}{host}Content-Type: application/json\r\nAccept: text/html\r\n{length}`, status: 406 },
  ...['PUT', 'PATCH', 'TRACE', 'post'].map((method) => ({ id: 'H20', what: method, head: `${method} /mcp HTTP/1.1\r\n{host}`, body: '', status: 405, board: method === 'PUT' })),
  { id: 'H21', what: 'a body that is held back and too long', head: `${good}Expect: 100-continue\r\nContent-Length: 100000\r\n`, body: '', status: 413 },
  { id: 'H22', what: 'a forged session', ...sized('MCP-Session-Id: aaaa\r\nConnection: close\r\n'), status: 404, board: true },
];

/** The body of a head that names none. */
export const body = call;
