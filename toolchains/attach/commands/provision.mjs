// SPDX-License-Identifier: Apache-2.0
// mote-attach provision: stores settings on a board over its wire, by the tools of mcp/settings.hpp. Then it waits
// until the board has joined its network, by the resource device://network. Secrets come from files or stdin, and no
// output contains one.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { AskError, Conversation, openTarget, printable, readText } from '../lib/ask.mjs';
import { parseTarget } from '../lib/target.mjs';

/**
 * @typedef {{write: (text: string) => any}} Output
 * @typedef {{stdout: Output, stderr: Output, env?: NodeJS.ProcessEnv, openers?: import('../lib/ask.mjs').Openers,
 *   ms?: number, pause?: (ms: number) => Promise<any>, now?: () => number}} Context
 * @typedef {{option: string, names: string[], value: string, isSecret: boolean}} Setting
 * @typedef {{names: string[], from: 'word' | 'text file' | 'data file', isSecret?: boolean}} Source
 */

/** The settings of each option. The first of `names` that setting_list shows is set. @type {Record<string, Source>} */
const sources = {
  // Before the network, so that the board does not try to join it without its passphrase.
  'wifi-passphrase-file': {
    names: ['wifi_passphrase', 'wifi_password', 'wifi_pass', 'passphrase'], from: 'text file', isSecret: true,
  },
  'wifi-ssid': { names: ['wifi_ssid', 'ssid'], from: 'word' },
  'token-file': { names: ['token'], from: 'text file', isSecret: true },
  'token-grace': { names: ['token_grace_s'], from: 'word' },
  key: { names: ['tls_key', 'key', 'private_key'], from: 'data file', isSecret: true },
  certificate: { names: ['tls_certificate', 'tls_cert', 'certificate', 'cert'], from: 'data file' },
  'host-name': { names: ['host_name'], from: 'word' },
  broker: { names: ['mqtt_broker', 'broker', 'mqtt_url', 'broker_url'], from: 'word' },
};

export const usage = `mote-attach provision [OPTION]... [--] serial [PORT | --usb VID:PID[:SERIAL]] [--baud N]
mote-attach provision [OPTION]... -- exec COMMAND [ARGUMENT]...
  Stores settings on a board. Without an option, it lists them. A FILE may be -, for stdin. After a change of the
  network it waits until the board has joined, and prints its URL, or the reason why the board has not joined.
  --token-file FILE           the bearer token of HTTP clients
  --token-grace SECONDS       how long the old token stays valid after a change
  --key FILE                  the private key of TLS, PEM or DER
  --certificate FILE          the certificate of TLS, PEM or DER
  --wifi-ssid NAME            the network
  --wifi-passphrase-file FILE its passphrase
  --host-name NAME            the name of the board in the network
  --broker ADDRESS            the MQTT broker
  --set-file NAME=FILE        any other setting, as text; may occur several times
  --data-file NAME=FILE       the same, as bytes
  --wait SECONDS              the longest wait for the network, 60 if not given; 0 does not wait
  --erase                     erases all settings; no other setting may be given`;

const longestWait = 3600;
const lookEveryMs = 500;
// A first attempt may fail by chance, such as a scan that misses the network.
const enoughFailures = 2;
const reportUri = 'device://network';

/** The bytes of a file: those of its only PEM block, or the file. @param {string} file */
function readData(file) {
  const bytes = readFileSync(file === '-' ? 0 : file);
  const blocks = [...bytes.toString('latin1').matchAll(/-----BEGIN ([^-]+)-----([^-]*)-----END \1-----/g)];
  const useful = blocks.filter(([, label]) => label !== 'EC PARAMETERS');
  if (useful.length > 1) throw new Error(`${file} has ${useful.length} PEM blocks, and a setting holds one.`);
  const [, label, body] = useful[0] ?? [];
  if (label?.startsWith('ENCRYPTED') || /Proc-Type:.*ENCRYPTED/.test(body ?? '')) {
    throw new Error(`${file} is encrypted, and a board cannot decrypt it.`);
  }
  return (body === undefined ? bytes : Buffer.from(body, 'base64')).toString('base64');
}

