// SPDX-License-Identifier: Apache-2.0
// Two official clients at one emulated board through toolchains/attach. The board is reset under them, and both go on.
//
// usage: node demo_attach.mjs ATTACH EMULATE BOARD IMAGE
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { line, title } from './print.mjs';
import { Qmp } from './qmp.mjs';
import { clientLibrary, transportTo, within } from './session.mjs';

const waitMs = 30_000;
const temperature = 'sensor://temperature';
const [attach, ...board] = process.argv.slice(2);
const library = clientLibrary();

/** A client with a subscription; `changed` resolves at the next update. */
async function connect(name, args, env) {
  const client = new library.Client({ name, version: '0.1.0' });
  const host = { name, client };
  const listen = () => { host.changed = new Promise((resolve) => { host.resolve = resolve; }); };
  client.setNotificationHandler(library.ResourceUpdatedNotificationSchema, () => host.resolve());
  await client.connect(transportTo({ command: process.execPath, args, env, stderr: 'ignore' }, library));
  await client.subscribeResource({ uri: temperature });
  listen();
  return { ...host, listen, get changed() { return host.changed; } };
}

async function read({ name, client }) {
  const { contents } = await client.readResource({ uri: temperature });
  line(`${name} reads`, contents[0].text);
  return JSON.parse(contents[0].text).celsius;
}

const folder = mkdtempSync(join(tmpdir(), 'mote-'));
const qmp = await Qmp.listen(join(folder, 'qmp'));
const env = { ...process.env, XDG_RUNTIME_DIR: folder };
const args = [attach, 'exec', ...board, '--', '-qmp', `unix:${join(folder, 'qmp')},server=off`];
const hosts = [];
try {
  title('Two hosts at one board');
  for (const name of ['first host', 'second host']) hosts.push(await connect(name, args, env));
  for (const { name, client } of hosts) {
    const { tools } = await client.listTools();
    line(`${name} sees the tools`, tools.map((tool) => tool.name).join(', '));
    assert.ok(tools.some((tool) => tool.name === 'set_led'));
  }
  await qmp.execute('qom-set', { path: '/machine/peripheral/t0', property: 'temperature', value: 21_500 });
  await Promise.all(hosts.map((host) => within(waitMs, 'update of the temperature', host.changed)));
  for (const host of hosts) await read(host);
  title('The board is reset under them');
  for (const host of hosts) host.listen();
  const started = performance.now();
  await qmp.execute('system_reset');
  await Promise.all(hosts.map((host) => within(waitMs, 'update after the reset', host.changed)));
  line('both hosts hear of it after', `${Math.round(performance.now() - started)} ms`);
  for (const { name, client } of hosts) {
    const result = await client.callTool({ name: 'set_led', arguments: { on: true } });
    line(`${name} calls set_led`, result.content[0].text);
    assert.ok(!result.isError);
  }
  for (const host of hosts) await read(host);
} finally {
  await Promise.all(hosts.map(({ client }) => client.close()));
  qmp.close();
  rmSync(folder, { recursive: true, force: true });
}
