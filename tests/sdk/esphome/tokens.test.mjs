// SPDX-License-Identifier: Apache-2.0
// The tokens that tools/list of a node with 40 entities of all types takes in the context of a model, with the tokenizer
// of gpt-4o and later models of OpenAI. The tools of automations and scripts are counted alone.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodeFolder } from '../../../examples/client/session.mjs';
import { all, connect, limitMs, startNode, token } from './node.mjs';

const most = 2500;

if (!existsSync(join(nodeFolder, 'node_modules/gpt-tokenizer'))) {
  console.log('skipped: gpt-tokenizer is not installed; tests/run does that');
  process.exit(77);
}
const { countTokens } = createRequire(join(nodeFolder, 'package.json'))('gpt-tokenizer/encoding/o200k_base');

test(`the tools of 40 entities take at most ${most} tokens`, { timeout: limitMs }, async (t) => {
  const node = await startNode(t);
  const { client } = await connect(t, node, { token });
  await node.said(/Entities: 40\b/);
  const { rows } = await all(client, 'tools');
  for (const row of rows) console.log(`${String(countTokens(JSON.stringify(row))).padStart(5)} ${row.name}`);
  const isOwn = ({ name }) => /^(water|stop|blink)$/.test(name);
  const tokens = countTokens(JSON.stringify(rows.filter((row) => !isOwn(row))));
  const own = countTokens(JSON.stringify(rows.filter(isOwn)));
  console.log(`${tokens} of ${most} tokens: read_states, and ${rows.length - 4} tools of 40 entities; ${own} of 3 own tools`);
  assert.ok(tokens <= most, `${tokens} tokens`);
});
