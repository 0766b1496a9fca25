// SPDX-License-Identifier: Apache-2.0
// Reads the output of toolchains/stack-bound for an image.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** Bytes of stack: the `bound`, which is never passed, and what is `reserved` (MOTE_STACK_SIZE). */
export function stackOf(image) {
  const said = execFileSync(process.execPath,
    [path('toolchains/stack-bound'), '--quiet', '--calls', path('tests/stack-calls'), image], { encoding: 'utf8' });
  const [, bound, reserved] = /: (\d+) of (\d+) bytes of stack/.exec(said);
  return { bound: Number(bound), reserved: Number(reserved) };
}

/** That what was used is no more than the bound, which is no more than what there is. */
export function assertBound(t, deepest, { bound, reserved }) {
  t.diagnostic(`deepest stack: ${deepest} bytes, bound ${bound} of ${reserved}`);
  assert.ok(deepest > 0 && deepest <= bound && bound <= reserved, `${deepest} bytes, bound ${bound} of ${reserved}`);
}

/** Uses all features of a thermometer, and compares the deepest stack of its `image` with the bound. */
export async function assertSessionStack(t, { server, session, client }, image) {
  const temperature = 'sensor://temperature';
  await client.listTools();
  await client.listResources();
  await client.subscribeResource({ uri: temperature });
  await client.callTool({ name: 'set_sample_interval', arguments: { milliseconds: 100 } });
  await server.setTemperature(30);
  await session.nextUpdate(temperature);
  await session.readJson('sensor://history/1');
  const stack = stackOf(image);
  assertBound(t, await server.stackUse(stack.reserved), stack);
}
