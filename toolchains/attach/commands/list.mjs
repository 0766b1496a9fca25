// SPDX-License-Identifier: Apache-2.0
// mote-attach list: the serial ports of this machine, the boards that answer by mDNS, and the devices of an MQTT broker.
import { parseArgs } from 'node:util';
import { Conversation, openTarget, printable } from '../lib/ask.mjs';
import { browse } from '../lib/mdns.mjs';
import { boardOf, listSerialPorts, usbOf } from '../lib/serial_ports.mjs';
import { brokerOptions, brokerWords, filterOf, mqttTarget } from '../lib/target.mjs';

/**
 * @typedef {import('../lib/serial_ports.mjs').Port} Port
 * @typedef {import('../lib/ask.mjs').Openers} Openers
 * @typedef {{write: (text: string) => any}} Output
 * @typedef {{stdout: Output, stderr: Output, env?: NodeJS.ProcessEnv, places?: any, openers?: Openers, mdns?: any,
 *   probeMs?: number}} Context
 * @typedef {{kind: string, target: string[], path?: string, usb?: string, url?: string, device?: string, name?: string,
 *   version?: string, revision?: string, problem?: string, id?: string, description?: string}} Row
 */

export const usage = `mote-attach list [--probe] [--json] [--ms N] [--mqtt URL [OPTIONS OF mqtt]]
  Lists serial ports, and boards that answer by mDNS within N milliseconds (2000). It asks a board with known USB ids
  for its name. --probe asks each serial port, and each board in the network. Opening a port resets some boards.
  --mqtt lists the devices of a broker, too: mqtt://[USER@]BROKER, or mqtt://[USER@]BROKER/FILTER for some of them.`;

/** @param {Port} port @returns {Row} */
function rowOf(port) {
  const usb = usbOf(port);
  const id = usb && `${usb}${port.serialNumber ? `:${port.serialNumber}` : ''}`;
  const device = boardOf(port)?.name ?? port.manufacturer;
  return {
    kind: 'serial', path: port.byId ?? port.path, ...(id && { usb: id }), ...(device && { device }),
    target: ['serial', ...(id ? ['--usb', id] : [port.byId ?? port.path])],
  };
}

/** Adds the name that the board returns. @param {Row} row @param {import('../lib/ask.mjs').Target} target
 * @param {Context} context */
async function probe(row, target, { openers, probeMs = 2000 }) {
  try {
    const conversation = new Conversation(await openTarget(target, openers), probeMs);
    try {
      const { name, version, revision } = await conversation.begin();
      Object.assign(row, { name, version, revision });
    } finally {
      await conversation.close();
    }
  } catch (error) {
    row.problem = printable(/** @type {Error} */ (error).message);
  }
}

/** @param {boolean} all @param {Context} context */
async function listSerial(all, context) {
  const ports = await listSerialPorts(context.places);
  return Promise.all(ports.map(async (port) => {
    const row = rowOf(port);
    const path = /** @type {string} */ (row.path);
    if (all || boardOf(port)?.kind === 'board') await probe(row, { kind: 'serial', path, baud: 115200 }, context);
    return row;
  }));
}

/** @param {number} ms @param {boolean} all @param {Context} context */
async function listNetwork(ms, all, context) {
  const boards = await browse({ ms, ...context.mdns });
  return Promise.all(boards.map(async ({ url, name, version, address }) => {
    /** @type {Row} */
    const row = { kind: 'mdns', url, name, ...(version && { version }), target: ['mdns', name] };
    const openers = { resolve: async () => ({ url, address }) };
    if (all) await probe(row, { kind: 'mdns', host: name }, { ...context, openers });
    return row;
  }));
}

/** @param {Extract<import('../lib/target.mjs').Target, {kind: 'mqtt'}>} target @returns {Promise<Row[]>} */
async function listMqtt(target) {
  const { connectBroker, findServers, leave } = await import('../lib/links/mqtt.mjs');
  const connection = await connectBroker(target);
  try {
    const servers = await findServers(connection, filterOf(target.url) || '#');
    const [broker] = /** @type {RegExpExecArray} */ (/^mqtts?:\/\/[^/]+/.exec(target.url));
    const words = brokerWords(target, (file) => file);
    return servers.sort((a, b) => (a.id < b.id ? -1 : 1)).map((server) => {
      const url = `${broker}/${server.name.split('/').map(encodeURIComponent).join('/')}`;
      return { kind: 'mqtt', url, ...server, target: ['mqtt', url, '--id', server.id, ...words] };
    });
  } finally {
    leave(connection);
  }
}

/** A word for a shell. @param {string} word */
const quote = (word) => (/^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** @param {Row} row */
function lineOf({ kind, path, url, device, name, version, revision, problem, id, description, target }) {
  const asked = name && `${name}${version ? ` ${version}` : ''}${revision ? ` (${revision})` : ''}`;
  const what = [id, asked, description, device, problem && `no answer: ${problem}`].filter(Boolean).join(', ');
  return printable(`${kind}  ${path ?? url}  ${what || 'not asked'}  ->  mote-attach ${target.map(quote).join(' ')}`);
}

/** Returns the exit status: 0, 1 if a list is incomplete, or 2 for wrong arguments.
 * @param {string[]} args @param {Context} context */
export async function run(args, context) {
  if (args.includes('--help')) return context.stdout.write(`${usage}\n`), 0;
  let values, broker;
  try {
    const options = /** @type {const} */ ({
      probe: { type: 'boolean', default: false }, json: { type: 'boolean', default: false },
      ms: { type: 'string', default: '2000' }, mqtt: { type: 'string' }, ...brokerOptions,
    });
    ({ values } = parseArgs({ args, options, strict: true }));
    broker = values.mqtt === undefined ? undefined : mqttTarget(values.mqtt, values, '#');
    if (!/^\d{1,5}$/.test(values.ms)) throw new Error('--ms must be a number of at most 5 digits.');
  } catch (error) {
    context.stderr.write(`${/** @type {Error} */ (error).message}\n${usage}\n`);
    return 2;
  }
  const lists = await Promise.allSettled([
    listSerial(values.probe, context), listNetwork(Number(values.ms), values.probe, context),
    ...(broker ? [listMqtt(broker)] : []),
  ]);
  const rows = lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []));
  for (const list of lists) if (list.status === 'rejected') context.stderr.write(`${list.reason.message}\n`);
  if (values.json) context.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else if (rows.length === 0) {
    const where = ['No serial port', 'no board that answers by mDNS', ...(broker ? ['no device at the broker'] : [])];
    context.stdout.write(`${where.slice(0, -1).join(', ')}, and ${where.at(-1)}.\n`);
  }
  else context.stdout.write(rows.map((row) => `${lineOf(row)}\n`).join(''));
  return lists.every(({ status }) => status === 'fulfilled') ? 0 : 1;
}