/** @param {string} option @param {string} word @param {Source} source @returns {Setting} */
function settingOf(option, word, { names, from, isSecret = false }) {
  const value = from === 'word' ? word : from === 'text file' ? readText(word) : readData(word);
  if (value === '') throw new Error(`--${option}: the value is empty.`);
  return { option, names, value, isSecret };
}

/** @param {string} option @param {string} text */
function fromFile(option, text) {
  const match = /^([a-z0-9_]{1,15})=(.+)$/.exec(text);
  if (!match) throw new Error(`--${option} needs NAME=FILE, with a name of setting_list.`);
  /** @type {Source['from']} */
  const from = option === 'set-file' ? 'text file' : 'data file';
  return settingOf(option, match[2], { names: [match[1]], from, isSecret: true });
}

/** @param {string[]} args */
function readArguments(args) {
  const at = args.indexOf('--');
  const text = /** @type {const} */ ({ type: 'string' });
  const many = /** @type {const} */ ({ type: 'string', multiple: true });
  const named = Object.fromEntries(Object.keys(sources).map((name) => [name, text]));
  const erase = /** @type {const} */ ({ type: 'boolean' });
  const options = { ...named, 'set-file': many, 'data-file': many, usb: text, baud: text, wait: text, erase };
  const parsed = parseArgs({ args: at < 0 ? args : args.slice(0, at), options, allowPositionals: true });
  /** @type {any} */
  const values = parsed.values;
  const port = ['usb', 'baud'].flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, values[name]]));
  const words = [...parsed.positionals, ...port, ...(at < 0 ? [] : args.slice(at + 1))];
  const target = parseTarget(words);
  if (target.kind !== 'serial' && target.kind !== 'exec') {
    throw new Error('A board takes settings only over its UART or stdio: use serial or exec.');
  }
  const files = ['set-file', 'data-file'].flatMap((option) =>
    (values[option] ?? []).map((/** @type {string} */ word) => ({ option, word })));
  const given = [...Object.keys(sources).map((name) => values[name]), ...files.map(({ word }) => word)];
  if (given.filter((word) => /(^|=)-$/.test(word ?? '')).length > 1) throw new Error('Only one FILE may be -.');
  if (values.erase && given.some((word) => word !== undefined)) throw new Error('--erase takes no settings.');
  const settings = Object.entries(sources).filter(([name]) => values[name] !== undefined)
    .map(([name, source]) => settingOf(name, values[name], source));
  const all = [...settings, ...files.map(({ option, word }) => fromFile(option, word))];
  return { target, settings: all, erases: values.erase === true, wait: secondsOf(values.wait) };
}

/** The milliseconds to wait for the network. @param {string} [text] */
function secondsOf(text = '60') {
  const seconds = /^[0-9]{1,4}$/.test(text) ? Number(text) : longestWait + 1;
  if (seconds > longestWait) throw new Error(`--wait needs seconds from 0 to ${longestWait}.`);
  return 1000 * seconds;
}

/** The text of a tool's result. Errors: the text of a result with isError. @param {Conversation} board
 * @param {string} name @param {any} args */
async function call(board, name, args) {
  const { content = [], isError } = await board.request('tools/call', { name, arguments: args });
  const lines = content.map((/** @type {any} */ { text = '' }) => printable(text));
  if (isError) throw new Error(lines.join(' '));
  return lines;
}

/** @param {Conversation} board @returns {Promise<string[]>} */
async function list(board) {
  try {
    return await call(board, 'setting_list', {});
  } catch (error) {
    if (!(error instanceof AskError) || error.kind !== 'rpc') throw error;
    const why = `The board has no tools for settings at this wire (setting_list: ${printable(error.message)}).`;
    throw new Error(why, { cause: error });
  }
}

/** Finds the name of each setting before one is stored. @param {Setting[]} settings @param {string[]} lines */
function nameAll(settings, lines) {
  const known = lines.map((line) => line.split(':')[0]);
  return settings.map(({ option, names, value }) => {
    const name = names.find((candidate) => known.includes(candidate));
    const all = known.join(', ');
    if (!name) throw new Error(`Nothing is stored: the board has no setting for --${option}. It has: ${all}.`);
    return { name, value };
  });
}

