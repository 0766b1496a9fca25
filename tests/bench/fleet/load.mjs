// SPDX-License-Identifier: Apache-2.0
// Keeps calls in flight to the devices of a fleet, and measures them.
import { Client } from './client.mjs';
import { Link } from './link.mjs';

const sessionsAtOnce = 50;

/** A value below which `share` of the sorted values are. */
export function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

/** A client that has a session with each device. */
export async function openSessions(fleet, clientId, Kind = Link) {
  const client = await Client.open(fleet.broker.port, clientId, Kind);
  const left = [...fleet.ids];
  const work = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) await client.initialize(id);
  };
  await Promise.race([Promise.all(Array.from({ length: sessionsAtOnce }, work)), fleet.failed]);
  return client;
}

/**
 * Keeps `inFlight` calls in flight for `ms` milliseconds, and then waits for the last response. The calls go to the
 * devices in turn. Returns the calls per second, quantiles of the time of a call in milliseconds, and the time of the processor for
 * a call in microseconds.
 */
export async function measure(fleet, client, { inFlight, ms, isStateless = false }) {
  const times = [];
  const begins = new Map();
  let next = 0;
  let idle = 0;
  let end;
  const before = { broker: fleet.brokerCpu(), devices: fleet.devicesCpu(), own: process.cpuUsage() };
  const begun = performance.now();
  const finished = new Promise((resolve, reject) => {
    const begin = () => {
      const device = fleet.ids[next++ % fleet.ids.length];
      const call = client.call(device, isStateless, 'count', {}, take);
      begins.set(call.id, performance.now());
    };
    const take = (call, outcome, value) => {
      end = performance.now();
      try {
        Client.check(call, outcome, value);
      } catch (error) {
        return reject(error);
      }
      times.push(end - begins.get(call.id));
      begins.delete(call.id);
      if (end - begun < ms) return begin();
      return ++idle === inFlight && resolve();
    };
    for (let i = 0; i < inFlight; ++i) begin();
  });
  await Promise.race([finished, fleet.failed]);
  if (client.strays.length > 0) throw new Error(`second responses: ${client.strays}`);
  const own = process.cpuUsage(before.own);
  times.sort((a, b) => a - b);
  return {
    calls: times.length,
    rate: times.length / ((end - begun) / 1000),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    brokerCpu: (fleet.brokerCpu() - before.broker) / 1000 / times.length,
    devicesCpu: (fleet.devicesCpu() - before.devices) / 1000 / times.length,
    ownCpu: (own.user + own.system) / times.length,
  };
}
