// SPDX-License-Identifier: Apache-2.0
// mote-attach config with folders of the test in the place of the user's. usage: node config.test.mjs
import assert from 'node:assert/strict';
import {
  chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { hosts, run } from '../../toolchains/attach/commands/config.mjs';

const usb = ['serial', '--usb', '2e8a:000a:E66'];

/** Runs the command for a user whose home is a new folder. */
function user(t, more = {}) {
  const home = mkdtempSync(join(tmpdir(), 'mote-'));
  atEnd(t, () => rmSync(home, { recursive: true, force: true }));
  const config = async (args, options = {}) => {
    const lines = { out: '', err: '' };
    const status = await run(args, {
      stdout: { write: (text) => { lines.out += text; } }, stderr: { write: (text) => { lines.err += text; } },
      env: {}, platform: 'linux', home, cwd: join(home, 'project'), folder: '/opt/mote/toolchains/attach',
      find: async ({ path }) => ({ path: `/dev/serial/by-id/of-${path.replace('/dev/', '')}` }), ...more, ...options,
    });
    return { status, ...lines };
  };
  return { home, config };
}

const entryOf = (text, key, name = 'board') => JSON.parse(text)[key][name];

test('prints the entry of a checkout, and changes no file', async (t) => {
  const { home, config } = user(t);
  const { status, out, err } = await config(['claude', '--', ...usb]);
  assert.equal(status, 0);
  assert.deepEqual(entryOf(out, 'mcpServers'), {
    command: 'node', args: ['/opt/mote/toolchains/attach/attach.cjs', ...usb],
  });
  assert.equal(err, `For Claude Desktop, in ${home}/.config/Claude/claude_desktop_config.json:\n`);
  assert.deepEqual(readdirSync(home), []);
});

test('prints a path that exists for an installed package, and no name that npx would look for', async (t) => {
  const folder = '/usr/lib/node_modules/mote-attach';
  for (const platform of ['linux', 'win32']) {
    const { config } = user(t, { folder, platform });
    const vscode = entryOf((await config(['vscode', '--', ...usb])).out, 'servers');
    assert.deepEqual(vscode, { type: 'stdio', command: 'node', args: [`${folder}/attach.cjs`, ...usb] });
  }
  const { config } = user(t, { folder: undefined });
  const { args } = entryOf((await config(['cursor', '--', ...usb])).out, 'mcpServers');
  assert.ok(existsSync(args[0]), args[0]);
});

test('knows the file of each host on each system', async (t) => {
  const { config } = user(t);
  const fileOf = async (host, options) => /, in (.*):\n$/.exec((await config([host, '--', ...usb], options)).err)[1];
  const linux = { home: '/home/u', cwd: '/home/u/p' };
  const mac = { home: '/Users/u', platform: 'darwin' };
  const windows = { home: 'C:\\Users\\u', platform: 'win32', env: { APPDATA: 'C:\\Users\\u\\AppData\\Roaming' } };
  const library = '/Users/u/Library/Application Support';
  for (const [host, options, file] of [
    ['claude', linux, '/home/u/.config/Claude/claude_desktop_config.json'],
    ['claude', { ...linux, env: { XDG_CONFIG_HOME: '/x' } }, '/x/Claude/claude_desktop_config.json'],
    ['claude', mac, `${library}/Claude/claude_desktop_config.json`],
    ['claude', windows, 'C:\\Users\\u\\AppData\\Roaming\\Claude\\claude_desktop_config.json'],
    ['claude', { ...windows, env: {} }, 'C:\\Users\\u\\AppData\\Roaming\\Claude\\claude_desktop_config.json'],
    ['claude-code', linux, '/home/u/p/.mcp.json'],
    ['vscode', linux, '/home/u/.config/Code/User/mcp.json'],
    ['vscode', mac, `${library}/Code/User/mcp.json`],
    ['vscode', windows, 'C:\\Users\\u\\AppData\\Roaming\\Code\\User\\mcp.json'],
    ['vscode-folder', linux, '/home/u/p/.vscode/mcp.json'],
    ['cursor', windows, 'C:\\Users\\u\\.cursor\\mcp.json'],
    ['windsurf', mac, '/Users/u/.codeium/windsurf/mcp_config.json'],
    ['zed', linux, '/home/u/.config/zed/settings.json'],
    ['zed', mac, '/Users/u/.config/zed/settings.json'],
    ['zed', windows, 'C:\\Users\\u\\AppData\\Roaming\\Zed\\settings.json'],
    ['gemini', linux, '/home/u/.gemini/settings.json'],
    ['lmstudio', linux, '/home/u/.lmstudio/mcp.json'],
    ['qwen', linux, '/home/u/.qwen/settings.json'],
    ['codex', linux, '/home/u/.codex/config.toml'],
    ['codex', { ...linux, env: { CODEX_HOME: '/x' } }, '/x/config.toml'],
    ['copilot', windows, 'C:\\Users\\u\\.copilot\\mcp-config.json'],
    ['copilot', { ...linux, env: { COPILOT_HOME: '/x' } }, '/x/mcp-config.json'],
    ['opencode', mac, '/Users/u/.config/opencode/opencode.json'],
    ['opencode', { ...linux, env: { XDG_CONFIG_HOME: '/x' } }, '/x/opencode/opencode.json'],
    ['cline', linux, '/home/u/.cline/data/settings/cline_mcp_settings.json'],
    ['cline', { ...linux, env: { CLINE_MCP_SETTINGS_PATH: '/x/y.json' } }, '/x/y.json'],
    ['continue', linux, '/home/u/p/.continue/mcpServers/mote.json'],
    ['goose', mac, '/Users/u/.config/goose/config.yaml'],
    ['goose', windows, 'C:\\Users\\u\\AppData\\Roaming\\Block\\goose\\config\\config.yaml'],
    ['goose', { ...windows, env: {} }, 'C:\\Users\\u\\AppData\\Roaming\\Block\\goose\\config\\config.yaml'],
  ]) assert.equal(await fileOf(host, options), file);
});

test('adds an entry to a file, keeps the others, and copies the old file', async (t) => {
  const { home, config } = user(t);
  const file = join(home, '.cursor', 'mcp.json');
  mkdirSync(join(home, '.cursor'));
  const old = '\ufeff{"theme":"dark","mcpServers":{"other":{"command":"x"}}}';
  writeFileSync(file, old, { mode: 0o640 });
  chmodSync(file, 0o640);
  const { status, out } = await config(['cursor', '--write', '--', ...usb]);
  assert.equal(status, 0);
  assert.equal(out, `Cursor: wrote "board" to ${file}; the old file is ${file}.backup. Restart the host.\n`);
  const { theme, mcpServers } = JSON.parse(readFileSync(file, 'utf8'));
  assert.equal(theme, 'dark');
  assert.deepEqual(Object.keys(mcpServers), ['other', 'board']);
  assert.equal(mcpServers.board.command, 'node');
  assert.equal(readFileSync(`${file}.backup`, 'utf8'), old);
  assert.equal(statSync(file).mode & 0o777, 0o640);
  assert.deepEqual(readdirSync(join(home, '.cursor')).sort(), ['mcp.json', 'mcp.json.backup']);
});

test('makes a file and its folder, and fills an empty file', async (t) => {
  const { home, config } = user(t);
  const file = join(home, '.config', 'Claude', 'claude_desktop_config.json');
  assert.equal((await config(['claude', '--write', '--', ...usb])).status, 0);
  assert.equal(entryOf(readFileSync(file, 'utf8'), 'mcpServers').command, 'node');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const other = join(home, 'other.json');
  writeFileSync(other, '\n');
  assert.equal((await config(['zed', '--write', '--file', other, '--name', 'pico', '--', ...usb])).status, 0);
  assert.equal(entryOf(readFileSync(other, 'utf8'), 'context_servers', 'pico').command, 'node');
});

test('writes through a link', async (t) => {
  const { home, config } = user(t);
  const [real, file] = [join(home, 'real.json'), join(home, 'link.json')];
  writeFileSync(real, '{}');
  symlinkSync(real, file);
  assert.equal((await config(['claude', '--write', '--file', file, '--', ...usb])).status, 0);
  assert.equal(entryOf(readFileSync(real, 'utf8'), 'mcpServers').command, 'node');
});

test('gives a second board another name, and each old file a backup of its own', async (t) => {
  const { home, config } = user(t);
  const file = join(home, 'mcp.json');
  const write = (...target) => config(['cursor', '--write', '--file', file, '--', ...target]);
  for (const port of ['a', 'b', 'c']) assert.equal((await write('serial', port)).status, 0);
  const { mcpServers } = JSON.parse(readFileSync(file, 'utf8'));
  assert.deepEqual(Object.values(mcpServers).map(({ args }) => args.at(-1)), ['a', 'b', 'c'].map((port) => `/dev/serial/by-id/of-${port}`));
  assert.deepEqual(Object.keys(mcpServers), ['board', 'board-2', 'board-3']);
  const before = ['backup', 'backup-2'].map((end) => Object.keys(JSON.parse(readFileSync(`${file}.${end}`, 'utf8')).mcpServers).length);
  assert.deepEqual(before, [1, 2]);
  // The board that is there gets no second entry.
  const again = await write('serial', 'b');
  assert.equal(again.out, `Cursor: ${file} has this board already, as "board-2".\n`);
  const replaced = await config(['cursor', '--write', '--replace', '--name', 'board-2', '--file', file, '--', 'mdns', 'pico']);
  assert.match(replaced.out, /wrote "board-2" to .*; the old file is .*backup-3\./);
  const after = JSON.parse(readFileSync(file, 'utf8')).mcpServers;
  assert.deepEqual([Object.keys(after), after['board-2'].args.slice(1)], [['board', 'board-2', 'board-3'], ['mdns', 'pico']]);
});

test('changes no file that is not JSON, or that holds no object', async (t) => {
  const { home, config } = user(t);
  const file = join(home, 'settings.json');
  for (const [text, expected] of [
    ['{"a":', /is not valid JSON, so attach does not change it\. Add the entry/],
    ['[]', /does not hold an object with the object "context_servers"/],
    ['{"context_servers":[]}', /does not hold an object with the object "context_servers"/],
  ]) {
    writeFileSync(file, text);
    const { status, out, err } = await config(['zed', '--write', '--file', file, '--', ...usb]);
    assert.equal(status, 1);
    assert.match(err, expected);
    assert.equal(entryOf(out, 'context_servers').command, 'node');  // for the user to add
    assert.equal(readFileSync(file, 'utf8'), text);
    assert.ok(!existsSync(`${file}.backup`));
  }
});

test('reports a folder that cannot be made', async (t) => {
  const { home, config } = user(t);
  writeFileSync(join(home, 'plain'), '');
  const { status, err } = await config(['zed', '--write', '--file', join(home, 'plain', 'x.json'), '--', ...usb]);
  assert.equal(status, 1);
  assert.match(err, /ENOTDIR|EEXIST/);
});

test('gives the entry names that stay the same', async (t) => {
  const { home, config } = user(t);
  const argsOf = async (...target) => {
    const { out } = await config(['cursor', '--', ...target]);
    return entryOf(out, 'mcpServers').args.slice(1);
  };
  assert.deepEqual(await argsOf('serial', '/dev/ttyACM0'), ['serial', '/dev/serial/by-id/of-ttyACM0']);
  assert.deepEqual(await argsOf('serial', '--usb', '1:2', '--baud', '9600', '--plain'),
    ['serial', '--usb', '1:2', '--baud', '9600', '--plain']);
  assert.deepEqual(await argsOf('http', 'https://b.local/mcp', '--token-file', 'token', '--ca', '/etc/ca.pem'), [
    'http', 'https://b.local/mcp', '--token-file', `${home}/project/token`, '--ca', '/etc/ca.pem',
  ]);
  assert.deepEqual(await argsOf('mdns', 'Boiler'), ['mdns', 'Boiler']);
  assert.deepEqual(await argsOf('mdns', 'Boiler', '--plaintext', '--token-file', '/t'),
    ['mdns', 'Boiler', '--token-file', '/t', '--plaintext']);
  assert.deepEqual(await argsOf('exec', 'prog', '--plain'), ['exec', 'prog', '--plain']);
  const missing = await config(['cursor', '--', 'serial', '/dev/ttyUSB9'], {
    find: async () => Promise.reject(new Error('There is no serial port.')),
  });
  assert.deepEqual(entryOf(missing.out, 'mcpServers').args.slice(1), ['serial', '/dev/ttyUSB9']);
});

test('gives an HTTP board to the host itself with --direct', async (t) => {
  const { config } = user(t);
  const url = 'http://192.0.2.7/mcp';
  const expected = {
    'claude-code': { type: 'http', url }, vscode: { type: 'http', url }, 'vscode-folder': { type: 'http', url },
    cursor: { url }, windsurf: { serverUrl: url }, zed: { url }, gemini: { httpUrl: url }, lmstudio: { url },
    qwen: { httpUrl: url }, copilot: { type: 'http', url, tools: ['*'] }, opencode: { type: 'remote', url, enabled: true },
    cline: { type: 'streamableHttp', url }, continue: { type: 'streamable-http', url },
  };
  for (const [host, { key, format = 'json' }] of Object.entries(hosts)) {
    if (format !== 'json') continue;  // see config_files.test.mjs
    const { status, out, err } = await config([host, '--direct', '--', 'http', url]);
    if (expected[host]) assert.deepEqual(entryOf(out, key), expected[host]);
    else assert.match(err, /^Claude Desktop starts programs only/), assert.equal(status, 2);
  }
  for (const [target, sentence] of [
    [['http', url, '--token-file', 't'], /would copy the token/], [['http', url, '--ca', 'c'], /does not read --ca/],
    [usb, /needs the target http URL/],
  ]) {
    const { status, err } = await config(['cursor', '--direct', '--', ...target]);
    assert.equal(status, 2);
    assert.match(err, sentence);
  }
});

test('refuses wrong arguments with the usage', async (t) => {
  const { config } = user(t);
  for (const [args, sentence] of [
    [['claude'], /TARGET comes after --/], [['emacs', '--', ...usb], /^HOST is one of claude, /],
    [['toString', '--', ...usb], /^HOST is one of/], [['claude', 'x', '--', ...usb], /^HOST is one of/],
    [['claude', '--name', 'a b', '--', ...usb], /--name must be/], [['claude', '--', 'usb'], /A TARGET is: serial/],
    [['claude', '--no', '--', ...usb], /--no/], [['claude', '--', 'serial', 'a', 'b'], /Unexpected argument b/],
    [['claude', '--', 'serial', 'a', '--usb', 'b'], /PORT or --usb, not both/],
    [['claude', '--', 'serial', '--baud', '1200'], /boot loader/],
    [['claude', '--', 'serial', '--baud', 'x'], /--baud must be/],
    [['claude', '--', 'http', 'board'], /needs a URL/], [['claude', '--', 'mdns'], /needs the NAME/],
    [['claude', '--', 'exec'], /needs a command/],
    [['claude', '--name', 'a-long-name-14', '--', 'mqtt', 'mqtt://broker/#'], /--name of a fleet has at most 13 characters/],
  ]) {
    const { status, err } = await config(args);
    assert.equal(status, 2);
    assert.match(err, sentence);
    assert.match(err, /mote-attach config HOST/);
  }
  assert.match((await config(['--help'])).out, /^mote-attach config HOST/);
});

test('says what to do for a user without a home folder', async (t) => {
  const { home, config } = user(t);
  t.mock.method(os, 'homedir', () => { throw new Error('uv_os_homedir returned ENOENT'); });
  syncBuiltinESMExports();
  atEnd(t, () => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  const { status, err } = await config(['claude', '--', ...usb], { home: undefined });
  assert.equal(status, 2);
  assert.match(err, /^The home folder of this user is unknown\. Set HOME, or name the file with --file\.\n/);
  const named = await config(['claude', '--file', join(home, 'x.json'), '--', ...usb], { home: undefined });
  assert.equal(named.status, 0, named.err);
});
