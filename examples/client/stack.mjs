// SPDX-License-Identifier: Apache-2.0
// The stack of an image for a board: its size, what an emulator shows of its use, and its bound.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const stackBoundProgram = fileURLToPath(new URL('../../toolchains/stack-bound', import.meta.url));

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

/** The bytes of the stack that were ever in use: unused memory still has the pattern of start-up. */
export async function usedStack(qmp, image) {
  const bottom = addressOf(image, 'mote_stack_bottom');
  const size = stackSize(image);
  const command = `xp /${size / 4}wx 0x${bottom.toString(16)}`;
  const dump = await qmp.execute('human-monitor-command', { 'command-line': command });
  const words = dump.match(/0x[0-9a-f]{8}\b/g);
  return size - 4 * words.findIndex((word) => word !== '0xc0de57ac');
}

/** The most bytes of stack that the image can need (toolchains/stack-bound). */
export function stackBound(image) {
  const said = execFileSync(process.execPath, [stackBoundProgram, '--quiet', image], { encoding: 'utf8' });
  return Number(/: (\d+) of \d+ bytes of stack/.exec(said)[1]);
}
