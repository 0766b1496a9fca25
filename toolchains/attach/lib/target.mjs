// SPDX-License-Identifier: Apache-2.0
// What the command line names: a device and how to reach it.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * @typedef {object} Target
 * @property {'serial' | 'http' | 'mdns' | 'exec'} kind
 * @property {string} name the same for all hosts of one device; brokers are found by it
 * @property {boolean} [plain] adds no tools
 * @property {string} [path] @property {string} [usb] @property {number} [baud]
 * @property {string} [url] @property {string} [host] @property {string} [tokenFile] @property {string} [ca]
 * @property {string} [command] @property {string[]} [args]
 */

export const targetUsage = `TARGET is one of
  serial [PORT | --usb VID:PID[:SERIAL]] [--baud N]   a serial port; without a port, the only known board
  http URL [--token-file F] [--ca F]                  a device with Streamable HTTP
  mdns NAME [--token-file F] [--ca F]                 the same, by its name in the local network
  exec COMMAND [ARGUMENT]...                          a program with MCP on stdin and stdout
and may have --plain: adds no tools to those of the device.`;

/** @param {string[]} argv @returns {Target} */
export function parseTarget(argv) {
  const [kind, ...rest] = argv;
  if (kind === 'exec') {
    const plain = rest[0] === '--plain';
    const [command, ...args] = plain ? rest.slice(1) : rest;
    if (!command) throw new Error('exec needs a command.');
    return { kind, name: JSON.stringify(['exec', process.cwd(), plain, command, ...args]), plain, command, args };
  }
  const { values, positionals } = parseArgs({
    args: rest, allowPositionals: true,
    options: {
      usb: { type: 'string' }, baud: { type: 'string' }, plain: { type: 'boolean' },
      'token-file': { type: 'string' }, ca: { type: 'string' },
    },
  });
  const plain = values.plain ?? false;
  const [first, ...more] = positionals;
  if (more.length > 0) throw new Error(`Unexpected argument: ${more[0]}`);
  if (kind === 'serial') {
    const baud = values.baud === undefined ? undefined : Number(values.baud);
    if (baud !== undefined && !(Number.isInteger(baud) && baud > 0)) throw new Error('--baud needs a number.');
    return { kind, name: JSON.stringify([kind, first ?? '', values.usb ?? '', plain]), plain, path: first, usb: values.usb, baud };
  }
  if ((kind !== 'http' && kind !== 'mdns') || !first) throw new Error(`Not a target: ${argv.join(' ')}\n${targetUsage}`);
  const files = {
    ...(values['token-file'] && { tokenFile: resolve(values['token-file']) }), ...(values.ca && { ca: resolve(values.ca) }),
  };
  const name = JSON.stringify([kind, first, files.tokenFile ?? '', plain]);
  return kind === 'http' ? { kind, name, plain, url: first, ...files } : { kind, name, plain, host: first, ...files };
}

/** Opens the link to the device. @param {Target} target @returns {Promise<any>} */
export async function openTarget(target) {
  if (target.kind === 'exec') return (await import('./links/exec.mjs')).openProgram(/** @type {any} */ (target));
  if (target.kind === 'serial') return (await import('./links/serial.mjs')).openSerial(target);
  const { openHttp } = await import('./links/http.mjs');
  if (target.kind === 'http') return openHttp(/** @type {any} */ (target));
  const { resolveMdns } = await import('./mdns.mjs');
  return openHttp({ ...target, ...await resolveMdns(/** @type {string} */ (target.host)) });
}
