// SPDX-License-Identifier: Apache-2.0
// mote-attach config: the entry of a board for the configuration file of an MCP host, printed or written.
import { constants, copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync,
  writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { formats, withEntry } from '../lib/config_files.mjs';
import { hostPrefix } from '../lib/rpc.mjs';
import { brokerWords, isFleet, parseTarget, targetUsage } from '../lib/target.mjs';
import { findSerialPort } from '../lib/serial_ports.mjs';

/**
 * `folder` is that of attach.cjs. `find` replaces findSerialPort.
 * @typedef {{write: (text: string) => any}} Output
 * @typedef {{stdout: Output, stderr: Output, env?: NodeJS.ProcessEnv, platform?: string, home?: string, cwd?: string,
 *   folder?: string, find?: (wanted: any) => Promise<{path: string}>}} Context
 * @typedef {(...parts: string[]) => string} Join
 * @typedef {{platform: string, home: string, cwd: string, env: NodeJS.ProcessEnv, join: Join}} Place
 * @typedef {{command: string, args: string[]}} Command
 * @typedef {{title: string, key: string, file: (place: Place) => string, format?: 'json' | 'toml' | 'yaml',
 *   stdio?: (command: Command, name: string) => object, url?: (url: string, name: string) => object}} Host
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

/** @param {string} type */
const typed = (type) => (/** @type {Command} */ command) => ({ type, ...command });

/** opencode reads both names; the file that is there is used. @param {Place} place */
function opencodeFile({ home, env, join }) {
  const folder = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode');
  const other = join(folder, 'opencode.jsonc');
  return existsSync(other) ? other : join(folder, 'opencode.json');
}

/** @param {Place} place */
function gooseFile({ platform, home, env, join }) {
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'Block', 'goose', 'config', 'config.yaml');
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'goose', 'config.yaml');
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
    stdio: typed('stdio'), url: (url) => ({ type: 'http', url }),
  },
  vscode: {
    title: 'VS Code', key: 'servers', file: (place) => place.join(settings(place), 'Code', 'User', 'mcp.json'),
    stdio: typed('stdio'), url: (url) => ({ type: 'http', url }),
  },
  'vscode-folder': {
    title: 'VS Code (this folder)', key: 'servers', file: ({ cwd, join }) => join(cwd, '.vscode', 'mcp.json'),
    stdio: typed('stdio'), url: (url) => ({ type: 'http', url }),
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
  qwen: {
    title: 'Qwen Code', key: 'mcpServers', file: ({ home, join }) => join(home, '.qwen', 'settings.json'),
    url: (url) => ({ httpUrl: url }),
  },
  codex: {
    title: 'Codex', key: 'mcp_servers', format: 'toml',
    file: ({ home, env, join }) => join(env.CODEX_HOME || join(home, '.codex'), 'config.toml'), url: (url) => ({ url }),
  },
  copilot: {
    title: 'GitHub Copilot CLI', key: 'mcpServers',
    file: ({ home, env, join }) => join(env.COPILOT_HOME || join(home, '.copilot'), 'mcp-config.json'),
    stdio: (command) => ({ type: 'local', ...command, tools: ['*'] }), url: (url) => ({ type: 'http', url, tools: ['*'] }),
  },
  opencode: {
    title: 'opencode', key: 'mcp', file: opencodeFile,
    stdio: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    url: (url) => ({ type: 'remote', url, enabled: true }),
  },
  cline: {
    title: 'Cline', key: 'mcpServers',
    file: ({ home, env, join }) => env.CLINE_MCP_SETTINGS_PATH || join(home, '.cline', 'data', 'settings', 'cline_mcp_settings.json'),
    url: (url) => ({ type: 'streamableHttp', url }),
  },
  continue: {
    title: 'Continue (this folder)', key: 'mcpServers', file: ({ cwd, join }) => join(cwd, '.continue', 'mcpServers', 'mote.json'),
    url: (url) => ({ type: 'streamable-http', url }),
  },
  goose: {
    title: 'Goose', key: 'extensions', format: 'yaml', file: gooseFile,
    stdio: ({ command, args }, name) => ({ type: 'stdio', name, enabled: true, cmd: command, args, timeout: 300 }),
    url: (url, name) => ({ type: 'streamable_http', name, enabled: true, uri: url, timeout: 300 }),
  },
  lmstudio: {
    title: 'LM Studio', key: 'mcpServers', file: ({ home, join }) => join(home, '.lmstudio', 'mcp.json'),
    url: (url) => ({ url }),
  },
};

