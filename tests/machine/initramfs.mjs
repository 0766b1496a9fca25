// SPDX-License-Identifier: Apache-2.0
// Makes the first root file system of Linux: a cpio archive in the format newc, in memory.
// Source: Documentation/driver-api/early-userspace/buffer-format.rst of Linux.

const types = { folder: 0o040755, program: 0o100755, file: 0o100644 };

function entry(number, name, mode, data) {
  const fields = [number, mode, 0, 0, 1, 0, data.length, 0, 0, 0, 0, name.length + 1, 0];
  const head = `070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}${name}\0`;
  const aligned = (bytes) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
  return Buffer.concat([aligned(Buffer.from(head)), aligned(data)]);
}

/** `files` is a list of { name, type, data }, a folder before its files. */
export function initramfs(files) {
  const entries = files.map(({ name, type, data = '' }, i) => entry(i + 1, name, types[type], Buffer.from(data)));
  return Buffer.concat([...entries, entry(0, 'TRAILER!!!', 0, Buffer.alloc(0))]);
}
