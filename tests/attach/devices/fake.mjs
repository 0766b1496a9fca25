// SPDX-License-Identifier: Apache-2.0
// A device and a broker in the process of the test, without a server: the test says what the device answers.
import { EventEmitter } from 'node:events';
import { atEnd } from '../../at_end.mjs';
import { Broker } from '../../../toolchains/attach/lib/broker.mjs';
import { prefix } from '../support.mjs';

export const discovered = {
  supportedVersions: ['2026-07-28'], capabilities: { tools: {}, resources: { subscribe: true } }, resultType: 'complete',
};

const unknown = () => ({ error: { code: -32601, message: 'Method not found' } });

/** `handlers` has a function per method; what it returns is the result, `{error}` is an error, and undefined is no answer. */
export class FakeDevice extends EventEmitter {
  canReset = false;
  received = [];

  constructor(handlers) {
    super();
    this.handlers = handlers;
  }

  send(m) {
    this.received.push(m);
    if (m.id === undefined) return;
    const answer = (this.handlers[m.method] ?? unknown)(m.params, m, this);
    void Promise.resolve(answer).then((result) => this.#answer(m, result));
  }

  #answer({ id }, result) {
    if (result !== undefined) this.emit('message', { jsonrpc: '2.0', id, ...(result.error ? result : { result }) });
  }

  notify(method, params) { this.emit('message', { jsonrpc: '2.0', method, ...(params && { params }) }); }
  cancel(requestId) { this.send({ method: 'notifications/cancelled', params: { requestId } }); }
  clear() {}
  close() {}
  /** The requests of these methods, in order. */
  methods(...wanted) { return this.received.map(({ method }) => method).filter((method) => wanted.includes(method)); }
}

/** Accepts all of a subscription. */
export function acknowledge({ notifications }, m, device) {
  setImmediate(() => device.notify('notifications/subscriptions/acknowledged', {
    notifications, _meta: { [`${prefix}subscriptionId`]: m.id },
  }));
}

/** Starts a broker at a device with these handlers. `reopened` makes the device of each further link. */
export async function startBroker(t, handlers = {}, { plain = false } = {}) {
  const all = { 'server/discover': () => discovered, 'subscriptions/listen': acknowledge, ...handlers };
  const devices = [];
  const broker = new Broker({ kind: 'exec', command: 'x', args: [], plain }, async () => {
    devices.push(new FakeDevice(all));
    return devices.at(-1);
  });
  atEnd(t, () => broker.device.stop());
  await broker.device.start();
  await broker.device.ready();
  return { broker, devices, device: devices[0] };
}
