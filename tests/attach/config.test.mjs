// SPDX-License-Identifier: Apache-2.0
// mote-attach config with folders of the test in the place of the user's. usage: node config.test.mjs
import assert from 'node:assert/strict';
import {
  chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { hosts, run } from '../../toolchains/attach/commands/config.mjs';

const usb = ['serial', '--usb', '2e8a:000a:E66'];

/** Runs the command for a user whose home is a new folder. */
function user(t, more = {}) {
  const home = mkdtempSync(join(tmpdir(), 'mote-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const config = async (args, options = {}) => {
    const lines = { out: '', err: '' };
    const status = await run(args, {
      stdout: { write: (text) => { lines.out += text; } }, stderr: { write: (text) => { lines.err += text; } },
      env: {}, platform: 'linux', home, cwd: join(home, 'project'), folder: '/opt/mote/toolchains/attach',
      find: async ({ path }) => ({ path: `/dev/serial/by-id/of-${path.slice(5)}` }), ...more, ...options,
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
    command: 'node', args: ['/opt/mote/toolchains/attach/attach.mjs', ...usb],
  });
  assert.equal(err, `For Claude Desktop, in ${home}/.config/Claude/claude_desktop_config.json:\n`);
  assert.deepEqual(readdirSync(home), []);
});

test('prints the entry of the installed package, on Windows through cmd', async (t) => {
  const folder = '/usr/lib/node_modules/mote-attach';
  const { config } = user(t, { folder, version: '0.1.0' });
  const vscode = entryOf((await config(['vscode', '--', ...usb])).out, 'servers');
  assert.deepEqual(vscode, { type: 'stdio', command: 'npx', args: ['-y', 'mote-attach@0.1.0', ...usb] });
  const { out } = await config(['claude', '--name', 'pico', '--', ...usb], { platform: 'win32' });
  const windows = entryOf(out, 'mcpServers', 'pico');
  assert.deepEqual(windows, { command: 'cmd', args: ['/c', 'npx', '-y', 'mote-attach@0.1.0', ...usb] });
});

test('reads the version of the package', async (t) => {
  const { home, config } = user(t);
  const folder = join(home, 'node_modules', 'mote-attach');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"version":"1.2.3"}');
  const { out } = await config(['cursor', '--', ...usb], { folder });
  assert.equal(entryOf(out, 'mcpServers').args[1], 'mote-attach@1.2.3');
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
  ]) assert.equal(await fileOf(host, options), file);
});

test('adds an entry to a file, keeps the others, and copies the old file', async (t) => {
  const { home, config } = user(t);
  const file = join(home, '.cursor', 'mcp.json');
  mkdirSync(join(home, '.cursor'));
  const old = '\ufeff{"theme":"dark","mcpServers":{"other":{"command":"x"},"board":{"command":"old"}}}';
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

test('changes no file with comments, that is not JSON, or that holds no object', async (t) => {
  const { home, config } = user(t);
  const file = join(home, 'settings.json');
  for (const [text, expected] of [
    ['{\n  // mine\n  "a": 1\n}', /has comments or is not JSON, so attach does not change it\. Add the entry/],
    ['{"a":1,}', /has comments or is not JSON/],
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
  };
  for (const [host, { key }] of Object.entries(hosts)) {
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
  ]) {
    const { status, err } = await config(args);
    assert.equal(status, 2);
    assert.match(err, sentence);
    assert.match(err, /mote-attach config HOST/);
  }
  assert.match((await config(['--help'])).out, /^mote-attach config HOST/);
});
