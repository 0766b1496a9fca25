// SPDX-License-Identifier: Apache-2.0
// The configuration files of hosts, changed in place. usage: node config_files.test.mjs
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { hosts, run } from '../../toolchains/attach/commands/config.mjs';
import { formats, withEntry } from '../../toolchains/attach/lib/config_files.mjs';

const entry = { command: 'node', args: ['/x/attach.cjs', 'serial', '--usb', '2e8a:000a'] };
const add = (text, kind, key = 'mcp', name = 'board', more = false) => withEntry(text, formats[kind], key, name, () => entry, more);

test('adds to JSON with comments, and keeps all other characters', () => {
  const before = '{\n    // mine\n    "theme": "dark", /* and */\n    "mcp": {\n        "other": { "command": "x" }, // last\n    },\n}\n';
  const { text, name } = add(before, 'json');
  assert.equal(name, 'board');
  assert.deepEqual(formats.json.parse(text).mcp, { other: { command: 'x' }, board: entry });
  for (const line of before.split('\n').slice(0, 4)) assert.ok(text.includes(line), line);
  assert.match(text, /\/\/ last/);
  assert.match(text, /\n {8}"board": \{\n {12}"command"/);
});

test('keeps tabs and line ends, and takes a byte order mark away', () => {
  const { text } = add('\ufeff{\r\n\t"a": 1\r\n}\r\n', 'json');
  assert.ok(text.startsWith('{\r\n\t"a": 1,\r\n\t"mcp": {\r\n\t\t"board": {'), JSON.stringify(text));
  assert.ok(!/[^\r]\n/.test(text));
});

test('adds to TOML after what is there', () => {
  const before = '# mine\nmodel = "m"  # this one\nsize = 9007199254740993\n\n[mcp_servers.other]\ncommand = "x"\nargs = [\n  "[mcp_servers.board]",\n]\n';
  const { text } = add(before, 'toml', 'mcp_servers');
  assert.ok(text.startsWith(before));
  assert.deepEqual(formats.toml.parse(text).mcp_servers.board, entry);
  const second = withEntry(text, formats.toml, 'mcp_servers', 'board', () => ({ command: 'y' }));
  assert.equal(second.name, 'board-2');
  assert.ok(second.text.startsWith(text.trimEnd()));
});

test('replaces a table of TOML, and nothing that looks like one', () => {
  const before = '[mcp_servers.board]\ncommand = "old"\n[mcp_servers.board.env]\nA = "1"\n\n[mcp_servers.after]  # kept\ncommand = "z"\n';
  const { text } = add(before, 'toml', 'mcp_servers', 'board', true);
  assert.deepEqual(formats.toml.parse(text).mcp_servers, { after: { command: 'z' }, board: entry });
  assert.match(text, /\[mcp_servers\.after\] {2}# kept/);
  const odd = '[mcp_servers.other]\ntext = """\n[mcp_servers.board]\n"""\n[mcp_servers.board]\ncommand = "old"\n';
  assert.throws(() => add(odd, 'toml', 'mcp_servers', 'board', true), /has a form in which attach cannot add/);
  assert.throws(() => add('mcp_servers = { board = { command = "old" } }\n', 'toml', 'mcp_servers', 'other'), /cannot add/);
});

test('adds to YAML and keeps comments', () => {
  const before = '# mine\nGOOSE_MODEL: m # this one\nextensions:\n  developer:\n    enabled: true # on\n';
  const { text } = add(before, 'yaml', 'extensions');
  assert.ok(text.startsWith(before), text);
  assert.deepEqual(formats.yaml.parse(text).extensions, { developer: { enabled: true }, board: entry });
});

test('fills an empty file of each format', () => {
  for (const kind of Object.keys(formats)) {
    const { text } = add('\n', kind);
    assert.deepEqual(JSON.parse(JSON.stringify(formats[kind].parse(text))), { mcp: { board: entry } });
    assert.equal(add(text, kind).text, undefined);
    assert.deepEqual(formats[kind].parse(formats[kind].print('mcp', 'board', entry)).mcp.board, entry);
  }
});

test('changes no text that it cannot read', () => {
  for (const [kind, text] of [['json', '{"a" 1}'], ['toml', 'a = '], ['yaml', 'a: [1\nb: }']]) {
    assert.throws(() => add(text, kind), new RegExp(`is not valid ${kind.toUpperCase()}`));
  }
  for (const [kind, text] of [['json', '5'], ['toml', 'mcp = 5'], ['yaml', '- 1'], ['yaml', 'mcp: x']]) {
    assert.throws(() => add(text, kind), /does not hold an object/);
  }
});

test('writes the entry that each host reads', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'mote-'));
  atEnd(t, () => rmSync(home, { recursive: true, force: true }));
  const words = ['/opt/attach.cjs', 'mdns', 'pico'];
  const command = { command: 'node', args: words };
  const expected = {
    codex: command, copilot: { type: 'local', ...command, tools: ['*'] }, cline: command, continue: command, qwen: command,
    opencode: { type: 'local', command: ['node', ...words], enabled: true },
    goose: { type: 'stdio', name: 'board', enabled: true, cmd: 'node', args: words, timeout: 300 },
  };
  const url = 'http://192.0.2.7/mcp';
  const direct = { codex: { url }, goose: { type: 'streamable_http', name: 'board', enabled: true, uri: url, timeout: 300 } };
  const config = async (args) => {
    const lines = { out: '', err: '' };
    const status = await run(args, { stdout: { write: (text) => { lines.out += text; } }, stderr: { write: (text) => { lines.err += text; } },
      env: {}, platform: 'linux', home, cwd: home, folder: '/opt' });
    assert.equal(status, 0, lines.err);
    return lines;
  };
  for (const [name, wanted] of Object.entries(expected)) {
    const { key, format = 'json' } = hosts[name];
    const { out } = await config([name, '--write', '--', 'mdns', 'pico']);
    const [, file] = /wrote "board" to (\S+)\. Restart/.exec(out);
    assert.deepEqual(formats[format].parse(readFileSync(file, 'utf8'))[key].board, wanted, name);
    const printed = formats[format].parse((await config([name, '--', 'mdns', 'pico'])).out);
    assert.deepEqual(printed[key].board, wanted, name);
    if (direct[name]) {
      const { out: text } = await config([name, '--direct', '--', 'http', url]);
      assert.deepEqual(formats[format].parse(text)[key].board, direct[name]);
    }
  }
  // A second entry of Goose has its own name in it.
  await config(['goose', '--write', '--', 'mdns', 'other']);
  assert.equal(formats.yaml.parse(readFileSync(join(home, '.config/goose/config.yaml'), 'utf8')).extensions['board-2'].name, 'board-2');
});

test('uses the file of opencode that is there', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'mote-'));
  atEnd(t, () => rmSync(home, { recursive: true, force: true }));
  const file = join(home, '.config', 'opencode', 'opencode.jsonc');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '{ /* mine */ }');
  let out = '';
  await run(['opencode', '--write', '--', 'mdns', 'pico'],
    { stdout: { write: (text) => { out += text; } }, stderr: { write() {} }, env: {}, platform: 'linux', home, cwd: home, folder: '/opt' });
  assert.match(out, /opencode\.jsonc; the old file is/);
  assert.match(readFileSync(file, 'utf8'), /\/\* mine \*\//);
});