const longestFleetName = hostPrefix - 'mcp____'.length;  // Claude Code puts mcp__NAME__ before a tool

export const usage = `mote-attach config HOST [--write [--replace]] [--name NAME] [--file FILE] [--direct] -- TARGET
  HOST is one of ${Object.keys(hosts).join(', ')}.
  Prints the entry of the board for the configuration file of the host, or adds it to the file (--write). Other entries and
  comments stay. If another entry has the NAME, a number follows it (board-2); with --replace, that entry is replaced. FILE
  replaces the usual file of the host. --direct: the host itself opens the URL of an HTTP board.
  TARGET: ${targetUsage}`;

/** The arguments of a target with absolute file names, and with the name of the port that stays the same.
 * @param {string[]} words @param {string} cwd @param {(wanted: any) => Promise<{path: string}>} find */
export async function stableTarget(words, cwd, find) {
  const target = parseTarget(words);
  const plain = [...(target.plain ? ['--plain'] : []), ...(target.trace ? ['--trace', path.resolve(cwd, target.trace)] : [])];
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
  if (target.kind === 'mdns') return ['mdns', target.host, ...files, ...(target.plaintext ? ['--plaintext'] : []), ...plain];
  return ['http', target.url, ...files, ...plain];
}

export const packageFolder = () => fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');

/**
 * The command of a host that starts attach: a path on this machine. A name for npx may be that of another package, or be free.
 * @param {string[]} target @param {string} folder @returns {Command}
 */
const commandOf = (target, folder) => ({ command: 'node', args: [path.join(folder, 'attach.cjs'), ...target] });

/** @param {Host} host @param {import('../lib/ask.mjs').Target} target @param {string} name */
function directEntry({ title, url }, target, name) {
  if (target.kind !== 'http') throw new Error('--direct needs the target http URL.');
  if (!url) throw new Error(`${title} starts programs only. Leave out --direct.`);
  if (target.tokenFile) throw new Error('--direct would copy the token into the file of the host. Leave out --direct.');
  if (target.ca) throw new Error(`${title} does not read --ca. Leave out --direct.`);
  return url(target.url, name);
}

/** Copies a file to the first free name of a backup. @param {string} file */
function backUp(file) {
  for (let count = 1; ; ++count) {
    const backup = `${file}.backup${count === 1 ? '' : `-${count}`}`;
    try {
      copyFileSync(file, backup, constants.COPYFILE_EXCL);
      return backup;
    } catch (error) {
      if (/** @type {any} */ (error).code !== 'EEXIST') throw error;
    }
  }
}

/**
 * Adds an entry to a file, which always holds the old or the new text. Returns the name of the entry, and that of the copy of the old
 * text. The file is not changed if it has the entry. Errors: a sentence.
 * @param {string} wanted @param {Host} host @param {string} wantedName @param {(name: string) => object} entryOf
 * @param {boolean} [isReplaced] @returns {{name: string, backup?: string, isSame?: boolean}}
 */
