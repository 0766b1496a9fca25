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

const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function* uf2Blocks(file) {
  const view = viewOf(file);
  for (let at = 0; at + 512 <= file.length; at += 512) {
    const size = view.getUint32(at + 16, true);
    yield { address: view.getUint32(at + 12, true), bytes: file.subarray(at + 32, at + 32 + size) };
  }
}

function* elfSegments(file) {
  const view = viewOf(file);
  const first = view.getUint32(28, true);
  const size = view.getUint16(42, true);
  const count = view.getUint16(44, true);
  for (let i = 0; i < count; ++i) {
    const at = first + i * size;
    const begin = view.getUint32(at + 4, true);
    const bytes = file.subarray(begin, begin + view.getUint32(at + 16, true));
    if (view.getUint32(at, true) === loaded) yield { address: view.getUint32(at + 12, true), bytes };
  }
}

/** Writes the contents of `file` into `flash`, both Uint8Arrays. Throws an Error if it is no image for flash. */
export function loadImage(file, flash) {
  const magic = file.length >= 52 ? viewOf(file).getUint32(0, true) : 0;
  if (magic !== uf2Magic && magic !== elfMagic) throw new Error('it is neither an ELF nor a UF2 file');
  let size = 0;
  for (const { address, bytes } of magic === uf2Magic ? uf2Blocks(file) : elfSegments(file)) {
    if (address < flashBegin || address + bytes.length > flashEnd) continue;
    flash.set(bytes, address - flashBegin);
    size += bytes.length;
  }
  if (size === 0) throw new Error('it has nothing for the flash of the RP2040');
  const stack = viewOf(flash).getUint32(vectors, true);
  if (stack < ramBegin || stack > ramEnd) throw new Error('it does not start on the RP2040; Pico 2 has no emulator');
}
