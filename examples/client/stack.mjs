// SPDX-License-Identifier: Apache-2.0
// The stack of an image for a board, as its linker has placed it.
import { execFileSync } from 'node:child_process';

/** The address of a symbol of the image. */
export function addressOf(image, name) {
  const symbols = execFileSync('nm', [image], { encoding: 'utf8' });
  const [, address] = new RegExp(`^([0-9a-f]+) . ${name}$`, 'm').exec(symbols) ?? [];
  if (address === undefined) throw new Error(`${image} has no ${name}`);
  return BigInt(`0x${address}`);
}

/** The size of the stack in bytes (MOTE_STACK_SIZE). */
export function stackSize(image) {
  return Number(addressOf(image, 'mote_stack_top') - addressOf(image, 'mote_stack_bottom'));
}
