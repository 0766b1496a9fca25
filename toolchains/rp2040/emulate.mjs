// SPDX-License-Identifier: Apache-2.0
// Runs an image of the RP2040 in rp2040js with UART0, or USB, on stdin and stdout. toolchains/emulate starts it:
//
// usage: node emulate.mjs IMAGE [--usb] [--control SOCKET]
//
// With --control it connects to a Unix socket, and takes commands from there, one JSON object per line:
//   {"adc": [4, 876]}  the value of an ADC channel, 0 to 4095; channel 4 is the temperature of the chip
//   {"dtr": false}     the program on the PC closes (or opens) the port on USB
//   {"baud": 1200}     it sets the speed of the port on USB
//   {"read": 28}       none of this, but the response comes when the chip has read so many bytes of stdin
//   {"stack": 2048}    the response {"used": bytes} says how much of the stack of core 0, of that size, was ever used
// Each other one gets the line {} when the chip has it. The image starts after the first command.
//
// The clock of the chip follows the one of this machine while it sleeps. Status: 0 when stdin has ended, the image has
// read all of it and sleeps; 101 at a breakpoint of the image; 103 when it resets the chip into its boot loader.
import { existsSync, readFileSync, writeSync } from 'node:fs';
import { connect } from 'node:net';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { loadBootRom } from './boot_rom.mjs';
import { loadImage } from './image.mjs';

const breakpointStatus = 101;
const bootLoaderStatus = 103;
const vectors = 0x10000100;     // behind the second-stage boot loader
const instructionNs = 8;        // at 125 MHz
const burst = 20_000;           // instructions until this machine's events have their turn
const longestSleepMs = 200;
const patienceNs = 5e9;         // for the image to switch the wire on
const quietNs = 50e6;           // asleep for this long after the last input: everything was answered
const stackEnd = 0x20042000;    // of core 0
const mostInput = 65_536;       // bytes of stdin that wait for the chip; others wait in the pipe
const fifoSize = 32;
const packetSize = 64;

function fail(text) {
  writeSync(2, `emulate: ${text}\n`);
  process.exit(2);
}

const usage = 'toolchains/emulate pico IMAGE [--usb] [--control SOCKET]';
const [imagePath, ...options] = process.argv.slice(2);
if (imagePath === undefined || imagePath.startsWith('-')) fail(`usage: ${usage}`);
let isUsb = false;
let controlPath;
while (options.length > 0) {
  const option = options.shift();
  if (option === '--usb') isUsb = true;
  else if (option === '--control') controlPath = options.shift() ?? fail('--control takes the path of a Unix socket');
  else fail(`unexpected argument '${option}': ${usage}`);
}

const modules = new URL('../../build/rp2040/', import.meta.url);
if (!existsSync(new URL('node_modules/rp2040js', modules))) {
  fail('rp2040js is missing; `examples/demo --board pico` installs it');
}
const { Simulator, USBCDC } = createRequire(fileURLToPath(new URL('package.json', modules)))('rp2040js');
const { rp2040: chip, clock } = new Simulator();
const { core } = chip;

const output = [];
function flush() {
  for (let bytes = Buffer.from(output.splice(0)); bytes.length > 0;) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      if (error.code !== 'EAGAIN') process.exit(0);  // the reader has gone
    }
  }
}

function end(status, text) {
  flush();
  if (text) writeSync(2, `emulate: ${text}\n`);
  process.exit(status);
}

const hex = (value) => `0x${value.toString(16).padStart(8, '0')}`;
const report = (component, text) => writeSync(2, `emulate: ${component}: ${text} (pc ${hex(core.PC)})\n`);
chip.logger = { debug() {}, info() {}, warn() {}, error: report };

try {
  loadImage(readFileSync(imagePath), chip.flash);
} catch (error) {
  fail(`${imagePath}: ${error.message}`);
}
const handleRom = loadBootRom(chip, (text) => end(bootLoaderStatus, text), (text) => report('boot ROM', text));
chip.onBreak = (number) => {
  if (handleRom(number)) return;
  end(breakpointStatus, `a breakpoint at ${hex(core.PC)}, called from ${hex(core.LR)}`);
};
const unused = 0xc0de57ac;
for (let at = stackEnd - 4096; at < stackEnd; at += 4) chip.writeUint32(at, unused);
core.VTOR = vectors;
core.SP = chip.readUint32(vectors);
core.PC = chip.readUint32(vectors + 4) & ~1;

// ---- The wire ------------------------------------------------------------------------------------------------------

const input = [];
let taken = 0;  // of the bytes in `input`
let fed = 0;    // bytes since the start
let isEnded = false;
let isConnected = false;  // USB: the PC has opened the port
const usb = isUsb ? new USBCDC(chip.usbCtrl) : undefined;
let lineCoding = new Uint8Array(0);  // what the PC sends next on endpoint 0
let isReading = false;               // the chip waits for bytes from the PC
if (isUsb) {
  usb.onSerialData = (bytes) => output.push(...bytes);
  // rp2040js completes a read without bytes at once, and the chip would read again for ever. A PC does not.
  const readSerial = chip.usbCtrl.onEndpointRead;
  chip.usbCtrl.onEndpointRead = (endpoint, size) => {
    if (endpoint === 0) {
      if (size > 0) chip.usbCtrl.endpointReadDone(0, lineCoding);
      return;
    }
    isReading = usb.txFIFO.empty;
    if (!isReading) readSerial(endpoint, size);
  };
  // An empty packet on endpoint 0 ends a request of the PC. The last one of the start-up opens the port.
  const handleWrite = chip.usbCtrl.onEndpointWrite;
  chip.usbCtrl.onEndpointWrite = (endpoint, bytes) => {
    const isStarted = usb.initialized;
    handleWrite(endpoint, bytes);
    if (endpoint !== 0 || bytes.length !== 0 || !isStarted) return;
    isConnected = true;
    endRequest();
  };
} else {
  chip.uart[0].onByte = (byte) => output.push(byte);
}

