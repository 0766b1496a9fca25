#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Extracts the JSON Schemas of MCP from the official conformance suite into FOLDER/REVISION.json, for a clone without
// ../shared. npm checks the suite against tests/conformance/package-lock.json. The suite contains no schema of
// 2024-11-05 and none of the tasks extension.
//
// usage: extract.mjs SUITE FOLDER
// SUITE is the bundle dist/index.js of the suite. It does not export the schemas, so this program finds their literals.
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

const SCHEMA = /\{\$schema:`[^`]*`,(?:definitions|\$defs):\{Annotations:/g;

// Returns the index after the object literal that begins at `start`.
function end_of_literal(text, start) {
  let depth = 0;
  let quote = '';
  for (let at = start; at < text.length; ++at) {
    const character = text[at];
    if (character === '\\') ++at;
    else if (quote) quote = character === quote ? '' : quote;
    else if ('`"\''.includes(character)) quote = character;
    else if (character === '{') ++depth;
    else if (character === '}' && --depth === 0) return at + 1;
  }
  throw new Error('a schema without an end');
}

// Each revision introduced a type that identifies it.
function revision_of(schema) {
  const names = Object.keys(schema.$defs ?? schema.definitions);
  if (names.includes('DiscoverRequest')) return '2026-07-28';
  if (names.includes('Task')) return '2025-11-25';
  if (names.includes('ElicitRequest')) return '2025-06-18';
  return '2025-03-26';
}

// The suite contains early copies with an error that the specification has corrected since: bounds and default of
// NumberSchema are integers there, and numbers in schema.ts.
function correct(schema) {
  const { properties } = (schema.$defs ?? schema.definitions).NumberSchema ?? {};
  for (const name of ['default', 'minimum', 'maximum']) {
    if (properties?.[name]?.type === 'integer') properties[name].type = 'number';
  }
  return schema;
}

const [suite, folder] = process.argv.slice(2);
const text = fs.readFileSync(suite, 'utf8');
const schemas = new Map();
for (const { index } of text.matchAll(SCHEMA)) {
  const literal = text.slice(index, end_of_literal(text, index));
  const json = vm.runInNewContext(`JSON.stringify(${literal})`, {}, { timeout: 10_000 });
  const schema = correct(JSON.parse(json));
  schemas.set(revision_of(schema), schema);
}
if (schemas.size !== 4) {
  console.error(`${suite} has the schemas of ${[...schemas.keys()].join(', ') || 'no revision'}, not of four`);
  process.exit(1);
}
fs.mkdirSync(folder, { recursive: true });
for (const [revision, schema] of schemas) {
  fs.writeFileSync(path.join(folder, `${revision}.json`), `${JSON.stringify(schema, null, 2)}\n`);
}
