// SPDX-License-Identifier: Apache-2.0
// Lets one client play the scenario over one way, and compares its lines with scenario.tsv and differences.tsv.
//
// usage: node play.mjs CLIENT stdio|http|attach EVERYTHING GREENHOUSE GREENHOUSE_HTTP VALVE [--print]
//
// --print prints the lines of the client. Exits with 77 (skipped) if the client is not installed.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startHttp } from '../../examples/client/http.mjs';
import { clients, differences, root, scenario, servers } from './clients.mjs';

const [name, way, everything, greenhouse, greenhouseHttp, valve, option] = process.argv.slice(2);
const client = clients[name];
const limitMs = 120_000;  // of one run
const token = 'operator';

if (!existsSync(client.needs ?? client.command[0])) {
  console.log(`skipped: ${client.title} is not installed (tests/run --all installs it)`);
  process.exit(77);
}

const stdio = { everything: [everything, '--stdio'], greenhouse: [greenhouse], valve: [valve] };
const http = {
  everything: (port) => [everything, ['--port', port ?? '0']],
  greenhouse: (port) => [greenhouseHttp, ['--reader', 'reader', '--operator', token, ...port ? ['--port', port] : []]],
};

// Whether a process is there and is no zombie.
function runs(pid) {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

// Whether a process of this machine has a connection to a port that it did not close.
function isConnected(port) {
  const ending = `:${Number(port).toString(16).toUpperCase().padStart(4, '0')}`;
  const [established, closeWait] = ['01', '08'];
  return ['tcp', 'tcp6'].some((family) => readFileSync(`/proc/net/${family}`, 'utf8').split('\n').some((line) => {
    const [, , remote, state] = line.trim().split(/\s+/);
    return remote?.endsWith(ending) && [established, closeWait].includes(state);
  }));
}

async function until(what, holds) {
  const end = Date.now() + 20_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`not within 20 s: ${what}`);
    await new Promise((resolve) => { setTimeout(resolve, 5); });
  }
}

/** A server that the client starts, or that is started by attach. It writes its process id into a file. */
class Started {
  constructor(server, folder) {
    this.file = join(folder, 'pid');
    const command = ['sh', '-c', 'echo $$ >"$0.new" && mv "$0.new" "$0" && exec "$@"', this.file, ...stdio[server]];
    const attach = [process.execPath, join(root, 'toolchains/attach/attach.mjs'), 'exec', '--'];
    this.target = way === 'attach' ? [...attach, ...command] : command;
  }

  get pid() {
    return existsSync(this.file) ? Number(readFileSync(this.file, 'utf8')) : 0;
  }

  async restart() {
    const { pid } = this;
    process.kill(pid, 'SIGKILL');
    // attach starts the program again by itself. A client does so when it connects again.
    await until('the next start of the server', () => !runs(pid) && (way !== 'attach' || this.pid !== pid));
  }

  async end() {
    const { pid } = this;
    await until('the end of the server after the end of its client', () => !runs(pid));
  }
}

/** A server with a port that stays the same. */
class Listening {
  static async start(server) {
    const listening = new Listening();
    listening.command = http[server];
    listening.process = await startHttp(...listening.command());
    listening.target = [listening.process.url];
    return listening;
  }

  async restart() {
    await this.process.end('SIGKILL');
    // Without this, the next request of a client that sends on a connection before it sees its end would fail.
    if (client.closes) await until('the end of the connections', () => !isConnected(new URL(this.target[0]).port));
    this.process = await startHttp(...this.command(new URL(this.target[0]).port));
  }

  end() {
    return this.process.end();
  }
}

/** The lines of the client, by step. */
async function play(server, era, folder) {
  const device = way === 'http' ? await Listening.start(server) : new Started(server, folder);
  const [program, ...words] = client.command;
  const steps = join(folder, 'steps');
  writeFileSync(steps, scenario(server, era, way)
    .map(({ step, operation, parameters }) => `${step}\t${operation}\t${parameters}\n`).join(''));
  const child = spawn(program, [...words, steps, era, ...device.target], {
    env: { ...process.env, ...client.env, MOTE_TOKEN: token, XDG_RUNTIME_DIR: folder, MOTE_ATTACH_LINGER_MS: '0' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => { stderr += text; });
  child.stdin.on('error', () => {});
  const ended = new Promise((resolve) => { child.on('close', (code, signal) => resolve(code ?? signal)); });
  const lines = new Map();
  for await (const line of createInterface({ input: child.stdout })) {
    if (option === '--print') console.log(`${server}\t${era}\t${line}`);
    if (line === 'restart') {
      await device.restart();
      child.stdin.write('\n');
      continue;
    }
    const [step, ...text] = line.split('\t');
    lines.set(step, text.join('\t'));
  }
  const status = await ended;
  clearTimeout(limit);
  if (status !== 0) lines.set('program', `ended with ${status}: ${stderr.slice(-2000)}`);
  await device.end();
  return lines;
}

// A line of a table that ends with … is the beginning of the client's line.
const agrees = (line, is) => (line.endsWith('…') ? is.startsWith(line.slice(0, -1)) : is === line);

/** Compares the lines of one run. Returns the faults. */
function compare(server, era, lines) {
  const faults = [];
  const rows = scenario(server, era, way);
  const known = differences(name, server, era, way);
  let right = 0;
  for (const { step, line } of rows) {
    const is = lines.get(step) ?? 'not played';
    const row = known.find((one) => one.step === step);
    if (row && !agrees(row.line, is)) faults.push(`${step}\n  is       ${is}\n  known as ${row.line}`);
    if (!row && !agrees(line, is)) faults.push(`${step}\n  is       ${is}\n  expected ${line}`);
    if (!row && agrees(line, is)) ++right;
    lines.delete(step);
  }
  for (const [step, line] of lines) faults.push(`${step}\n  is       ${line}\n  not in scenario.tsv`);
  console.log(`${client.title}, ${way}, ${server}, ${era}: ${right} of ${rows.length} steps as expected, ` +
    `${known.length} known differences`);
  return faults.map((fault) => `${server}, ${era}, ${way}: ${fault}`);
}

const faults = [];
for (const era of client.eras) {
  for (const server of servers(way)) {
    const folder = mkdtempSync(join(tmpdir(), 'mote-clients-'));
    try {
      faults.push(...compare(server, era, await play(server, era, folder)));
    } finally {
      // The broker of attach may still remove its files.
      rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
    }
  }
}
for (const fault of faults) console.log(fault);
process.exit(faults.length === 0 ? 0 : 1);
