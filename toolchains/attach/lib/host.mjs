// SPDX-License-Identifier: Apache-2.0
// One host: its requests, by revision. A request with the envelope of 2026-07-28 passes to the device almost as it is; for
// hosts of older revisions Session holds what they expect of a server with sessions.
import { changesIn, emptyList, isAway, isServed } from './absent.mjs';
import { Exchange, times } from './device.mjs';
import { stringify } from './json.mjs';
import { LineReader, longestLine } from './lines.mjs';
import { memberOf } from './lists.mjs';
import { code, envelope, failed, failure, key, listChanges, logLevels, metaOf, modernVersion } from './rpc.mjs';
import { Rounds } from './rounds.mjs';
import { Session, withoutModern } from './session.mjs';
import { isFilter, matches } from './subscription.mjs';

/** @typedef {import('./rpc.mjs').Message} Message */
/** @typedef {import('./rpc.mjs').Ending} Ending */
/** @typedef {import('./subscription.mjs').Filter} Filter */
/** @typedef {{params: any, method: string, round: any, at: number}} Round */

// Results of these methods may ask for input; only they need to know the client.
const asking = new Set(['tools/call', 'prompts/get', 'resources/read']);

const mostLost = 64;
const longestRound = 600_000;  // the device is asked for so long whether it still knows a round, in milliseconds
const mostRounds = 64;  // that a host has not answered

/** One request of a host that has no response yet. */
export class Call {
  /** @type {Exchange | undefined} */ exchange;
  /** @type {Set<any>} ids of input requests that the host has not answered */ asked = new Set();
  /** @type {any} the last input_required result, while the host answers it or attach waits */ round;
  rounds = new Rounds();

  /** @param {Message} message @param {string | undefined} level the least log level that the request asks for */
  constructor(message, level) {
    this.message = message;
    this.level = level;
  }
}

/** The end of a round that a host left: the person said nothing. @param {any} round */
export function cancelledRound(round) {
  const requests = Object.entries(round?.inputRequests ?? {});
  if (requests.length === 0 || requests.some(([, request]) => request?.method !== 'elicitation/create')) return undefined;
  const inputResponses = Object.fromEntries(requests.map(([name]) => [name, { action: 'cancel' }]));
  return { inputResponses, ...(round.requestState !== undefined && { requestState: round.requestState }) };
}

export class Host {
  /** @type {Map<any, Call>} */ calls = new Map();
  /** @type {Map<any, Filter>} */ listens = new Map();
  /** @type {Map<any, Map<string, Message>>} notifications for listens that are not acknowledged yet */ #early = new Map();
  /** @type {Map<string, Round>} rounds of stateless requests that are open */ rounds = new Map();
  /** @type {Map<any, string>} states of rounds that the device has forgotten, and why */ lostRounds = new Map();
  /** @type {Session | undefined} */ session;
  /** @type {any} */ clientInfo;
  closed = false;
  /** @type {Promise<any> | undefined} the end of `initialize` */ #begun;
  wasAbsent = false;  // whether it has begun while the device was away
  #hasDiscovered = false;

  /** @param {import('./broker.mjs').Broker} broker @param {(line: string) => void} write */
  constructor(broker, write) {
    this.broker = broker;
    this.device = broker.device;
    this.write = write;
    this.source = () => [...this.listens.values(), ...(this.session?.filters() ?? [])];
    this.device.subscription.sources.add(this.source);
    this.reader = new LineReader({
      message: (message) => this.received(message),
      text: () => this.send({ id: null, ...failure(code.parse, 'Parse error: a line is not a JSON-RPC message.') }),
    }, longestLine, false);
  }

