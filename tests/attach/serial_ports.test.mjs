// SPDX-License-Identifier: Apache-2.0
// Serial ports in a copy of /sys and /dev that the test writes. usage: node serial_ports.test.mjs
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import {
  boardOf, describePort, findSerialPort, knownBoards, listSerialPorts, listUsbDevices,
} from '../../toolchains/attach/lib/serial_ports.mjs';

/** An empty machine. */
function machine(t) {
  const root = mkdtempSync(join(tmpdir(), 'mote-'));
  atEnd(t, () => rmSync(root, { recursive: true, force: true }));
  const write = (name, text) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  const link = (name, target) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    symlinkSync(relative(dirname(join(root, name)), join(root, target)), join(root, name));
  };
  const usb = (place, ids) => {
    for (const [name, value] of Object.entries(ids)) write(`sys/devices/usb1/${place}/${name}`, `${value}\n`);
    link(`sys/bus/usb/devices/${place}`, `sys/devices/usb1/${place}`);
  };
  /** A tty whose `device` is `below` the folder of the USB device. */
  const tty = (name, place, below, id) => {
    const interface_ = `sys/devices/usb1/${place}/${below}`;
    mkdirSync(join(root, interface_), { recursive: true });
    link(`sys/class/tty/${name}/device`, interface_);
    write(`dev/${name}`, '');
    if (id) link(`dev/serial/by-id/${id}`, `dev/${name}`);
  };
  return { root, write, link, usb, tty, places: { root, platform: 'linux' } };
}

const pico = { idVendor: '2e8a', idProduct: '000a', serial: 'E6614864D3', manufacturer: 'Raspberry Pi' };
const picoId = 'usb-Raspberry_Pi_Pico_E6614864D3-if00';

test('lists a CDC device, an adapter and a UART, and no empty place of a driver', async (t) => {
  const { write, link, usb, tty, places } = machine(t);
  usb('1-1', pico);
  tty('ttyACM0', '1-1', '1-1:1.0', picoId);
  usb('1-2', { idVendor: '1a86', idProduct: '7523' });
  tty('ttyUSB0', '1-2', '1-2:1.0/ttyUSB0');
  for (const [name, type] of [['ttyS0', '4'], ['ttyS1', '0']]) {
    write(`sys/devices/platform/${name}/uevent`, '');
    link(`sys/class/tty/${name}/device`, `sys/devices/platform/${name}`);
    write(`sys/class/tty/${name}/type`, `${type}\n`);
  }
  write('sys/class/tty/tty1/uevent', '');  // a console has no device
  assert.deepEqual(await listSerialPorts(places), [
    {
      path: '/dev/ttyACM0', byId: `/dev/serial/by-id/${picoId}`, vendorId: '2e8a', productId: '000a',
      serialNumber: 'E6614864D3', manufacturer: 'Raspberry Pi',
    },
    { path: '/dev/ttyS0' },
    { path: '/dev/ttyUSB0', vendorId: '1a86', productId: '7523' },
  ]);
});

test('lists nothing on a machine without /sys', async (t) => {
  const { places } = machine(t);
  assert.deepEqual(await listSerialPorts(places), []);
  assert.deepEqual(listUsbDevices(places), []);
  assert.deepEqual(listUsbDevices({ platform: 'darwin' }), []);
});

test('lists the ports of other systems, and macOS ports by the name that does not wait', async () => {
  const row = { path: '/dev/tty.usb1', vendorId: '2E8A', productId: '000A', serialNumber: 'AB', pnpId: 'x' };
  const expected = { path: '/dev/cu.usb1', vendorId: '2e8a', productId: '000a', serialNumber: 'AB' };
  assert.deepEqual(await listSerialPorts({ platform: 'darwin', list: async () => [row] }), [expected]);
  const windows = { platform: 'win32', list: async () => [{ path: 'COM3' }] };
  assert.deepEqual(await listSerialPorts(windows), [{ path: 'COM3' }]);
  assert.deepEqual(await findSerialPort({ path: 'com3' }, windows), { path: 'COM3', device: 'COM3' });
  await assert.rejects(findSerialPort({ path: 'COM4' }, windows), /There is no serial port COM4\. There is: COM3\.$/);
});

