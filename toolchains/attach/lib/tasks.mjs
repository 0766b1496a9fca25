// SPDX-License-Identifier: Apache-2.0
// Tasks of 2025-11-25 for a host with a session, made of calls and of tasks of 2026-07-28.
import { Exchange } from './device.mjs';
import { errorOf, isObject } from './incoming.mjs';
import { numberOf } from './json.mjs';
import { Rounds } from './rounds.mjs';
import { code, failed, failure, key } from './rpc.mjs';
import { withoutModern } from './session.mjs';

/** @typedef {import('./rpc.mjs').Message} Message */
/** @typedef {import('./rpc.mjs').Ending} Ending */
/** @typedef {import('./host.mjs').Call} Call */

const mostTasks = 64;
const leastPollMs = 100;
const promptMs = 300;  // a call that ends sooner, or with an error, needs no polling
const longestMs = 24 * 3600 * 1000;
const finals = ['completed', 'failed', 'cancelled'];

class Task {
  id = crypto.randomUUID();
  status = 'working';
  createdAt = new Date().toISOString();
  lastUpdatedAt = this.createdAt;
  /** @type {string | undefined} */ statusMessage;
  /** @type {string | undefined} the id that the device gave */ deviceId;
  /** @type {Ending | undefined} */ ending;
  /** @type {((ending: any) => void)[]} */ waiting = [];
  /** @type {Exchange | undefined} */ exchange;
  asked = new Set();
  rounds = new Rounds();
  pollInterval = 1000;

  /** @param {Message} message the call @param {number | null} ttl */
  constructor(message, ttl) {
    this.message = message;
    this.ttl = ttl;
  }

  get isFinal() { return finals.includes(this.status); }

  shown() {
    const { id: taskId, status, createdAt, lastUpdatedAt, ttl, pollInterval, statusMessage } = this;
    return { taskId, status, ...(statusMessage && { statusMessage }), createdAt, lastUpdatedAt, ttl, pollInterval };
  }
}

export class Tasks {
  static capability = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
  /** @type {Map<string, Task>} */ #tasks = new Map();

  /** @param {import('./session.mjs').Session} session */
  constructor(session) {
    this.session = session;
    this.host = session.host;
  }

