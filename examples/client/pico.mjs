// SPDX-License-Identifier: Apache-2.0
// The images of examples/pico and examples/arduino in the emulator of the Raspberry Pi Pico. Like thermometer.mjs it knows no MCP.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Sends the commands of toolchains/rp2040/emulate.mjs. It listens, and the emulator connects to it. */
class Control {
  #server;
  #socket;
  #connected;
  #replies = [];

  constructor(path) {
    this.#connected = new Promise((resolve, reject) => {
      this.#server = createServer((socket) => {
        this.#socket = socket;
        const lines = createInterface({ input: socket });
        lines.on('line', (line) => this.#replies.shift().resolve(JSON.parse(line)));
        lines.on('error', () => {});
        socket.on('error', () => {});
        socket.on('close', () => {
          for (const { reject: fail } of this.#replies.splice(0)) fail(new Error('the emulator ended'));
        });
        resolve();
      });
      this.#server.once('error', reject);
    });
    this.#connected.catch(() => {});  // reported by the execute() that needs it
    this.#server.listen(path);
  }

  /** Sends a command. Resolves with the response when the chip has it. */
  async execute(command) {
    await this.#connected;
    if (this.#socket.destroyed) throw new Error('the emulator ended');
    return new Promise((resolve, reject) => {
      this.#replies.push({ resolve, reject });
      this.#socket.write(`${JSON.stringify(command)}\n`);
    });
  }

  close() {
    this.#socket?.destroy();
    this.#server.close();
  }
}

// A sensor at a channel of the ADC: its millivolts at 0 degrees, and how many more per degree.
const stepMillivolts = 3300 / 4096;
function sensor(channel, zero, perDegree) {
  const stepsAt = (celsius) => Math.round((zero + celsius * perDegree) / stepMillivolts);
  return {
    command: (celsius) => ({ adc: [channel, stepsAt(celsius)] }),
    shows: (celsius) => (stepsAt(celsius) * stepMillivolts - zero) / perDegree,
  };
}
// The sensor in the chip: 27 degrees at 706 mV, and steps of half a degree. Source: RP2040 Datasheet, section 4.9.5.
const chipSensor = sensor(4, 706 + 27 * 1.721, -1.721);
// The sensor of the Arduino sketch, a TMP36 at A0.
const tmp36 = sensor(0, 500, 10);

/** The firmware `image` with the client on UART0 (`wire` is 'uart') or on USB ('usb'). `emulate` is toolchains/emulate. */
export function picoThermometer(emulate, image, wire, celsius) {
  return openThermometer(emulate, image, wire, celsius, chipSensor);
}

/** The same for the Arduino sketch Thermometer, with the client on Serial, which is UART0. */
export function arduinoThermometer(emulate, image, celsius) {
  return openThermometer(emulate, image, 'uart', celsius, tmp36);
}

async function openThermometer(emulate, image, wire, celsius, { command, shows }) {
  const board = picoBoard(emulate, image, wire === 'usb' ? ['--usb'] : []);
  const setTemperature = (value) => board.execute(command(value));
  // The image starts after the first command. If the emulator does not get that far, the client's handshake fails.
  setTemperature(celsius).catch(() => {});
  return { ...board, setTemperature, shows };
}

/** The emulator with these options. The image starts after the first execute(). */
export function picoBoard(emulate, image, options) {
  const folder = mkdtempSync(join(tmpdir(), 'mote-'));
  const path = join(folder, 'control');
  const control = new Control(path);
  return {
    command: emulate,
    args: ['pico', image, ...options, '--control', path],
    stackUse: async (size) => (await control.execute({ stack: size })).used,
    execute: (command) => control.execute(command),
    close: () => {
      control.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
