// SPDX-License-Identifier: Apache-2.0
// The serial ports of this machine, with the USB ids that identify a board after it renumbers its ports. On Linux they
// come from /sys, because SerialPort.list() fails on a system without udevadm.
import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * `path` is the device file. `byId` is a name that stays the same when the system renumbers its ports (Linux).
 * @typedef {{path: string, byId?: string, vendorId?: string, productId?: string, serialNumber?: string,
 *   manufacturer?: string}} Port
 * @typedef {{vendorId: string, productId: string, serialNumber?: string, manufacturer?: string}} UsbDevice
 * @typedef {{root?: string, platform?: string, list?: () => Promise<any[]>}} Places
 * @typedef {{usb?: string, path?: string}} Wanted
 */

/**
 * USB ids by VID:PID; a `*` stands for each PID. A `board` may be asked for its name. An `adapter` can have any device
 * at its pins, so it is asked only on request. A `boot loader` waits for a firmware.
 * @type {{usb: string, name: string, kind: 'board' | 'adapter' | 'boot loader'}[]}
 */
export const knownBoards = [
  { usb: '2e8a:000a', name: 'Raspberry Pi Pico', kind: 'board' },
  { usb: '2e8a:0009', name: 'Raspberry Pi Pico 2', kind: 'board' },
  { usb: '2e8a:0005', name: 'Raspberry Pi Pico with MicroPython', kind: 'board' },
  { usb: '2e8a:000c', name: 'Raspberry Pi Debug Probe', kind: 'adapter' },
  { usb: '2e8a:0003', name: 'Raspberry Pi Pico in its boot loader', kind: 'boot loader' },
  { usb: '2e8a:000f', name: 'Raspberry Pi Pico 2 in its boot loader', kind: 'boot loader' },
  { usb: '0d28:0204', name: 'BBC micro:bit', kind: 'board' },
  { usb: '2341:0043', name: 'Arduino Uno R3', kind: 'board' },
  { usb: '2341:0069', name: 'Arduino Uno R4 Minima', kind: 'board' },
  { usb: '2341:1002', name: 'Arduino Uno R4 WiFi', kind: 'board' },
  { usb: '2341:*', name: 'Arduino board', kind: 'board' },
  { usb: '2a03:*', name: 'Arduino board', kind: 'board' },
  { usb: '239a:*', name: 'Adafruit board', kind: 'board' },
  { usb: '303a:1001', name: 'ESP32 with USB', kind: 'board' },
  { usb: '303a:4001', name: 'ESP32-S2 or ESP32-S3 with USB', kind: 'board' },
  { usb: '0483:374b', name: 'ST-LINK/V2-1', kind: 'board' },
  { usb: '0483:374e', name: 'STLINK-V3', kind: 'board' },
  { usb: '0483:5740', name: 'STM32 with USB', kind: 'board' },
  { usb: '0483:df11', name: 'STM32 in its boot loader', kind: 'boot loader' },
  { usb: '1cbe:00fd', name: 'Stellaris or Tiva LaunchPad', kind: 'board' },
  { usb: '1366:*', name: 'SEGGER J-Link', kind: 'board' },
  { usb: '10c4:ea60', name: 'CP210x adapter', kind: 'adapter' },
  { usb: '1a86:7523', name: 'CH340 adapter', kind: 'adapter' },
  { usb: '1a86:55d4', name: 'CH9102 adapter', kind: 'adapter' },
  { usb: '0403:6001', name: 'FTDI FT232R adapter', kind: 'adapter' },
  { usb: '0403:6010', name: 'FTDI FT2232 adapter', kind: 'adapter' },
  { usb: '0403:6014', name: 'FTDI FT232H adapter', kind: 'adapter' },
  { usb: '0403:6015', name: 'FTDI FT231X adapter', kind: 'adapter' },
  { usb: '067b:2303', name: 'PL2303 adapter', kind: 'adapter' },
];

/** VID:PID of a port or device, or undefined. @param {Partial<UsbDevice>} device */
export const usbOf = ({ vendorId, productId }) =>
  vendorId && productId ? `${vendorId}:${productId}`.toLowerCase() : undefined;

/** The row of knownBoards for a port or device, or undefined. @param {Partial<UsbDevice>} device */
export function boardOf(device) {
  const usb = usbOf(device);
  return knownBoards.find((row) => row.usb === usb) ?? knownBoards.find((row) => row.usb === `${usb?.slice(0, 5)}*`);
}

/** A port in a sentence. @param {Port} port */
export function describePort(port) {
  const usb = usbOf(port);
  const name = boardOf(port)?.name ?? port.manufacturer;
  const id = usb && `--usb ${usb}${port.serialNumber ? `:${port.serialNumber}` : ''}`;
  return `${port.path}${name || id ? ` (${[name, id].filter(Boolean).join(', ')})` : ''}`;
}

