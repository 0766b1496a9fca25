// SPDX-License-Identifier: Apache-2.0
// node --import of this file: after FULL_AFTER bytes, the disk of the file FULL_FILE is full. As Linux does, the write that does not fit
// takes a part, and the next one ends with ENOSPC.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { FULL_FILE: path, FULL_AFTER: after } = process.env;
const { openSync, writeSync } = fs;
const files = new Set();
let left = Number(after);

fs.openSync = (name, ...more) => {
  const fd = openSync(name, ...more);
  if (name === path) files.add(fd);
  return fd;
};
fs.writeSync = (fd, bytes, at = 0, ...more) => {
  if (!files.has(fd)) return writeSync(fd, bytes, at, ...more);
  const size = Math.min(left, bytes.length - at);
  if (size === 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28, syscall: 'write' });
  left -= size;
  return writeSync(fd, bytes, at, size);
};
syncBuiltinESMExports();