export function writeEntry(wanted, { key, format = 'json' }, wantedName, entryOf, isReplaced = false) {
  const file = existsSync(wanted) ? realpathSync(wanted) : wanted;  // a link to the file stays
  const old = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  let found;
  try {
    found = withEntry(old ?? '', formats[format], key, wantedName, entryOf, isReplaced);
  } catch (error) {
    const why = /** @type {Error} */ (error).message;
    throw new Error(`${file} ${why}, so attach does not change it. Add the entry yourself.`, { cause: error });
  }
  const { name, text } = found;
  if (text === undefined) return { name, isSame: true };
  mkdirSync(path.dirname(file), { recursive: true });
  const backup = old === undefined ? undefined : backUp(file);
  const mode = backup ? statSync(file).mode & 0o777 : 0o600;
  const next = `${file}.${process.pid}.new`;
  try {
    writeFileSync(next, text, { mode, flag: 'wx' });
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
  return { name, backup };
}

/** @param {string[]} args */
function readArguments(args) {
  const at = args.indexOf('--');
  if (at < 0) throw new Error('The TARGET comes after --.');
  const options = /** @type {const} */ ({
    write: { type: 'boolean' }, name: { type: 'string', default: 'board' }, file: { type: 'string' },
    direct: { type: 'boolean' }, replace: { type: 'boolean' },
  });
  const { values, positionals } = parseArgs({ args: args.slice(0, at), options, allowPositionals: true });
  const [host, ...more] = positionals;
  if (!Object.hasOwn(hosts, host ?? '') || more.length > 0) {
    throw new Error(`HOST is one of ${Object.keys(hosts).join(', ')}.`);
  }
  if (!/^[\w-]{1,64}$/.test(values.name)) throw new Error('--name must be 1 to 64 letters, digits, - or _.');
  const words = args.slice(at + 1);
  if (isFleet(parseTarget(words)) && values.name.length > longestFleetName) {
    const why = 'hosts put it before the names of tools, which have at most 64';
    throw new Error(`--name of a fleet has at most ${longestFleetName} characters, because ${why}.`);
  }
  return { ...values, host: hosts[host], words };
}

/** The folder of the user. Errors: a sentence. */
function homeFolder() {
  try {
    return homedir();
  } catch (error) {
    throw new Error('The home folder of this user is unknown. Set HOME, or name the file with --file.', { cause: error });
  }
}

/** Returns the exit status: 0, 1 if the file cannot be written, or 2 for wrong arguments.
 * @param {string[]} args @param {Context} context */
export async function run(args, context) {
  const { stdout, stderr, env = process.env, platform = process.platform, cwd = process.cwd() } = context;
  if (args[0] === '--help') return stdout.write(`${usage}\n`), 0;
  let wanted, entryOf, file;
  try {
    wanted = readArguments(args);
    const { host, direct } = wanted;
    const target = await stableTarget(wanted.words, cwd, context.find ?? findSerialPort);
    const command = commandOf(target, context.folder ?? packageFolder());
    entryOf = (/** @type {string} */ name) => {
      if (direct) return directEntry(host, parseTarget(target), name);
      return host.stdio ? host.stdio(command, name) : command;
    };
    entryOf(wanted.name);  // or an error
    const join = platform === 'win32' ? path.win32.join : path.posix.join;
    file = wanted.file ?? host.file({ platform, home: context.home ?? homeFolder(), cwd, env, join });
  } catch (error) {
    stderr.write(`${/** @type {Error} */ (error).message}\n${usage}\n`);
    return 2;
  }
  const { write, host, name } = wanted;
  const { key, title, format = 'json' } = host;
  const printed = formats[format].print(key, name, entryOf(name));
  if (!write) {
    stderr.write(`For ${title}, in ${file}:\n`);
    stdout.write(printed);
    return 0;
  }
  try {
    const found = writeEntry(file, host, name, entryOf, wanted.replace);
    if (found.isSame) return stdout.write(`${title}: ${file} has this board already, as "${found.name}".\n`), 0;
    const old = found.backup ? `; the old file is ${found.backup}` : '';
    stdout.write(`${title}: wrote "${found.name}" to ${file}${old}. Restart the host.\n`);
    return 0;
  } catch (error) {
    stderr.write(`${/** @type {Error} */ (error).message}\n`);
    stdout.write(printed);
    return 1;
  }
}
