// SPDX-License-Identifier: Apache-2.0
// Tests the scripts of this folder without an SDK: what they print when something is missing, and that each failure of a
// program of an SDK, which is a fake here, ends the script with a status that is not 0.
//
// usage: node vendor.test.mjs ROOT
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(process.argv[2]);
const limitMs = 60_000;
const scripts = ['esp_idf', 'zephyr', 'pico', 'arduino', 'platformio', 'stm32'];
const pong = '{"jsonrpc":"2.0","id":1,"result":{}}';

/** A folder whose `bin` is the first one of PATH. `write` makes a file there, or elsewhere in the folder. */
function place(t) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mote-vendor-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name, text) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, 0o755);
  };
  const run = (script, ...args) => {
    const env = { ...process.env, OUT: path.join(folder, 'out'), FOLDER: folder, PATH: `${folder}/bin:${process.env.PATH}` };
    const { status, stdout, stderr } = spawnSync(path.join(root, 'tests/sdk/vendor', script), args, {
      env, cwd: folder, encoding: 'utf8', timeout: limitMs, input: '',
    });
    return { status, stdout, stderr };
  };
  return { folder, write, run };
}

for (const script of scripts) {
  test(`${script} explains its arguments`, { timeout: limitMs }, (t) => {
    const { run } = place(t);
    const help = run(script, '--help');
    assert.equal(help.status, 0);
    assert.match(help.stdout, new RegExp(`^usage: tests/sdk/vendor/${script} `));
    for (const args of [[], ['--wrong']]) {
      const { status, stderr } = run(script, ...args);
      assert.equal(status, 2);
      assert.equal(stderr, help.stdout);
    }
  });
}

const idf = { write: ['idf/export.sh', 'export PATH=$FOLDER/idf/tools:$PATH\n'] };
/** A fake of the compiler for the target linux; `header` is the status for a header of libbsd. */
const compiler = (version, header) => ['bin/g++-16', `#!/bin/sh\n[ "$1" = -dumpversion ] && echo ${version} || exit ${header}\n`];
/** A fake of idf.py that builds `program`. */
const builds = (program) => `#!/usr/bin/env bash
set -eu
[[ $1 != --version ]] || { echo 'ESP-IDF v5.5'; exit 0; }
[[ $* == '--preview -C ${root}/examples/esp_idf/usb -B '*' -D IDF_TARGET=linux build' ]] || { echo "$*"; exit 3; }
mkdir -p "$5"
printf '%s' '${program}' >"$5/thermometer.elf"
chmod +x "$5/thermometer.elf"
`;
const programs = {
  'that responds': [`#!/bin/sh\nread line; echo boot; echo "${pong.replaceAll('"', '\\"')}"\n`, 0, /It responds to a ping/],
  'that only prints': ['#!/bin/sh\necho boot\n', 1, /has not responded to a ping; status 0, output:\nboot/],
  'that crashes': ['#!/bin/sh\nkill -ABRT $$\n', 1, /has not responded to a ping; status 134/],
};
for (const [what, [program, status, text]] of Object.entries(programs)) {
  test(`esp_idf with a program for linux ${what}`, { timeout: limitMs }, (t) => {
    const { folder, write, run } = place(t);
    write(...idf.write);
    write('idf/tools/idf.py', builds(program));
    write(...compiler(16, 0));
    const result = run('esp_idf', path.join(folder, 'idf'), 'linux');
    assert.equal(result.status, status, result.stdout + result.stderr);
    assert.match(result.stdout + result.stderr, text);
  });
}

test('esp_idf ends with a build that fails', { timeout: limitMs }, (t) => {
  const { folder, write, run } = place(t);
  write(...idf.write);
  write('idf/tools/idf.py', '#!/bin/sh\n[ "$1" = --version ] || exit 5\n');
  assert.equal(run('esp_idf', path.join(folder, 'idf'), 'esp32c3', 'esp32').status, 5);
});

for (const [version, header, text] of [[11, 0, /needs GCC 12 or later/], [16, 1, /apt-get install libbsd-dev/]]) {
  test(`esp_idf with GCC ${version} and the status ${header} for libbsd`, { timeout: limitMs }, (t) => {
    const { folder, write, run } = place(t);
    write(...compiler(version, header));
    const { status, stderr } = run('esp_idf', folder, 'linux');
    assert.equal(status, 2);
    assert.match(stderr, text);
  });
}

test('esp_idf says what is missing', { timeout: limitMs }, (t) => {
  const { folder, write, run } = place(t);
  mkdirSync(path.join(folder, 'empty'));
  write('idf/export.sh', 'echo no tools; return 1\n');
  for (const [args, text] of [
    [[path.join(folder, 'empty'), 'esp32'], /has no export\.sh/],
    [[path.join(folder, 'idf'), 'esp32'], /no tools\n.*the tools of ESP-IDF are not installed: run .*\/install\.sh/],
    [['none', 'esp32'], /none is neither a folder nor a version/],
    [[path.join(folder, 'idf'), 'esp8266'], /esp8266 is no target of ESP-IDF/],
  ]) {
    const { status, stderr } = run('esp_idf', ...args);
    assert.equal(status, 2);
    assert.match(stderr, text);
  }
});

