// SPDX-License-Identifier: Apache-2.0
// mote-attach bundle: an .mcpb, which a host installs with one click. It is a ZIP of a manifest, this package and the
// packages that it needs.
import { existsSync, readFileSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { deflateRawSync } from 'node:zlib';
import { Conversation, openTarget } from '../lib/ask.mjs';
import { cut } from '../lib/rpc.mjs';
import { isFleet, parseTarget, targetUsage } from '../lib/target.mjs';
import { findSerialPort } from '../lib/serial_ports.mjs';
import { packageFolder, stableTarget } from './config.mjs';

/**
 * `folder` is that of attach.cjs. `find` replaces findSerialPort.
 * @typedef {{write: (text: string) => any}} Output
 * @typedef {{stdout: Output, stderr: Output, env?: NodeJS.ProcessEnv, folder?: string, cwd?: string,
 *   find?: (wanted: any) => Promise<{path: string}>, openers?: import('../lib/ask.mjs').Openers, ms?: number}} Context
 * @typedef {{name: string, data: Buffer}} Entry
 */

export const usage = `mote-attach bundle OUT.mcpb [--name NAME] [--description TEXT] -- TARGET
  Makes a bundle that adds the board to a host with one click. The host shows NAME and TEXT; without TEXT, what the board says
  of itself. The host asks its user for the files that TARGET names, because the bundle contains no secret.
  TARGET: ${targetUsage}`;

// ---- ZIP ------------------------------------------------------------------------------------------------------------

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; ++bit) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  return value >>> 0;
});

/** @param {Buffer} data */
function crc32(data) {
  let value = 0xffffffff;
  for (const byte of data) value = (value >>> 8) ^ crcTable[(value ^ byte) & 0xff];
  return (value ^ 0xffffffff) >>> 0;
}

/** Little-endian numbers: [value, bytes]. @param {[number, 2 | 4][]} fields */
function pack(fields) {
  return Buffer.concat(fields.map(([value, size]) => {
    const bytes = Buffer.alloc(size);
    bytes.writeUIntLE(value, 0, size);
    return bytes;
  }));
}

/** A ZIP that depends only on the names and the data: sorted, without times and users. @param {Entry[]} entries */
export function zip(entries) {
  const sorted = [...entries].sort((one, other) => (one.name < other.name ? -1 : 1));
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { name, data } of sorted) {
    const nameBytes = Buffer.from(name);
    const packed = deflateRawSync(data, { level: 9 });
    /** @type {[number, 2 | 4][]} version, UTF-8 names, deflate, 1980-01-01 0:00, CRC, sizes, name size, extra size */
    const common = [[20, 2], [0x0800, 2], [8, 2], [0, 2], [0x21, 2], [crc32(data), 4], [packed.length, 4],
      [data.length, 4], [nameBytes.length, 2], [0, 2]];
    const local = Buffer.concat([pack([[0x04034b50, 4], ...common]), nameBytes, packed]);
    // Made on Unix; no comment, disk 0, binary, a file with mode 0644.
    const end = pack([[0, 2], [0, 2], [0, 2], [0o100644 * 0x10000, 4], [offset, 4]]);
    directory.push(pack([[0x02014b50, 4], [0x0314, 2], ...common]), end, nameBytes);
    parts.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const count = sorted.length;
  const tail = pack([[0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [index.length, 4], [offset, 4], [0, 2]]);
  return Buffer.concat([...parts, index, tail]);
}

// ---- Files ----------------------------------------------------------------------------------------------------------

const isLicense = /(^|\/)(licen[sc]e|copying|notice)[^/]*$/i;
/** Files that no program reads: types, sources of native code, documents; and binaries for a system without hosts. */
const isUnused = /\.(d\.[cm]?ts|map|md|markdown|cc|cpp|h|gypi?|tsbuildinfo)$|(^|\/)prebuilds\/android-|(^|\/)\./;

/** @param {string} folder @returns {string[]} the files below it, with / */
function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((item) => {
    if (item.isDirectory()) return filesBelow(path.join(folder, item.name)).map((name) => `${item.name}/${name}`);
    return item.isFile() ? [item.name] : [];
  });
}

