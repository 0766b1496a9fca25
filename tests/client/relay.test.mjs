// SPDX-License-Identifier: Apache-2.0
// The Arduino sketch Relay with the official client: the relay is a pin that changes only if the user accepts (spec:
// client/elicitation).
//
// usage: node relay.test.mjs arduino EMULATE IMAGE
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd, cannotAsk, command, limitMs } from './support.mjs';
import { arduinoThermometer } from '../../examples/client/pico.mjs';
import { sdk } from '../../examples/client/session.mjs';

const form = { type: 'object', properties: {} };

async function start(t, capabilities, actions = []) {
  const { Client } = sdk('client/index.js');
  const { StdioClientTransport } = sdk('client/stdio.js');
  const board = await arduinoThermometer(...command, 21.5);  // of it only the emulator
  atEnd(t, () => board.close());
  const client = new Client({ name: 'mote-tests', version: '0.1.0' }, { capabilities });
  const questions = [];
  if (capabilities.elicitation) {
    client.setRequestHandler(sdk('types.js').ElicitRequestSchema, ({ params }) => {
      assert.deepEqual(params.requestedSchema, form);
      questions.push(params.message);
      return { action: actions[questions.length - 1] };
    });
  }
  atEnd(t, () => client.close());
  await client.connect(new StdioClientTransport({ command: board.command, args: board.args }));
  const change = async (on) => {
    const { content, isError = false } = await client.callTool({ name: 'switch_relay', arguments: { on } });
    return [content[0].text, isError];
  };
  return { change, questions };
}

test('switches the relay if the user accepts', { timeout: limitMs }, async (t) => {
  const { change, questions } = await start(t, { elicitation: {} }, ['accept', 'decline', 'cancel', 'accept']);
  assert.deepEqual(await change(true), ['The relay is on.', false]);
  assert.deepEqual(await change(false), ['The user declined. Call again only if the user asks for it. The relay is on.', true]);
  assert.deepEqual(await change(false), ['The user made no decision. Ask the user before you call again. The relay is on.', true]);
  assert.deepEqual(await change(false), ['The relay is off.', false]);
  assert.deepEqual(questions, ['Switch the relay on?', ...Array(3).fill('Switch the relay off?')]);
});

test('does not switch the relay for a client that cannot ask its user', { timeout: limitMs }, async (t) => {
  const { change } = await start(t, {});
  assert.deepEqual(await change(true), [`${cannotAsk} The relay is off.`, true]);
});
