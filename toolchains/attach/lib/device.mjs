// SPDX-License-Identifier: Apache-2.0
// One device: finds out its revision, sends requests, notices a reset, and keeps one merged subscription.
// Events: `open`, `boot` (it was reset), `lost` (reason), `gap` (the device had no subscription for a while), `away` (a reason that
// is not that of the event before), `news` (a notification), `legacy` (a message of a device without 2026-07-28), and from a fleet
// `left` (reason, owns), where owns(message) says whether a request is for the device that has left.
import { EventEmitter } from 'node:events';
import { Fitting } from './fitting.mjs';
import { errorOf, isMessage } from './incoming.mjs';
import { busyFor, code, cut, envelope, failed, failure, Fault, key, metaOf, modernVersion } from './rpc.mjs';
import { Subscription } from './subscription.mjs';

/** @typedef {import('./rpc.mjs').Message} Message */
/** @typedef {import('./rpc.mjs').Ending} Ending */
/**
 * `answerMs` is of a link that may lose a message: times from the last message about a request to its error. Such a link emits
 * `present` when the device announces itself again.
 * @typedef {import('node:events').EventEmitter & {canReset: boolean, send: (m: Message) => void, clear: () => void,
 *   cancel: (id: any) => void, endRequest?: (id: any) => Promise<void>, close: () => void, members?: () => any[],
 *   learn?: (tools: any[]) => void, who?: () => string | undefined, answerMs?: {call: number, other: number}}} Link
 */

/** Times in milliseconds. */
export const times = {
  meet: 1000,  // between two attempts to reach a device that may boot
  probe: 1000,  // a device that was silent for this time is probed while something is expected of it
  idle: 240_000,  // the same while no host waits for it: at most 100 bytes a minute
  idleLong: 600_000,  // the same with a longer probe, for a device that sends no changes of lists
  absent: 2000,  // the first request of a host waits for a device that is away
  answer: 1000,  // for the response to a probe
  damaged: 5000,  // for the response to a call after damage, from a device that does not tell which calls it runs
  away: 5000,  // a request waits for a device that is away
  busy: 30_000,  // a request is sent again to a busy device
  person: 600_000,  // the same for a request with the input of a person
  meetAnnounced: 30_000,  // the longest one, if the device announces itself when it has booted
  retry: [100, 2000],  // the first and the longest wait before the link is opened again
  doubt: [2000, 10_000, 60_000],  // from the refusal of 2026-07-28 to each further look: damaged bytes may have made it
  lasting: 2000,  // after a link of this time, the first wait is none
};

const mostLate = 64;
const mostMeetIds = 64;
const mostPages = 100;
const mostRows = 10_000;
const longestCursor = 64 * 1024;  // characters

/** The boot that the response to a probe names. @param {Message} [m] */
function bootOf(m) {
  const boot = m?.result?._meta?.[key.boot];
  return typeof boot === 'string' ? cut(boot, 100) : undefined;
}

/** Whether an id may be that of a subscription of a broker before this one. @param {any} id */
const isOwn = (id) => typeof id === 'number' || (typeof id === 'string' && id.length <= 100);

const wasDoubtful = 'The device supports 2026-07-28, which it did not say before; the call may have taken effect.';

/** One request of a host. Its `done` is called once. */
export class Exchange {
  /** @type {any} */ id;
  checking = false;
  misses = 0;  // responses to checks that say that the device does not run it
  /** @type {Message | undefined} */ sent;
  isShortened = false;  // after the device has said that it is too long
  ended = false;
  heardAt = Date.now();
  startedAt = Date.now();
  /** @type {ReturnType<typeof setTimeout> | undefined} */ timer;

  /**
   * @param {string} method @param {any} params @param {(ending: Ending) => void} done
   * @param {(params: any) => void} [progress] @param {boolean} [person] whether it carries the input of a person
   */
  constructor(method, params, done, progress, person = false) {
    this.method = method;
    this.params = params;
    this.done = done;
    this.progress = progress;
    this.person = person;
  }

  /** @param {Ending} ending */
  end(ending) {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.timer);
    this.done(ending);
  }
}