  /** Whether a task has not ended. */
  get run() { return [...this.#tasks.values()].some((task) => !task.isFinal); }

  /** @param {Message} m */
  serves(m) {
    if (this.session.version !== '2025-11-25') return false;
    return m.method?.startsWith('tasks/') || (m.method === 'tools/call' && m.params?.task !== undefined);
  }

  /** Says that each tool of a list may be called as a task. @param {any} result */
  listed(result) {
    if (this.session.version !== '2025-11-25' || !Array.isArray(result.tools)) return result;
    return { ...result, tools: result.tools.map((/** @type {any} */ tool) => ({ execution: { taskSupport: 'optional' }, ...tool })) };
  }

  /** @param {Call} call */
  async serve(call) {
    const { id, method, params } = call.message;
    if (method === 'tools/call') return this.#create(call);
    if (method === 'tasks/list') return this.host.answer(id, { result: { tasks: [...this.#tasks.values()].map((t) => t.shown()) } });
    const task = this.#tasks.get(params?.taskId);
    if (!task) return this.host.answer(id, failure(code.params, 'Task not found; it may have expired.'));
    if (method === 'tasks/get') return this.host.answer(id, { result: task.shown() });
    if (method === 'tasks/cancel') return this.#cancel(id, task);
    if (method !== 'tasks/result') return this.host.answer(id, failure(code.method, 'Method not found'));
    /** @type {Ending} */ const ending = task.ending ?? await new Promise((resolve) => task.waiting.push(resolve));
    const related = { [key.relatedTask]: { taskId: task.id } };
    if ('error' in ending) return this.host.answer(id, ending);
    this.host.answer(id, { result: { ...ending.result, _meta: { ...ending.result._meta, ...related } } });
  }

  /** @param {Call} call */
  async #create(call) {
    const { id, params } = call.message;
    if (this.#tasks.size >= mostTasks) {
      return this.host.answer(id, failure(code.internal, `All ${mostTasks} tasks are in use; try again later.`));
    }
    const { task: { ttl: wanted }, ...plain } = params;
    const ttl = numberOf(wanted);
    const task = new Task(call.message, ttl === undefined ? null : Math.min(ttl, longestMs));
    let created = false;
    const create = () => {
      if (created || this.host.calls.get(id) !== call) return;
      created = true;
      this.#tasks.set(task.id, task);
      if (task.ttl !== null) setTimeout(() => this.#tasks.delete(task.id), task.ttl).unref();
      this.host.answer(id, { result: { task: task.shown() } });
    };
    const ending = this.#run(plain, task).catch(failed);
    setTimeout(create, promptMs).unref();
    const end = await ending;
    if (!created && 'error' in end) return this.host.answer(id, end);
    create();
    if (!('error' in end) && end.result.resultType === 'task') {
      return this.#follow(task, end.result).catch((error) => this.#end(task, failed(error)));
    }
    this.#end(task, end);
  }

  /** Runs a call with all its rounds. @param {any} params @param {Task} task @returns {Promise<Ending>} */
  async #run(params, task) {
    const { extensions = {}, ...others } = this.session.capabilities;
    const meta = this.session.envelope({ ...others, extensions: { ...extensions, [key.tasks]: {} } });
    let more = {};
    for (;;) {
      const ending = await this.#request('tools/call', { ...params, ...more, _meta: meta }, task);
      if ('error' in ending || ending.result.resultType !== 'input_required') return ending;
      const { inputRequests, requestState } = ending.result;
      const answers = await this.session.ask(inputRequests ?? {}, task);
      if ('error' in answers) return answers;
      if (task.isFinal) return failure(code.internal, 'The task has ended.');
      more = { ...(inputRequests && { inputResponses: answers.result }), ...(requestState !== undefined && { requestState }) };
    }
  }

  /** @param {string} method @param {any} params @param {Task} [task] @returns {Promise<Ending>} */
  #request(method, params, task) {
    return new Promise((resolve) => {
      const exchange = new Exchange(method, params, resolve, undefined, params.inputResponses !== undefined);
      if (task) task.exchange = exchange;
      if (this.host.device.isOpen) this.host.device.request(exchange);
      else resolve(failure(code.internal, 'The device was lost; the call may have taken effect.'));
    });
  }

  /** Polls a task of the device until it ends. @param {Task} task @param {any} state */
  async #follow(task, state) {
    const { extensions = {}, ...others } = this.session.capabilities;
    const meta = this.session.envelope({ ...others, extensions: { ...extensions, [key.tasks]: {} } });
    task.deviceId = state.taskId;
    while (!task.isFinal) {
      task.pollInterval = Math.max(numberOf(state.pollIntervalMs) ?? task.pollInterval, leastPollMs);
      this.#update(task, state.status, state.statusMessage);
      if (state.status === 'completed') return this.#end(task, { result: isObject(state.result) ? state.result : {} });
      if (state.status === 'failed') {
        const { error } = failure(code.internal, 'The task failed.');
        return this.#end(task, { error: errorOf({ ...error, ...(isObject(state.error) && state.error) }) });
      }
      if (state.status === 'cancelled') return this.#end(task, failure(code.internal, 'The task was cancelled.'), 'cancelled');
      const hasQuestions = Object.keys(Object(state.inputRequests)).length > 0;
      if (state.status === 'input_required' && hasQuestions) {
        const related = { [key.relatedTask]: { taskId: task.id } };
        const answers = await this.session.ask(state.inputRequests, task, related);
        if (task.isFinal) return;
        if ('error' in answers) await this.#request('tasks/cancel', { taskId: task.deviceId, _meta: meta });
        else await this.#request('tasks/update', { taskId: task.deviceId, inputResponses: answers.result, _meta: meta });
      } else {
        await new Promise((resolve) => setTimeout(resolve, Math.min(task.pollInterval, 5000)));
      }
      const next = await this.#request('tasks/get', { taskId: task.deviceId, _meta: meta });
      if ('error' in next) return this.#end(task, next);
      state = next.result;
    }
  }

  /** @param {Task} task @param {string} status @param {string} [message] */
  #update(task, status, message) {
    const isKnown = ['working', 'input_required'].includes(status) && ['string', 'undefined'].includes(typeof message);
    if (task.isFinal || !isKnown || (task.status === status && task.statusMessage === message)) return;
    Object.assign(task, { status, statusMessage: message, lastUpdatedAt: new Date().toISOString() });
    this.#notify(task);
  }

  /** @param {Task} task */
  #notify(task) {
    this.host.send({ method: 'notifications/tasks/status', params: task.shown() });
  }

  /** @param {Task} task @param {Ending} ending @param {string} [status] */
  #end(task, ending, status) {
    if (task.isFinal) return;
    const failed = 'error' in ending || ending.result?.isError === true;
    task.status = status ?? (failed ? 'failed' : 'completed');
    task.statusMessage = 'error' in ending ? ending.error.message : undefined;
    task.lastUpdatedAt = new Date().toISOString();
    task.ending = 'error' in ending ? ending : { result: withoutModern(ending.result) };
    this.session.withdraw(task);
    task.rounds.wake();
    for (const resolve of task.waiting.splice(0)) resolve(task.ending);
    this.#notify(task);
  }

  /** @param {any} id @param {Task} task */
  async #cancel(id, task) {
    if (task.isFinal) return this.host.answer(id, failure(code.params, `The task has ended: ${task.status}.`));
    if (task.deviceId === undefined && task.exchange) this.host.device.abandon(task.exchange);
    this.#end(task, failure(code.internal, 'The task was cancelled.'), 'cancelled');
    if (task.deviceId !== undefined) await this.#cancelAtDevice(task);
    this.host.answer(id, { result: task.shown() });
  }

  /** @param {Task} task */
  #cancelAtDevice(task) {
    const meta = this.session.envelope({ extensions: { [key.tasks]: {} } });
    return this.#request('tasks/cancel', { taskId: task.deviceId, _meta: meta });
  }

  /** The device has forgotten the tasks whose questions are open. @param {string} reason @param {(message: Message) => boolean} owns */
  lost(reason, owns) {
    for (const task of this.#tasks.values()) {
      if (task.asked.size > 0 && owns(task.message)) this.#end(task, failure(code.internal, reason));
    }
  }

  close() {
    for (const task of this.#tasks.values()) {
      if (task.isFinal) continue;
      if (task.deviceId !== undefined) void this.#cancelAtDevice(task);
      else if (task.exchange) this.host.device.abandon(task.exchange);
      task.status = 'cancelled';
    }
  }
}
