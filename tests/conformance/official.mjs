// SPDX-License-Identifier: Apache-2.0
// Runs the official conformance suite against everything_server.
//
// usage: official.mjs SERVER SUITE EXPECTED [ARGUMENT...]
//   SERVER    everything_server of this machine, or EMULATE,BOARD,IMAGE: everything_server_http on an emulated board
//   SUITE     folder of the suite's package
//   EXPECTED  checks that must pass at least: a suite that tests nothing does not pass
//   ARGUMENT  what the suite is to run
// Ends with 1 when a check fails, and with 77 when the suite is not installed.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [serverPath, suite, expected, ...suiteArguments] = process.argv.slice(2);
const entry = join(suite, 'dist/index.js');
if (!existsSync(entry)) {
  console.log(`skipped: ${suite} is not installed; tests/run does that`);
  process.exit(77);
}

const results = mkdtempSync(join(tmpdir(), 'conformance-'));
const [command, ...boardArguments] = serverPath.split(',');
const onBoard = boardArguments.length !== 0;
// On a board stdin and stdout are the UART, and the end of stdin is the end.
const server = onBoard
  ? spawn(command, [...boardArguments, '--forward', '80'], { stdio: ['pipe', 'pipe', 'pipe'] })
  : spawn(command, ['--port', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
process.on('exit', () => {
  server.kill('SIGKILL');
  rmSync(results, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
let serverEnded = false;
server.on('exit', () => {
  serverEnded = true;
});

// Returns the first group of the first match of `pattern` in `stream`.
async function find(stream, pattern) {
  let text = '';
  for await (const piece of stream) {
    text += piece;
    const found = pattern.exec(text);
    if (found) return found[1];
  }
  throw new Error(`the server does not listen: ${text}`);
}

// Returns the address of the server once it listens: the server prints it, or the emulator and the board's UART do.
async function address() {
  if (!onBoard) return find(server.stderr, /^listening on (\S+)\n/m);
  const port = await find(server.stderr, /^port 80 of the board is (\S+)\n/m);
  await find(server.stdout, /^(ready)\r?\n/m);
  return `http://${port}/mcp`;
}

function run(url) {
  return new Promise((resolve, reject) => {
    const output = [];
    const child = spawn(process.execPath, [entry, 'server', '--url', url, '-o', results, ...suiteArguments]);
    process.on('exit', () => child.kill('SIGKILL'));
    child.stdout.on('data', (piece) => output.push(piece));
    child.stderr.on('data', (piece) => output.push(piece));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: Buffer.concat(output).toString() }));
  });
}

const { code, output } = await run(await address());
const count = { SUCCESS: 0, FAILURE: 0, WARNING: 0, SKIPPED: 0, INFO: 0 };
for (const name of readdirSync(results, { recursive: true }).filter((file) => file.endsWith('checks.json')).sort()) {
  for (const check of JSON.parse(readFileSync(join(results, name), 'utf8'))) {
    count[check.status] += 1;
    if (check.status === 'FAILURE' || check.status === 'WARNING') {
      console.log(`${check.status}: ${name.split('/').at(-2)}: ${check.id}: ${check.errorMessage ?? check.description}`);
    }
  }
}
console.log(Object.entries(count).map(([status, checks]) => `${status} ${checks}`).join(', '));
const passed = code === 0 && count.FAILURE === 0 && count.WARNING === 0 && count.SUCCESS >= Number(expected) && !serverEnded;
if (!passed) {
  console.log(output);
  console.log(`the suite ended with ${code}; ${count.SUCCESS} of at least ${expected} checks passed`);
  if (serverEnded) console.log('the server has ended');
}
process.exit(passed ? 0 : 1);
