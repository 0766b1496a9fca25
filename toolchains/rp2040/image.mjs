// SPDX-License-Identifier: Apache-2.0
// Reads an image for the RP2040, an ELF or UF2 file, into a copy of its flash.
const flashBegin = 0x10000000;
const flashEnd = 0x11000000;
const uf2Magic = 0x0a324655;
const elfMagic = 0x464c457f;
const vectors = 0x100;  // in flash: behind the second-stage boot loader
const ramBegin = 0x20000000;
const ramEnd = 0x20042000;
const loaded = 1;  // the type of an ELF segment

function* uf2Blocks(file) {
  for (let at = 0; at + 512 <= file.length; at += 512) {
    const size = file.readUInt32LE(at + 16);
    yield { address: file.readUInt32LE(at + 12), bytes: file.subarray(at + 32, at + 32 + size) };
  }
}

function* elfSegments(file) {
  const first = file.readUInt32LE(28);
  const size = file.readUInt16LE(42);
  const count = file.readUInt16LE(44);
  for (let i = 0; i < count; ++i) {
    const at = first + i * size;
    const begin = file.readUInt32LE(at + 4);
    const bytes = file.subarray(begin, begin + file.readUInt32LE(at + 16));
    if (file.readUInt32LE(at) === loaded) yield { address: file.readUInt32LE(at + 12), bytes };
  }
}

/** Writes the contents of `file` (a Buffer) into `flash` (a Uint8Array). Throws an Error if it is no image for flash. */
export function loadImage(file, flash) {
  const magic = file.length >= 52 ? file.readUInt32LE(0) : 0;
  if (magic !== uf2Magic && magic !== elfMagic) throw new Error('it is neither an ELF nor a UF2 file');
  let size = 0;
  for (const { address, bytes } of magic === uf2Magic ? uf2Blocks(file) : elfSegments(file)) {
    if (address < flashBegin || address + bytes.length > flashEnd) continue;
    flash.set(bytes, address - flashBegin);
    size += bytes.length;
  }
  if (size === 0) throw new Error('it has nothing for the flash of the RP2040');
  const stack = new DataView(flash.buffer, flash.byteOffset).getUint32(vectors, true);
  if (stack < ramBegin || stack > ramEnd) throw new Error('it does not start on the RP2040; Pico 2 has no emulator');
}
