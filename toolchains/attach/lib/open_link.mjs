// SPDX-License-Identifier: Apache-2.0
// Opens the device that a target names. Each link is loaded when it is used.
import { isFleet } from './target.mjs';

/** @typedef {import('./target.mjs').Target} Target */

/**
 * The endpoint that a name stands for. Each device in the network can announce it, and the announcement chooses the scheme. So a
 * target with a token or an authority takes https only, unless it has --plaintext.
 * @param {Extract<Target, {kind: 'mdns'}>} target
 * @param {(name: string, options: {secure: boolean}) => Promise<{url: string, address?: string}>} [resolveName]
 */
export async function endpointOf(target, resolveName) {
  const secure = Boolean(target.tokenFile || target.ca) && !target.plaintext;
  const find = resolveName ?? (await import('./mdns.mjs')).resolveMdns;
  const { url, address } = await find(target.host, { secure });
  if (secure && !url.startsWith('https://')) throw new Error(plaintextError(target.host, url));
  return { url, ...(address && { address }) };
}

/** @param {string} name @param {string} url */
export const plaintextError = (name, url) =>
  `${name} announces ${url}, which has no encryption. With --token-file or --ca, attach uses https only. Set up TLS on the board, or ` +
  'add --plaintext.';

/** Opens the link to the device. @param {Target} target @param {any} [resolveName] replaces mDNS @returns {Promise<any>} */
export async function openLink(target, resolveName = undefined) {
  if (target.kind === 'exec') return (await import('./links/exec.mjs')).openProgram(/** @type {any} */ (target));
  if (target.kind === 'serial') return (await import('./links/serial.mjs')).openSerial(target);
  if (isFleet(target)) return (await import('./links/fleet.mjs')).openFleet(/** @type {any} */ (target));
  if (target.kind === 'mqtt') return (await import('./links/mqtt.mjs')).openMqtt(target);
  const { openHttp } = await import('./links/http.mjs');
  if (target.kind === 'http') return openHttp(/** @type {any} */ (target));
  return openHttp({ ...target, ...await endpointOf(/** @type {any} */ (target), resolveName) });
}
