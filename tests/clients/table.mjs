// SPDX-License-Identifier: Apache-2.0
// Compares the table of clients in transports/README.md with scenario.tsv and differences.tsv, which the tests clients.*
// compare with the clients. With --write, it writes the table.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clients, differences, differencesOf, root, scenario, servers, ways } from './clients.mjs';

const path = join(root, 'transports/README.md');
const [begin, end] = ['<!-- clients: tests/clients/table.mjs --write -->\n', '<!-- end of clients -->\n'];

function cell(name, client, era, way) {
  if (client.ways && !client.ways.includes(way)) return '–';
  let [right, all] = [0, 0];
  for (const server of client.servers?.(way) ?? servers(way)) {
    const rows = scenario(server, era, way);
    all += rows.length;
    right += rows.length - differences(name, server, era, way).length;
  }
  return `${right} of ${all}`;
}

function table() {
  const lines = ['| client | revision | stdio | HTTP | attach |', '|---|---|---|---|---|'];
  for (const [name, client] of Object.entries(clients)) {
    for (const era of client.eras) {
      const revision = era === 'legacy' ? '2025-11-25' : '2026-07-28';
      const cells = ways.map((way) => cell(name, client, era, way));
      lines.push(`| ${[`${client.title} ${client.version()}`, revision, ...cells].join(' | ')} |`);
    }
  }
  lines.push('', '| client | step | difference |', '|---|---|---|');
  const rows = new Map();
  for (const [name, client] of Object.entries(clients)) {
    for (const { step, reason } of differencesOf(name)) {
      const key = `${step}\t${reason}`;
      rows.set(key, [...new Set([...rows.get(key) ?? [], client.title])]);
    }
  }
  for (const [key, titles] of rows) {
    const [step, reason] = key.split('\t');
    lines.push(`| ${titles.join(', ')} | \`${step}\` | ${reason} |`);
  }
  return `${lines.join('\n')}\n`;
}

const text = readFileSync(path, 'utf8');
const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
assert.ok(from >= begin.length && to >= from, `${path} has no table of clients`);
if (process.argv[2] === '--write') {
  writeFileSync(path, text.slice(0, from) + table() + text.slice(to));
} else {
  assert.equal(text.slice(from, to), table(), 'run: node tests/clients/table.mjs --write');
}
