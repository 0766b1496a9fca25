// SPDX-License-Identifier: Apache-2.0
// The functions of the RP2040's boot ROM that the pico-sdk looks up, because rp2040js contains no boot ROM. Each is a
// breakpoint instruction that the emulator handles. Source: RP2040 Datasheet, section 2.8.3.
import { softFloat } from './soft_float.mjs';

const romSize = 16_384;
const functionTable = 0x100;
const dataTable = 0x180;
const firstFunction = 0x200;
const firstFloatTable = 0x400;
const breakpoint = 0xbe00;
const returnInstruction = 0x4770;  // bx lr
const firstNumber = 0x40;          // of the breakpoints, which have a number of one byte

const codeOf = (name) => name.charCodeAt(0) | (name.charCodeAt(1) << 8);

function reversed(value) {
  let result = 0;
  for (let bit = 0; bit < 32; ++bit) result = (result << 1) | ((value >>> bit) & 1);
  return result >>> 0;
}

function bitsIn(value) {
  let count = 0;
  for (let rest = value >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) ++count;
  return count;
}

/**
 * Puts the functions into the ROM of `chip`. Returns a function that handles the breakpoint with a number, and returns
 * false if it is not one of the ROM. `end` is called with a text when the image enters the boot loader, `report` when
 * it looks up what is not there, and `writes` after it has erased or programmed the flash.
 */
export function loadBootRom(chip, end, report, writes = () => {}) {
  const { registers } = chip.core;
  const copy = () => {
    const [to, from, size] = registers;
    for (let i = 0; i < size; ++i) chip.writeUint8(to + i, chip.readUint8(from + i));
  };
  const fill = () => {
    const [to, value, size] = registers;
    for (let i = 0; i < size; ++i) chip.writeUint8(to + i, value & 0xff);
  };
  const erase = () => {
    const [at, size] = registers;
    chip.flash.fill(0xff, at, at + size);
    writes();
  };
  // Programming clears bits.
  const program = () => {
    const [at, from, size] = registers;
    for (let i = 0; i < size; ++i) chip.flash[at + i] &= chip.readUint8(from + i);
    writes();
  };
  const nothing = () => {};
  const functions = {
    MC: copy, C4: copy, MS: fill, S4: fill,
    P3: () => { registers[0] = bitsIn(registers[0]); },
    R3: () => { registers[0] = reversed(registers[0]); },
    L3: () => { registers[0] = Math.clz32(registers[0]); },
    T3: () => { registers[0] = registers[0] === 0 ? 32 : 31 - Math.clz32(registers[0] & -registers[0]); },
    // The flash needs no set-up before the pico-sdk reads its unique number.
    IF: nothing, EX: nothing, FC: nothing, CX: nothing, RE: erase, RP: program,
    UB: () => end('the image has reset the chip into its boot loader'),
  };

  const rom = new DataView(new ArrayBuffer(romSize));
  const handlers = new Map();
  const add = (handler) => {
    const number = firstNumber + handlers.size;
    const at = firstFunction + 4 * handlers.size;
    rom.setUint16(at, breakpoint | number, true);
    rom.setUint16(at + 2, returnInstruction, true);
    handlers.set(number, handler);
    return at | 1;  // Thumb
  };

  let row = functionTable;
  const addresses = new Map();
  for (const [name, handler] of Object.entries(functions)) {
    addresses.set(codeOf(name), add(handler));
    rom.setUint16(row, codeOf(name), true);
    rom.setUint16(row + 2, addresses.get(codeOf(name)), true);
    row += 4;
  }
  let at = firstFloatTable;
  const floatTables = new Map();
  for (const [name, handlers] of Object.entries(softFloat(registers))) {
    rom.setUint8(at + 2, handlers.length);  // in the byte at 2 before the table
    at += 4;
    floatTables.set(codeOf(name), at);
    for (const handler of handlers) {
      if (handler !== undefined) rom.setUint32(at, add(handler), true);
      at += 4;
    }
  }
  const lookUp = add(() => {
    const [table, code] = registers;
    if (table !== functionTable) {
      registers[0] = floatTables.get(code) ?? 0;
      return;
    }
    const name = String.fromCharCode(code & 0xff, (code >> 8) & 0xff);
    if (!addresses.has(code)) report(`there is no function '${name}', which the image looks up`);
    registers[0] = addresses.get(code) ?? 0;
  });
  rom.setUint32(0x10, 0x0301754d, true);  // 'M', 'u', 1, version 3
  rom.setUint16(0x14, functionTable, true);
  rom.setUint16(0x16, dataTable, true);
  rom.setUint16(0x18, lookUp, true);
  chip.bootrom.set(new Uint32Array(rom.buffer));

  return (number) => {
    const handler = handlers.get(number);
    handler?.();
    return handler !== undefined;
  };
}