test('finds a port by its USB ids, and by its serial number', async (t) => {
  const { usb, tty, places } = machine(t);
  usb('1-1', pico);
  tty('ttyACM0', '1-1', '1-1:1.0', picoId);
  const found = await findSerialPort({ usb: '2E8A:000a' }, places);
  assert.equal(found.path, `/dev/serial/by-id/${picoId}`);
  assert.equal(found.device, '/dev/ttyACM0');
  assert.equal((await findSerialPort({ usb: '2e8a:000a:e6614864d3' }, places)).device, '/dev/ttyACM0');
  await assert.rejects(findSerialPort({ usb: '2e8a:000a:other' }, places), {
    message: 'No serial port belongs to the USB device 2e8a:000a:other. There is: /dev/ttyACM0 (Raspberry Pi Pico, ' +
      '--usb 2e8a:000a:E6614864D3).',
  });
  await assert.rejects(findSerialPort({ usb: 'pico' }, places), /^Error: --usb must be VID:PID or VID:PID:SERIAL/);
});

test('refuses to choose between two boards of one kind', async (t) => {
  const { usb, tty, places } = machine(t);
  usb('1-1', pico);
  tty('ttyACM0', '1-1', '1-1:1.0', picoId);
  usb('1-2', { ...pico, serial: 'E6600000' });
  tty('ttyACM1', '1-2', '1-2:1.0');
  await assert.rejects(findSerialPort({ usb: '2e8a:000a' }, places), (error) => {
    assert.match(error.message, /^Several serial ports .* by its path: \/dev\/serial\/by-id\/.*; \/dev\/ttyACM1 \(/);
    return true;
  });
  assert.equal((await findSerialPort({ usb: '2e8a:000a:E6600000' }, places)).path, '/dev/ttyACM1');
});

test('replaces a numbered path by the name that stays the same', async (t) => {
  const { usb, tty, write, places } = machine(t);
  usb('1-1', pico);
  tty('ttyACM0', '1-1', '1-1:1.0', picoId);
  write('tmp/pty', '');
  for (const path of ['/dev/ttyACM0', `/dev/serial/by-id/${picoId}`]) {
    const found = await findSerialPort({ path }, places);
    assert.equal(found.path, `/dev/serial/by-id/${picoId}`);
    assert.equal(found.device, '/dev/ttyACM0');
  }
  assert.deepEqual(await findSerialPort({ path: '/tmp/pty' }, places), { path: '/tmp/pty', device: '/tmp/pty' });
  await assert.rejects(findSerialPort({ path: '/dev/ttyUSB7' }, places), /no serial port \/dev\/ttyUSB7\. There is: /);
});

test('finds the only known board, and then the only known adapter', async (t) => {
  const { usb, tty, places } = machine(t);
  await assert.rejects(findSerialPort({}, places), /No serial port has a known board, so name the port\. This /);
  usb('1-2', { idVendor: '1a86', idProduct: '7523' });
  tty('ttyUSB0', '1-2', '1-2:1.0/ttyUSB0');
  assert.equal((await findSerialPort({}, places)).path, '/dev/ttyUSB0');
  usb('1-1', pico);
  tty('ttyACM0', '1-1', '1-1:1.0', picoId);
  assert.equal((await findSerialPort({}, places)).device, '/dev/ttyACM0');
  usb('1-3', pico);
  tty('ttyACM1', '1-3', '1-3:1.0');
  await assert.rejects(findSerialPort({}, places), /Several serial ports have a known board, so name one\. There/);
});

test('says that a machine has no serial port', async (t) => {
  const { places } = machine(t);
  const message = 'There is no serial port /dev/ttyUSB0. This machine has no serial port.';
  await assert.rejects(findSerialPort({ path: '/dev/ttyUSB0' }, places), { message });
});

test('lists USB devices without a serial port, such as a boot loader', (t) => {
  const { usb, places } = machine(t);
  usb('1-3', { idVendor: '2e8a', idProduct: '0003' });
  const [device] = listUsbDevices(places);
  assert.equal(boardOf(device).kind, 'boot loader');
});

test('knows boards by their USB ids, each once', () => {
  for (const { usb } of knownBoards) assert.match(usb, /^[0-9a-f]{4}:([0-9a-f]{4}|\*)$/);
  assert.equal(new Set(knownBoards.map(({ usb }) => usb)).size, knownBoards.length);
  assert.equal(boardOf({ vendorId: '2341', productId: '0043' }).name, 'Arduino Uno R3');
  assert.equal(boardOf({ vendorId: '2341', productId: 'ffff' }).name, 'Arduino board');
  assert.equal(boardOf({ vendorId: '1a86', productId: '7523' }).kind, 'adapter');
  assert.equal(boardOf({}), undefined);
  assert.equal(describePort({ path: '/dev/ttyS0' }), '/dev/ttyS0');
});
