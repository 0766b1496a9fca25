// SPDX-License-Identifier: Apache-2.0
// Kills the broker while calls are in flight, and starts it again. Checks that each device comes back within its
// back-off, that each call has one outcome, and that no call is executed or answered twice.
//
// Half of the devices have sessions. Their client counts its calls as lost when its connection ends, and begins new
// sessions with a new client id. The other half gets stateless requests. Their client keeps its id, and sends each
// request without a response again when the device is back, as a client with QoS 1 may.
import { setTimeout } from 'node:timers/promises';
import { Client, Watcher } from './client.mjs';
import { openSessions, quantile } from './load.mjs';
import { within } from '../../../examples/client/session.mjs';

const inFlight = 2;     // calls at each device
const jobEvery = 8;     // each of so many calls takes a moment
const jobMs = 50;
const slackMs = 2_000;  // for the connection itself
const waitMs = 60_000;
/** The error of a request that the device had received before. */
const cameBefore = /came before a connection was lost/;

class Run {
  #fleet;
  #clients = {};
  #issues = true;
  #sends = new Set();    // devices that may get calls
  #unanswered = [];      // stateless requests that are sent again
  #answers = 0;
  #answered = () => {};

  /** The token of a call -> its outcome: result, lost, unreachable, error, or undefined. */
  outcomes = new Map();
  resent = new Set();
  errors = [];
  back = [];  // times in milliseconds

  constructor(fleet) {
    this.#fleet = fleet;
  }

  #isStateless(device) {
    return this.#fleet.ids.indexOf(device) % 2 === 1;
  }

  async begin() {
    this.#clients.session = await openSessions(this.#fleet, 'sessions-1');
    this.#clients.stateless = await Client.open(this.#fleet.broker.port, 'stateless');
    for (const device of this.#fleet.ids) this.#resume(device);
  }

  // A device remembers the ids of its last requests. Stateless calls go in pairs, so that no later call makes it forget
  // one that is sent again.
  #resume(device) {
    this.#sends.add(device);
    this.#issue(device, inFlight);
  }

  #issue(device, count) {
    if (!this.#issues || !this.#sends.has(device)) return;
    const isStateless = this.#isStateless(device);
    let pair = count;
    for (let i = 0; i < count; ++i) {
      const isJob = this.outcomes.size % jobEvery === 0;
      const call = this.#client(isStateless).call(device, isStateless, isJob ? 'settle' : 'count',
        isJob ? { milliseconds: jobMs } : {}, (ended, outcome, value) => {
          this.#end(ended, outcome, value);
          if (!isStateless) return this.#issue(device, 1);
          return --pair === 0 && this.#issue(device, inFlight);
        });
      this.outcomes.set(call.id, undefined);
    }
  }

  #client(isStateless) {
    return isStateless ? this.#clients.stateless : this.#clients.session;
  }

  #end(call, outcome, value) {
    if (outcome === 'result') Client.check(call, outcome, value);
    if (outcome === 'error' && this.resent.has(call.id) && cameBefore.test(value)) outcome = 'lost';
    if (outcome === 'error') this.errors.push(`call ${call.id} of ${call.device}: ${value}`);
    if (this.outcomes.get(call.id) !== undefined) throw new Error(`two outcomes of call ${call.id}`);
    this.outcomes.set(call.id, outcome);
    this.#answers += outcome === 'result' ? 1 : 0;
    this.#answered();
  }

  /** Resolves after `count` more results. */
  async results(count) {
    const wanted = this.#answers + count;
    await this.#until('results', () => this.#answers >= wanted);
  }

  #until(what, condition) {
    return within(waitMs, what, Promise.race([this.#fleet.failed, new Promise((resolve) => {
      this.#answered = () => { if (condition()) resolve(); };
      this.#answered();
    })]));
  }

  /** Kills the broker, and starts it after `outageMs`. Resolves when all devices are back. */
  async restart(outageMs) {
    const { broker } = this.#fleet;
    const ends = Object.values(this.#clients).map((client) => new Promise((resolve) => { client.onclose = resolve; }));
    await broker.stop();
    await within(waitMs, 'end of the connections', Promise.all(ends));
    this.#sends.clear();
    const { session, stateless } = this.#clients;
    this.strays = [...session.strays, ...stateless.strays];
    this.cut = session.pending.size + stateless.pending.size;
    for (const call of session.pending.values()) this.#end(call, 'lost');
    this.#unanswered = [...stateless.pending.values()];
    await setTimeout(outageMs);
    await broker.start();
    const begun = performance.now();
    this.#fleet.watcher = await Watcher.open(broker.port);
    this.#clients.session = await Client.open(broker.port, 'sessions-2');
    this.#clients.stateless = await Client.open(broker.port, 'stateless');
    const works = [];
    const take = (device) => {
      if (!this.#fleet.watcher.online.has(device)) return;
      this.back.push(this.#fleet.watcher.online.get(device) - begun);
      const work = this.#return(device);
      work.catch(this.#fleet.fail);
      works.push(work);
    };
    for (const device of this.#fleet.watcher.online.keys()) take(device);
    this.#fleet.watcher.onchange = take;
    await Promise.race([this.#fleet.watcher.all(this.#fleet.ids.length, waitMs), this.#fleet.failed]);
    await Promise.all(works);
    this.back.sort((a, b) => a - b);
  }

  async #return(device) {
    if (!this.#isStateless(device)) {
      await this.#clients.session.initialize(device);
    } else {
      for (const call of this.#unanswered.filter((one) => one.device === device)) {
        this.resent.add(call.id);
        this.#clients.stateless.send({ ...call, done: (...end) => this.#end(...end) });
      }
    }
    this.#resume(device);
  }

  /** Ends the load, when each call has a result or an error. */
  async end() {
    this.#issues = false;
    const { session, stateless } = this.#clients;
    await this.#until('last results', () => session.pending.size + stateless.pending.size === 0);
    this.strays.push(...session.strays, ...stateless.strays);
    await session.close();
    await stateless.close();
  }
}

/** Counts of the calls, and the times of the devices. Throws if a check fails. */
function verdict(run, executions, { max_retry_ms: maxRetry }) {
  const counts = { result: 0, lost: 0, unreachable: 0 };
  const violations = [...run.errors];
  const resent = { result: 0, lost: 0 };
  for (const [token, outcome] of run.outcomes) {
    const executed = executions.get(token) ?? 0;
    if (outcome === undefined) violations.push(`call ${token} has no outcome`);
    else if (outcome !== 'error') ++counts[outcome];
    if (run.resent.has(token)) ++resent[outcome];
    const least = outcome === 'result' ? 1 : 0;
    const most = outcome === 'result' || outcome === 'lost' ? 1 : 0;
    if (executed < least || executed > most) violations.push(`call ${token}: ${outcome}, ${executed} executions`);
  }
  if (run.strays.length > 0) violations.push(`second responses: ${run.strays}`);
  const last = run.back.at(-1);
  if (last > maxRetry + slackMs) violations.push(`a device was back after ${last} ms`);
  if (violations.length > 0) throw new Error(violations.slice(0, 10).join('\n'));
  const back = [0.5, 0.99, 1].map((share) => quantile(run.back, share));
  return { ...counts, resent, cut: run.cut, back };
}

/** The broker dies after `results` responses, and is started after `outageMs`. */
export async function restart(fleet, sizes, { results, outageMs }) {
  const run = new Run(fleet);
  await run.begin();
  await run.results(results);
  await run.restart(outageMs);
  await run.results(results);
  await run.end();
  return verdict(run, fleet.executions(), sizes);
}