/** A program of native_sim: it prints the name of its pseudoterminal, and serves there. */
const nativeSim = (response) => `#!/usr/bin/env python3
import os, pty, tty
ours, other = pty.openpty()
tty.setraw(other)
print('uart_1 connected to pseudotty: /dev/pts/none', flush=True)
print('uart connected to pseudotty: ' + os.ttyname(other), flush=True)
while True:
    if b'\\n' in os.read(ours, 1000): os.write(ours, b'''${response}\\n''')
`;
for (const [what, program, status] of [
  ['that responds', nativeSim(pong), 0], ['that ends', '#!/bin/sh\necho "uart no"\n', 1],
]) {
  test(`zephyr with a program for native_sim ${what}`, { timeout: limitMs }, (t) => {
    const { folder, write, run } = place(t);
    write('work/zephyr/zephyr-env.sh', '');
    write('work/zephyr/VERSION', 'VERSION_MAJOR = 4\nVERSION_MINOR = 2\nPATCHLEVEL = 0\nVERSION_TWEAK = 0\n');
    write('bin/dtc', '#!/bin/sh\n');
    write('program', program);
    write('bin/west', `#!/usr/bin/env bash
set -eu
[[ $* =~ ^'build -p always -b native_sim -d '.*' ${root}/examples/zephyr'$ && $ZEPHYR_BASE == "$FOLDER/work/zephyr" ]]
mkdir -p "$7/zephyr"
cp "$FOLDER/program" "$7/zephyr/zephyr.exe"
`);
    const result = run('zephyr', path.join(folder, 'work/zephyr'), 'native_sim');
    assert.equal(result.status, status, result.stdout + result.stderr);
    assert.match(result.stdout, /examples\/zephyr for native_sim, Zephyr 4\.2\.0/);
    assert.match(result.stdout + result.stderr, status === 0 ? /It responds to a ping/ : /no pseudoterminal has not responded/);
  });
}

test('pico says which submodule is missing', { timeout: limitMs }, (t) => {
  const { folder, write, run } = place(t);
  for (const program of ['arm-none-eabi-gcc', 'cmake', 'ninja', 'g++', 'python3']) write(`bin/${program}`, '#!/bin/sh\nexit 4\n');
  write('pico-sdk/pico_sdk_init.cmake', '');
  mkdirSync(path.join(folder, 'pico-sdk/lib/cyw43-driver/src'), { recursive: true });
  const { status, stderr } = run('pico', path.join(folder, 'pico-sdk'));
  assert.equal(status, 2);
  assert.match(stderr, /lib\/lwip is empty: git -C .* submodule update --init --depth 1 lib\/lwip/);
});

for (const [what, failing, status] of [['that builds', 'none', 0], ['that fails', 'Relay', 6]]) {
  test(`arduino with a core ${what}`, { timeout: limitMs }, (t) => {
    const { folder, write, run } = place(t);
    write('bin/arduino-cli', `#!/usr/bin/env bash
set -eu
echo "$ARDUINO_BOARD_MANAGER_ADDITIONAL_URLS $*" >>"$FOLDER/calls"
[[ $1 != lib ]] || test -s "$4"
[[ $1 != compile || $* != *examples/${failing} ]] || exit 6
`);
    const result = run('arduino', 'rp2040@6.0.0');
    assert.equal(result.status, status, result.stdout + result.stderr);
    const calls = readFileSync(path.join(folder, 'calls'), 'utf8').trim().split('\n');
    assert.match(calls[1], /package_rp2040_index\.json core install rp2040:rp2040@6\.0\.0$/);
    const built = calls.flatMap((call) => /compile --fqbn (\S+) .*-std=gnu\+\+20 .*examples\/(\w+)$/.exec(call)?.slice(1).join(' ') ?? []);
    const all = ['rp2040:rp2040:rpipico', 'rp2040:rp2040:rpipicow', 'rp2040:rp2040:rpipico2'].flatMap((board) =>
      ['Thermometer', 'Relay', 'Sensor', 'Workbench', ...(board.endsWith('w') ? ['Http'] : [])].map((sketch) => `${board} ${sketch}`));
    assert.deepEqual(built, status === 0 ? all : all.slice(0, 2));
  });
}

