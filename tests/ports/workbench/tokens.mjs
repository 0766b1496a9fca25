#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Counts the tokens that the tools of a workbench take in the context of a model: of each tool, and of all. The texts are
// those of tools/list, as JSON, and the tokenizer is that of gpt-4o and later models of OpenAI.
//
// usage: tokens.mjs MOST SERVER ARGUMENT...
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import readline from 'node:readline';

const require = createRequire(new URL('../../../build/node/package.json', import.meta.url));
const [most, program, ...programArguments] = process.argv.slice(2);

/** @returns {((text: string) => number) | null} */
function tokenizer() {
  if (!fs.existsSync(new URL('../../../build/node/node_modules/gpt-tokenizer', import.meta.url))) return null;
  return require('gpt-tokenizer/encoding/o200k_base').countTokens;
}

async function main() {
  const count = tokenizer();
  if (count === null) {
    console.log('skipped: gpt-tokenizer is not installed; tests/run does that');
    return 77;
  }
  const server = spawn(program, programArguments, { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const lines = readline.createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    const ask = async (/** @type {number} */ id, /** @type {string} */ method, /** @type {object} */ params) => {
      server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }) + '\n');
      let value;
      do {
        const line = await lines.next();
        if (line.done) throw new Error(`no response to ${method}`);
        value = line.value;
      } while (!value.startsWith('{'));  // a boot mark
      const response = JSON.parse(value);
      if (response.result === undefined) throw new Error(value);
      return response.result;
    };
    await ask(1, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'tokens', version: '1' },
    });
    const tools = [];
    let cursor;
    do {
      const page = await ask(2 + tools.length, 'tools/list', cursor === undefined ? {} : { cursor });
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    for (const tool of tools) console.log(`${String(count(JSON.stringify(tool))).padStart(5)} ${tool.name}`);
    const all = count(JSON.stringify(tools));
    console.log(`${String(all).padStart(5)} of ${most} tokens of ${tools.length} tools`);
    if (tools[0].name !== 'all_off') throw new Error('all_off is not the first tool');
    return all <= Number(most) ? 0 : 1;
  } finally {
    server.kill();
  }
}

process.exitCode = await main();
