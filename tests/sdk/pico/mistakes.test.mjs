// SPDX-License-Identifier: Apache-2.0
// What `toolchains/emulate pico` says of a mistake: one line, and status 2.
//
// usage: node mistakes.test.mjs EMULATE UART_IMAGE USB_IMAGE
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const [emulate, uartImage, usbImage] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'mote-'));
after(() => rmSync(folder, { recursive: true }));

// A UF2 file with one block of `bytes` at `address`.
function uf2(name, address, bytes) {
  const block = Buffer.alloc(512);
  [0x0a324655, 0x9e5d5157, 0, address, bytes.length, 0, 1].forEach((word, i) => block.writeUInt32LE(word, 4 * i));
  block.set(bytes, 32);
  const path = join(folder, name);
  writeFileSync(path, block);
  return path;
}

function says(options, sentence, input = '') {
  const { status, stderr } = spawnSync(emulate, ['pico', ...options], { input, encoding: 'utf8', timeout: 60_000 });
  assert.equal(stderr, `emulate: ${sentence}\n`);
  assert.equal(status, 2);
}

const usage =
  'toolchains/emulate pico IMAGE [--usb] [--pins] [--flash FILE] [--execute COMMAND]... [--control SOCKET]';

test('arguments', () => {
  says([], `usage: ${usage}`);
  says(['--usb'], `usage: ${usage}`);
  says([uartImage, '--udp'], `unexpected argument '--udp': ${usage}`);
  says([uartImage, '--control'], '--control takes the path of a Unix socket');
  says([uartImage, '--execute'], '--execute takes a command');
  says([uartImage, '--flash'], '--flash takes a file');
  const short = join(folder, 'short.bin');
  writeFileSync(short, 'short');
  says([uartImage, '--flash', short], `${short} has 5 bytes, and not 65536`);
  says([uartImage, '--execute', '{"pin":[30,true]}'], '{"pin":[30,true]}: there is no GPIO 30');
  says([uartImage, '--execute', '{"dtr":true}'], '{"dtr":true}: there is no command \'dtr\'');
});

test('images', () => {
  const missing = join(folder, 'missing.elf');
  says([missing], `${missing}: ENOENT: no such file or directory, open '${missing}'`);
  const text = join(folder, 'text.elf');
  writeFileSync(text, 'text');
  says([text], `${text}: it is neither an ELF nor a UF2 file`);
  const ram = uf2('ram.uf2', 0x20000000, Buffer.alloc(256));
  says([ram], `${ram}: it has nothing for the flash of the RP2040`);
  const pico2 = uf2('pico2.uf2', 0x10000000, Buffer.alloc(256, 0xff));
  says([pico2], `${pico2}: it does not start on the RP2040; Pico 2 has no emulator`);
});

test('the wrong wire', () => {
  says([usbImage], 'the image has not switched on UART0; with --usb the wire is USB', '{}\n');
  says([uartImage, '--usb'], 'the image is no device on USB; without --usb the wire is UART0', '{}\n');
});

// Input that the chip does not take stays with the sender, and not in memory.
test('more input than the chip takes', () => {
  const path = join(folder, 'input');
  writeFileSync(path, Buffer.alloc(1 << 24, '\n'));
  const file = openSync(path);
  const { status } = spawnSync(emulate, ['pico', uartImage, '--usb'], { stdio: [file, 'ignore', 'ignore'], timeout: 60_000 });
  assert.equal(status, 2);
  const [, taken] = /^pos:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${file}`, 'utf8'));
  assert.ok(Number(taken) > 0 && Number(taken) < 1 << 20, taken);
});

test('commands', async () => {
  for (const [command, sentence] of [['{"dtr": false}', /^emulate: dtr and baud need --usb\n$/],
    ['{"dtr"', /^emulate: a command is not JSON: .*\n$/],
    ['{"level":30}', /^emulate: {"level":30}: there is no GPIO 30\n$/]]) {
    const socket = join(folder, 'control');
    const server = createServer((connection) => connection.on('error', () => {}).write(`${command}\n`));
    await once(server.listen(socket), 'listening');
    const emulator = spawn(emulate, ['pico', uartImage, '--control', socket], { timeout: 60_000 });
    let text = '';
    emulator.stderr.on('data', (bytes) => { text += bytes; });
    const [status] = await once(emulator, 'close');
    server.close();
    assert.match(text, sentence);
    assert.equal(status, 2);
  }
});