for (const [what, program, status] of [
  ['that responds', `#!/bin/sh\\necho '\\''${pong}'\\''\\n`, 0], ['that ends', '#!/bin/sh\\n', 1],
]) {
  test(`platformio with a program ${what}`, { timeout: limitMs }, (t) => {
    const { folder, write, run } = place(t);
    write('bin/pio', `#!/usr/bin/env bash
set -eu
echo "$* $MOTE_DIR $MOTE_PLATFORM" >>"$FOLDER/calls"
[[ $* == *native ]] || exit 0
mkdir -p "$PLATFORMIO_WORKSPACE_DIR/build/native"
printf '${program}' >"$PLATFORMIO_WORKSPACE_DIR/build/native/program"
chmod +x "$PLATFORMIO_WORKSPACE_DIR/build/native/program"
`);
    const result = run('platformio', '6.12.0');
    assert.equal(result.status, status, result.stdout + result.stderr);
    const calls = readFileSync(path.join(folder, 'calls'), 'utf8');
    assert.ok(calls.includes(`run -d ${root}/tests/sdk/vendor/platformio_project -e native ${root} espressif32@6.12.0\n`));
    assert.equal(calls.includes(`run -d ${root}/examples/esp_idf/usb -c ${root}/tests/sdk/vendor/platformio_project/esp_idf.ini -e esp32c3 `), status === 0);
  });
}

test('stm32 says what is missing', { timeout: limitMs }, (t) => {
  const { folder, write, run } = place(t);
  for (const program of ['arm-none-eabi-gcc', 'cmake', 'ninja', 'qemu-system-arm']) write(`bin/${program}`, '#!/bin/sh\nexit 4\n');
  mkdirSync(path.join(folder, 'empty'));
  write('cube/Drivers/STM32F1xx_HAL_Driver/Src/stm32f1xx_hal.c', '');
  for (const [args, text] of [
    [[path.join(folder, 'empty')], /STM32F1xx_HAL_Driver has no Src\/stm32f1xx_hal\.c: git -C .*\/empty submodule update --init/],
    [[path.join(folder, 'cube'), 'task'], /has no tasks\.c: set FREERTOS_DIR/],
    [[path.join(folder, 'cube'), 'rtos'], /rtos is no form of examples\/stm32: loop, task/],
    [['none'], /none is neither a folder nor a version/],
  ]) {
    const { status, stderr } = run('stm32', ...args);
    assert.equal(status, 2);
    assert.match(stderr, text);
  }
});

for (const [what, failing, status, text] of [
  ['responds', 'none', 0, /It responds to a ping/],
  ['is silent', 'qemu', 1, /has not responded to a ping; status 3/],
  ['fails for the board', 'board', 7, /for the board, form loop\n$/],
  ['fails for the emulator', 'emulator', 7, /for the emulator, form loop\n$/],
]) {
  test(`stm32 with an image that ${what}`, { timeout: limitMs }, (t) => {
    const { folder, write, run } = place(t);
    for (const program of ['arm-none-eabi-gcc', 'ninja']) write(`bin/${program}`, '#!/bin/sh\nexit 4\n');
    write('bin/qemu-system-arm', `#!/bin/sh\n${failing === 'qemu' ? 'exit 3' : `echo '${pong}'`}\n`);
    write('cube/Drivers/STM32F1xx_HAL_Driver/Src/stm32f1xx_hal.c', '');
    write('bin/cmake', `#!/usr/bin/env bash
set -eu
echo "$*" >>"$FOLDER/calls"
[[ $* != *FOR=${failing}* ]] || exit 7
[[ $* =~ WORK=([^ ]+) ]]
mkdir -p "\${BASH_REMATCH[1]}/build"
echo image >"\${BASH_REMATCH[1]}/build/nucleo.elf"
`);
    const result = run('stm32', path.join(folder, 'cube'), 'loop');
    assert.equal(result.status, status, result.stdout + result.stderr);
    assert.match(result.stdout + result.stderr, text);
    const calls = readFileSync(path.join(folder, 'calls'), 'utf8').trim().split('\n');
    const built = calls.map((call) => /FORM=(\w+) .*FOR=(\w+) .*STM32_CUBE_DIR=\S+\/cube .*build\.cmake$/.exec(call)?.slice(1).join(' '));
    assert.deepEqual(built, failing === 'board' ? ['loop board'] : ['loop board', 'loop emulator']);
  });
}

test('each job of the workflow runs a script of this folder', () => {
  const text = readFileSync(path.join(root, '.github/workflows/sdks.yml'), 'utf8');
  const used = [...text.matchAll(/^ +run: tests\/sdk\/vendor\/(\w+) \S/gm)].map(([, name]) => name);
  assert.deepEqual(used.sort(), [...scripts].sort());
  for (const name of used) assert.ok(existsSync(path.join(root, 'tests/sdk/vendor', name)), name);
  assert.equal((text.match(/^ {2}[\w-]+:$/gm) ?? []).filter((line) => !/workflow_dispatch|contents/.test(line)).length, scripts.length);
});
