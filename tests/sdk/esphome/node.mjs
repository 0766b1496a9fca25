// SPDX-License-Identifier: Apache-2.0
// Starts a node of ESPHome on this machine, and connects official clients to it. Exits with 77 (skipped) without them.
//
// usage of a test: node NAME.test.mjs NODE...
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHttp } from '../../../examples/client/http.mjs';
import { clientLibrary, nodeFolder, openSession, sdkInstalled } from '../../../examples/client/session.mjs';
import { atEnd } from '../../at_end.mjs';
import { clientV2, v2Folder, v2Installed } from '../../client/client_v2.mjs';

for (const [folder, isThere] of [[nodeFolder, sdkInstalled], [v2Folder, v2Installed]]) {
  if (isThere) continue;
  console.log(`skipped: the official client is not installed in ${folder} (tests/run installs it)`);
  process.exit(77);
}

export const nodes = process.argv.slice(2);
export const limitMs = 60_000;  // of one test; it only ends what has already failed

/** The tokens of the nodes that have some: one that reads and controls, and one that only reads. */
export const token = '0123456789abcdef0123456789abcdef';
export const reader = 'fedcba9876543210fedcba9876543210';

/** A node that has started, with its `url`; gone when the test `t` ends. What it logs is in `stderr`. */
export async function startNode(t, program = nodes[0]) {
  // ESPHome stores preferences there.
  const home = mkdtempSync(join(tmpdir(), 'mote-esphome-'));
  process.env.HOME = home;
  atEnd(t, () => rmSync(home, { recursive: true, force: true }));
  const node = await startHttp(program, []);
  atEnd(t, () => node.end());
  return node;
}

const libraries = { v1: clientLibrary(), v2: clientV2() };

/**
 * An official client that is connected to the node; it ends with the test `t`. SDK v2 without a mode uses a session, as
 * v1 does. `elicit` is the user: a function from the params of an elicitation to its result.
 * @param {{ url: string }} node
 * @param {{ token?: string, sdk?: 'v1' | 'v2', mode?: string, elicit?: (params: object) => object }} options
 */
export async function connect(t, { url }, { token: bearer, sdk = 'v1', mode = 'legacy', elicit } = {}) {
  const library = libraries[sdk];
  class Client extends library.Client {
    constructor(info) {
      super(info, { capabilities: elicit ? { elicitation: {} } : {}, versionNegotiation: { mode } });
      if (elicit) this.setRequestHandler(library.ElicitRequestSchema, ({ params }) => elicit(params));
    }
  }
  const requestInit = bearer === undefined ? {} : { headers: { Authorization: `Bearer ${bearer}` } };
  const session = await openSession({ url, requestInit }, undefined, { ...library, Client });
  atEnd(t, () => session.close());
  return session;
}

/** The error that a request of an official client ends with. */
export async function rejected(promise) {
  return promise.then((result) => assert.fail(`expected an error, not ${JSON.stringify(result)}`), (error) => error);
}

/** Sends one HTTP request with a JSON body, as no official client would. Returns { status, body }. */
export async function post({ url }, body, headers = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.text(), headers: response.headers };
}

/** The rows of all pages of a list, such as all(client, 'tools'). */
export async function all(client, kind) {
  const list = { tools: 'listTools', resources: 'listResources' }[kind];
  const rows = [];
  let cursor;
  let pages = 0;
  do {
    const page = await client[list](cursor === undefined ? {} : { cursor });
    rows.push(...page[kind]);
    cursor = page.nextCursor;
    pages += 1;
  } while (cursor !== undefined);
  return { rows, pages };
}

/** What a call returns: the object, or the text, of a result that is no error. */
export async function call(client, name, args = {}) {
  const result = await client.callTool({ name, arguments: args });
  assert.ok(!result.isError, `${name} ${JSON.stringify(args)}: ${JSON.stringify(result.content)}`);
  return resultOf(result);
}

/** The error message of a call that fails. */
export async function failure(client, name, args = {}) {
  const result = await client.callTool({ name, arguments: args });
  assert.equal(result.isError, true, `${name} ${JSON.stringify(args)}: ${JSON.stringify(result)}`);
  return result.content.map(({ text }) => text).join('');
}

function resultOf(result) {
  if (result.structuredContent !== undefined) return result.structuredContent;
  const text = result.content.map((one) => one.text).join('');
  return text.startsWith('{') ? JSON.parse(text) : text;
}
