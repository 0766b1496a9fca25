// SPDX-License-Identifier: Apache-2.0
// Numbers of images/floats.cpp. The pico-sdk calls the boot ROM for them, so the emulator has to have its functions.
//
// usage: node floats.test.mjs EMULATE IMAGE
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const [emulate, image] = process.argv.slice(2);

// IEEE 754, rounded to the nearest, as GCC computes them on x86-64.
const expected = `add 0000000040492492
subtract 00000000c036db6e
multiply 000000003edb6db8
divide 000000003d430c31
root 000000003fddb3d7
truncate fffffffffffffffe
unsigned 0000000000000003
integer 00000000cb800000
wide 000000005b000001
sine 000000003e1081c3
less 0000000000000001
double add 4206fee0e1ab3333
double multiply c1d26580b489999a
double divide c23cbe991a170000
double root 40fb2071c51168ae
double truncate ffffffffb669fd2e
double integer c170000010000000
double wide 4360000010000000
double to float 000000005037f707
float to double 3fc24924a0000000
double exponential 3fecf46d99d52b3a
double less 0000000000000001
`;

test('float and double have the values of IEEE 754', () => {
  const options = { input: '', encoding: 'utf8', timeout: 30_000 };
  const { status, stdout, stderr } = spawnSync(emulate, ['pico', image], options);
  assert.equal(stderr, '');
  assert.equal(stdout, expected);
  assert.equal(status, 0);
});
