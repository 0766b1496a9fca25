// SPDX-License-Identifier: Apache-2.0
// The official client and the firmware that examples/makefile builds, on the emulated board.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd, command, library, limitMs, rejected } from './support.mjs';
import { openSession } from '../../examples/client/session.mjs';

const [emulate, board, image] = command;

test('serves its tool and its resource', { timeout: limitMs }, async (t) => {
  const session = await openSession({ command: emulate, args: [board, image] }, undefined, library);
  atEnd(t, () => session.close());
  const { client } = session;
  assert.equal(client.getServerVersion().name, 'makefile-example');
  assert.deepEqual((await client.listTools()).tools.map(({ name }) => name), ['add']);

  // More bytes than the ring of the UART holds.
  const sums = await Promise.all(
    Array.from({ length: 40 }, (_, b) => client.callTool({ name: 'add', arguments: { a: 2 ** 31 - 1, b } })),
  );
  sums.forEach(({ content }, b) => assert.equal(content[0].text, String(2 ** 31 - 1 + b)));
  const error = await client.callTool({ name: 'add', arguments: { a: 1 } });
  assert.equal(error.isError, true);

  const uptime = async () => Number((await client.readResource({ uri: 'device://uptime' })).contents[0].text);
  const first = await uptime();
  let second = first;
  while (second === first) second = await uptime();
  assert.ok(second > first, `the clock goes from ${first} to ${second} ms`);
  assert.equal((await rejected(client.readResource({ uri: 'device://none' }))).code, library.notFound);
});
