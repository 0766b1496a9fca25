// SPDX-License-Identifier: Apache-2.0
// The valve in both forms, moved by the official client: it asks its user, follows the progress and cancels. What one
// form says the other one says (spec: client/elicitation, basic/utilities/progress and cancellation).
//
// usage: node valve.test.mjs host JOB COROUTINE
//        node valve.test.mjs board EMULATE BOARD JOB COROUTINE
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertBound, stackOf } from './stack.mjs';
import { atEnd, cannotAsk, command, inOrder, kind, limitMs, Lines, waitMs } from './support.mjs';
import { sdk, within } from '../../examples/client/session.mjs';
import { boardThermometer } from '../../examples/client/thermometer.mjs';

const emulator = command.slice(0, -2);
const forms = { job: command.at(-2), coroutine: command.at(-1) };

// Starts one form; `answer` is the action of the user for every form, undefined for a client that cannot ask its user.
async function start(t, image, answer) {
  const { Client } = sdk('client/index.js');
  const { StdioClientTransport } = sdk('client/stdio.js');
  const { ElicitRequestSchema } = sdk('types.js');
  // Uses only the parts of the thermometer that every board has: the emulator and its memory access.
  const board = kind === 'board' ? await boardThermometer(...emulator, image, 21.5) : { command: image, args: [] };
  const client = new Client({ name: 'mote-tests', version: '0.1.0' }, { capabilities: answer ? { elicitation: {} } : {} });
  const questions = [];
  if (answer) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message);
      return answer;
    });
  }
  atEnd(t, async () => {
    await client.close();
    board.close?.();
  });
  const transport = new StdioClientTransport({ command: board.command, args: board.args, stderr: 'pipe' });
  let said = '';
  transport.stderr.on('data', (data) => { said += data; });
  const silence = new Promise((resolve) => transport.stderr.on('end', resolve));
  inOrder(transport);
  await client.connect(transport);
  // Returns the lines on stderr with which a PC shows the motor, until the end.
  const motor = async () => {
    await client.close();
    await within(waitMs, 'end of stderr', silence);
    return said.trim().split('\n');
  };
  const move = (percent, options) => client.callTool({ name: 'move_valve', arguments: { percent } }, undefined, options);
  return { board, move, questions, motor };
}

async function checkStack(t, board, image) {
  const stack = stackOf(image);
  assertBound(t, await within(waitMs, 'answer', board.stackUse(stack.reserved)), stack);
}

for (const [form, image] of Object.entries(forms)) {
  test(`${form}: moves and reports progress`, { timeout: limitMs }, async (t) => {
    const { board, move, questions } = await start(t, image, { action: 'decline' });
    const news = [];
    const result = await move(3, { onprogress: ({ progress, total }) => news.push(`${progress}/${total}`) });
    assert.deepEqual(result, { content: [{ type: 'text', text: 'The valve is at 3 %.' }] });
    assert.deepEqual(news, ['0/3', '1/3', '2/3']);
    assert.equal((await move(1)).content[0].text, 'The valve is at 1 %.');
    assert.equal((await move(1)).content[0].text, 'The valve is at 1 %.');
    assert.deepEqual(questions, []);
    if (board.stackUse) await checkStack(t, board, image);
  });

  test(`${form}: requests consent before it opens further than 80 %`, { timeout: limitMs }, async (t) => {
    const { board, move, questions } = await start(t, image, { action: 'decline' });
    assert.deepEqual(await move(81), {
      content: [{ type: 'text', text: 'The user declined. Call again only if the user asks for it. The valve is at 0 %.' }],
      isError: true,
    });
    assert.deepEqual(questions, ['Open the valve to 81 %?']);
    if (board.stackUse) await checkStack(t, board, image);
  });

  test(`${form}: says what happened to the consent, and not that a user declined who was not asked`,
    { timeout: limitMs }, async (t) => {
      const { move } = await start(t, image);
      assert.equal((await move(81)).content[0].text, `${cannotAsk} The valve is at 0 %.`);
      const { move: moveByCanceller } = await start(t, image, { action: 'cancel' });
      assert.equal((await moveByCanceller(81)).content[0].text,
        'The user made no decision. Ask the user before you call again. The valve is at 0 %.');
    });

  test(`${form}: requests consent from a stateless client`, { timeout: limitMs }, async (t) => {
    const board = kind === 'board' ? await boardThermometer(...emulator, image, 21.5) : { command: image, args: [] };
    atEnd(t, () => board.close?.());
    const lines = new Lines(t, board);
    const { result } = await lines.request(1, 'tools/call', { name: 'move_valve', arguments: { percent: 81 }, _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } } });
    assert.equal(result.resultType, 'input_required');
    assert.equal(result.inputRequests.answer.params.message, 'Open the valve to 81 %?');
  });

  test(`${form}: cancels a call and moves again`, { timeout: limitMs }, async (t) => {
    const { move, questions, motor } = await start(t, image, { action: 'accept', content: {} });
    const stop = new AbortController();
    const moving = move(100, { signal: stop.signal, onprogress: ({ progress }) => progress === 1 && stop.abort() });
    await assert.rejects(moving);
    assert.deepEqual(questions, ['Open the valve to 100 %?']);
    assert.deepEqual(await move(0), { content: [{ type: 'text', text: 'The valve is at 0 %.' }] });
    if (kind === 'host') assert.deepEqual(await motor(), ['motor opens', 'motor off', 'motor closes', 'motor off']);
  });
}
