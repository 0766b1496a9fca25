#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The tables of a fleet over MQTT in tests/bench/README.md: devices of this machine, Mosquitto, and a client that calls
// all of them. Checks that no call is lost without an error, executed twice or answered twice.
//
// usage: tests/bench/fleet/run.mjs DEVICE [--write | --check]
//   DEVICE   the program bench_fleet_device. Builds nothing
//   (none)   measures and prints
//   --write  measures and writes the tables
//   --check  1 and 10 devices, a moment each: shows that all works, not how fast. Exits with 77 (skipped) without
//            Mosquitto, Linux or the npm packages
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeFolder } from '../../../examples/client/session.mjs';

const begin = '<!-- fleet -->\n';
const end = '<!-- end of fleet -->\n';
const readme = fileURLToPath(new URL('../README.md', import.meta.url));
const full = {
  counts: [1, 10, 100, 1000], ms: 3_000, compared: 10,
  restarts: [{ count: 100, results: 2_000, outageMs: 0 }, { count: 100, results: 2_000, outageMs: 6_000 }],
};
const small = {
  counts: [1, 10], ms: 200, compared: 1, restarts: [{ count: 10, results: 200, outageMs: 0 }],
};
const many = 32;  // calls in flight

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

const [binary, option] = process.argv.slice(2);
if (binary === undefined || ![undefined, '--write', '--check'].includes(option)) {
  console.error('usage: tests/bench/fleet/run.mjs DEVICE [--write | --check]');
  process.exit(2);
}
if (process.platform !== 'linux') skip('the bench reads /proc of Linux');
if (spawnSync('mosquitto', ['-h']).error) skip('mosquitto is not installed; tests/run installs it');
if (!existsSync(join(nodeFolder, 'node_modules/mqtt-packet'))) {
  skip('mqtt-packet is not installed; tests/run installs it');
}

const { Fleet, sizesOf } = await import('./fleet.mjs');
const { measure, openSessions } = await import('./load.mjs');
const { restart } = await import('./restart.mjs');
const { Client } = await import('./client.mjs');
const { Link, MqttJsLink } = await import('./link.mjs');

const decimal = (value, digits = 2) => value.toFixed(digits);
const whole = (value) => String(Math.round(value));
const table = (head, rows) => [
  `| ${head.join(' | ')} |`, `|---|${'---:|'.repeat(head.length - 1)}`,
  ...rows.map((cells) => `| ${cells.join(' | ')} |`), '',
].join('\n');

/** Starts a fleet for `use`, and ends it. */
async function withFleet(count, options, use) {
  const fleet = await Fleet.start(binary, count, options);
  try {
    return await use(fleet);
  } finally {
    await fleet.close();
  }
}

/** All figures of one number of devices. */
function measureFleet(count, ms) {
  return withFleet(count, {}, async (fleet) => {
    const online = fleet.brokerMemory();
    const cpu = fleet.brokerCpu();
    const client = await openSessions(fleet, 'sessions');
    const sessionCpu = (fleet.brokerCpu() - cpu) / 1000 / count;
    const sessions = fleet.brokerMemory();
    const one = await measure(fleet, client, { inFlight: 1, ms });
    const several = await measure(fleet, client, { inFlight: many, ms });
    const each = await measure(fleet, client, { inFlight: count, ms });
    const loaded = fleet.brokerMemory();
    const devices = fleet.deviceMemory();
    await client.close();
    const free = await Client.open(fleet.broker.port, 'stateless');
    const stateless = await measure(fleet, free, { inFlight: many, ms, isStateless: true });
    await free.close();
    return {
      one, several, each, stateless, startMs: fleet.startMs, connectCpu: fleet.connectCpu / 1000, sessionCpu,
      empty: fleet.empty, online, sessions, loaded, own: devices[devices.length >> 1], most: devices.at(-1),
    };
  });
}

/** The same load with another client, or another setting of the broker. */
function measureOther(count, options, Kind, load) {
  return withFleet(count, options, async (fleet) => {
    const client = await openSessions(fleet, 'sessions', Kind);
    const result = await measure(fleet, client, load);
    await client.close();
    return result;
  });
}

