// SPDX-License-Identifier: Apache-2.0
// The wires at the GPIO pins of an emulated RP2040. rp2040js connects nothing: an input has neither the level of its
// pull nor that of its own output. Runs in Node.js and in a browser.

const microsecondNs = 1000;
const startOnce = 1 << 2;

/** What the chip does with a pin: 'low' or 'high' as an output, 'input' if not. */
function stateOf(pin) {
  if (!pin.outputEnable) return 'input';
  return pin.outputValue ? 'high' : 'low';
}

export class Wires {
  #chip;
  #levels;
  #driven;
  #states;

  /** `changed(pin, state)` is called after each change of what the chip does with a pin. */
  constructor(chip, changed = () => {}) {
    this.#chip = chip;
    this.#levels = chip.gpio.map(() => false);
    this.#driven = chip.gpio.map(() => undefined);
    this.#states = chip.gpio.map(stateOf);
    chip.gpio.forEach((pin, index) => pin.addListener(() => {
      const state = stateOf(pin);
      if (state !== this.#states[index]) changed(index, state);
      this.#states[index] = state;
      this.#settle(index);
    }));
    // A conversion clears the bit that starts it. In rp2040js, the next write to the register starts one more.
    const readAdc = chip.adc.onADCRead;
    chip.adc.onADCRead = (channel) => {
      chip.adc.cs &= ~startOnce;
      readAdc(channel);
    };
  }

  /** The level of the wire. Throws an Error if there is no such pin, as the functions below. */
  level(index) {
    this.#check(index);
    return this.#levels[index];
  }

  /** Something outside drives the wire to this level, also against an output; undefined: no longer. */
  drive(index, high) {
    this.#check(index);
    this.#driven[index] = high;
    this.#settle(index);
  }

  /** Changes the level that drive() has set after these microseconds, each counted from now. */
  toggle(index, timesUs) {
    this.#check(index);
    const { clock } = this.#chip;
    const startNs = clock.nanos;
    const times = [...timesUs];
    const next = () => {
      if (times.length > 0) alarm.schedule(Math.max(0, startNs + times.shift() * microsecondNs - clock.nanos));
    };
    const alarm = clock.createAlarm(() => {
      this.drive(index, !this.#levels[index]);
      next();
    });
    next();
  }

  #check(index) {
    if (this.#chip.gpio[index] === undefined) throw new Error(`there is no GPIO ${index}`);
  }

  // rp2040js takes each call of setInputValue() as an edge.
  #settle(index) {
    const pin = this.#chip.gpio[index];
    const high = this.#driven[index] ?? (pin.outputEnable ? pin.outputValue : pin.pullupEnabled);
    if (high === this.#levels[index]) return;
    this.#levels[index] = high;
    pin.setInputValue(high);
  }
}