/** @param {string} folder @param {string} prefix @returns {Entry[]} */
function entriesBelow(folder, prefix) {
  return filesBelow(folder).filter((name) => isLicense.test(name) || !isUnused.test(name))
    .map((name) => ({ name: `${prefix}/${name}`, data: readFileSync(path.join(folder, name)) }));
}

/** @param {string} folder */
const readPackage = (folder) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/** The folder of a package, as Node.js finds it. @param {string} name @param {string} from */
function resolvePackage(name, from) {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const found = path.join(folder, 'node_modules', name);
    if (existsSync(path.join(found, 'package.json'))) return realpathSync(found);
    if (path.dirname(folder) === folder) throw new Error(`The package ${name} is not installed: run npm install.`);
  }
}

/** The packages that a package needs, by name. @param {string} folder @returns {Map<string, string>} */
function packagesOf(folder) {
  /** @type {Map<string, string>} */
  const packages = new Map();
  const seen = new Set([folder]);
  for (const from of seen) {
    for (const name of Object.keys(readPackage(from).dependencies ?? {})) {
      const found = resolvePackage(name, from);
      seen.add(found);  // the loop comes to it, too
      // A package inside of another one comes with it.
      if ([...packages.values()].some((outer) => found.startsWith(`${outer}${path.sep}`))) continue;
      const known = packages.get(name) ?? found;
      if (known !== found) throw new Error(`There are two versions of ${name}: run npm dedupe.`);
      packages.set(name, found);
    }
  }
  return packages;
}

/** Packages of the command `config`, which no host starts. */
const ofConfig = new Set(['jsonc-parser', 'smol-toml', 'yaml']);

/** The sources of a file that build.mjs made, with their sizes. @param {string} file @returns {Record<string, number>} */
const sourcesOf = (file) => JSON.parse(/^ {2}const sources = (\{.*\});$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '{}');

/**
 * Whether attach would start these files of build.mjs: all are there, and in a checkout they are of its sources.
 * @param {string} folder @param {string[]} names
 */
function areCurrent(folder, names) {
  const find = (/** @type {string} */ name) => statSync(path.join(folder, name), { throwIfNoEntry: false });
  return names.every((name) => {
    const made = find(name);
    if (!made || !find('build.mjs')) return made !== undefined;
    const sources = Object.entries(sourcesOf(path.join(folder, name)));
    return sources.length > 0 && sources.every(([source, size]) => {
      const found = find(source);
      return found?.size === size && found.mtimeMs <= made.mtimeMs;
    });
  });
}

/** @param {string} folder @returns {Entry[]} */
function serverEntries(folder) {
  /** @type {string[]} */
  const files = ['package.json', 'LICENSE', ...readPackage(folder).files ?? []];
  const isMade = (/** @type {string} */ name) => name.startsWith('dist/');
  const isLeftOut = !areCurrent(folder, files.filter(isMade));  // the program then starts its sources
  const entries = files.flatMap((name) => {
    const file = path.join(folder, name);
    if (!existsSync(file) || (isUnused.test(name) && !isLicense.test(name)) || (isLeftOut && isMade(name))) return [];
    return statSync(file).isFile() ? [{ name: `server/${name}`, data: readFileSync(file) }] : entriesBelow(file, `server/${name}`);
  });
  if (!entries.some(({ name }) => name === 'server/attach.cjs')) throw new Error(`${folder} has no attach.cjs.`);
  for (const [name, found] of packagesOf(folder)) {
    if (!ofConfig.has(name)) entries.push(...entriesBelow(found, `server/node_modules/${name}`));
  }
  return entries;
}

// ---- Manifest -------------------------------------------------------------------------------------------------------

/** @type {Record<string, {key: string, title: string, description: string}>} */
const asked = {
  '--token-file': { key: 'token_file', title: 'Token file', description: 'A file with the bearer token of the board.' },
  '--password-file': { key: 'password_file', title: 'Password file', description: 'A file with the password for the broker.' },
  '--cert': { key: 'client_certificate_file', title: 'Client certificate file', description: 'A certificate for the broker.' },
  '--key': { key: 'client_key_file', title: 'Client key file', description: 'The key of the certificate for the broker.' },
  '--ca': { key: 'ca_file', title: 'Certificate file', description: 'The certificate of the authority of the board.' },
};

const longestText = 200;  // characters of a description

