// SPDX-License-Identifier: Apache-2.0
// Runs an image of the RP2040 in rp2040js with UART0, or USB, on stdin and stdout. toolchains/emulate starts it:
//
// usage: node emulate.mjs IMAGE [--usb] [--pins] [--flash FILE] [--execute COMMAND]... [--control SOCKET]
//
// With --flash, the last 64 KB of the flash of 2 MB are FILE, which the emulator makes if it does not exist.
// With --pins it prints each change of an output on stderr, with the time of the chip.
//
// With --execute it executes a command before the image starts: one of the first six. With --control it connects to a
// Unix socket, and takes commands from there, one JSON object per line:
//   {"adc": [4, 876]}  the value of an ADC channel, 0 to 4095; channel 4 is the temperature of the chip
//   {"pin": [7, true]} the level that something outside drives the wire of GPIO 7 to; null: nothing drives it
//   {"edges": [7, [100, 250]]}  changes this level after 100 us and 250 us
//   {"level": 25}      the response {"high": true} has the level of the wire of GPIO 25
//   {"lm75": [72, {"celsius": 21.5}]}  plugs an LM75 with this address into I2C0, or changes it; null unplugs it
//   {"bme280": [118, {"temperature": 519888}]}  the same, with the numbers of its converter (i2c_devices.mjs)
//   {"dtr": false}     the program on the PC closes (or opens) the port on USB
//   {"baud": 1200}     it sets the speed of the port on USB
//   {"read": 28}       none of this, but the response comes when the chip has read so many bytes of stdin
//   {"skip": 60000}    lets the time of the chip go ahead by these milliseconds while it sleeps, and responds then
//   {"jump": 268436000}  the processor continues at this address, as after a fault
//   {"hang": true}     it continues in a loop that only serves interrupts, with which it overwrites the end of the stack
//   {"stack": 2048}    the response {"used": bytes} says how much of the stack of core 0, of that size, was ever used
// Each other one gets the line {} when the chip has it. The image starts after the first command.
//
// The clock of the chip follows the one of this machine while it sleeps. Status: 0 when stdin has ended, the image has
// read all of it and sleeps; 101 at a breakpoint of the image; 103 when it resets the chip into its boot loader; 104 when its watchdog resets it.
import { existsSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { connect } from 'node:net';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Pico } from './pico.mjs';

const breakpointStatus = 101;
const bootLoaderStatus = 103;
const watchdogStatus = 104;
const instructionNs = 8;        // at 125 MHz
const burst = 20_000;           // instructions until this machine's events have their turn
const longestSleepMs = 200;
const patienceNs = 5e9;         // for the image to switch the wire on
const quietNs = 50e6;           // asleep for this long after the last input: everything was answered
const mostInput = 65_536;       // bytes of stdin that wait for the chip; others wait in the pipe
const fifoSize = 32;
const packetSize = 64;

function fail(text) {
  writeSync(2, `emulate: ${text}\n`);
  process.exit(2);
}

const usage = 'toolchains/emulate pico IMAGE [--usb] [--pins] [--flash FILE] [--execute COMMAND]... [--control SOCKET]';
const [imagePath, ...options] = process.argv.slice(2);
if (imagePath === undefined || imagePath.startsWith('-')) fail(`usage: ${usage}`);
let isUsb = false;
let printsPins = false;
const firstCommands = [];
let controlPath;
let flashPath;
while (options.length > 0) {
  const option = options.shift();
  if (option === '--usb') isUsb = true;
  else if (option === '--pins') printsPins = true;
  else if (option === '--flash') flashPath = options.shift() ?? fail('--flash takes a file');
  else if (option === '--execute') firstCommands.push(options.shift() ?? fail('--execute takes a command'));
  else if (option === '--control') controlPath = options.shift() ?? fail('--control takes the path of a Unix socket');
  else fail(`unexpected argument '${option}': ${usage}`);
}

const modules = new URL('../../build/rp2040/', import.meta.url);
if (!existsSync(new URL('node_modules/rp2040js', modules))) {
  fail('rp2040js is missing; `examples/demo --board pico` installs it');
}
const { Simulator, USBCDC } = createRequire(fileURLToPath(new URL('package.json', modules)))('rp2040js');

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

// The end of the flash, in a file.
const flashEnd = 2 << 20;
const flashBegin = flashEnd - (64 << 10);
function loadFlash(flash) {
  if (!existsSync(flashPath)) return;
  const bytes = readFileSync(flashPath);
  const size = flashEnd - flashBegin;
  if (bytes.length !== size) fail(`${flashPath} has ${bytes.length} bytes, and not ${size}`);
  flash.set(bytes, flashBegin);
}
function saveFlash() {
  if (flashPath) writeFileSync(flashPath, chip.flash.subarray(flashBegin, flashEnd));
}

function start() {
  try {
    return new Pico(Simulator, readFileSync(imagePath), {
      report: (text) => writeSync(2, `emulate: ${text}\n`),
      resets: (text) => end(bootLoaderStatus, text),
      writes: saveFlash,
      bites: () => end(watchdogStatus, 'the watchdog resets the chip'),
      breaks: (text) => end(breakpointStatus, text),
      changes: (pin, state) => {
        if (printsPins) writeSync(2, `emulate: ${(clock.nanos / 1e6).toFixed(3)} ms: GPIO ${pin} is ${state}\n`);
      },
    });
  } catch (error) {
    return fail(`${imagePath}: ${error.message}`);
  }
}
const pico = start();
const { chip, clock } = pico;
const { core } = chip;
if (flashPath) loadFlash(chip.flash);

function parse(command) {
  try {
    return JSON.parse(command);
  } catch (error) {
    return fail(`a command is not JSON: ${error.message}`);
  }
}

// Returns the response.
function execute(command) {
  try {
    return pico.execute(command);
  } catch (error) {
    return fail(`${JSON.stringify(command)}: ${error.message}`);
  }
}
firstCommands.map(parse).forEach(execute);

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
let skipNs;  // that the chip still has to skip, during {"skip"}

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
  if (skipNs > 0) {
    const step = Math.min(next, skipNs);
    skipNs -= step;
    chipBase += step;
    clock.tick(step);
    return false;
  }
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
    const { dtr, baud, read, skip, ...others } = commands[0];
    if (skip !== undefined) {
      skipNs ??= skip * 1e6;
      if (skipNs > 0) return;
      skipNs = undefined;
    }
    if (read > fed - (isUsb ? usb.txFIFO : chip.uart[0].rxFIFO).itemCount) return;
    if (dtr === undefined && baud === undefined) {
      endCommand(execute(others));
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
    commands.push(parse(line));
    executeNext();
    if (isRunning) wake();
    else run();
    isRunning = true;
  });
}
