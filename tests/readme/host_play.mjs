// SPDX-License-Identifier: Apache-2.0
// Plays the blocks of documents that connect a board to an MCP host (host_blocks.mjs). The command of the block writes the
// entry of the host below a temporary HOME. The program then starts what the entry names, as the host would, makes the call
// of the block, and compares the response. Of the block, it replaces only the device: the serial port of the document by one
// with an emulated board, or the name in the network by the URL of a server on this machine.
//
// usage: node host_play.mjs serial DOCUMENT[,DOCUMENT]... COMMAND ARGUMENT...   the server is on its stdin and stdout
//        node host_play.mjs mdns DOCUMENT[,DOCUMENT]... THERMOMETER_HTTP
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { clientLibrary, nodeFolder, sdkInstalled, within } from '../../examples/client/session.mjs';
import { httpThermometer } from '../../examples/client/thermometer.mjs';
import { SerialPort } from '../attach/boards/serial_port.mjs';
import { environment, limitMs } from '../attach/support.mjs';
import { atEnd } from '../at_end.mjs';
import { blocksOf } from './host_blocks.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const attach = path.join(root, 'toolchains/attach');
const waitMs = 30_000;
const [kind, documents, ...command] = process.argv.slice(2);

function skip(why) {
  console.log(`skipped: ${why}; tests/run installs it`);
  process.exit(77);
}
if (!sdkInstalled) skip(`the official client is not in ${nodeFolder}`);
if (!existsSync(path.join(attach, 'node_modules'))) skip('toolchains/attach has no node_modules');
if (kind === 'serial' && spawnSync('socat', ['-V']).error) skip('there is no socat');
const image = kind === 'mdns' ? command[0] : command.find((word) => path.isAbsolute(word) && !existsSync(word));
assert(!image || existsSync(image), `${image} is not built`);
const library = clientLibrary();

/** The target on this machine that stands for that of the document. */
async function open(t, env, target) {
  if (kind === 'serial') {
    const port = new SerialPort(t, env.XDG_RUNTIME_DIR, async () => command);
    await port.plug();
    return ['serial', port.path];
  }
  const token = 'token-of-the-document';
  const file = path.join(env.HOME, target[target.indexOf('--token-file') + 1]);
  writeFileSync(file, `${token}\n`);
  const server = await httpThermometer(command[0], 21.5, '--token', token);
  atEnd(t, () => server.close());
  return ['http', server.url, '--token-file', file];
}

/** What the file of the host has after the command: the command of the entry. */
async function configure(env, words) {
  const { hosts } = await import('../../toolchains/attach/commands/config.mjs');
  const { formats } = await import('../../toolchains/attach/lib/config_files.mjs');
  execFileSync(path.join(attach, 'attach.cjs'), words, { env, cwd: env.HOME, encoding: 'utf8', timeout: limitMs });
  const { file, key, format = 'json' } = hosts[words[1]];
  const place = { platform: process.platform, home: env.HOME, cwd: env.HOME, env, join: path.join };
  return formats[format].parse(readFileSync(file(place), 'utf8'))[key].board;
}

/** Resolves when the tools of the board are there: attach lists its own ones while the board starts. */
async function listed(client, wanted) {
  for (;;) {
    const changed = new Promise((resolve) => {
      client.setNotificationHandler(library.ToolListChangedNotificationSchema, resolve);
    });
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => name === wanted);
    if (tool) return tool;
    await within(waitMs, `tool ${wanted} of the board`, changed);
  }
}

/** Readings differ from board to board; what a tool does has one response. */
const comparable = (tool, text) => (tool.startsWith('read_') ? text.replace(/\d+/g, '0') : text);

for (const document of documents.split(',')) {
  const blocks = blocksOf(readFileSync(path.join(root, document), 'utf8')).filter(({ target }) => target[0] === kind);
  assert.ok(blocks.length > 0, `${document} has no block with the target ${kind}`);
  for (const { words, target, sentence, tool, values, response } of blocks) {
    test(`${document}: ${sentence}`, { timeout: 2 * limitMs }, async (t) => {
      const env = environment(t);
      const node = path.dirname(process.execPath);
      Object.assign(env, { HOME: path.join(env.XDG_RUNTIME_DIR, 'home'), PATH: `${node}:${process.env.PATH}` });
      delete env.XDG_CONFIG_HOME;
      mkdirSync(env.HOME);
      const entry = await configure(env, [...words, '--', ...await open(t, env, target)]);
      const transport = new library.StdioClientTransport({ ...entry, env, cwd: env.HOME, stderr: 'inherit' });
      const client = new library.Client({ name: 'host', version: '1' });
      atEnd(t, () => client.close());
      await within(waitMs, 'initialize', client.connect(transport));
      await listed(client, tool);
      const result = await client.callTool({ name: tool, arguments: values });
      assert.ok(!result.isError, JSON.stringify(result));
      assert.equal(comparable(tool, result.content[0].text), comparable(tool, response));
    });
  }
}
