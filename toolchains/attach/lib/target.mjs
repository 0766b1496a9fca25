// SPDX-License-Identifier: Apache-2.0
// What the command line names: a device and how to reach it.
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cut } from './rpc.mjs';
import { withoutSecret } from './secret_words.mjs';

/**
 * `trace` is a file for the records of a host; it is no part of the device.
 * @typedef {{plain?: boolean, trace?: string} & ({kind: 'serial', usb?: string, path?: string, baud: number}
 *   | {kind: 'exec', command: string, args: string[]}
 *   | {kind: 'http', url: string, tokenFile?: string, ca?: string}
 *   | {kind: 'mqtt', url: string, id?: string, passwordFile?: string, ca?: string, cert?: string, key?: string,
 *     plaintext?: boolean}
 *   | {kind: 'mdns', host: string, tokenFile?: string, ca?: string, plaintext?: boolean})} Target
 */

export const targetUsage = 'serial [PORT | --usb VID:PID[:SERIAL]] [--baud N] | http URL [--token-file F] [--ca F] | ' +
  'mdns NAME [--token-file F] [--ca F] [--plaintext] | ' +
  'mqtt URL [--id ID] [--password-file F] [--ca F] [--cert F --key F] [--plaintext] | ' +
  'exec [--] COMMAND [ARGUMENT]...';

const text = /** @type {const} */ ({ type: 'string' });
const flag = /** @type {const} */ ({ type: 'boolean' });
/** The options of a broker that are the names of files, and its other ones. */
export const brokerFiles = /** @type {const} */ ({ 'password-file': 'passwordFile', ca: 'ca', cert: 'cert', key: 'key' });
export const brokerOptions = { 'password-file': text, ca: text, cert: text, key: text, plaintext: flag };

/**
 * The options of attach before the command of exec, whose options are its own.
 * @param {string[]} words @returns {{own: {plain?: true, trace?: string}, words: string[]}}
 */
export function execOptions(words) {
  const [first, second] = words;
  if (first === '--plain') {
    const { own, words: others } = execOptions(words.slice(1));
    return { own: { plain: true, ...own }, words: others };
  }
  const length = first === '--trace' ? 2 : 1;
  const file = length === 2 ? second : /^--trace=(.*)$/s.exec(first ?? '')?.[1];
  if (file === undefined && length === 1) return { own: {}, words };
  if (!file) throw new Error('--trace needs a FILE.');
  const { own, words: others } = execOptions(words.slice(length));
  return { own: { trace: file, ...own }, words: others };
}

/** Reads a TARGET. Errors: a sentence. @param {string[]} argv @returns {Target} */
export function parseTarget([kind, ...rest]) {
  if (kind === 'exec') {
    const { own, words } = execOptions(rest);
    const [command, ...args] = words[0] === '--' ? words.slice(1) : words;
    if (!command) throw new Error('exec needs a command.');
    return { kind, command, args, ...own };
  }
  if (!['serial', 'http', 'mdns', 'mqtt'].includes(kind)) throw new Error(`A TARGET is: ${targetUsage}`);
  /** @type {Record<string, Record<string, {type: 'string' | 'boolean'}>>} */
  const optionsOf = {
    serial: { usb: text, baud: text }, mqtt: { id: text, ...brokerOptions },
    http: { 'token-file': text, ca: text }, mdns: { 'token-file': text, ca: text, plaintext: flag },
  };
  const mine = optionsOf[kind];
  const options = { plain: flag, trace: text, ...mine };
  const { values, positionals } = parseArgs({ args: rest, options, allowPositionals: true });
  const [first, ...more] = positionals;
  if (more.length > 0) throw new Error(`Unexpected argument ${more[0]}. A TARGET is: ${targetUsage}`);
  /** @type {any} */
  const all = values;
  if (all.trace === '') throw new Error('--trace needs a FILE.');
  const plain = { ...(all.plain && { plain: true }), ...(all.trace && { trace: all.trace }) };
  if (kind === 'serial') return { ...serialTarget(first, all), ...plain };
  if (kind === 'mqtt') return { ...mqttTarget(first, all), ...plain };
  const files = { ...plain, ...(all['token-file'] && { tokenFile: all['token-file'] }), ...(all.ca && { ca: all.ca }) };
  if (kind === 'mdns') {
    if (!first) throw new Error('mdns needs the NAME of a board.');
    return { kind, host: first, ...files, ...(all.plaintext && { plaintext: true }) };
  }
  if (!/^https?:\/\/./.test(first ?? '')) throw new Error('http needs a URL that begins with http:// or https://.');
  return { kind, url: first, ...files };
}

/** @param {string | undefined} path @param {{usb?: string, baud?: string}} values @returns {Target} */
function serialTarget(path, { usb, baud = '115200' }) {
  if (usb && path) throw new Error('serial takes a PORT or --usb, not both.');
  if (!/^[1-9]\d{2,7}$/.test(baud)) throw new Error('--baud must be a number of at least 100.');
  if (baud === '1200') throw new Error('1200 baud puts some boards into their boot loader. Use another --baud.');
  return { kind: 'serial', ...(usb && { usb }), ...(path && { path }), baud: Number(baud) };
}

