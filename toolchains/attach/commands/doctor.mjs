// SPDX-License-Identifier: Apache-2.0
// mote-attach doctor: says in one sentence each what keeps a host from reaching a board.
import { accessSync, constants, readFileSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { AskError, Conversation, LineWire, openTarget, printable } from '../lib/ask.mjs';
import { filterOf, isFleet, parseTarget, targetUsage } from '../lib/target.mjs';
import { boardOf, findSerialPort, listUsbDevices, usbOf } from '../lib/serial_ports.mjs';

/**
 * `places` replaces the folders of the system, `access` the check of permissions, and `openers` the links.
 * @typedef {import('../lib/ask.mjs').Target} Target
 * @typedef {import('../lib/ask.mjs').Wire} Wire
 * @typedef {{write: (text: string) => any}} Output
 * @typedef {import('../lib/serial_ports.mjs').Places} Places
 * @typedef {{stdout: Output, stderr: Output, env?: NodeJS.ProcessEnv, places?: Places,
 *   access?: (path: string) => void, user?: string, openers?: import('../lib/ask.mjs').Openers, ms?: number}} Context
 * @typedef {{ok: boolean, text: string}} Finding
 */

export const usage = `mote-attach doctor TARGET
  Says what is wrong with the way to a board. The exit status is 0 only if the board answers.
  TARGET: ${targetUsage}`;

/** @param {string} text @returns {Finding} */
const fault = (text) => ({ ok: false, text });
/** @param {string} text @returns {Finding} */
const good = (text) => ({ ok: true, text });

// ---- Serial ports ---------------------------------------------------------------------------------------------------

/** @param {string} folder */
function names(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The processes that have a device open, as far as this user may see (Linux).
 * @param {string} device @param {string} root */
export function holdersOf(device, root = '/') {
  const holders = [];
  for (const pid of names(join(root, 'proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    const folder = join(root, 'proc', pid);
    const isHolder = names(join(folder, 'fd')).some((fd) => {
      try {
        return readlinkSync(join(folder, 'fd', fd)) === device;
      } catch {
        return false;  // closed since
      }
    });
    if (isHolder) holders.push(`process ${pid} (${commandOf(folder)})`);
  }
  return holders;
}

/** @param {string} folder */
function commandOf(folder) {
  try {
    const words = readFileSync(join(folder, 'cmdline'), 'utf8').split('\0').slice(0, 3).join(' ').trim();
    return printable(words || readFileSync(join(folder, 'comm'), 'utf8').trim());
  } catch {
    return 'unknown';
  }
}

/** The group that may open a device. @param {string} file @param {string} root */
function groupOf(file, root) {
  try {
    const { gid } = statSync(file);
    const lines = readFileSync(join(root, 'etc/group'), 'utf8').split('\n').map((line) => line.split(':'));
    return lines.find(([, , id]) => Number(id) === gid)?.[0] ?? String(gid);
  } catch {
    return 'dialout';
  }
}

/** Groups that may do more than use devices. */
const adminGroups = new Set(['root', 'wheel', 'sudo', 'admin', 'adm', 'disk', 'shadow', '0']);

/** What a user can do who may not open a device. @param {string} device @param {string} user @param {string} group */
function denied(device, user, group) {
  if (!adminGroups.has(group)) return `${user} may not open ${device}: run "sudo usermod -aG ${group} ${user}", then log out and in again.`;
  return `${user} may not open ${device}, which belongs to the group ${group}: let udev give it to the group dialout ` +
    `(a rule with GROUP="dialout"), run "sudo usermod -aG dialout ${user}", then log out and in again.`;
}

/** Why the system may refuse the device. @param {string} device @param {Context} context @returns {Finding[]} */
function checkDevice(device, { places = {}, access, user }) {
  const { root = '/', platform = process.platform } = places;
  if (platform === 'win32') return [];
  const file = root === '/' ? resolve(device) : join(root, device);
  const findings = [];
  try {
    (access ?? ((path) => accessSync(path, constants.R_OK | constants.W_OK)))(file);
  } catch (error) {
    const isDenied = /** @type {any} */ (error).code === 'EACCES';
    const why = printable(/** @type {Error} */ (error).message);
    findings.push(fault(isDenied ? denied(device, user ?? userInfo().username, groupOf(file, root)) : `${device} cannot be used: ${why}.`));
  }
  // A pseudo-terminal always has a process at its other end.
  const holders = device.startsWith('/dev/pts/') ? [] : holdersOf(device, root);
  if (holders.length > 0) {
    findings.push(fault(`${device} is in use by ${holders.join(' and ')}: end it, then try again. ` +
      'A broker of mote-attach ends 2 s after its last host.'));
  }
  return findings;
}

/** Boards that wait for a firmware. @param {Context} context */
function bootLoaders({ places }) {
  return listUsbDevices(places).filter((device) => boardOf(device)?.kind === 'boot loader').map((device) =>
    fault(`There is a ${boardOf(device)?.name} (${usbOf(device)}): load a firmware, or reset the board.`));
}

/** Why a board at a wire gave no name. @param {Wire} wire @param {Target} target @returns {Finding[]} */
function silence({ seen, hasDtr }, target) {
  const { bytes, odd, text } = seen ?? { bytes: 0, odd: 0, text: [] };
  if (bytes === 0) {
    const findings = [fault(target.kind === 'serial'
      ? 'The board sends nothing: check that its firmware runs and serves MCP here, and that RX and TX are crossed.'
      : target.kind === 'mqtt'
        ? 'The device is connected to the broker and does not answer: the broker may not let it or you publish.'
        : 'The program answers nothing: it is no MCP server on stdin and stdout.')];
    if (hasDtr === false) findings.push(fault('DTR cannot be raised here, and some boards send nothing without it.'));
    return findings;
  }
  if (odd * 5 > bytes && target.kind === 'serial') {
    return [fault(`The board sends bytes that are no text: its baud rate is probably not ${target.baud}. Use --baud.`)];
  }
  const sample = text.length > 0 ? `, such as "${printable(text[0].slice(0, 60))}"` : '';
  return [fault(`The board sends text${sample}, and no answer: its firmware serves no MCP here, or does not receive.`)];
}

/** @param {any} error @param {string} device @returns {Finding} */
function cannotOpen(error, device) {
  const text = printable(error.message.replace(/^(Error:? )+/, ''));
  if (/permission denied|access denied|EACCES/i.test(text)) return fault(`You may not open ${device}: ${text}.`);
  if (/lock|busy|unavailable/i.test(text)) return fault(`Another program uses ${device}: end it, then try again.`);
  return fault(`${device} cannot be opened: ${text}.`);
}

/** @param {Extract<Target, {kind: 'serial'}>} target @param {Context} context @returns {Promise<Finding[]>} */
async function checkSerial(target, context) {
  const find = context.openers?.find ?? ((wanted) => findSerialPort(wanted, context.places));
  let port;
  try {
    port = await find(target);
  } catch (error) {
    return [fault(/** @type {Error} */ (error).message), ...bootLoaders(context)];
  }
  const device = /** @type {any} */ (port).device ?? port.path;
  const findings = checkDevice(device, context);
  if (findings.length > 0) return findings;
  const found = good(`The port is ${port.path}.`);
  try {
    const wire = await openTarget(target, { ...context.openers, find: async () => port });
    return [found, ...await ask(wire, target, context)];
  } catch (error) {
    return [found, cannotOpen(error, device)];
  }
}

// ---- HTTP -----------------------------------------------------------------------------------------------------------

const unknownCa = 'The authority of the certificate is not known to this machine: give its certificate with --ca.';
/** What an error of the network means, by its code. @type {Record<string, string>} */
const networkFaults = {
  ENOTFOUND: 'The host name has no address: check the name; for a name in .local, use the target mdns NAME.',
  EAI_AGAIN: 'The host name cannot be looked up: check the network of this machine.',
  ECONNREFUSED: 'The host refuses the connection: check the port, and that the firmware serves HTTP.',
  EHOSTUNREACH: 'The host cannot be reached: check its address, and that it has power and a network.',
  ENETUNREACH: 'The network of the board cannot be reached from this machine.',
  ETIMEDOUT: 'The host does not answer: check its address, and that it has power and a network.',
  ECONNRESET: 'The host ended the connection: if the board has TLS, use https://.',
  EPROTO: 'The port has no TLS: use http://.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The port has no TLS: use http://.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'The port has no TLS: use http://.',
  HPE_INVALID_CONSTANT: 'The port does not answer in HTTP: if the board has TLS, use https://.',
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownCa,
  SELF_SIGNED_CERT_IN_CHAIN: unknownCa,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownCa,
  UNABLE_TO_GET_ISSUER_CERT: unknownCa,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownCa,
  CERT_HAS_EXPIRED: 'The certificate has expired: store a new one on the board, or correct the clock of this machine.',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet: correct the clock of this machine.',
};

/** The URL with the usual path, if it has another one. @param {string} url */
function otherPath(url) {
  const usual = new URL('/mcp', url);
  return new URL(url).pathname === usual.pathname ? undefined : printable(usual.href);
}

/** @param {AskError} error @param {Target} target */
function statusFault({ status, message }, target) {
  const hasToken = (target.kind === 'http' || target.kind === 'mdns') && target.tokenFile;
  const said = message ? ` (${printable(message)})` : '';
  if (status === 401) {
    return hasToken ? `The board rejects the token (401): use the token that is stored on the board.`
      : 'The board needs a token (401): give it with --token-file.';
  }
  if (status === 403 && /\bhost\b/i.test(message)) {
    return `The board rejects this Host (403${said}): use its IP address, or add the name to HttpOptions::hosts.`;
  }
  if (status === 403 && /\borigin\b/i.test(message)) {
    return `The board rejects this Origin (403${said}): add it to HttpOptions::origins.`;
  }
  if (status === 403) return `The board grants no access (403${said}): check the scopes of the token.`;
  const other = target.kind === 'http' ? otherPath(target.url) : undefined;
  const hint = other ? `try ${other}` : 'the path is usually /mcp';
  if (status === 404) return `The board has no endpoint at this path (404${said}): ${hint}.`;
  if (status === 405 && other) return `The path does not take POST (405), so it is no MCP endpoint: ${hint}.`;
  if (status === 405) return 'The endpoint does not take POST (405): it serves HTTP+SSE only, or is no MCP endpoint.';
  if (status !== undefined && status >= 300 && status < 400) return `The URL is moved (${status}): use the new one.`;
  return `The host answers with status ${status}${said}.`;
}

// ---- All targets ----------------------------------------------------------------------------------------------------

/** What an error means. @param {unknown} error @param {Wire} wire @param {Target} target @returns {Finding[]} */
export function explain(error, wire, target) {
  if (!(error instanceof AskError)) return [fault(printable(/** @type {Error} */ (error).message))];
  const { kind, code, message } = error;
  if (kind === 'http') return [fault(statusFault(error, target))];
  if (kind === 'timeout' && !wire.isWire) return [fault(networkFaults.ETIMEDOUT)];
  if (kind === 'timeout') return silence(wire, target);
  if (kind === 'rpc') return [fault(`The board answers with an error: ${printable(message)} (${code}).`)];
  if (kind === 'revision') return [fault(`The board serves no revision that attach supports: ${message}`)];
  if (kind === 'closed') {
    const isProgram = target.kind === 'exec';
    return [fault(isProgram ? 'The program ended without an answer.' : `The link broke: ${printable(message)}`)];
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const itsNames = printable(message.replace(/^.*?altnames: /i, ''));
    return [fault(`The certificate is for other names than the URL: ${itsNames}.`)];
  }
  return [fault(networkFaults[code] ?? `The request failed: ${printable(message)} (${code}).`)];
}

/** @param {Wire} wire @param {Target} target @param {Context} context @returns {Promise<Finding[]>} */
async function ask(wire, target, { ms = 3000 }) {
  const conversation = new Conversation(wire, ms);
  try {
    const { name, version, revision } = await conversation.begin();
    return [good(`${name} ${version} answers in revision ${revision}.`)];
  } catch (error) {
    return explain(error, wire, target);
  } finally {
    await conversation.close();
  }
}

// ---- MQTT -----------------------------------------------------------------------------------------------------------

const noUser = 'The broker rejects the user name or the password: check the URL and --password-file.';
/** What an error of a broker means, by its code. @type {Record<string, string>} */
const brokerFaults = { 134: noUser, 135: noUser, ECONNREFUSED: 'The broker refuses the connection: check its name and port.' };

/** Why the broker or a device cannot be reached. @param {any} error @returns {Finding} */
const brokerFault = ({ code, message }) => fault(brokerFaults[code] ?? networkFaults[code] ?? printable(message));

/** All devices of a fleet, each with its id. @param {Extract<Target, {kind: 'mqtt'}>} target @param {Context} context */
async function checkFleet(target, context) {
  const { connectBroker, findServers, leave, MqttLink, noDevice, streamOf } = await import('../lib/links/mqtt.mjs');
  const connection = await connectBroker(target);
  try {
    connection.mqtt.setMaxListeners(0);  // one for each device
    const servers = await findServers(connection, filterOf(target.url));
    if (servers.length === 0) return [fault(noDevice(filterOf(target.url)))];
    const all = await Promise.all(servers.map(async (server) => {
      const link = new MqttLink(connection, server, true);
      const findings = await link.listen().then(() => ask(new LineWire(streamOf(link)), target, context), (error) => [brokerFault(error)]);
      return findings.map(({ ok, text }) => ({ ok, text: `${printable(server.id)}: ${text}` }));
    }));
    return all.flat();
  } finally {
    leave(connection);
  }
}

/** @param {Target} target @param {Context} context @returns {Promise<Finding[]>} */
export async function examine(target, context) {
  if (target.kind === 'serial') return checkSerial(target, context);
  if (target.kind === 'mqtt') {
    try {
      if (isFleet(target)) return await checkFleet(target, context);
      return await ask(await openTarget(target, context.openers), target, context);
    } catch (error) {
      return [brokerFault(error)];
    }
  }
  let wire;
  try {
    wire = await openTarget(target, context.openers);
  } catch (error) {
    const { code, message } = /** @type {any} */ (error);
    if (target.kind === 'exec' && code === 'ENOENT') return [fault(`There is no program ${target.command}.`)];
    return [fault(printable(message))];
  }
  return ask(wire, target, context);
}

/** Returns the exit status: 0 if all is well, 1 if not, or 2 for wrong arguments.
 * @param {string[]} args @param {Context} context */
export async function run(args, context) {
  if (args[0] === '--help') return context.stdout.write(`${usage}\n`), 0;
  let target;
  try {
    target = parseTarget(args);
  } catch (error) {
    context.stderr.write(`${/** @type {Error} */ (error).message}\n${usage}\n`);
    return 2;
  }
  const findings = await examine(target, context);
  for (const { ok, text } of findings) context.stdout.write(`${ok ? 'ok' : 'fault'}: ${text}\n`);
  return findings.every(({ ok }) => ok) ? 0 : 1;
}