/** @param {string} folder @param {string} name */
function readAttribute(folder, name) {
  try {
    return readFileSync(join(folder, name), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} folder */
function names(folder) {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** @param {string} path */
function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** @param {string} folder a folder of /sys with USB attributes @returns {UsbDevice | undefined} */
function readUsb(folder) {
  const vendorId = readAttribute(folder, 'idVendor');
  const productId = readAttribute(folder, 'idProduct');
  if (!vendorId || !productId) return undefined;
  const serialNumber = readAttribute(folder, 'serial');
  const manufacturer = readAttribute(folder, 'manufacturer');
  return { vendorId, productId, ...(serialNumber && { serialNumber }), ...(manufacturer && { manufacturer }) };
}

/** The USB device of a tty: one to three folders above its interface. @param {string} device */
function usbAbove(device) {
  let folder = device;
  for (let level = 0; level < 4; ++level, folder = dirname(folder)) {
    const usb = readUsb(folder);
    if (usb) return usb;
  }
  return undefined;
}

/** @param {string} root @returns {Port[]} */
function listLinux(root) {
  const idFolder = join(root, 'dev/serial/by-id');
  /** @type {Map<string, string>} */
  const ids = new Map();
  for (const name of names(idFolder)) {
    const target = realPath(join(idFolder, name));
    if (target && !ids.has(basename(target))) ids.set(basename(target), `/dev/serial/by-id/${name}`);
  }
  const ports = [];
  for (const name of names(join(root, 'sys/class/tty'))) {
    const folder = join(root, 'sys/class/tty', name);
    const device = realPath(join(folder, 'device'));
    // A UART of type 0 is a place of the driver that has no hardware.
    if (!device || readAttribute(folder, 'type') === '0') continue;
    const byId = ids.get(name);
    ports.push({ path: `/dev/${name}`, ...(byId && { byId }), ...usbAbove(device) });
  }
  return ports;
}

/** @param {string} platform @param {() => Promise<any[]>} list @returns {Promise<Port[]>} */
async function listOthers(platform, list) {
  const ports = [];
  for (const { path, vendorId, productId, serialNumber, manufacturer } of await list()) {
    // On macOS, opening /dev/tty.* waits for a carrier, and /dev/cu.* does not.
    const opened = platform === 'darwin' ? path.replace(/^\/dev\/tty\./, '/dev/cu.') : path;
    const ids = { vendorId: vendorId?.toLowerCase(), productId: productId?.toLowerCase(), serialNumber, manufacturer };
    const known = Object.entries(ids).filter(([, value]) => value);
    ports.push({ path: opened, ...Object.fromEntries(known) });
  }
  return ports;
}

/**
 * The serial ports of this machine, by name. `root` replaces / on Linux, and `list` SerialPort.list() elsewhere.
 * @param {Places} [places] @returns {Promise<Port[]>}
 */
export async function listSerialPorts({ root = '/', platform = process.platform, list } = {}) {
  if (platform === 'linux') return listLinux(root);
  return listOthers(platform, list ?? (await import('serialport')).SerialPort.list);
}

/** The USB devices of this machine, also those without a serial port; empty if not on Linux.
 * @param {Places} [places] @returns {UsbDevice[]} */
export function listUsbDevices({ root = '/', platform = process.platform } = {}) {
  if (platform !== 'linux') return [];
  const folder = join(root, 'sys/bus/usb/devices');
  return names(folder).flatMap((name) => readUsb(join(folder, name)) ?? []);
}

/** @param {Port[]} ports */
const whatIsThere = (ports) =>
  ports.length === 0 ? 'This machine has no serial port.' : `There is: ${ports.map(describePort).join('; ')}.`;

/** @param {Port[]} ports @param {string} usb @returns {Port} */
function findByUsb(ports, usb) {
  const match = /^([0-9a-f]{4}:[0-9a-f]{4})(?::(.+))?$/i.exec(usb);
  if (!match) throw new Error(`--usb must be VID:PID or VID:PID:SERIAL, such as 2e8a:000a, not ${usb}.`);
  const [, id, serial] = match;
  const found = ports.filter((port) => usbOf(port) === id.toLowerCase() &&
    (serial === undefined || port.serialNumber?.toLowerCase() === serial.toLowerCase()));
  if (found.length === 0) throw new Error(`No serial port belongs to the USB device ${usb}. ${whatIsThere(ports)}`);
  if (found.length > 1) {
    throw new Error(`Several serial ports belong to the USB device ${usb}, so name one by its path: ` +
      `${found.map((port) => port.byId ?? describePort(port)).join('; ')}.`);
  }
  return found[0];
}

/** The only known board, or without one, the only known adapter. @param {Port[]} ports */
function findOnly(ports) {
  for (const kind of ['board', 'adapter']) {
    const [port, ...others] = ports.filter((row) => boardOf(row)?.kind === kind);
    if (port && others.length === 0) return { ...port, path: port.byId ?? port.path, device: port.path };
    if (port) throw new Error(`Several serial ports have a known ${kind}, so name one. ${whatIsThere(ports)}`);
  }
  throw new Error(`No serial port has a known board, so name the port. ${whatIsThere(ports)}`);
}

/**
 * Finds one serial port. Without `usb` and `path`, it is the only known board. The result's `path` is the name that
 * stays the same if there is one, and `device` is the device file. Errors: a sentence that lists the ports.
 * @param {Wanted} wanted @param {Places} [places] @returns {Promise<Port & {device: string}>}
 */
export async function findSerialPort({ usb, path }, places = {}) {
  const ports = await listSerialPorts(places);
  if (usb !== undefined) {
    const port = findByUsb(ports, usb);
    return { ...port, path: port.byId ?? port.path, device: port.path };
  }
  if (!path) return findOnly(ports);
  const { root = '/', platform = process.platform } = places;
  const isFile = platform !== 'win32';
  const file = root === '/' ? resolve(path) : join(root, path);
  const real = isFile ? realPath(file) : undefined;
  const device = real && root !== '/' ? real.slice(realpathSync(root).length) : real ?? path;
  const port = ports.find((row) => isFile ? row.path === device : row.path.toLowerCase() === path.toLowerCase());
  if (port) return { ...port, path: port.byId ?? port.path, device: port.path };
  // A port that the list does not have, such as a pseudo-terminal.
  if (isFile && existsSync(file)) return { path: root === '/' ? file : path, device };
  throw new Error(`There is no serial port ${path}. ${whatIsThere(ports)}`);
}