/**
 * @param {string | undefined} url @param {any} values of the options @param {string} [filter] if the URL has none
 * @returns {Extract<Target, {kind: 'mqtt'}>}
 */
export function mqttTarget(url = '', values, filter = '') {
  const { id, cert, key, plaintext } = values;
  if (!isMqttUrl(url)) throw new Error('mqtt needs a URL: mqtt://BROKER/NAME or mqtts://BROKER/NAME.');
  const { protocol, hostname, username, password } = new URL(url);
  if (password) throw new Error('Use --password-file: other users see a password in a URL.');
  if ((cert === undefined) !== (key === undefined)) throw new Error('A client certificate needs both --cert and --key.');
  const isSecret = protocol === 'mqtts:' || /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  if ((username || values['password-file']) && !isSecret && !plaintext) {
    throw new Error('With this URL, the user name and the password are not encrypted. Use mqtts://, or add --plaintext.');
  }
  const levels = (filterOf(url) || filter).split('/');
  if (levels.some((level) => level === '')) throw new Error('mqtt needs a NAME in its URL: mqtt://BROKER/NAME or mqtt://BROKER/#.');
  const isInvalid = levels.some((level, at) => /[+#]/.test(level) && level !== '+' && (level !== '#' || at < levels.length - 1));
  if (isInvalid) throw new Error('In the URL, + replaces one level of a name, and # all levels at its end.');
  const files = Object.entries(brokerFiles).flatMap(([option, member]) => (values[option] ? [[member, values[option]]] : []));
  return { kind: 'mqtt', url, ...(id && { id }), ...Object.fromEntries(files), ...(plaintext && { plaintext }) };
}

/** @param {string} url */
function isMqttUrl(url) {
  if (!/^mqtts?:\/\/[^/]/.test(url) || !URL.canParse(url)) return false;
  try {
    decodeURIComponent(new URL(url).username);
    return typeof filterOf(url) === 'string';
  } catch {
    return false;  // a % without two digits
  }
}

/**
 * The options of a broker as words of a command.
 * @param {Extract<Target, {kind: 'mqtt'}>} target @param {(file: string) => string} place
 */
export function brokerWords(target, place) {
  const files = Object.entries(brokerFiles).flatMap(([option, member]) => {
    const file = target[member];
    return file ? [`--${option}`, place(file)] : [];
  });
  return [...files, ...(target.plaintext ? ['--plaintext'] : [])];
}

/** The topic filter in a URL. A `#` is part of it, because URLs of brokers have no fragment. @param {string} url */
export const filterOf = (url) => decodeURIComponent(url.replace(/^mqtts?:\/\/[^/]*\/?/, ''));

/** Whether a target is all devices that match. @param {Target} target */
export const isFleet = (target) => target.kind === 'mqtt' && target.id === undefined && /[+#]/.test(filterOf(target.url));

/**
 * What the hosts of one broker have in common. A device that two hosts name differently has two brokers, and the second one
 * is told that the port is in use.
 * @param {Target} target
 */
export function brokerName(target) {
  const { plain = false } = target;
  if (target.kind === 'exec') return JSON.stringify(['exec', process.cwd(), plain, target.command, ...target.args]);
  if (target.kind === 'serial') return JSON.stringify(['serial', target.usb ?? '', target.path ?? '', target.baud, plain]);
  if (target.kind === 'mqtt') {
    return JSON.stringify(['mqtt', target.url, target.id ?? '', ...brokerWords(target, (file) => resolve(file)), plain]);
  }
  const place = target.kind === 'http' ? target.url : target.host;
  const files = [target.tokenFile, target.ca].map((file) => (file ? resolve(file) : ''));
  const plaintext = target.kind === 'mdns' && target.plaintext ? ['plaintext'] : [];
  return JSON.stringify([target.kind, place, ...files, plain, ...plaintext]);
}

/** A target in a few words, for people and models: without folders of files, a user, and secrets. @param {Target} target */
export function targetText(target) {
  const short = (/** @type {string} */ word, /** @type {number} */ at, /** @type {string[]} */ all) => {
    const safe = withoutSecret(word, all[at - 1]);
    return /^([/.~]|[A-Za-z]:\\)/.test(safe) ? basename(safe) : safe;
  };
  /** @type {Record<string, (all: any) => string[]>} */
  const words = {
    exec: ({ command, args }) => [command, ...args].map(short), serial: ({ usb, path }) => [usb ?? path ?? 'port'],
    http: ({ url }) => [withoutSecret(url)], mdns: ({ host }) => [host], mqtt: ({ url, id }) => [url, ...(id ? [`--id ${id}`] : [])],
  };
  return cut([target.kind, ...words[target.kind](target)].join(' ').replace(/\/\/[^/@ ]*@/, '//'), 100);
}
