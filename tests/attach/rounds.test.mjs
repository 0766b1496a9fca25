// SPDX-License-Identifier: Apache-2.0
// Input rounds of hosts with a session: a URL is asked for once, and no call goes on without end. usage: node rounds.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { limits, Rounds } from '../../toolchains/attach/lib/rounds.mjs';
import { startBroker } from './devices/fake.mjs';
import { FakeHost, limitMs } from './support.mjs';

const page = (url = 'https://example.com/in') => ({
  resultType: 'input_required', requestState: 's',
  inputRequests: { q: { method: 'elicitation/create', params: { mode: 'url', url, elicitationId: 'e', message: 'Open it.' } } },
});
const done = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };

/** Waits of one test. */
function waits(t, more) {
  const before = { ...limits };
  atEnd(t, () => Object.assign(limits, before));
  Object.assign(limits, more);
}

/** A host that accepts each question, and counts them. */
async function start(t, call) {
  const { broker, device } = await startBroker(t, { 'tools/call': call }, { plain: true });
  const host = new FakeHost(broker);
  atEnd(t, () => host.leave());
  const questions = () => host.messages.filter(({ method }) => method === 'elicitation/create');
  const accept = async (action = 'accept') => {
    const { id } = await host.next('question', ({ method }) => method === 'elicitation/create');
    host.send({ id, result: { action } });
  };
  await host.initialize({ elicitation: { form: {}, url: {} } });
  return { host, device, accept, questions };
}

test('asks for a URL once, and answers the device until the person has finished', { timeout: limitMs }, async (t) => {
  waits(t, { pauseMs: [1, 2] });
  const answers = [];
  const { host, accept, questions } = await start(t, ({ inputResponses }) => {
    answers.push(inputResponses?.q?.action);
    return answers.length < 6 ? page() : done;
  });
  const call = host.request('tools/call', { name: 'x', arguments: {} });
  await accept();
  assert.equal((await call).result.content[0].text, 'done');
  assert.deepEqual(answers, [undefined, 'accept', 'accept', 'accept', 'accept', 'accept']);
  assert.deepEqual(questions(), []);
});

test('asks for another URL, and again for one that the host has declined', { timeout: limitMs }, async (t) => {
  const rounds = [page('https://a/'), page('https://a/'), page('https://b/'), done];
  const { host, accept } = await start(t, () => rounds.shift());
  const call = host.request('tools/call', { name: 'x', arguments: {} });
  await accept('decline');
  await accept();
  await accept();
  assert.equal((await call).result.content[0].text, 'done');
});

test('ends the pause when the device says that the person has finished', { timeout: limitMs }, async (t) => {
  waits(t, { pauseMs: [600_000, 600_000] });
  let isFinished = false;
  const { host, device, accept } = await start(t, ({ inputResponses }) => (isFinished && inputResponses ? done : page()));
  const call = host.request('tools/call', { name: 'x', arguments: {} });
  await accept();
  while (device.methods('tools/call').length < 2) await new Promise(setImmediate);
  await new Promise(setImmediate);
  isFinished = true;
  device.notify('notifications/elicitation/complete', { elicitationId: 'e' });
  assert.equal((await call).result.content[0].text, 'done');
  await host.next('completion', ({ method }) => method === 'notifications/elicitation/complete');
});

test('ends the pause of a call that its host cancels', { timeout: limitMs }, async (t) => {
  waits(t, { pauseMs: [600_000, 600_000] });
  const { host, device, accept } = await start(t, ({ inputResponses }) => (inputResponses?.q?.action === 'cancel' ? done : page()));
  const id = host.begin('tools/call', { name: 'x', arguments: {} });
  await accept();
  while (device.methods('tools/call').length < 2) await new Promise(setImmediate);
  await new Promise(setImmediate);
  host.send({ method: 'notifications/cancelled', params: { requestId: id } });
  while (device.methods('tools/call').length < 3) await new Promise(setImmediate);
  assert.equal(device.received.at(-1).params.inputResponses.q.action, 'cancel');
  await host.request('ping');
  assert.deepEqual(host.messages.filter((m) => m.id === id), []);
});

test('ends a call whose device is lost during the pause', { timeout: limitMs }, async (t) => {
  waits(t, { pauseMs: [600_000, 600_000] });
  const { host, device, accept } = await start(t, () => page());
  const call = host.request('tools/call', { name: 'x', arguments: {} });
  await accept();
  while (device.methods('tools/call').length < 2) await new Promise(setImmediate);
  await new Promise(setImmediate);
  device.emit('close', 'gone');
  assert.match((await call).error.message, /connection to the device was lost/);
});

test('ends a call whose page is never finished, and one that never says why it waits', { timeout: limitMs }, async (t) => {
  waits(t, { pauseMs: [1, 1], ms: 50 });
  const { host, accept } = await start(t, ({ name }) => (name === 'x' ? page() : { resultType: 'input_required', requestState: 's' }));
  const call = host.request('tools/call', { name: 'x', arguments: {} });
  await accept();
  const { result } = await call;
  assert.equal(result.isError, true);
  assert.match(result.content[0].text, /The user has opened https:\/\/example.com\/in, but has not finished there/);
  const other = await host.request('tools/call', { name: 'y', arguments: {} });
  assert.match(other.result.content[0].text, /did not finish the call in time/);
});

test('ends a call that asks without end', { timeout: limitMs }, async (t) => {
  waits(t, { rounds: 5 });
  let count = 0;
  const { host, accept } = await start(t, () => page(`https://a/${++count}`));
  const call = host.request('tools/call', { name: 'x', arguments: {} });
  for (let i = 0; i < 5; ++i) await accept();
  assert.match((await call).result.content[0].text, /requested input more than 5 times/);
});

test('asks for a URL of a task once', { timeout: limitMs }, async (t) => {
  waits(t, { pauseMs: [1, 2] });
  let count = 0;
  const { host, accept, questions } = await start(t, () => (++count < 5 ? page() : done));
  const call = host.request('tools/call', { name: 'x', arguments: {}, task: {} });
  await accept();
  const { taskId } = (await call).result.task;
  assert.equal((await host.request('tasks/result', { taskId })).result.content[0].text, 'done');
  assert.deepEqual(questions(), []);
});

test('pauses longer from round to round', async (t) => {
  t.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: 0 });
  const [request] = Object.values(page().inputRequests);
  const rounds = new Rounds();
  await rounds.next([request]);
  rounds.answered(request, { action: 'accept' });
  const pauses = [];
  for (let i = 0; i < 8; ++i) {
    let isOver = false;
    const next = rounds.next([request]).then(() => { isOver = true; });
    let ms = 0;
    for (; !isOver; ms += 100) {
      t.mock.timers.tick(100);
      for (let k = 0; k < 4; ++k) await null;
    }
    await next;
    pauses.push(ms);
  }
  assert.deepEqual(pauses, [200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
});