/**
 * What the board says of itself, or what it is if it does not answer.
 * @param {string[]} words @param {string} title @param {import('../lib/ask.mjs').Openers} [openers] @param {number} [ms]
 */
async function descriptionOf(words, title, openers, ms = 3000) {
  const target = parseTarget(words);
  const plain = `${title}, a board with MCP, by its ${isFleet(target) ? 'MQTT broker' : wayOf[target.kind]}.`;
  if (isFleet(target)) return plain;
  try {
    const conversation = new Conversation(await openTarget(target, openers), ms);
    try {
      const { name, title: shown = name, description } = await conversation.begin();
      return description ?? `${shown}, a board with MCP.`;
    } finally {
      await conversation.close();
    }
  } catch {
    return plain;
  }
}

/** How a host reaches the board. @type {Record<string, string>} */
const wayOf = { serial: 'serial port', http: 'URL', mdns: 'name in the network', mqtt: 'MQTT broker', exec: 'program' };

/** @param {any} info of package.json @param {string} title @param {string[]} target @param {string} [text] the description */
export function manifestOf({ version, license }, title, target, text = `${title}, a board with MCP.`) {
  const description = cut(text, longestText);
  /** @type {Record<string, object>} */
  const config = {};
  const args = target.map((word, at) => {
    const file = target[0] === 'exec' ? undefined : asked[target[at - 1]];
    if (word.includes('${')) throw new Error('A TARGET in a bundle must not contain ${.');
    if (!file) return word;
    const { key, ...shown } = file;
    config[key] = { type: 'file', ...shown, required: true };
    return `\${user_config.${key}}`;
  });
  const name = `mote-${title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'board'}`;
  return {
    manifest_version: '0.3', name, display_name: title, version, description, author: { name: 'mote' }, license,
    server: {
      type: 'node', entry_point: 'server/attach.cjs',
      mcp_config: { command: 'node', args: ['${__dirname}/server/attach.cjs', ...args], env: {} },
    },
    ...(Object.keys(config).length > 0 && { user_config: config }),
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20' } },
    tools_generated: true,
  };
}

/** @param {string[]} args */
function readArguments(args) {
  const at = args.indexOf('--');
  if (at < 0) throw new Error('The TARGET comes after --.');
  const options = /** @type {const} */ ({ name: { type: 'string', default: 'Board' }, description: { type: 'string' } });
  const { values, positionals } = parseArgs({ args: args.slice(0, at), options, allowPositionals: true });
  const [out, ...more] = positionals;
  if (!out?.endsWith('.mcpb') || more.length > 0) throw new Error('bundle needs one file name that ends with .mcpb.');
  if (!/^[ -~]{1,60}$/.test(values.name)) throw new Error('--name must be 1 to 60 characters of ASCII.');
  return { out, title: values.name, description: values.description, words: args.slice(at + 1) };
}

/** Returns the exit status: 0, 1 if the bundle cannot be made, or 2 for wrong arguments.
 * @param {string[]} args @param {Context} context */
export async function run(args, { stdout, stderr, folder = packageFolder(), cwd = process.cwd(), find, openers, ms }) {
  if (args[0] === '--help') return stdout.write(`${usage}\n`), 0;
  let wanted, target;
  try {
    wanted = readArguments(args);
    target = await stableTarget(wanted.words, cwd, find ?? findSerialPort);
  } catch (error) {
    stderr.write(`${/** @type {Error} */ (error).message}\n${usage}\n`);
    return 2;
  }
  const out = path.resolve(cwd, wanted.out);
  const next = `${out}.${process.pid}.new`;
  try {
    const { title, description = await descriptionOf(wanted.words, title, openers, ms) } = wanted;
    const manifest = `${JSON.stringify(manifestOf(readPackage(folder), title, target, description), null, 2)}\n`;
    const bytes = zip([{ name: 'manifest.json', data: Buffer.from(manifest) }, ...serverEntries(folder)]);
    writeFileSync(next, bytes);
    renameSync(next, out);
    stdout.write(`${wanted.out}: ${bytes.length} bytes. Open it with the host to install it.\n`);
    return 0;
  } catch (error) {
    rmSync(next, { force: true });
    stderr.write(`${/** @type {Error} */ (error).message}\n`);
    return 1;
  }
}
