// SPDX-License-Identifier: Apache-2.0
// A Raspberry Pi Pico in rp2040js, with an image in its flash, devices on I2C0, and wires at its pins. Runs in Node.js
// and in a browser.
import { loadBootRom } from './boot_rom.mjs';
import { Bme280, Lm75, connectDevices } from './i2c_devices.mjs';
import { loadImage } from './image.mjs';
import { Wires } from './wires.mjs';

const vectors = 0x10000100;   // behind the second-stage boot loader
const stackEnd = 0x20042000;  // of core 0
const mostStack = 4096;
const unused = 0xc0de57ac;
const watchdog = 0x40058;     // in the map of rp2040js
const sleepLoop = 0xe7fdbf30;  // wfi, and back to it
const hex = (value) => `0x${value.toString(16).padStart(8, '0')}`;

export class Pico {
  #devices = new Map();  // on I2C0, by their addresses
  #wires;

  /**
   * `Simulator` is the class of rp2040js, `image` the bytes of an ELF or UF2 file. The functions of `events`:
   * report(text): something is missing; resets(text): the image enters the boot loader; bites(): its watchdog resets
   * the chip; breaks(text): it is at a breakpoint; writes(): it has changed the flash; changes(pin, state): see Wires.
   * Throws an Error if the image is none.
   */
  constructor(Simulator, image, events) {
    const { rp2040: chip, clock } = new Simulator();
    this.chip = chip;
    this.clock = clock;
    const { core } = chip;
    const report = (component, text) => events.report(`${component}: ${text} (pc ${hex(core.PC)})`);
    chip.logger = { debug() {}, info() {}, warn() {}, error: report };
    loadImage(image, chip.flash);
    const handleRom = loadBootRom(chip, events.resets, (text) => report('boot ROM', text), events.writes);
    chip.onBreak = (number) => {
      if (!handleRom(number)) events.breaks(`a breakpoint at ${hex(core.PC)}, called from ${hex(core.LR)}`);
    };
    chip.peripherals[watchdog].onWatchdogTrigger = events.bites ?? (() => {});
    this.#wires = new Wires(chip, events.changes);
    connectDevices(chip.i2c[0], this.#devices);
    for (let at = stackEnd - mostStack; at < stackEnd; at += 4) chip.writeUint32(at, unused);
    core.VTOR = vectors;
    core.SP = chip.readUint32(vectors);
    core.PC = chip.readUint32(vectors + 4) & ~1;
  }

  /** Executes a command of emulate.mjs that needs neither USB nor stdin. Returns the response. Throws an Error. */
  execute({ adc, pin, edges, level, lm75, bme280, stack, jump, hang, ...others }) {
    for (const name of Object.keys(others)) throw new Error(`there is no command '${name}'`);
    if (adc !== undefined) this.chip.adc.channelValues[adc[0]] = adc[1];
    if (pin !== undefined) this.#wires.drive(pin[0], pin[1] ?? undefined);
    if (edges !== undefined) this.#wires.toggle(...edges);
    if (lm75 !== undefined) this.#plug(lm75, Lm75);
    if (bme280 !== undefined) this.#plug(bme280, Bme280);
    if (jump !== undefined) this.#jump(jump);
    if (hang) {
      this.chip.writeUint32(stackEnd - mostStack, sleepLoop);
      this.#jump(stackEnd - mostStack);
    }
    if (level !== undefined) return { high: this.#wires.level(level) };
    return stack === undefined ? {} : { used: this.#stackUse(stack) };
  }

  #plug([address, values], Device) {
    if (values === null) return this.#devices.delete(address);
    if (!(this.#devices.get(address) instanceof Device)) this.#devices.set(address, new Device(this.clock));
    return this.#devices.get(address).set(values);
  }

  #jump(address) {
    this.chip.core.PC = address & ~1;
    this.chip.core.waiting = false;
  }

  #stackUse(size) {
    let at = stackEnd - size;
    while (at < stackEnd && this.chip.readUint32(at) === unused) at += 4;
    return stackEnd - at;
  }
}
