// SPDX-License-Identifier: Apache-2.0
// The CLI of the official Inspector: each of its calls is a process that connects, asks one thing and leaves.
//
// usage: node inspector.test.mjs host|http BINARY, of everything_server
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { v2Folder } from './client_v2.mjs';
import { startEverything } from './everything.mjs';
import { atEnd, limitMs } from './support.mjs';

const entry = join(v2Folder, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
if (!existsSync(entry)) {
  console.log(`skipped: the Inspector is not installed in ${v2Folder} (tests/run installs it)`);
  process.exit(77);
}
const record = fileURLToPath(new URL('record.mjs', import.meta.url));

/** An Inspector for one server: a function that runs it, and gives { code, json, text } of what it printed. */
async function inspector(t) {
  const server = await startEverything(t);
  const target = server.url ? ['--server-url', server.url] : [server.command, ...server.args, '--transport', 'stdio'];
  const home = mkdtempSync(join(tmpdir(), 'mote-'));
  atEnd(t, () => rmSync(home, { recursive: true, force: true }));
  return (...args) => new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', record, entry, '--cli', ...target, '--format', 'json', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: home, MOTE_RECORD_ADD: '1' },
    });
    atEnd(t, () => child.kill('SIGKILL'));
    const text = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (piece) => { text.out += piece; });
    child.stderr.setEncoding('utf8').on('data', (piece) => { text.err += piece; });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, json: text.out && JSON.parse(text.out), text: text.out + text.err }));
  });
}

test('lists tools and resources', { timeout: limitMs }, async (t) => {
  const inspect = await inspector(t);
  for (const [method, key, count] of [['tools/list', 'tools', 51], ['resources/list', 'resources', 5]]) {
    const { code, json, text } = await inspect('--method', method);
    assert.equal(code, 0, text);
    assert.equal(json.result[key].length, count, method);
  }
});

test('calls tools, reads resources, gets prompts', { timeout: limitMs }, async (t) => {
  const inspect = await inspector(t);
  const ask = async (...args) => {
    const { code, json, text } = await inspect(...args);
    assert.equal(code, 0, text);
    return json.result;
  };
  const call = (name, ...args) => ask('--method', 'tools/call', '--tool-name', name, ...args);
  assert.equal((await call('test_tool_with_progress')).content[0].text, 'Tool with progress executed successfully.');
  assert.equal((await call('test_set_enabled', '--tool-arg', 'what=prompt', 'enabled=true')).content[0].text,
    'Switched on.');
  assert.equal((await ask('--method', 'resources/read', '--uri', 'test://large')).contents[0].text.length, 10_000);
  const prompt = await ask('--method', 'prompts/get', '--prompt-name', 'test_prompt_with_arguments',
    '--prompt-args', 'arg1=a', 'arg2=b');
  assert.equal(prompt.messages[0].content.text, "Prompt with arguments: arg1='a', arg2='b'");
});

test('shows the error of a failed tool', { timeout: limitMs }, async (t) => {
  const inspect = await inspector(t);
  const { code, text } = await inspect('--method', 'tools/call', '--tool-name', 'test_error_handling');
  assert.notEqual(code, 0);
  assert.match(text, /intentionally returns an error/);
});