/** Stores the settings, or lists them. Returns whether the network has changed.
 * @param {Conversation} board @param {Setting[]} settings @param {(line: string) => void} print */
async function store(board, settings, print) {
  const lines = await list(board);
  if (settings.length === 0) return lines.forEach(print), false;
  const named = nameAll(settings, lines);
  for (const setting of named) (await call(board, 'setting_set', setting)).forEach(print);
  const ofNetwork = [...sources['wifi-ssid'].names, ...sources['wifi-passphrase-file'].names];
  return named.some(({ name }) => ofNetwork.includes(name));
}

/** Erases all settings that are set, the network before its passphrase. @param {Conversation} board
 * @param {(line: string) => void} print */
async function erase(board, print) {
  // A value may read as if there were none: "Set: Not set."
  const isSet = (/** @type {string} */ line) => !line.endsWith(' Not set.') || line.includes(' Set: ');
  const names = (await list(board)).filter(isSet).map((line) => line.split(':')[0]);
  const rank = (/** @type {string} */ name) => sources['wifi-ssid'].names.includes(name) ? 0 : 1;
  names.sort((one, other) => rank(one) - rank(other));
  for (const name of names) (await call(board, 'setting_erase', { name })).forEach(print);
  if (names.length === 0) print('No setting is set.');
}

/** The report of the board about its network; undefined if it has none. @param {Conversation} board */
async function reportOf(board) {
  let result;
  try {
    result = await board.request('resources/read', { uri: reportUri });
  } catch (error) {
    if (error instanceof AskError && error.kind === 'rpc') return undefined;
    throw error;
  }
  /** @type {any} */
  let report;
  try {
    report = JSON.parse(result.contents[0].text);
  } catch {
    report = undefined;
  }
  const states = ['unset', 'joining', 'joined'];
  if (!states.includes(report?.state)) throw new Error(`All is stored. The board's ${reportUri} is not valid.`);
  const text = (/** @type {unknown} */ value) => typeof value === 'string' ? printable(value) : '';
  const { state, failures, reason, url } = report;
  return { state, failures: Number(failures) || 0, reason: text(reason), url: text(url) };
}

/** Waits until the board has joined its network. Errors: a sentence with the reason of the board.
 * @param {Conversation} board @param {number} ms @param {(line: string) => void} print @param {Context} context */
async function join(board, ms, print, { pause = delay, now = Date.now }) {
  const end = now() + ms;
  for (;;) {
    const report = await reportOf(board);
    if (!report) return;
    const { state, failures, reason, url } = report;
    const why = reason && ` (${reason})`;
    if (state === 'joined') return print(`The board has joined the network.${url && ` URL: ${url}`}`);
    if (state === 'unset') throw new Error('All is stored. The board joins no network, because none is set.');
    if (failures >= enoughFailures) throw new Error(`All is stored, but the board cannot join the network${why}.`);
    if (now() >= end) throw new Error(`All is stored, but the board is not in the network after ${ms / 1000} s${why}.`);
    await pause(lookEveryMs);
  }
}

/** Returns the exit status: 0 if all is stored and the board has joined the network, 1 if not, 2 for wrong arguments.
 * @param {string[]} args @param {Context} context */
export async function run(args, context) {
  const { stdout, stderr, openers, ms = 5000 } = context;
  if (args[0] === '--help') return stdout.write(`${usage}\n`), 0;
  let wanted;
  try {
    wanted = readArguments(args);
  } catch (error) {
    stderr.write(`${/** @type {Error} */ (error).message}\n${usage}\n`);
    return 2;
  }
  const { target, settings, erases, wait } = wanted;
  const secrets = settings.filter(({ isSecret }) => isSecret).map(({ value }) => value);
  /** @param {string} text */
  const clean = (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
  let board;
  try {
    board = new Conversation(await openTarget(target, openers), ms);
    const print = (/** @type {string} */ line) => stdout.write(`${clean(line)}\n`);
    await board.begin();
    if (erases) await erase(board, print);
    else if (await store(board, settings, print) && wait > 0) await join(board, wait, print, context);
    return 0;
  } catch (error) {
    stderr.write(`${clean(printable(/** @type {Error} */ (error).message))}\n`);
    return 1;
  } finally {
    await board?.close();
  }
}
