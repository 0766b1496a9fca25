// SPDX-License-Identifier: Apache-2.0
// mote-attach config: the entry of a board for the configuration file of an MCP host, printed or written.
import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync,
  writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { brokerWords, parseTarget, targetUsage } from '../lib/target.mjs';
import { findSerialPort } from '../lib/serial_ports.mjs';

/**
 * `folder` is that of attach.mjs. `find` replaces findSerialPort.
 * @typedef {{write: (text: string) => any}} Output
 * @typedef {{stdout: Output, stderr: Output, env?: NodeJS.ProcessEnv, platform?: string, home?: string, cwd?: string,
 *   folder?: string, version?: string, find?: (wanted: any) => Promise<{path: string}>}} Context
 * @typedef {(...parts: string[]) => string} Join
 * @typedef {{platform: string, home: string, cwd: string, env: NodeJS.ProcessEnv, join: Join}} Place
 * @typedef {{title: string, key: string, file: (place: Place) => string, stdio?: object,
 *   url?: (url: string) => object}} Host
 */

/** The folder in which applications keep their settings. @param {Place} place */
function settings({ platform, home, env, join }) {
  if (platform === 'win32') return env.APPDATA ?? join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME || join(home, '.config');
}

/** Zed keeps its settings in ~/.config on macOS, too. @param {Place} place */
function zedFolder(place) {
  if (place.platform === 'darwin') return place.join(place.home, '.config', 'zed');
  return place.join(settings(place), place.platform === 'win32' ? 'Zed' : 'zed');
}

/** The hosts: their file, the member that holds the entries, and how an entry for an HTTP board looks.
 * @type {Record<string, Host>} */
export const hosts = {
  claude: {
    title: 'Claude Desktop', key: 'mcpServers',
    file: (place) => place.join(settings(place), 'Claude', 'claude_desktop_config.json'),
  },
  'claude-code': {
    title: 'Claude Code (this folder)', key: 'mcpServers', file: ({ cwd, join }) => join(cwd, '.mcp.json'),
    stdio: { type: 'stdio' }, url: (url) => ({ type: 'http', url }),
  },
  vscode: {
    title: 'VS Code', key: 'servers', file: (place) => place.join(settings(place), 'Code', 'User', 'mcp.json'),
    stdio: { type: 'stdio' }, url: (url) => ({ type: 'http', url }),
  },
  'vscode-folder': {
    title: 'VS Code (this folder)', key: 'servers', file: ({ cwd, join }) => join(cwd, '.vscode', 'mcp.json'),
    stdio: { type: 'stdio' }, url: (url) => ({ type: 'http', url }),
  },
  cursor: {
    title: 'Cursor', key: 'mcpServers', file: ({ home, join }) => join(home, '.cursor', 'mcp.json'),
    url: (url) => ({ url }),
  },
  windsurf: {
    title: 'Windsurf', key: 'mcpServers',
    file: ({ home, join }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'), url: (url) => ({ serverUrl: url }),
  },
  zed: {
    title: 'Zed', key: 'context_servers', file: (place) => place.join(zedFolder(place), 'settings.json'),
    url: (url) => ({ url }),
  },
  gemini: {
    title: 'Gemini CLI', key: 'mcpServers', file: ({ home, join }) => join(home, '.gemini', 'settings.json'),
    url: (url) => ({ httpUrl: url }),
  },
  lmstudio: {
    title: 'LM Studio', key: 'mcpServers', file: ({ home, join }) => join(home, '.lmstudio', 'mcp.json'),
    url: (url) => ({ url }),
  },
};

export const usage = `mote-attach config HOST [--write] [--name NAME] [--file FILE] [--direct] -- TARGET
  HOST is one of ${Object.keys(hosts).join(', ')}.
  Prints the entry of the board for the configuration file of the host, or adds it to the file (--write). Other entries
  stay. FILE replaces the usual file of the host. --direct: the host itself opens the URL of an HTTP board.
  TARGET: ${targetUsage}`;

/** The arguments of a target with absolute file names, and with the name of the port that stays the same.
 * @param {string[]} words @param {string} cwd @param {(wanted: any) => Promise<{path: string}>} find */
export async function stableTarget(words, cwd, find) {
  const target = parseTarget(words);
  const plain = words.includes('--plain') && (target.kind !== 'exec' || words[1] === '--plain') ? ['--plain'] : [];
  if (target.kind === 'exec') return ['exec', ...plain, target.command, ...target.args];
  if (target.kind === 'serial') {
    const port = target.path ? [await find(target).then((found) => found.path, () => target.path ?? '')] : [];
    const usb = target.usb ? ['--usb', target.usb] : [];
    return ['serial', ...port, ...usb, ...(target.baud === 115200 ? [] : ['--baud', String(target.baud)]), ...plain];
  }
  if (target.kind === 'mqtt') {
    const id = target.id ? ['--id', target.id] : [];
    return ['mqtt', target.url, ...id, ...brokerWords(target, (file) => path.resolve(cwd, file)), ...plain];
  }
  const files = [];
  for (const [option, file] of [['--token-file', target.tokenFile], ['--ca', target.ca]]) {
    if (file) files.push(/** @type {string} */ (option), path.resolve(cwd, file));
  }
  return [target.kind, target.kind === 'mdns' ? target.host : target.url, ...files, ...plain];
}

/** The version in package.json. @param {string} folder */
export const versionOf = (folder) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).version;

