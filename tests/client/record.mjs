// Writes what goes between the tests and their servers to the file that MOTE_RECORD names, for tests/schema (the form is
// in tests/schema/records.mjs); without it, nothing. Imported for that effect: whoever starts a process, the official
// client included, does so through child_process.spawn, and nothing else sees the bytes as the server wrote them.
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { closeSync, openSync, writeSync } from 'node:fs';
import { basename } from 'node:path';

const file = process.env.MOTE_RECORD ? openSync(process.env.MOTE_RECORD, 'w') : undefined;
const open = new Set();  // records of servers that still run
let servers = 0;

// One server. Its entries go to the file in one piece, because several servers may run at once.
class Record {
  #entries;
  #partial = { in: Buffer.alloc(0), out: Buffer.alloc(0) };

  constructor() {
    ++servers;
    this.#entries = [JSON.stringify({ play: basename(process.argv[1]), way: `server ${servers}` })];
    open.add(this);
  }

  // latin1 is a character for a byte, so that bytes that are not UTF-8 get to the file as they are.
  #put(key, bytes) {
    this.#entries.push(JSON.stringify({ [key]: bytes.toString('latin1') }));
  }

  add(key, bytes) {
    let rest = Buffer.concat([this.#partial[key], bytes]);
    for (let end = rest.indexOf(0x0A); end >= 0; end = rest.indexOf(0x0A)) {
      this.#put(key, rest.subarray(0, end));
      rest = rest.subarray(end + 1);
    }
    this.#partial[key] = rest;
  }

  // A server that was ended may have been in the middle of a line; one that ends by itself may not.
  end(wasEnded) {
    if (!open.delete(this)) return;
    if (this.#partial.out.length > 0) this.#put(wasEnded ? 'half' : 'out', this.#partial.out);
    writeSync(file, Buffer.from(this.#entries.map((entry) => `${entry}\n`).join(''), 'latin1'));
  }
}

function recorded(child) {
  const record = new Record();
  const write = child.stdin.write.bind(child.stdin);
  child.stdin.write = (data, ...others) => {
    record.add('in', Buffer.from(data));
    return write(data, ...others);
  };
  child.stdout.on('data', (data) => record.add('out', data));
  child.on('close', (code, signal) => record.end(signal !== null || code === 128 + 15));
  return child;
}

if (file !== undefined) {
  const { spawn } = childProcess;
  childProcess.spawn = (...command) => recorded(spawn(...command));
  syncBuiltinESMExports();
  process.on('exit', () => {
    for (const record of open) record.end(true);
    closeSync(file);
  });
}
