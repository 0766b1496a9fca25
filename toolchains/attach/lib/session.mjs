// SPDX-License-Identifier: Apache-2.0
// What a host of 2025-11-25 or earlier expects of a server, made of stateless requests to the device.
import { isObject, requestsFault } from './incoming.mjs';
import { code, capabilityOf, envelope, failed, failure, key, legacyVersions, listChanges, logLevels } from './rpc.mjs';
import { Tasks } from './tasks.mjs';

/** @typedef {import('./rpc.mjs').Message} Message */
/** @typedef {import('./rpc.mjs').Ending} Ending */
/** @typedef {import('./host.mjs').Call} Call */
/** @typedef {import('./rounds.mjs').Rounds} Rounds */

/** A tool without an output schema that is no object: one such tool ends the whole list of a client. @param {any} tool */
function withObjectOutput(tool) {
  if (tool?.outputSchema === undefined || tool.outputSchema?.type === 'object') return tool;
  const { outputSchema, ...others } = tool;
  return others;
}

/** A result without what older revisions do not have. @param {any} result */
export function withoutModern({ resultType, ttlMs, cacheScope, _meta, structuredContent, ...others }) {
  const { [key.serverInfo]: _server, ...meta } = _meta ?? {};
  return {
    ...others, ...(Array.isArray(others.tools) && { tools: others.tools.map(withObjectOutput) }),
    ...(isObject(structuredContent) && { structuredContent }), ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
}

export class Session {
  /** @type {string | undefined} */ level;
  /** @type {Set<string>} */ uris = new Set();
  /** @type {Map<any, (ending: Ending) => void>} */ #asked = new Map();
  // Of input requests: integers of 32 bits, because some clients send `"id":0` for a string. Another broker after a crash
  // uses others.
  #lastId = 1_000_000_000 + Math.floor(Math.random() * 1_000_000_000);

  /** @param {import('./host.mjs').Host} host @param {Message} initialize */
  constructor(host, initialize) {
    this.host = host;
    this.initialize = initialize;
    const { capabilities = {}, clientInfo, protocolVersion } = initialize.params ?? {};
    const { tasks, ...others } = capabilities;
    this.capabilities = others;
    host.clientInfo = clientInfo;
    this.clientInfo = clientInfo && { name: clientInfo.name, version: clientInfo.version };
    this.version = legacyVersions.includes(protocolVersion) ? protocolVersion : legacyVersions[0];
    this.tasks = new Tasks(this);
  }

  envelope(capabilities = this.capabilities) {
    return { ...envelope(capabilities, this.clientInfo), ...(this.level && { [key.logLevel]: this.level }) };
  }

  filters() {
    return [{ ...Object.fromEntries(Object.values(listChanges).map((name) => [name, true])), resourceSubscriptions: [...this.uris] }];
  }

  /** @param {Call} call @returns {Promise<void> | void} */
  serve(call) {
    const { id, method = '', params } = call.message;
    switch (method) {
      case 'initialize': return this.#initialize(id);
      case 'ping': return this.host.answer(id, { result: {} });
      case 'logging/setLevel': return this.#setLevel(id, params?.level);
      case 'resources/subscribe': return this.#subscribe(id, params?.uri);
      case 'resources/unsubscribe':
        this.uris.delete(params?.uri);
        void this.host.device.subscription.update();
        return this.host.answer(id, { result: {} });
      default:
    }
    if (this.tasks.serves(call.message)) return this.tasks.serve(call);
    return this.run(call, this.envelope());
  }

  /** Runs a request with all its rounds. @param {Call} call @param {any} meta @param {any} [more] */
  run(call, meta, more = undefined) {
    const { progressToken, ...own } = call.message.params?._meta ?? {};
    const done = (/** @type {any} */ result) => {
      if (result.resultType !== 'input_required') return this.finished(call, result);
      this.#round(call, meta, result).catch((error) => this.host.answer(call.message.id, failed(error)));
      return undefined;
    };
    return this.host.forward(call, { ...own, ...meta }, done, more);
  }

  /** @param {Call} call @param {any} result */
  finished(call, result) {
    const plain = withoutModern(result);
    return call.message.method === 'tools/list' ? this.tasks.listed(plain) : plain;
  }

  /** @param {Call} call @param {any} meta @param {any} result */
  async #round(call, meta, result) {
    call.round = result;
    const state = result.requestState !== undefined && { requestState: result.requestState };
    const responses = await this.ask(result.inputRequests ?? {}, call);
    call.round = undefined;
    if (this.host.calls.get(call.message.id) !== call) return;
    if ('error' in responses) {
      this.host.answer(call.message.id, this.#unanswered(call, responses.error));
      return;
    }
    await this.run(call, meta, { ...(result.inputRequests && { inputResponses: responses.result }), ...state });
  }

  /** @param {Call} call @param {any} error @returns {Ending} */
  #unanswered(call, error) {
    if (call.message.method !== 'tools/call') return { error };
    return { result: { content: [{ type: 'text', text: error.message }], isError: true } };
  }

  /**
   * Sends input requests of one round to the host, but no URL twice. Resolves with all responses, or with the first error.
   * @param {Record<string, any>} requests
   * @param {{asked: Set<any>, rounds: Rounds}} call `asked` takes the ids that are not answered
   * @param {any} [meta] for `_meta` of each @returns {Promise<Ending>}
   */
  async ask(requests, { asked, rounds }, meta) {
    const reason = requestsFault(requests) ?? await rounds.next(Object.values(requests));
    if (reason !== undefined) return failure(code.internal, reason);
    const all = await Promise.all(Object.entries(requests).map(async ([name, request]) => {
      const ending = rounds.isOpened(request) ? rounds.answerOf(request) : await this.#question(request, asked, meta);
      if ('result' in ending) rounds.answered(request, ending.result);
      return { name, ending };
    }));
    /** @type {Record<string, any>} */ const responses = {};
    for (const { name, ending } of all) {
      if ('error' in ending) {
        const { code: number = code.internal, message } = ending.error;
        return failure(number, `The client did not answer an input request: ${message}`);
      }
      responses[name] = ending.result;
    }
    return { result: responses };
  }

  /** @param {any} request @param {Set<any>} open @param {any} meta @returns {Promise<Ending>} */
  #question({ method, params }, open, meta) {
    if (!this.capabilities[capabilityOf[method]]) {
      return Promise.resolve(failure(code.method, `The client has no capability for ${method}.`));
    }
    const id = ++this.#lastId;
    open.add(id);
    const url = params?.mode === 'url' && { elicitationId: params.elicitationId ?? crypto.randomUUID() };
    const all = { ...params, ...url, ...(meta && { _meta: { ...params?._meta, ...meta } }) };
    return new Promise((resolve) => {
      this.#asked.set(id, (ending) => {
        open.delete(id);
        resolve(ending);
      });
      this.host.send({ id, method, ...(Object.keys(all).length > 0 && { params: all }) });
    });
  }

  /** The response of the host to an input request. @param {Message} m */
  answered(m) {
    const resolve = this.#asked.get(m.id);
    this.#asked.delete(m.id);
    resolve?.(m.error ? { error: m.error } : { result: m.result ?? {} });
  }

  /** Withdraws the input requests of a call that was cancelled. @param {{asked: Set<any>}} call */
  withdraw(call) {
    for (const id of call.asked) {
      this.#asked.delete(id);
      this.host.send({ method: 'notifications/cancelled', params: { requestId: id } });
    }
    call.asked.clear();
  }

  /** @param {any} id */
  #initialize(id) {
    const { capabilities, instructions, _meta } = this.host.broker.additions.discover();
    const { extensions, ...offered } = capabilities;
    const withTasks = this.version === '2025-11-25' && { tasks: Tasks.capability };
    const { [key.serverInfo]: serverInfo = { name: 'device', version: '0' }, ...meta } = _meta ?? {};
    this.host.answer(id, { result: {
      protocolVersion: this.version, capabilities: { ...offered, ...withTasks }, serverInfo,
      ...(instructions && { instructions }), ...(Object.keys(meta).length > 0 && { _meta: meta }),
    } });
    void this.host.device.subscription.update();
  }

  /** @param {any} id @param {any} level */
  #setLevel(id, level) {
    if (!this.host.device.discover?.capabilities?.logging) return this.host.answer(id, failure(code.method, 'Method not found'));
    if (!logLevels.includes(level)) return this.host.answer(id, failure(code.params, 'level must be a log level.'));
    this.level = level;
    this.host.answer(id, { result: {} });
  }

  /** @param {any} id @param {any} uri */
  async #subscribe(id, uri) {
    if (!this.host.device.discover?.capabilities?.resources?.subscribe) {
      return this.host.answer(id, failure(code.method, 'Method not found'));
    }
    if (typeof uri !== 'string') return this.host.answer(id, failure(code.params, 'uri must be a string.'));
    this.uris.add(uri);
    const { subscription } = this.host.device;
    const honored = await subscription.update();
    if (honored.resourceSubscriptions?.includes(uri)) return this.host.answer(id, { result: {} });
    const error = subscription.refusal;
    this.uris.delete(uri);
    void subscription.update();
    this.host.answer(id, error ? { error } : failure(code.notFound, 'Resource not found, or it cannot be subscribed to.', { uri }));
  }

  /** An error in the words of older revisions. @param {Call} call @param {Ending} ending @returns {Ending} */
  translate(call, ending) {
    if (!('error' in ending)) return ending;
    const { error } = ending;
    const isMissing = error.code === code.params && call.message.method === 'resources/read' && error.data?.uri !== undefined;
    return isMissing ? { error: { ...error, code: code.notFound } } : ending;
  }

  /** Returns whether the notification ends here. @param {Message} m */
  notified(m) {
    return m.method === 'notifications/initialized' || m.method === 'notifications/roots/list_changed';
  }

  /** @param {Message} m @param {any} params without `_meta` */
  news(m, params) {
    if (m.method === 'notifications/tasks') return;
    this.host.send({ method: m.method, ...(Object.keys(params).length > 0 && { params }) });
  }

  close() {
    this.tasks.close();
  }
}