// A UART without a receiver loses bytes, so they wait until the image has switched it on.
const isOn = () => (isUsb ? isConnected : chip.uart[0].enabled);
const hasSpace = () => isOn() && (isUsb ? !usb.txFIFO.full : chip.uart[0].rxFIFO.itemCount < fifoSize);

function feed() {
  if (input.length > 0 && !isOn() && clock.nanos > patienceNs) {
    end(2, isUsb ? 'the image is no device on USB; without --usb the wire is UART0'
      : 'the image has not switched on UART0; with --usb the wire is USB');
  }
  while (taken < input.length && hasSpace()) {
    const byte = input[taken++];
    ++fed;
    if (isUsb) usb.sendSerialByte(byte);
    else chip.uart[0].feedByte(byte);
  }
  if (isReading && !usb.txFIFO.empty) chip.usbCtrl.onEndpointRead(usb.outEndpoint, packetSize);
  if (taken > 0 && taken === input.length) {
    input.length = 0;
    taken = 0;
    process.stdin.resume();
  }
  executeNext();
}

// ---- Time ----------------------------------------------------------------------------------------------------------

let timer;
let realBase = performance.now();
let chipBase = 0;
let quietSince;

// The nanoseconds by which the clock of the chip is behind the one of this machine.
const behindNs = () => (performance.now() - realBase) * 1e6 - (clock.nanos - chipBase);

function endIfDone() {
  if (!isEnded || input.length > 0) return;
  quietSince ??= clock.nanos;
  if (clock.nanos - quietSince > quietNs) end(0);
}

// Returns whether the chip has to wait for this machine.
function sleep() {
  feed();
  if (!core.waiting) return false;
  flush();
  endIfDone();
  const next = Math.min(clock.nanosToNextAlarm || 1e9, 1e9);
  const behind = behindNs();
  if (behind >= Math.min(next, 1e6)) {
    clock.tick(Math.min(next, behind));
    return false;
  }
  timer = setTimeout(run, Math.max(1, Math.min((next - behind) / 1e6, isEnded ? 5 : longestSleepMs)));
  return true;
}

function run() {
  timer = undefined;
  for (let i = 0; i < burst; ++i) {
    if ((i & 15) === 0) feed();
    if (core.waiting) {
      if (sleep()) return;
      i += 200;
    } else {
      quietSince = undefined;
      clock.tick(core.executeInstruction() * instructionNs);
    }
  }
  flush();
  // A chip that computes more than this machine can emulate does not catch up later.
  if (behindNs() > 1e8) {
    realBase = performance.now();
    chipBase = clock.nanos;
  }
  setImmediate(run);
}

function wake() {
  if (timer === undefined) return;
  clearTimeout(timer);
  timer = undefined;
  setImmediate(run);
}

process.stdin.on('data', (bytes) => {
  for (const byte of bytes) input.push(byte);
  if (input.length > mostInput) process.stdin.pause();
  quietSince = undefined;
  wake();
});
process.stdin.on('end', () => {
  isEnded = true;
  wake();
});

// ---- Commands ------------------------------------------------------------------------------------------------------

function setBaud(baud) {
  const setLineCoding = 0x20;
  lineCoding = new Uint8Array([baud, baud >> 8, baud >> 16, baud >> 24, 0, 0, 8]);
  chip.usbCtrl.sendSetupPacket(new Uint8Array([0x21, setLineCoding, 0, 0, 0, 0, lineCoding.length, 0]));
}

// Commands of the socket. The first one waits until the chip has ended the request before it.
const commands = [];
let isRequested = false;

function executeNext() {
  while (commands.length > 0 && !isRequested) {
    const { adc, dtr, baud, read, stack } = commands[0];
    if (read > fed - (isUsb ? usb.txFIFO : chip.uart[0].rxFIFO).itemCount) return;
    if (adc !== undefined) chip.adc.channelValues[adc[0]] = adc[1];
    if (dtr === undefined && baud === undefined) {
      endCommand(stack === undefined ? {} : { used: stackUse(stack) });
      continue;
    }
    if (!isUsb) fail('dtr and baud need --usb');
    if (!isConnected) return;
    isRequested = true;
    if (dtr !== undefined) usb.cdcSetControlLineState(dtr ? 3 : 0);
    else setBaud(baud);
  }
}

function endCommand(response = {}) {
  commands.shift();
  socket.write(`${JSON.stringify(response)}\n`);
}

function stackUse(size) {
  let at = stackEnd - size;
  while (at < stackEnd && chip.readUint32(at) === unused) at += 4;
  return stackEnd - at;
}

function endRequest() {
  if (isRequested) endCommand();
  isRequested = false;
  executeNext();
}

let socket;
if (controlPath === undefined) {
  run();
} else {
  let isRunning = false;
  socket = connect(controlPath);
  socket.on('error', (error) => end(2, `${controlPath}: ${error.message}`));
  socket.on('close', () => end(0));
  createInterface({ input: socket }).on('line', (line) => {
    try {
      commands.push(JSON.parse(line));
    } catch (error) {
      fail(`a command is not JSON: ${error.message}`);
    }
    executeNext();
    if (isRunning) wake();
    else run();
    isRunning = true;
  });
}
