// SPDX-License-Identifier: Apache-2.0
// The floating-point functions of the RP2040's boot ROM, which the pico-sdk calls unless the project selects another
// implementation. Source: RP2040 Datasheet, section 2.8.3.2. The order is that of pico/bootrom/sf_table.h in pico-sdk
// 2.1.1. Denormal numbers are 0 and NaNs are infinite, as in the ROM.
const view = new DataView(new ArrayBuffer(8));

// The formats: how many registers a number takes, its smallest normal number, and its conversions.
const float = {
  size: 1,
  least: 2 ** -126,
  read([low]) {
    view.setUint32(0, low);
    return view.getFloat32(0);
  },
  write(value) {
    view.setFloat32(0, value);
    return [view.getUint32(0)];
  },
  // Cuts more than 53 bits off, and sets the lowest one in their place, so that write() alone rounds.
  fromBig(big) {
    const cut = big >> 11n;
    if (cut === 0n || cut === -1n) return Number(big);
    return Number(cut << 11n === big ? cut : cut | 1n) * 2048;
  },
};
const double = {
  size: 2,
  least: 2 ** -1022,
  read([low, high]) {
    view.setUint32(0, high);
    view.setUint32(4, low);
    return view.getFloat64(0);
  },
  write(value) {
    view.setFloat64(0, value);
    return [view.getUint32(4), view.getUint32(0)];
  },
  fromBig: Number,
};

function normal(value, least) {
  if (Number.isNaN(value)) return Infinity;
  return Math.abs(value) < least ? Math.sign(value) * 0 : value;
}

const toBig = (low, high) => BigInt(low >>> 0) | BigInt(high | 0) << 32n;
const toUnsignedBig = (low, high) => BigInt.asUintN(64, toBig(low, high));
const words = (big) => [Number(big & 0xffff_ffffn), Number(big >> 32n & 0xffff_ffffn)];

// Rounded down, and at the limits of the type.
function toInteger(value, bits, isSigned) {
  const least = isSigned ? -(2n ** BigInt(bits - 1)) : 0n;
  const most = 2n ** BigInt(isSigned ? bits - 1 : bits) - 1n;
  if (!Number.isFinite(value)) return value > 0 ? most : least;
  const whole = BigInt(Math.floor(value));
  return whole < least ? least : whole > most ? most : whole;
}

/** The functions for a format, as handlers that take and return the registers of the chip. */
function functionsOf(registers, format, other) {
  const { size } = format;
  const argument = (at = 0) => normal(format.read(registers.subarray(at, at + size)), format.least);
  const give = (values) => values.forEach((value, i) => { registers[i] = value; });
  const giveNumber = (value) => give(format.write(normal(value, format.least)));
  const two = (compute) => () => giveNumber(compute(argument(), argument(size)));
  const one = (compute) => () => giveNumber(compute(argument()));
  const scaled = (places) => argument() * 2 ** (registers[places] | 0);
  const toWord = (isSigned, isFix) => () =>
    give([Number(toInteger(isFix ? scaled(size) : argument(), 32, isSigned) & 0xffff_ffffn)]);
  const toWords = (isSigned, isFix) => () =>
    give(words(toInteger(isFix ? scaled(size) : argument(), 64, isSigned)));
  const fromWord = (isSigned, isFix) => () => {
    const value = isSigned ? registers[0] | 0 : registers[0] >>> 0;
    giveNumber(isFix ? value / 2 ** (registers[1] | 0) : value);
  };
  const fromWords = (toBits, isFix) => () => {
    const value = format.fromBig(toBits(registers[0], registers[1]));
    giveNumber(isFix ? value / 2 ** (registers[2] | 0) : value);
  };
  const compare = () => give([Math.sign(argument() - argument(size)) || 0]);
  const sine = () => {
    const angle = argument();
    give([...format.write(Math.sin(angle)), ...format.write(Math.cos(angle))]);
  };
  const convert = () => give(other.write(normal(argument(), other.least)));
  const none = undefined;  // the flags of the processor, which nothing of the pico-sdk needs
  return [
    two((a, b) => a + b), two((a, b) => a - b), two((a, b) => a * b), two((a, b) => a / b),
    compare, none, one(Math.sqrt), toWord(true, false),
    toWord(true, true), toWord(false, false), toWord(false, true), fromWord(true, false),
    fromWord(true, true), fromWord(false, false), fromWord(false, true), one(Math.cos),
    sine, one(Math.tan), sine, one(Math.exp),
    one(Math.log), compare, two(Math.atan2), fromWords(toBig, false),
    fromWords(toBig, true), fromWords(toUnsignedBig, false), fromWords(toUnsignedBig, true), toWords(true, false),
    toWords(true, true), toWords(false, false), toWords(false, true), convert,
  ];
}

/** The two tables of the ROM, by their names. `registers` are those of the chip. */
export function softFloat(registers) {
  return { SF: functionsOf(registers, float, double), SD: functionsOf(registers, double, float) };
}
