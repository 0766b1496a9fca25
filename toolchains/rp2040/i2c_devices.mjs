// SPDX-License-Identifier: Apache-2.0
// Devices at an I2C controller of an emulated RP2040. Runs in Node.js and in a browser.

const transmitterEmpty = 1 << 4;  // in IC_RAW_INTR_STAT

/** Connects a controller of rp2040js to `devices`, a Map of 7-bit addresses that may change at any time. */
export function connectDevices(controller, devices) {
  let device;
  controller.onConnect = (address) => {
    device = devices.get(address);
    device?.begin();
    // Without a device the chip drops the byte. rp2040js does not set this bit then, and the pico-sdk waits for it.
    if (device === undefined) controller.setInterrupts(transmitterEmpty);
    controller.completeConnect(device !== undefined);
  };
  controller.onWriteByte = (byte) => controller.completeWrite(device.write(byte));
  controller.onReadByte = () => controller.completeRead(device.read());
}

/** An LM75 of 9 bits. Source: SNIS153B, "Register Map". It converts at once. */
export class Lm75 {
  celsius = 20;
  #registers = [[0, 0], [0], [0x4b, 0], [0x50, 0]];  // temperature, configuration, hysteresis, limit
  #pointer = 0;
  #at;  // of the byte in its transaction; the first one that is written is the pointer

  set({ celsius }) {
    this.celsius = celsius;
  }

  begin() {
    this.#at = -1;
  }

  write(byte) {
    const register = this.#registers[this.#pointer];
    if (++this.#at === 0) this.#pointer = byte & 3;
    else if (this.#pointer !== 0 && this.#at <= register.length) register[this.#at - 1] = byte;
    return true;
  }

  read() {
    const halves = Math.round(this.celsius * 2) << 7;
    this.#registers[0] = [halves >> 8 & 0xff, halves & 0xff];
    const register = this.#registers[this.#pointer];
    return register[++this.#at % register.length];
  }
}

const measuring = 8;
const oversampling = [0, 1, 2, 4, 8, 16, 16, 16];
// The trimming parameters of the example in BST-BMP280-DS001, section 3.12, and of a usual humidity sensor.
const firstTrim = [27504, 26435, -1000, 36477, -10685, 3024, 2855, 140, -7, 15500, -14600, 6000];
const humidityTrim = { h1: 75, h2: 367, h3: 0, h4: 314, h5: 50, h6: 30 };
const noValue = 0x8000;

/** A BME280, whose values are the numbers of its converter. Source: BST-BME280-DS002, sections 3.3, 5.4 and 9.1. */
export class Bme280 {
  temperature = 519_888;
  pressure = 415_148;
  humidity = 30_000;
  #clock;
  #registers = new Uint8Array(256);
  #at = 0;
  #isFirst;       // byte that is written
  #readyNs = 0;   // of a measurement

  /** `clock` is that of the chip. */
  constructor(clock) {
    this.#clock = clock;
    this.#registers[0xd0] = 0x60;
    firstTrim.forEach((value, i) => this.#put(0x88 + 2 * i, value, value >> 8));
    const { h1, h2, h3, h4, h5, h6 } = humidityTrim;
    this.#put(0xa1, h1);
    this.#put(0xe1, h2, h2 >> 8, h3, h4 >> 4, (h5 & 15) << 4 | (h4 & 15), h5 >> 4, h6);
    this.#reset();
  }

  set({ temperature, pressure, humidity }) {
    this.temperature = temperature ?? this.temperature;
    this.pressure = pressure ?? this.pressure;
    this.humidity = humidity ?? this.humidity;
  }

  begin() {
    this.#isFirst = true;
    this.#measure();
  }

  // Bytes come in pairs: a register and its value.
  write(byte) {
    if (this.#isFirst) this.#at = byte;
    else this.#change(this.#at, byte);
    this.#isFirst = !this.#isFirst;
    return true;
  }

  read() {
    return this.#registers[this.#at++ & 0xff];
  }

  #put(at, ...bytes) {
    this.#registers.set(bytes.map((byte) => byte & 0xff), at);
  }

  #reset() {
    this.#put(0xf2, 0, 0, 0, 0, 0, 0x80, 0, 0, 0x80, 0, 0, 0x80, 0);
  }

  #change(at, byte) {
    if (at === 0xe0 && byte === 0xb6) this.#reset();
    if (at !== 0xf2 && at !== 0xf4 && at !== 0xf5) return;
    this.#registers[at] = byte;
    if (at !== 0xf4 || (byte & 3) === 0) return;
    const [temperatures, pressures, humidities] = this.#times();
    const others = [pressures, humidities].filter((times) => times > 0);
    const milliseconds = others.reduce((sum, times) => sum + 2.3 * times + 0.575, 1.25 + 2.3 * temperatures);
    this.#readyNs = this.#clock.nanos + milliseconds * 1e6;
    this.#registers[0xf3] = measuring;
  }

  #times() {
    const [ctrlHum, , ctrlMeas] = this.#registers.subarray(0xf2);
    return [ctrlMeas >> 5, ctrlMeas >> 2 & 7, ctrlHum & 7].map((bits) => oversampling[bits]);
  }

  // Ends a measurement whose time is over. In normal mode, the next one has ended, too.
  #measure() {
    const mode = this.#registers[0xf4] & 3;
    if (mode === 0 || this.#clock.nanos < this.#readyNs) return;
    const [temperatures, pressures, humidities] = this.#times();
    const pressure = pressures > 0 ? this.pressure : noValue << 4;
    const temperature = temperatures > 0 ? this.temperature : noValue << 4;
    const humidity = humidities > 0 ? this.humidity : noValue;
    this.#put(0xf7, pressure >> 12, pressure >> 4, pressure << 4, temperature >> 12, temperature >> 4, temperature << 4,
      humidity >> 8, humidity);
    this.#registers[0xf3] = 0;
    if (mode !== 3) this.#registers[0xf4] &= ~3;
  }
}