export class Device extends EventEmitter {
  /** @type {Link | undefined} */ #link;
  /** @type {Map<any, Exchange>} */ #pending = new Map();
  /** @type {Exchange[]} */ #busy = [];
  /** @type {Set<any>} ids of requests that have ended without their response */ #late = new Set();
  /** @type {any} */ discover;
  /** @type {'modern' | 'legacy' | undefined} */ era;
  #fitting = new Fitting();
  #nextId = Math.ceil(Math.random() * 1_000_000) * 100;
  #heardAt = 0;
  #missed = 0;
  /** @type {any[]} codes of errors that refuse the newest revision */ #refusals = [];
  #lastBoot = '';
  #stopped = false;
  #wait = 0;  // before the link is opened again
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #meeting;
  #meetIds = new Set();
  #meetMs = times.meet;
  #openedAt = 0;
  #said = '';  // the reason of the last `away`
  #wake = () => {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #doubting;
  #doubts = 0;
  /** @type {any} */ #probe;

  /**
   * @param {() => Promise<Link>} open @param {(text: string) => void} log takes the text of the device
   * @param {number} [longestWait] before the link is opened again
   * @param {string} [modernOnly] why a device without 2026-07-28 is away; without it, the device has sessions
   */
  constructor(open, log, longestWait = times.retry[1], modernOnly = undefined) {
    super();
    this.setMaxListeners(0);  // one for each request that waits
    this.open = open;
    this.log = log;
    this.longestWait = longestWait;
    this.modernOnly = modernOnly;
    this.subscription = new Subscription(this);
    this.watch = setInterval(() => this.#look(), 200);
  }

  /** Whether a host waits for something that the device forgets when it is reset; the broker knows. */
  waits = () => false;

  get isOpen() { return this.era !== undefined; }
  /** Whether the device may be reset without the end of its link. */
  get canReset() { return this.#link?.canReset === true; }
  get calls() { return this.#pending.size + this.#busy.length; }
  get link() { return this.#link; }
  newId() { return ++this.#nextId; }

  /** @param {Message} message */
  send(message) {
    try {
      this.#link?.send({ jsonrpc: '2.0', ...message });
    } catch (error) {
      const exchange = message.method === undefined ? undefined : this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (exchange) setImmediate(() => exchange.end(failed(error)));
      else this.log(`attach: ${failed(error).error.message}`);
    }
  }

  /** @param {any} id */
  cancel(id) {
    this.#forget(id);
    this.#link?.cancel(id);
  }

  /** Cancels a request. On a link where that takes a while, resolves when the device has seen it. @param {any} id */
  endRequest(id) {
    if (!this.#link?.endRequest) return this.cancel(id);
    this.#forget(id);
    return this.#link.endRequest(id);
  }

  /** @param {any} id */
  #forget(id) {
    this.#late.add(id);
    if (this.#late.size > mostLate) this.#late.delete(this.#late.values().next().value);
  }

  /** Opens the link, again and again until it is open. */
  async start() {
    while (!this.#stopped) {
      if (this.#wait > 0) await this.#pause(this.#wait);
      if (this.#stopped) return undefined;
      this.#wait = Math.min(2 * this.#wait || times.retry[0], this.longestWait);
      try {
        const link = await this.open();
        if (this.#stopped) return link.close();
        return this.#use(link);
      } catch (error) {
        this.#isAway(/** @type {Error} */ (error).message);
      }
    }
  }

  /** @param {number} ms */
  #pause(ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
  }

  /** @param {string} reason */
  #isAway(reason) {
    this.away = reason;
    if (reason === this.#said) return;
    this.#said = reason;
    this.emit('away', reason);
  }

  /** The device has announced itself: it is asked at once. */
  hurry() {
    if (this.isOpen) return;
    this.#wait = 0;
    this.#meetMs = times.meet;
    this.#wake();
    this.#meet();
  }

  /** @param {string} [reason] for the calls in flight */
  stop(reason = 'The device was released.') {
    this.#stopped = true;
    this.#wake();
    for (const id of this.#pending.keys()) this.cancel(id);
    this.subscription.end();
    this.#lose(reason);
    clearInterval(this.watch);
    this.#link?.close();
    this.#link = undefined;
  }

  /** @param {Link} link */
  #use(link) {
    this.#link = link;
    this.away = undefined;
    this.#meetMs = times.meet;
    link.on('message', (message) => {
      this.#heardAt = Date.now();
      for (const each of Array.isArray(message) ? message : [message]) {
        if (isMessage(each)) this.#guarded(each);
        else this.#suspect();
      }
    });
    link.on('text', (text) => this.log(text));
    link.on('damaged', () => this.#suspect());
    link.on('boot', (id) => this.#booted(id));
    link.on('left', (reason, owns) => this.emit('left', reason, owns));
    link.on('present', () => this.hurry());
    link.on('close', (reason) => {
      if (this.#link !== link) return;
      this.#link = undefined;
      if (this.isOpen && Date.now() - this.#openedAt >= times.lasting) this.#wait = 0;
      this.away = reason;
      this.#lose(`The connection to the device was lost (${reason}); the call may have taken effect.`);
      this.#isAway(reason);
      void this.start();
    });
    this.#meet();
  }

  // A device may send what no server sends; the broker goes on.
  /** @param {Message} m */
  #guarded(m) {
    try {
      this.#take(m);
    } catch (error) {
      this.log(`attach: ${failed(error).error.message}`);
      this.#suspect();
    }
  }

  // Asks until the device responds: it may boot, and it loses what it receives before.
  #meet() {
    clearTimeout(this.#meeting);
    const link = this.#link;
    if (!link || this.isOpen) return;
    link.clear();
    this.#askVersions();
    this.#meeting = setTimeout(() => this.#meet(), this.#meetMs);
    if (link.answerMs) this.#meetMs = Math.min(2 * this.#meetMs, times.meetAnnounced);
  }

  #askVersions() {
    const id = this.newId();
    this.#meetIds.add(id);
    if (this.#meetIds.size > mostMeetIds) this.#forgetMeeting(this.#meetIds.values().next().value);
    this.send({ id, method: 'server/discover', params: { _meta: envelope() } });
  }

  /** @param {any} id */
  #forgetMeeting(id) {
    this.#meetIds.delete(id);
    if (!this.canReset) this.#link?.cancel(id);  // it holds a connection
  }

  /** @param {Message} m */
  #met(m) {
    if (this.era === 'modern' || m.error?.code === code.parse) return;
    const { supportedVersions, capabilities } = m.result ?? {};
    const isModern = Array.isArray(supportedVersions) && supportedVersions.includes(modernVersion);
    if (this.era === 'legacy') return isModern ? this.reset(wasDoubtful) : undefined;
    // A damaged byte may say so, too; not with the same code three times.
    if (!isModern && this.#refusals.push(m.error?.code) < 3) return this.#meet();
    const isSure = isModern || this.#refusals.every((each) => each === m.error?.code);
    this.#refusals = [];
    if (!isSure) return this.#meet();
    if (!isModern && this.modernOnly) return this.#isAway(this.modernOnly);
    clearTimeout(this.#meeting);
    this.discover = m.result && { ...m.result, capabilities: Object(capabilities) };
    this.era = isModern ? 'modern' : 'legacy';
    this.#fitting.met(this.discover);
    this.#lastBoot = bootOf(m) ?? this.#lastBoot;
    this.#missed = 0;
    this.#openedAt = Date.now();
    this.#meetMs = times.meet;
    this.#said = '';
    this.emit('open');
    if (this.era === 'modern') return void this.subscription.update();
    this.#doubts = 0;
    this.#doubt();
  }

  // Asks a device with sessions once more whether it supports 2026-07-28.
  #doubt() {
    if (this.era !== 'legacy' || this.#doubting) return;
    const ms = times.doubt[Math.min(this.#doubts, times.doubt.length - 1)];
    this.#doubting = setTimeout(() => {
      this.#doubting = undefined;
      if (this.era !== 'legacy') return;
      this.#askVersions();
      if (++this.#doubts < times.doubt.length) this.#doubt();
    }, ms);
  }

  // A board without random numbers may have the same id twice.
  /** @param {string} id */
  #booted(id) {
    this.#lastBoot = id;
    this.emit('boot');
    if (this.isOpen) this.reset('The device was reset; the call may have taken effect.');
    else this.#meet();
  }

  /** @param {string} reason */
  reset(reason) {
    this.#lose(reason);
    this.#meet();
  }

  /** @param {string} reason */
  #lose(reason) {
    const wasOpen = this.isOpen;
    this.era = undefined;
    this.#probe = undefined;
    clearTimeout(this.#meeting);
    clearTimeout(this.#doubting);
    this.#doubting = undefined;
    this.subscription.lose();
    const exchanges = [...this.#pending.values()];
    this.#pending.clear();
    for (const exchange of exchanges) exchange.end(failure(code.internal, reason));
    if (wasOpen) this.emit('lost', reason);
  }

  /** Sends a request; it has to be open. @param {Exchange} exchange */
  request(exchange) {
    if (exchange.ended) return;
    exchange.id = this.newId();
    exchange.heardAt = Date.now();
    exchange.checking = false;
    exchange.misses = 0;
    if (exchange.progress) exchange.params._meta.progressToken = exchange.id;
    const message = this.#fitting.fit({ id: exchange.id, method: exchange.method, params: exchange.params });
    if (typeof message === 'string') return exchange.end(failure(code.request, message));
    exchange.sent = message;
    this.#pending.set(exchange.id, exchange);
    this.send(message);
  }

  // It was not run, so it may be sent once more, with less.
  /** @param {Exchange} exchange @param {Message} m @returns {boolean} whether a response says that it was too long */
  #isTooLong(exchange, m) {
    const { sent } = exchange;
    if (!sent || !this.#fitting.refuses(sent, m)) return false;
    this.#pending.delete(exchange.id);
    if (exchange.isShortened) exchange.end(failure(code.request, this.#fitting.reason(sent)));
    else this.request(Object.assign(exchange, { isShortened: true }));
    this.#serveBusy();
    return true;
  }

  /**
   * The result of a request that needs no input; undefined after an error.
   * @param {string} method @param {any} [params] @returns {Promise<any>}
   */
  async ask(method, params = {}) {
    const ending = await this.exchange(method, params);
    return 'error' in ending ? undefined : ending.result;
  }

  /**
   * The end of a request that needs no input.
   * @param {string} method @param {any} [params] @returns {Promise<Ending>}
   */
  exchange(method, params = {}) {
    if (!this.isOpen) return Promise.resolve(failure(code.internal, 'The device was lost; the request was not sent.'));
    return new Promise((resolve) => this.request(new Exchange(method, { ...params, _meta: envelope() }, resolve)));
  }

  /**
   * Calls `take` with each row of a list as its page arrives, so a list is never in memory as a whole. It
   * stops after 100 pages, after 10,000 rows, or when `take` returns false. Returns whether the device sent each page.
   * @param {string} method @param {string} member @param {(row: any) => boolean | void} take
   */
  async list(method, member, take) {
    let cursor;
    let count = 0;
    const takeOne = (/** @type {any} */ row) => ++count <= mostRows && take(row) !== false;
    for (let page = 0; page < mostPages; ++page) {
      const end = await this.#page(method, member, cursor, takeOne);
      if (end.isEnd) return end.isWhole;
      ({ cursor } = end);
    }
    return true;
  }

  /**
   * One page of a list. A function of its own, so that no page is in memory while the device is asked for the next one.
   * @param {string} method @param {string} member @param {any} cursor @param {(row: any) => boolean} take
   * @returns {Promise<{isEnd: boolean, isWhole: boolean, cursor?: any}>}
   */
  async #page(method, member, cursor, take) {
    const result = await this.ask(method, cursor === undefined ? {} : { cursor });
    const { [member]: rows, nextCursor } = result ?? {};
    if (!result) return { isEnd: true, isWhole: false };
    if (Array.isArray(rows) && !rows.every(take)) return { isEnd: true, isWhole: true };
    if (nextCursor === undefined) return { isEnd: true, isWhole: true };
    if (JSON.stringify(nextCursor).length > longestCursor) return { isEnd: true, isWhole: false };
    return { isEnd: false, isWhole: true, cursor: nextCursor };
  }

  /** The credential of the link: another one may see other rows of lists. */
  get who() { return this.#link?.who?.(); }

  /** Tells a new link the tools that an earlier one has listed. @param {any[]} tools */
  learn(tools) { this.#link?.learn?.(tools); }

  /** The devices of a fleet; none for one device. @returns {any[]} */
  members() { return this.#link?.members?.() ?? []; }

  /** Ends a request without a response. @param {Exchange} exchange */
  abandon(exchange) {
    exchange.ended = true;
    clearTimeout(exchange.timer);
    this.#busy = this.#busy.filter((other) => other !== exchange);
    if (!this.#pending.delete(exchange.id)) return;
    this.cancel(exchange.id);
    this.#serveBusy();
  }

  /** Resolves with whether the device is open, after `ms` at most. @param {number} ms @returns {Promise<boolean>} */
  opens(ms) {
    if (this.isOpen) return Promise.resolve(true);
    return new Promise((resolve) => {
      const opened = () => {
        clearTimeout(timer);
        this.off('open', opened);
        resolve(this.isOpen);
      };
      const timer = setTimeout(opened, ms);
      this.once('open', opened);
    });
  }

  /** Resolves when the device is open; rejects if it stays away. */
  ready() {
    if (this.isOpen) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const opened = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
      const timer = setTimeout(() => {
        this.off('open', opened);
        reject(new Fault(this.away ? `The device is away: ${this.away.replace(/[.]$/, '')}.` : 'The device does not respond.'));
      }, times.away);
      this.once('open', opened);
    });
  }

  /** @param {Message} m */
  #take(m) {
    if (m.method === undefined && this.#meetIds.delete(m.id)) return this.#met(m);
    if (!this.isOpen) return;
    if (this.era === 'legacy') return void this.emit('legacy', m);
    if (m.method !== undefined && m.id !== undefined) return this.send({ id: m.id, ...failure(code.method, 'Method not found') });
    if (m.method === 'notifications/progress') return this.#progress(m);
    if (m.method !== undefined) return this.#notified(m);
    if (!this.#isKnown(m) || m.error?.code === code.parse) this.#suspect();
  }

  /**
   * Takes an answer. Returns false if its id is of no request: then the id was damaged. An error for a line that cannot
   * be read has the first id in it, and other requests may have been in the same line.
   * @param {Message} m
   */
  #isKnown(m) {
    if (this.subscription.take(m)) return true;
    if (m.id === null || m.id === undefined) return false;
    const exchange = this.#pending.get(m.id);
    if (m.id === this.#probe?.id) this.#alive(m);
    else if (exchange) this.#answered(exchange, m);
    else return this.#late.delete(m.id);
    return true;
  }

  /** @param {Message} m */
  #progress(m) {
    const exchange = this.#pending.get(m.params?.progressToken);
    if (!exchange) return;
    exchange.heardAt = Date.now();
    exchange.progress?.(m.params);
  }

  /** @param {Message} m */
  #notified(m) {
    const id = metaOf(m)[key.subscription];
    // The subscription of an earlier broker is cancelled.
    if (id !== undefined && !this.subscription.has(id)) return isOwn(id) ? this.cancel(id) : undefined;
    if (m.method === 'notifications/subscriptions/acknowledged') return this.subscription.acknowledged(m);
    this.emit('news', m);
  }

  /** @param {Exchange} exchange @param {Message} m */
  #answered(exchange, m) {
    if (this.#isTooLong(exchange, m)) return;
    if (exchange.checking && m.error && this.#checked(exchange, m)) return;
    this.#pending.delete(exchange.id);
    const wait = busyFor(m);
    const limit = exchange.person ? times.person : times.busy;
    if (wait !== undefined && Date.now() - exchange.startedAt < limit) {
      exchange.id = undefined;
      this.#busy.push(exchange);
      this.#busy.sort((a, b) => Number(b.person) - Number(a.person));
      exchange.timer = setTimeout(() => this.#again(exchange), Math.max(50, Math.min(wait, 1000)) * (0.5 + Math.random()));
      return;
    }
    exchange.end(m.error ? { error: errorOf(m.error) } : { result: m.result });
    this.#serveBusy();
  }

  /** @param {Exchange} exchange */
  #again(exchange) {
    clearTimeout(exchange.timer);
    this.#busy = this.#busy.filter((other) => other !== exchange);
    if (this.isOpen) return this.request(exchange);
    exchange.end(failure(code.internal, 'The device was lost while it was busy; the call was not made.'));
  }

  // A call has ended: the next one that waits may have its place.
  #serveBusy() {
    if (this.#busy[0]) this.#again(this.#busy[0]);
  }

  // Bytes were damaged: finds out which calls still run.
  #suspect() {
    if (this.era !== 'modern') return this.#doubt();
    for (const exchange of this.#pending.values()) this.#check(exchange);
  }

  /** @param {Exchange} exchange */
  #check(exchange) {
    if (!this.canReset || exchange.checking) return;
    if (!this.subscription.checksIds) {
      exchange.timer ??= setTimeout(() => this.#damaged(exchange), times.damaged);
      return;
    }
    exchange.checking = true;
    exchange.heardAt = Date.now();
    this.subscription.check(exchange.id);
  }

  /** Returns whether an error with the id of a call is that of a check. @param {Exchange} exchange @param {Message} m */
  #checked(exchange, m) {
    // A check that was damaged on its way has the errors of damaged requests; the next look repeats it.
    const isFree = m.error.code === code.params || busyFor(m) !== undefined;
    if (!isFree && m.error.code !== code.request) return m.error.code === code.method;
    exchange.checking = false;
    exchange.heardAt = Date.now();
    if (!isFree) exchange.misses = 0;
    else if (++exchange.misses < 2) this.#check(exchange);
    else this.#damaged(exchange);
    return true;
  }

  /** @param {Exchange} exchange */
  #damaged(exchange) {
    if (!this.#pending.delete(exchange.id)) return;
    this.cancel(exchange.id);
    exchange.end(failure(code.internal, 'The response was lost on the wire; the call may have taken effect.'));
  }

  #idleMs() { return this.subscription.isProbe ? times.idle : Math.max(times.idle, times.idleLong); }

  #isWaitedFor() { return this.#pending.size > 0 || this.subscription.isTested === false || this.waits(); }

  // Five times a second: is a device that is silent still there, and the same one?
  #look() {
    if (this.era !== 'modern' || !this.#link) return;
    const now = Date.now();
    if (this.#link.answerMs) this.#endLost(now, this.#link.answerMs);
    if (!this.canReset) return;
    this.subscription.renew(2 * times.probe);
    for (const exchange of this.#pending.values()) {
      if (now - exchange.heardAt < 2 * times.probe) continue;
      if (exchange.checking) exchange.checking = false;  // that, too, was lost
      if (this.subscription.checksIds) this.#check(exchange);
    }
    if (this.#probe) {
      if (now - this.#probe.at < times.answer) return;
      this.#forget(this.#probe.id);
      this.#probe = undefined;
      if (++this.#missed >= 3) return this.reset('The device does not respond; the call may have taken effect.');
    } else if (now - this.#heardAt < (this.#isWaitedFor() || this.#missed > 0 ? times.probe : this.#idleMs())) {
      return;
    }
    this.#sendProbe(now);
  }

  // A request or its response was lost on its way: nothing has come for it in time.
  /** @param {number} now @param {{call: number, other: number}} limits */
  #endLost(now, limits) {
    this.subscription.renew(limits.other);
    for (const exchange of this.#pending.values()) {
      const limit = exchange.method === 'tools/call' ? limits.call : limits.other;
      if (now - exchange.heardAt < limit) continue;
      this.#pending.delete(exchange.id);
      this.cancel(exchange.id);
      exchange.end(failure(code.internal, `The device did not respond in ${limit / 1000} s; the call may have taken effect.`));
    }
  }

  /** @param {number} now */
  #sendProbe(now) {
    const listen = this.subscription.probe();
    this.#probe = { at: now, id: listen ? undefined : this.newId() };
    if (!listen) this.send({ id: this.#probe.id, method: 'server/discover', params: { _meta: envelope() } });
  }

  /** The response to a probe. @param {Message} [m] */
  #alive(m) {
    this.#probe = undefined;
    this.#missed = 0;
    const boot = bootOf(m);
    if (boot && boot !== this.#lastBoot) this.#booted(boot);
  }

  /** The subscription is known to the device, so it is the same boot. */
  alive() { this.#alive(); }
}
