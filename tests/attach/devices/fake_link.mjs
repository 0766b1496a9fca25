// SPDX-License-Identifier: Apache-2.0
// A device in the process of the test, behind a broker without a socket.
import { EventEmitter } from 'node:events';
import { atEnd } from '../../at_end.mjs';
import { Broker } from '../../../toolchains/attach/lib/broker.mjs';
import { times } from '../../../toolchains/attach/lib/device.mjs';
import { prefix } from '../support.mjs';

export const discovered = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {}, resources: { subscribe: true } } };

/** Accepts a subscription, and rejects a second one with its id, as a device does that was not reset. */
export function listener() {
  const open = new Set();
  const listen = (m, link) => {
    if (open.has(m.id)) return link.fail(m, -32600);
    if (!m.params.notifications) return link.fail(m, -32602);
    open.add(m.id);
    const params = { notifications: m.params.notifications, _meta: { [`${prefix}subscriptionId`]: m.id } };
    return link.reply({ method: 'notifications/subscriptions/acknowledged', params });
  };
  return { open, listen };
}

/** `handlers` has a function for each method; what it returns is the result. `received` are the messages of attach. */
export class FakeLink extends EventEmitter {
  canReset = true;
  received = [];
  bytes = 0;

  constructor(handlers = {}) {
    super();
    this.handlers = { 'server/discover': () => discovered, 'subscriptions/listen': listener().listen, ...handlers };
  }

  /** Sends a message of the device, not before that of attach has returned. */
  reply(m) {
    this.bytes += JSON.stringify(m).length;
    setImmediate(() => this.emit('message', { jsonrpc: '2.0', ...m }));
  }

  fail(m, code, message = 'x') { this.reply({ id: m.id, error: { code, message } }); }

  send(m) {
    this.received.push(m);
    this.bytes += JSON.stringify(m).length;
    const result = this.handlers[m.method]?.(m, this);
    if (result !== undefined && m.id !== undefined) this.reply({ id: m.id, result });
  }

  /** The messages with this method. */
  sent(method) { return this.received.filter((m) => m.method === method); }
  cancel(requestId) { this.send({ method: 'notifications/cancelled', params: { requestId } }); }
  clear() {}
  close() {}
}

/** A broker whose device is open, or is at least asked. */
export async function start(t, handlers = {}, { plain = true, link = new FakeLink(handlers) } = {}) {
  const broker = new Broker({ kind: 'exec', command: 'x', args: [], ...(plain && { plain }) }, async () => link);
  atEnd(t, () => broker.device.stop());
  await broker.device.start();
  return { broker, link };
}

/** Times that a test moves. */
export function fakeTime(t) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
  return (ms) => t.mock.timers.tick(ms);
}

/** Lets promises and what setImmediate() has planned run. */
export const settle = async () => {
  for (let i = 0; i < 20; ++i) await new Promise((resolve) => setImmediate(resolve));
};

/** Moves the time in steps, and lets all run that is due in each of them. */
export async function pass(tick, ms, step = 100) {
  for (let passed = 0; passed < ms; passed += step) {
    tick(step);
    await settle();
  }
}

/** Other times of attach for one test. */
export function hurry(t, waits) {
  const before = { ...times };
  atEnd(t, () => Object.assign(times, before));
  Object.assign(times, waits);
}