const loadRows = (name, pick) => [
  [`${name}: calls per second`, (fleet) => whole(pick(fleet).rate)],
  [`${name}: p50, ms`, (fleet) => decimal(pick(fleet).p50)],
  [`${name}: p99, ms`, (fleet) => decimal(pick(fleet).p99)],
  [`${name}: CPU of the broker for a call, µs`, (fleet) => whole(pick(fleet).brokerCpu)],
  [`${name}: CPU of the devices for a call, µs`, (fleet) => whole(pick(fleet).devicesCpu)],
  [`${name}: CPU of the load generator for a call, µs`, (fleet) => whole(pick(fleet).ownCpu)],
];
const rows = [
  ['from the first process to the last presence, s', (fleet) => decimal(fleet.startMs / 1000)],
  ['broker without devices, memory, KiB', (fleet) => fleet.empty],
  ['broker, devices online, memory, KiB', (fleet) => fleet.online],
  ['broker, a session with each device, memory, KiB', (fleet) => fleet.sessions],
  ['broker after the load, memory, KiB', (fleet) => fleet.loaded],
  ['CPU of the broker for the connection of a device, µs', (fleet) => whole(fleet.connectCpu)],
  ['CPU of the broker for a session, µs', (fleet) => whole(fleet.sessionCpu)],
  ['device, private written memory, median, KiB', (fleet) => fleet.own],
  ['device, private written memory, most, KiB', (fleet) => fleet.most],
  ...loadRows('1 call in flight', ({ one }) => one),
  ...loadRows(`${many} calls in flight`, ({ several }) => several),
  ...loadRows('1 call in flight at each device', ({ each }) => each),
  ...loadRows(`${many} stateless calls in flight`, ({ stateless }) => stateless),
];

const restartRows = [
  ['calls with a result', ({ result }) => result],
  ['calls in flight when the broker ended', ({ cut }) => cut],
  ['of these lost, with an error for the client', ({ lost }) => lost],
  ['requests sent again, with a result', ({ resent }) => resent.result],
  ['requests sent again that the device had received before: an error', ({ resent }) => resent.lost],
  ['devices back, p50, ms', ({ back }) => whole(back[0])],
  ['devices back, p99, ms', ({ back }) => whole(back[1])],
  ['devices back, the last one, ms', ({ back }) => whole(back[2])],
];

async function run({ counts, ms, compared, restarts }) {
  const sizes = sizesOf(binary);
  const load = decimal(loadavg()[0], 1);  // of other work
  const fleets = [];
  for (const count of counts) fleets.push(await measureFleet(count, ms));
  const mqttJs = await measureOther(compared, {}, MqttJsLink, { inFlight: many, ms });
  const delayed = await measureOther(compared, { delays: true }, Link, { inFlight: 1, ms });
  const results = [];
  for (const { count, ...plan } of restarts) {
    results.push(await withFleet(count, { logs: true }, (fleet) => restart(fleet, sizes, plan)));
  }
  const version = execFileSync('sh', ['-c', 'mosquitto -h | head -1'], { encoding: 'utf8' }).trim();
  const ram = sizes.storage + sizes.mqtt_storage + sizes.transport;
  const devices = `${compared} device${compared > 1 ? 's' : ''}`;
  return [
    '',
    `Printed on ${new Date().toISOString().slice(0, 10)}, on ${cpus().length} processors, Linux ` +
      `${release().split('-')[0]}, ${version}, Node.js ${process.version}.`,
    `Load average of the machine before the run: ${load}.`,
    '',
    '### Load',
    '',
    table(['devices', ...counts], rows.map(([name, of]) => [name, ...fleets.map(of)])),
    `- Static RAM of a device: ${ram} bytes: ${sizes.storage} of \`Storage\`, ${sizes.mqtt_storage} of \`MqttStorage\`, ` +
      `${sizes.transport} of \`MqttTransport\`.`,
    `- ${devices}, ${many} calls in flight, a load generator on MQTT.js: ${whole(mqttJs.rate)} calls per second, CPU of ` +
      `the load generator for a call ${whole(mqttJs.ownCpu)} µs.`,
    `- ${devices}, 1 call in flight, Mosquitto with its default \`set_tcp_nodelay false\`: p50 ${decimal(delayed.p50)} ` +
      `ms, p99 ${decimal(delayed.p99)} ms.`,
    '',
    '### The broker killed under load',
    '',
    table(['what', ...restarts.map(({ count, outageMs }) => `${count} devices, broker away for ${outageMs / 1000} s`)],
      restartRows.map(([name, of]) => [name, ...results.map(of)])),
  ].join('\n');
}

const text = await run(option === '--check' ? small : full);
if (option === '--write') {
  const before = readFileSync(readme, 'utf8');
  const from = before.indexOf(begin) + begin.length;
  const to = before.indexOf(end);
  if (from < begin.length || to < from) throw new Error('tests/bench/README.md has no place for the tables');
  writeFileSync(readme, before.slice(0, from) + text + before.slice(to));
}
process.stdout.write(text);
process.exit(0);
