// SPDX-License-Identifier: Apache-2.0
// Many requests at once: every one is answered, in order, under its own id (spec: basic, requests and responses).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertTemperature, connect, Lines, limitMs, temperature, thermometer } from './support.mjs';

const count = 200;

test('responds in order to 200 requests in flight', { timeout: limitMs }, async (t) => {
  const { server, client } = await connect(t);
  const answered = [];
  const requests = Array.from({ length: count }, async (_, index) => {
    const answer = index % 2 === 0 ? await client.ping() : await client.readResource({ uri: temperature });
    answered.push(index);
    return answer;
  });
  const answers = await Promise.all(requests);
  assert.deepEqual(answered, Array.from({ length: count }, (_, index) => index));
  answers.forEach((answer, index) => {
    if (index % 2 === 0) assert.deepEqual(answer, {});
    else assertTemperature(server, JSON.parse(answer.contents[0].text), 21.5);
  });
});

test('responds in order to 200 requests in one write and repeats their ids', { timeout: limitMs }, async (t) => {
  const lines = new Lines(t, await thermometer(t));
  await lines.initialize();
  // Text, because JSON.parse would round the large number. The response repeats the id byte for byte.
  const ids = Array.from({ length: count }, (_, index) => [
    `${index}`, `"text ${index}"`, `${-index}`, `9007199254740993${index}`, `"\\u00e9\\n${index}"`,
  ][index % 5]);
  const sent = lines.write(ids.map((id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`).join(''));
  for (const id of ids) {
    const line = await lines.line();
    assert.ok(line.includes(`"id":${id},`) || line.includes(`"id":${id}}`), `expected id ${id}: ${line}`);
    assert.deepEqual(JSON.parse(line).result, {});
  }
  await sent;
});
