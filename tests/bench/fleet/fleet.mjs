// SPDX-License-Identifier: Apache-2.0
// A broker and the processes of its devices on this machine, and what they use: memory and time of the processor.
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Broker } from '../../../examples/client/mqtt.mjs';
import { Watcher } from './client.mjs';

const onlineMs = 180_000;

// No limits, so that the broker drops no message, and no lines in the log for each connection.
const settings = ['allow_anonymous true', 'max_connections -1', 'max_inflight_messages 0', 'max_queued_messages 0',
  'log_type information', 'log_type error', 'connection_messages false'];
// The default of Mosquitto: a packet waits for the delayed acknowledgement of the one before.
const withDelays = 'set_tcp_nodelay false';

/** The nanoseconds of the processor that the one thread of a process has taken. */
function cpuOf(pid) {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]);
}

/** The memory of a process in KiB: resident, and private and written. */
function memoryOf(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const value = (name) => Number(new RegExp(`^${name}: +([0-9]+) kB`, 'm').exec(text)[1]);
  return { resident: value('Rss'), own: value('Private_Dirty') };
}

/** The lines that `bench_fleet_device --sizes` prints, as an object. */
export function sizesOf(binary) {
  const lines = execFileSync(binary, ['--sizes'], { encoding: 'utf8' }).trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split(' ')).map(([name, value]) => [name, Number(value)]));
}

// None outlives this process.
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A broker, `count` devices, and a watcher of their presence. */
export class Fleet {
  #binary;
  #folder = mkdtempSync(join(tmpdir(), 'mote-'));
  #children = [];
  #closes = false;

  ids = [];
  /** Rejects when a device ends. */
  failed = new Promise((resolve, reject) => { this.fail = reject; });

  /**
   * `logs`: each device writes its executions to a file, see executions(). `delays`: the broker has its default for
   * TCP_NODELAY, which is off.
   */
  static async start(binary, count, { logs = false, delays = false } = {}) {
    const fleet = new Fleet();
    fleet.failed.catch(() => {});
    fleet.#binary = binary;
    try {
      fleet.broker = await Broker.start(delays ? [...settings, withDelays] : settings, {}, { options: [] });
      fleet.watcher = await Watcher.open(fleet.broker.port);
      fleet.empty = fleet.brokerMemory();
      await fleet.#startDevices(count, logs);
    } catch (error) {
      await fleet.close();
      throw error;
    }
    return fleet;
  }

  async #startDevices(count, logs) {
    const log = join(this.#folder, 'log');
    closeSync(openSync(log, 'w'));
    const cpu = this.brokerCpu();
    const begun = performance.now();
    for (let i = 0; i < count; ++i) {
      const id = `device-${String(i).padStart(4, '0')}`;
      this.ids.push(id);
      const child = spawn(this.#binary, [String(this.broker.port), id, ...(logs ? [log] : [])], { stdio: 'ignore' });
      running.add(child);
      child.on('error', this.fail);
      child.ended = new Promise((resolve) => child.on('exit', (code, signal) => {
        running.delete(child);
        resolve();
        if (!this.#closes) this.fail(new Error(`${id} has ended: ${code ?? signal}`));
      }));
      this.#children.push(child);
    }
    await Promise.race([this.watcher.all(count, onlineMs), this.failed]);
    this.startMs = performance.now() - begun;
    this.connectCpu = (this.brokerCpu() - cpu) / count;
  }

  brokerCpu() {
    return cpuOf(this.broker.pid);
  }

  brokerMemory() {
    return memoryOf(this.broker.pid).resident;
  }

  devicesCpu() {
    return this.#children.reduce((sum, { pid }) => sum + cpuOf(pid), 0);
  }

  /** The private memory of the devices in KiB, the least first. */
  deviceMemory() {
    return this.#children.map(({ pid }) => memoryOf(pid).own).sort((a, b) => a - b);
  }

  /** The token of a call -> how often a device has executed it. */
  executions() {
    const counts = new Map();
    for (const line of readFileSync(join(this.#folder, 'log'), 'utf8').split('\n')) {
      const token = Number(line.split(' ')[1]);
      if (line !== '') counts.set(token, (counts.get(token) ?? 0) + 1);
    }
    return counts;
  }

  async close() {
    this.#closes = true;
    for (const child of this.#children) child.kill('SIGKILL');
    await Promise.all(this.#children.map(({ ended }) => ended));
    await this.watcher?.close();
    await this.broker?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