  /** @param {Message} message */
  send(message) {
    if (!this.closed) this.write(`${stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** @param {any} id @param {Ending} ending */
  answer(id, ending) {
    this.calls.delete(id);
    this.send({ id, ...ending });
  }

  /** @param {any} message */
  received(message) {
    for (const each of Array.isArray(message) ? message : [message]) {
      try {
        this.#take(each);
      } catch (error) {
        this.answer(each.id ?? null, failed(error));
      }
    }
  }

  /** @param {Message} m */
  #take(m) {
    if (this.broker.relay?.owns(this)) return this.broker.relay.fromHost(this, m);
    if (m.method === undefined) return this.session?.answered(m);
    if (m.id === undefined || m.id === null) return this.#notified(m);
    if (this.calls.has(m.id)) return this.send({ id: m.id, ...failure(code.request, 'This id is in use.') });
    const isModern = metaOf(m)[key.version] !== undefined;
    if (isModern && m.method === 'server/discover') this.#hasDiscovered = true;
    const call = new Call(m, isModern ? metaOf(m)[key.logLevel] : this.session?.level);
    this.calls.set(m.id, call);
    // The requests of a front that joins another broker follow its `initialize` at once.
    const served = (this.#begun ? this.#begun.then(() => this.#serve(call, isModern)) : this.#serve(call, isModern)).catch((error) => {
      if (this.calls.get(m.id) === call) this.answer(m.id, failed(error));
    });
    if (m.method !== 'initialize' || isModern) return undefined;
    this.#begun = served.finally(() => { this.#begun = undefined; });
  }

  /** @param {Call} call @param {boolean} isModern */
  async #serve(call, isModern) {
    const m = call.message;
    if (!this.device.isOpen && isServed(m) && await this.#isAbsent(m)) return this.#serveAbsent(call, isModern);
    await this.device.ready();
    if (this.closed || this.calls.get(m.id) !== call) return;
    if (this.device.era === 'legacy') return this.#relay(m, isModern);
    if (!isModern) {
      if (m.method === 'initialize') this.session = new Session(this, m);
      if (!this.session) return this.answer(m.id, this.#unclaimed(m));
      return this.session.serve(call);
    }
    const version = metaOf(m)[key.version];
    if (version !== modernVersion) {
      const data = { supported: [modernVersion], requested: version };
      return this.answer(m.id, failure(code.version, 'Unsupported protocol version', data));
    }
    this.clientInfo = metaOf(m)[key.clientInfo] ?? this.clientInfo;
    if (m.method === 'server/discover') return this.answer(m.id, { result: this.broker.additions.discover() });
    if (m.method === 'subscriptions/listen') return this.#listen(m);
    await this.forward(call, this.#envelope(m), (result) => this.#answeredRound(call, result));
  }

  /** A request without a session or an envelope, as a device responds to it on a wire. @param {Message} m @returns {Ending} */
  #unclaimed({ method }) {
    if (method === 'ping') return { result: {} };
    if (!this.#hasDiscovered) return failure(code.request, 'Send initialize first.');
    if (method === 'logging/setLevel') return failure(code.method, `Method not found: ${method}`);
    return failure(code.params, `params._meta needs ${key.version}, a string, and ${key.capabilities}, an object.`);
  }

  /** Whether this host has begun while the device is away, or has to do so now. @param {Message} m */
  async #isAbsent(m) {
    if (!this.wasAbsent && m.method !== 'initialize' && m.method !== 'server/discover') return false;
    if (!this.wasAbsent) await this.device.opens(times.absent);
    // A device that can be reached may boot.
    if (!this.wasAbsent && this.device.away === undefined) await this.device.opens(times.away - times.absent);
    if (this.device.isOpen) return false;
    this.wasAbsent = true;
    return true;
  }

  /** @param {Call} call @param {boolean} isModern */
  async #serveAbsent(call, isModern) {
    const { message: m, message: { id, method = '', params } } = call;
    const { additions } = this.broker;
    if (this.closed || this.calls.get(id) !== call) return undefined;
    if (method === 'initialize') this.session = new Session(this, m);
    if (method === 'logging/setLevel' && this.session && logLevels.includes(params?.level)) {
      this.session.level = params.level;
      return this.answer(id, { result: {} });
    }
    if (['initialize', 'ping'].includes(method) && !isModern && this.session) return this.session.serve(call);
    if (['ping', 'logging/setLevel'].includes(method) && !isModern) return this.answer(id, this.#unclaimed(m));
    if (method === 'server/discover') return this.answer(id, { result: additions.discover() });
    if (method === 'subscriptions/listen' && isFilter(params?.notifications)) {
      this.listens.set(id, params.notifications);
      return this.#acknowledge(id, changesIn(params.notifications));
    }
    const own = additions.serves(m);
    const shown = (/** @type {Ending} */ ending) => (
      !isModern && 'result' in ending ? { result: withoutModern(ending.result) } : ending);
    if (own) return this.answer(id, shown(await own(call) ?? isAway(this.device.away)));
    if (!Object.hasOwn(memberOf, method)) return this.answer(id, isAway(this.device.away));
    return this.answer(id, shown(emptyList(method)));
  }

  /** The device has come, and the host had begun before. */
  arrived() {
    if (!this.wasAbsent) return;
    this.wasAbsent = false;
    const isRelayed = this.broker.relay.owns(this);
    for (const method of Object.keys(listChanges)) {
      if (isRelayed) this.send({ method });
      else this.news({ method });
    }
  }

  /** Whether the device would forget something of this host in a reset. */
  waits() {
    const since = Date.now() - longestRound;
    return [...this.calls.keys()].some((id) => !this.listens.has(id)) || [...this.rounds.values()].some(({ at }) => at > since)
      || this.source().some((/** @type {Filter} */ { resourceSubscriptions, taskIds }) => resourceSubscriptions?.length || taskIds?.length)
      || this.session?.tasks.run === true;
  }

  // A host may send more messages while the device is opened; the first one has its place by now.
  /** @param {Message} m @param {boolean} isModern */
  #relay(m, isModern) {
    const { relay } = this.broker;
    if (!relay.owns(this)) return relay.offer(this, m, isModern);
    this.calls.delete(m.id);
    relay.fromHost(this, m);
  }

  /** @param {Message} m */
  async #notifyLater(m) {
    await this.device.ready().catch(() => {});
    await this.#begun;
    if (this.broker.relay.owns(this)) this.broker.relay.fromHost(this, m);
  }

  // Only requests that may ask for input need to say what the client can do.
  /** @param {Message} m */
  #envelope(m) {
    const { progressToken, ...meta } = metaOf(m);
    if (asking.has(m.method ?? '') || m.method?.startsWith('tasks/')) return meta;
    const { [key.clientInfo]: _info, [key.capabilities]: _capabilities, ...others } = meta;
    return { ...others, [key.capabilities]: {} };
  }

  /**
   * Sends a request of the host to the device, or serves it here. `done` takes the result and returns what the host gets, or
   * undefined if the call goes on.
   * @param {Call} call @param {any} meta @param {(result: any) => any} done @param {any} [more] members of a further round
   */
  async forward(call, meta, done, more = undefined) {
    const { id, method = '', params } = call.message;
    const { additions } = this.broker;
    const own = additions.serves(call.message);
    const ending = own && await own(call);
    if (this.calls.get(id) !== call) return undefined;
    if (ending) return this.answer(id, 'result' in ending ? { result: done(ending.result) } : ending);
    if (this.broker.lists.serves(call.message) && await this.#listed(call, done)) return undefined;
    const { _meta, ...plain } = params ?? {};
    const token = _meta?.progressToken;
    const progress = (/** @type {any} */ p) => this.send({
      method: 'notifications/progress', params: { ...p, progressToken: token },
    });
    const lost = this.lostRounds.get(plain.requestState);
    if (lost !== undefined) {
      this.lostRounds.delete(plain.requestState);
      return this.answer(id, failure(code.internal, lost));
    }
    if (plain.requestState !== undefined) this.rounds.delete(plain.requestState);
    const end = (/** @type {Ending} */ ending) => {
      if (this.calls.get(id) !== call) return;
      call.exchange = undefined;
      try {
        if ('error' in ending) return this.answer(id, this.session?.translate(call, ending) ?? ending);
        // At once if nothing is added, so that messages keep their order.
        const complete = additions.complete(call.message, ending.result);
        if (complete instanceof Promise) complete.then(finish).catch(fail);
        else finish(complete);
      } catch (error) {
        fail(error);
      }
    };
    const finish = (/** @type {any} */ complete) => {
      if (this.calls.get(id) !== call) return;
      const result = done(complete);
      if (result !== undefined) this.answer(id, { result });
    };
    // The device may send what no server sends.
    const fail = (/** @type {unknown} */ error) => this.answer(id, failed(error));
    const person = more?.inputResponses !== undefined || plain.inputResponses !== undefined;
    const all = { ...plain, ...more, _meta: { ...meta } };
    call.exchange = new Exchange(method, all, end, token !== undefined ? progress : undefined, person);
    if (this.device.isOpen) return this.device.request(call.exchange);
    call.exchange.end(failure(code.internal, 'The device was lost; the call may have taken effect.'));
  }

  /**
   * Answers with a whole list. Returns false if its pages stay those of the device.
   * @param {Call} call @param {(result: any) => any} done
   */
  async #listed(call, done) {
    const { id, method = '' } = call.message;
    const ending = await this.broker.lists.get(method);
    if (!ending) return this.calls.get(id) !== call;
    const result = 'error' in ending ? undefined : done(await this.broker.additions.complete(call.message, ending.result));
    if (this.calls.get(id) !== call) return true;
    if ('error' in ending) this.answer(id, ending);
    else if (result !== undefined) this.answer(id, { result });
    return true;
  }

  // Remembers what a host was asked, so that the device hears of a host that leaves.
  /** @param {Call} call @param {any} result */
  #answeredRound(call, result) {
    if (result.resultType === 'input_required' && typeof result.requestState === 'string') {
      const { method = '', params } = call.message;
      this.rounds.set(result.requestState, { method, params, round: result, at: Date.now() });
      for (const state of [...this.rounds.keys()].slice(0, -mostRounds)) this.rounds.delete(state);
    }
    return result;
  }

  /** @param {Message} m */
  async #listen(m) {
    const wanted = m.params?.notifications;
    if (!isFilter(wanted)) {
      return this.answer(m.id, failure(code.params, 'notifications must have booleans for changes and arrays of strings for names.'));
    }
    this.listens.set(m.id, wanted);
    /** @type {Map<string, Message>} */ const early = new Map();
    this.#early.set(m.id, early);
    const honored = await this.device.subscription.update(wanted.taskIds?.length > 0);
    if (this.#early.get(m.id) === early) this.#early.delete(m.id);
    if (!this.calls.has(m.id)) return;
    const error = this.device.subscription.refusal;
    if (error) {
      this.listens.delete(m.id);
      void this.device.subscription.update();
      return this.answer(m.id, { error });
    }
    const accepted = Object.fromEntries(Object.entries(wanted).flatMap(([name, value]) => {
      if (!Array.isArray(value)) return value && honored[name] ? [[name, value]] : [];
      const accepts = honored[name];
      const some = Array.isArray(accepts) ? value.filter((each) => accepts.includes(each)) : [];
      return some.length > 0 ? [[name, some]] : [];
    }));
    this.#acknowledge(m.id, accepted);
    for (const message of early.values()) this.send(message);
  }

  /** @param {any} id @param {any} notifications */
  #acknowledge(id, notifications) {
    this.send({ method: 'notifications/subscriptions/acknowledged', params: { notifications, _meta: { [key.subscription]: id } } });
  }

  /** @param {Message} m */
  #notified(m) {
    if (m.method === 'notifications/cancelled') return this.#cancelled(m.params?.requestId);
    if (this.session?.notified(m)) return;
    if (this.device.era !== 'modern') return void this.#notifyLater(m);
    this.device.send({ method: m.method, params: { ...m.params, _meta: { ...envelope(), ...metaOf(m) } } });
  }

  /** @param {any} id */
  #cancelled(id) {
    const call = this.calls.get(id);
    this.calls.delete(id);
    if (this.listens.delete(id)) return void this.device.subscription.update();
    if (call) this.#abandon(call);
  }

  /** @param {Call} call */
  #abandon(call) {
    if (call.exchange) this.device.abandon(call.exchange);
    this.session?.withdraw(call);
    call.rounds.wake();
    if (call.round) this.#cancelRound(call.message.method ?? '', call.message.params, call.round);
  }

  /** @param {string} method @param {any} params @param {any} round */
  #cancelRound(method, params, round) {
    const answers = cancelledRound(round);
    if (!answers || !this.device.isOpen) return;
    const { progressToken, ...meta } = this.session?.envelope() ?? params._meta;
    this.device.request(new Exchange(method, { ...params, ...answers, _meta: meta }, () => {}, undefined, true));
  }

  /** A notification of the device. @param {Message} m */
  news(m) {
    const { _meta, ...params } = m.params ?? {};
    if (m.method === 'notifications/message') return this.#log(m);
    if (m.method === 'notifications/elicitation/complete') for (const call of this.calls.values()) call.rounds.wake();
    const isUpdate = m.method === 'notifications/resources/updated' || m.method === 'notifications/tasks';
    if (!isUpdate && !Object.hasOwn(listChanges, m.method ?? '')) return this.send(m);
    if (this.session?.filters().some((filter) => matches(m, filter))) this.session.news(m, params);
    for (const [id, filter] of this.listens) {
      if (!matches(m, filter)) continue;
      const message = { method: m.method, params: { ...params, _meta: { [key.subscription]: id } } };
      const early = this.#early.get(id);
      if (early) early.set(`${m.method} ${params.uri ?? params.taskId}`, message);
      else this.send(message);
    }
  }

  // On a wire a log message does not name its request: it goes to the hosts with a request that asked for its level.
  /** @param {Message} m */
  #log(m) {
    const asked = [...this.calls.values()].filter((call) => call.exchange).map((call) => logLevels.indexOf(call.level ?? ''));
    const least = Math.min(...asked.filter((level) => level >= 0));
    if (logLevels.indexOf(m.params?.level) >= least) this.send(m);
  }

  /**
   * The device has forgotten the calls whose questions are open, so their answers would be in vain.
   * @param {string} reason @param {(message: Message) => boolean} [owns] whether a request is for the device that was lost
   */
  lost(reason, owns = () => true) {
    for (const [id, call] of this.calls) {
      if (!call.round || !owns(call.message)) continue;
      call.round = undefined;
      call.rounds.wake();
      this.session?.withdraw(call);
      this.answer(id, failure(code.internal, reason));
    }
    this.session?.tasks.lost(reason, owns);
    for (const [state, round] of this.rounds) {
      if (!owns(round)) continue;
      this.rounds.delete(state);
      this.lostRounds.set(state, reason);
    }
    for (const state of [...this.lostRounds.keys()].slice(0, -mostLost)) this.lostRounds.delete(state);
  }

  /** The device was reset or had no subscription for a while. Subscribed resources may have changed. */
  returned() {
    if (this.closed || this.device.era !== 'modern') return;
    for (const filter of this.source()) {
      for (const uri of filter.resourceSubscriptions ?? []) this.news({ method: 'notifications/resources/updated', params: { uri } });
    }
  }

  close() {
    this.closed = true;
    const calls = [...this.calls.values()];
    this.calls.clear();
    for (const call of calls) this.#abandon(call);
    for (const { method, params, round } of this.rounds.values()) this.#cancelRound(method, params, round);
    this.session?.close();
    this.device.subscription.sources.delete(this.source);
    void this.device.subscription.update();
  }
}
