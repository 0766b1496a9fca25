// SPDX-License-Identifier: Apache-2.0
// The workbench on an emulated Raspberry Pi Pico: its cable, what its pins do, and the things that are wired to them.
// Knows no MCP, except that a message is a line.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { picoBoard } from './pico.mjs';
import { within } from './session.mjs';

const waitMs = 60_000;
const lm75 = 0x48;

/** The cable as a transport of the official client. After close() it is unplugged, and the board continues. */
class Cable {
  #bench;

  constructor(bench) {
    this.#bench = bench;
  }

  async start() {
    await this.#bench.setOpen(true);
    this.#bench.listen((text) => this.onmessage?.(JSON.parse(text)));
  }

  async send(message) {
    this.#bench.write(`${JSON.stringify(message)}\n`);
  }

  async close() {
    this.#bench.listen(() => {});
    await this.#bench.setOpen(false);
    this.onclose?.();
  }
}

/** An emulated board with `image`, an LM75, a BME280 and half of 3.3 V at A0. Get it from openBench(), and close() it. */
class Bench {
  #board;
  #process;
  #receive = () => {};
  #changes = [];   // of the pins, in their order: { ms, pin, state }
  #awake = () => {};
  #isUsb;
  /** Resolves with the exit status of the emulator. */
  ended;
  /** The other lines of the emulator on stderr. */
  said = [];

  constructor(emulate, image, wire) {
    this.#isUsb = wire === 'usb';
    this.#board = picoBoard(emulate, image, [...(this.#isUsb ? ['--usb'] : []), '--pins']);
    this.#process = spawn(this.#board.command, this.#board.args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#process.stdin.on('error', () => {});  // `ended` reports the end
    this.ended = new Promise((resolve) => {
      this.#process.once('error', resolve);
      this.#process.once('close', resolve);  // with the status
    });
    createInterface({ input: this.#process.stdout }).on('line', (text) => {
      if (text.startsWith('{')) this.#receive(text);  // not a boot mark
    });
    createInterface({ input: this.#process.stderr }).on('line', (text) => this.#read(text));
  }

  #read(text) {
    const [, ms, pin, state] = /^emulate: (\d+\.\d+) ms: GPIO (\d+) is (low|high|input)$/.exec(text) ?? [];
    if (state === undefined) this.said.push(text);
    else this.#changes.push({ ms: Number(ms), pin: Number(pin), state });
    this.#awake();
  }

  listen(receive) {
    this.#receive = receive;
  }

  write(text) {
    this.#process.stdin.write(text);
  }

  /** The port of the PC on USB. A UART has none. */
  async setOpen(open) {
    if (this.#isUsb) await this.execute({ dtr: open });
  }

  /** Sends a command of toolchains/rp2040/emulate.mjs. */
  execute(command) {
    return within(waitMs, `response of the emulator to ${JSON.stringify(command)}`, this.#board.execute(command));
  }

  /** The bytes of stack that core 0 has used, of `size`. */
  async stackUse(size) {
    return (await this.execute({ stack: size })).used;
  }

  cable() {
    return new Cable(this);
  }

  /** What the chip has done with a pin so far. */
  changesOf(pin) {
    return this.#changes.filter((change) => change.pin === pin);
  }

  /** Resolves with `find(changes)` of a pin, once that is not undefined. */
  async until(pin, what, find) {
    let found;
    const search = async () => {
      while ((found = find(this.changesOf(pin))) === undefined) {
        await new Promise((resolve) => { this.#awake = resolve; });
      }
    };
    await within(waitMs, what, Promise.race([search(), this.ended.then(() => { throw new Error('the emulator ended'); })]));
    return found;
  }

  /** Lets this time pass on the chip, at once. */
  async skip(ms) {
    await this.execute({ skip: ms });
  }

  async setCelsius(celsius) {
    await this.execute({ lm75: [lm75, { celsius }] });
  }

  /** Whether the wire of a pin is high. */
  async isHigh(pin) {
    return (await this.execute({ level: pin })).high;
  }

  /** Drives a wire with this period for a time, as a sensor with pulses does. */
  async drivePulses(pin, periodUs, highUs, forMs) {
    const times = [];
    for (let at = 1000; at < forMs * 1000; at += periodUs) times.push(at, at + highUs);
    await this.execute({ pin: [pin, false] });
    await this.execute({ edges: [pin, times] });
  }

  async close() {
    this.#process.stdin.end();
    this.#process.kill('SIGTERM');
    await within(waitMs, 'end of the emulator', this.ended);
    this.#board.close();
  }
}

/** A board with an LM75 at this temperature, and its client on 'usb' or 'uart'. The BME280 has the values of the example in
 * BST-BMP280-DS001, section 3.12. */
export async function openBench(emulate, image, wire, celsius) {
  const bench = new Bench(emulate, image, wire);
  await bench.setCelsius(celsius);
  await bench.execute({ bme280: [0x76, {}] });
  await bench.execute({ adc: [0, 2048] });
  return bench;
}