export const packageFolder = () => fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');

/** The command of a host that starts attach: npx for the installed package, node for a checkout.
 * @param {string[]} target @param {string} folder @param {string} platform @param {string} [version] */
function commandOf(target, folder, platform, version) {
  const isInstalled = /[\\/]node_modules[\\/]/.test(folder);
  if (!isInstalled) return { command: 'node', args: [path.join(folder, 'attach.mjs'), ...target] };
  const args = ['-y', `mote-attach@${version ?? versionOf(folder)}`, ...target];
  // On Windows, npx is a script, which most hosts cannot start themselves.
  return platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', ...args] } : { command: 'npx', args };
}

/** @param {Host} host @param {import('../lib/ask.mjs').Target} target */
function directEntry({ title, url }, target) {
  if (target.kind !== 'http') throw new Error('--direct needs the target http URL.');
  if (!url) throw new Error(`${title} starts programs only. Leave out --direct.`);
  if (target.tokenFile) throw new Error('--direct would copy the token into the file of the host. Leave out --direct.');
  if (target.ca) throw new Error(`${title} does not read --ca. Leave out --direct.`);
  return url(target.url);
}

/** @param {unknown} value */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object in a configuration file. @param {string} file @param {string} key @returns {any} */
function readObject(file, key) {
  const text = existsSync(file) ? readFileSync(file, 'utf8').replace(/^\ufeff/, '') : '';
  if (text.trim() === '') return {};
  let object;
  try {
    object = JSON.parse(text);
  } catch {
    throw new Error(`${file} has comments or is not JSON, so attach does not change it. Add the entry yourself.`);
  }
  if (!isObject(object) || (object[key] !== undefined && !isObject(object[key]))) {
    throw new Error(`${file} does not hold an object with the object "${key}", so attach does not change it.`);
  }
  return object;
}

/** Adds an entry to a file, which always holds the old or the new text. Returns the name of the copy of the old text.
 * @param {string} wanted @param {string} key @param {string} name @param {object} entry */
export function writeEntry(wanted, key, name, entry) {
  const file = existsSync(wanted) ? realpathSync(wanted) : wanted;  // a link to the file stays
  const object = readObject(file, key);
  object[key] = { ...object[key], [name]: entry };
  mkdirSync(path.dirname(file), { recursive: true });
  const backup = existsSync(file) ? `${file}.backup` : undefined;
  if (backup) copyFileSync(file, backup);
  const mode = backup ? statSync(file).mode & 0o777 : 0o600;
  const next = `${file}.${process.pid}.new`;
  try {
    writeFileSync(next, `${JSON.stringify(object, null, 2)}\n`, { mode, flag: 'wx' });
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
  return backup;
}

/** @param {string[]} args */
function readArguments(args) {
  const at = args.indexOf('--');
  if (at < 0) throw new Error('The TARGET comes after --.');
  const options = /** @type {const} */ ({
    write: { type: 'boolean' }, name: { type: 'string', default: 'board' }, file: { type: 'string' },
    direct: { type: 'boolean' },
  });
  const { values, positionals } = parseArgs({ args: args.slice(0, at), options, allowPositionals: true });
  const [host, ...more] = positionals;
  if (!Object.hasOwn(hosts, host ?? '') || more.length > 0) {
    throw new Error(`HOST is one of ${Object.keys(hosts).join(', ')}.`);
  }
  if (!/^[\w-]{1,64}$/.test(values.name)) throw new Error('--name must be 1 to 64 letters, digits, - or _.');
  return { ...values, host: hosts[host], words: args.slice(at + 1) };
}

/** Returns the exit status: 0, 1 if the file cannot be written, or 2 for wrong arguments.
 * @param {string[]} args @param {Context} context */
export async function run(args, context) {
  const { stdout, stderr, env = process.env, platform = process.platform, cwd = process.cwd() } = context;
  const home = context.home ?? homedir();
  if (args[0] === '--help') return stdout.write(`${usage}\n`), 0;
  let wanted, entry, file;
  try {
    wanted = readArguments(args);
    const target = await stableTarget(wanted.words, cwd, context.find ?? findSerialPort);
    const folder = context.folder ?? packageFolder();
    entry = wanted.direct ? directEntry(wanted.host, parseTarget(target))
      : { ...wanted.host.stdio, ...commandOf(target, folder, platform, context.version) };
    const join = platform === 'win32' ? path.win32.join : path.posix.join;
    file = wanted.file ?? wanted.host.file({ platform, home, cwd, env, join });
  } catch (error) {
    stderr.write(`${/** @type {Error} */ (error).message}\n${usage}\n`);
    return 2;
  }
  const { write, host: { key, title }, name } = wanted;
  if (!write) {
    stderr.write(`For ${title}, in ${file}:\n`);
    stdout.write(`${JSON.stringify({ [key]: { [name]: entry } }, null, 2)}\n`);
    return 0;
  }
  try {
    const backup = writeEntry(file, key, name, entry);
    const old = backup ? `; the old file is ${backup}` : '';
    stdout.write(`${title}: wrote "${name}" to ${file}${old}. Restart the host.\n`);
    return 0;
  } catch (error) {
    stderr.write(`${/** @type {Error} */ (error).message}\n`);
    stdout.write(`${JSON.stringify({ [key]: { [name]: entry } }, null, 2)}\n`);
    return 1;
  }
}
