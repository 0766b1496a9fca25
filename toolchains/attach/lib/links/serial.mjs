// SPDX-License-Identifier: Apache-2.0
// A device at a serial port.
import { statSync } from 'node:fs';
import { findSerialPort } from '../serial_ports.mjs';
import { LineLink } from './line_link.mjs';

const vanishedMs = 100;
const isFile = process.platform !== 'win32';

/**
 * Opens the port with DTR, which USB devices wait for. parseTarget() accepts no 1200 baud, which starts some boot loaders.
 * @param {{path?: string, usb?: string, baud?: number}} target @returns {Promise<LineLink>}
 */
export async function openSerial({ path: wanted, usb, baud = 115200 }) {
  const { path } = await findSerialPort(usb ? { usb } : { path: wanted });
  const { SerialPort } = await import('serialport');
  const port = new SerialPort({ path, baudRate: baud, autoOpen: false, lock: true });
  await new Promise((resolve, reject) => port.open((error) => (error ? reject(error) : resolve(undefined))));
  // Some adapters have no DTR.
  await new Promise((resolve) => port.set({ dtr: true, rts: true }, () => resolve(undefined)));
  // Some drivers report nothing when the cable is pulled, but the device file goes.
  const watch = setInterval(() => {
    if (!isFile || statSync(path, { throwIfNoEntry: false })) return;
    link.lose(`${path} was unplugged`);
  }, vanishedMs);
  const link = new LineLink((data) => port.write(data), () => {
    clearInterval(watch);
    if (port.isOpen) port.close(() => {});
  });
  port.on('data', (/** @type {Buffer} */ data) => link.take(data));
  port.on('error', (error) => link.lose(error.message));
  port.on('close', (/** @type {any} */ error) => link.lose(error?.message ?? `${path} was closed`));
  return link;
}
