// SPDX-License-Identifier: Apache-2.0
// Runs the block of a document after its mark for HTTP: the server, and every curl. Replaces the values that differ
// from run to run: the port, the path of the server, and the id of the session.
//
// usage: node http.mjs DOCUMENT THERMOMETER_HTTP
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { httpThermometer } from '../../examples/client/thermometer.mjs';

const [document, binary] = process.argv.slice(2);
const block = /<!-- http transcript -->\n```\n([^]*?)```/.exec(readFileSync(document, 'utf8'))?.[1];
if (block === undefined) {
  console.log(`skipped: ${document} has no block after "<!-- http transcript -->"`);
  process.exit(77);
}
try {
  execFileSync('curl', ['--version'], { stdio: 'ignore' });
} catch {
  console.log('skipped: curl is not installed');
  process.exit(77);
}

const sessionId = /MCP-Session-Id: ([0-9a-f]{32})/;
const [start, ...steps] = block.split(/^\$ /m).slice(1).map((step) => {
  const end = step.indexOf('\n');
  return { command: step.slice(0, end), shown: step.slice(end + 1) };
});
assert.equal(start.command, 'build/host/examples/thermometer_http --port 8080 --sensor sensor &');
assert.ok(steps.length > 0);

const server = await httpThermometer(binary, 21.5);
try {
  const { port } = new URL(server.url);
  assert.equal(server.process.stderr.replace(port, '8080'), start.shown);
  let given;
  const shownId = sessionId.exec(block)[1];
  for (const { command, shown } of steps) {
    const real = command.replace(':8080/', `:${port}/`).replace(shownId, given ?? shownId);
    const output = execFileSync('sh', ['-c', real], { encoding: 'utf8', timeout: 60_000 }).replaceAll('\r', '');
    given ??= sessionId.exec(output)?.[1];
    assert.equal(`${output}\n`.replace(given, shownId), shown, command);
  }
} finally {
  await server.close();
}
