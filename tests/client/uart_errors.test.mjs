// SPDX-License-Identifier: Apache-2.0
// The second server of examples/pico/main_both.cpp, on the UART.
//
// usage: node uart_errors.test.mjs pico EMULATE IMAGE uart
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, limitMs } from './support.mjs';

test('serves the state of the UART beside the thermometer', { timeout: limitMs }, async (t) => {
  const { session, client } = await connect(t);
  assert.equal(client.getServerVersion().name, 'thermometer-wire');
  assert.deepEqual(await session.readJson('device://uart'), { framing: 0, breaks: 0, overrun: 0 });
});
