// SPDX-License-Identifier: Apache-2.0
// Input requests to the user: forms and URLs (spec: client/elicitation).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callFailure, callText, connectEverything } from './everything.mjs';
import { cannotAsk, library, limitMs, rejected } from './support.mjs';

/** A client that answers elicitations with `answer`, and keeps what it was asked. */
async function connectUser(t, elicitation, answer) {
  const asked = [];
  const connection = await connectEverything(t, {
    capabilities: { elicitation },
    answers: { 'elicitation/create': (params) => (asked.push(params), answer(params)) },
  });
  return { ...connection, asked };
}

test('returns the input of the user to the tool', { timeout: limitMs }, async (t) => {
  const content = { username: 'Ann "A" €', email: 'ann@example.com' };
  const { client, asked } = await connectUser(t, {}, () => ({ action: 'accept', content }));
  assert.equal(await callText(client, 'test_elicitation', { message: 'Who are "you"?' }),
    `User response: action=accept, content=${JSON.stringify(content)}`);
  assert.deepEqual(asked, [{
    mode: 'form',
    message: 'Who are "you"?',
    requestedSchema: {
      type: 'object',
      properties: {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      },
      required: ['username', 'email'],
    },
  }]);
});

for (const action of ['decline', 'cancel']) {
  test(`passes the action ${action} to the tool`, { timeout: limitMs }, async (t) => {
    const { client } = await connectUser(t, { form: {} }, () => ({ action }));
    assert.equal(await callText(client, 'test_elicitation', { message: 'Who?' }),
      `User response: action=${action}, content={}`);
  });
}

test('sends the default of every kind of field', { timeout: limitMs }, async (t) => {
  const { client, asked } = await connectUser(t, { form: { applyDefaults: true } },
    () => ({ action: 'accept', content: {} }));
  assert.equal(await callText(client, 'test_elicitation_sep1034_defaults'),
    'Elicitation completed: action=accept, content=' +
    '{"name":"John Doe","age":30,"score":95.5,"status":"active","verified":true}');
  assert.deepEqual(asked[0].requestedSchema, {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'User name', default: 'John Doe' },
      age: { type: 'integer', description: 'User age', default: 30 },
      score: { type: 'number', description: 'User score', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', description: 'Verification status', default: true },
    },
    required: [],
  });
});

test('sends every form of choice', { timeout: limitMs }, async (t) => {
  const content = {
    untitledSingle: 'option1', titledSingle: 'value2', legacyEnum: 'opt3', untitledMulti: ['option1', 'option2'],
    titledMulti: [],
  };
  const { client, asked } = await connectUser(t, {}, () => ({ action: 'accept', content }));
  assert.equal(await callText(client, 'test_elicitation_sep1330_enums'),
    `Elicitation completed: action=accept, content=${JSON.stringify(content)}`);
  const titled = (title) => [`First ${title}`, `Second ${title}`, `Third ${title}`]
    .map((name, index) => ({ const: `value${index + 1}`, title: name }));
  const options = ['option1', 'option2', 'option3'];
  assert.deepEqual(asked[0].requestedSchema.properties, {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: titled('Option') },
    legacyEnum: {
      type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
  });
});

test('sends no form to a client without elicitation', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t);
  assert.equal(await callFailure(client, 'test_elicitation', { message: 'Who?' }), cannotAsk);
  assert.equal(await callFailure(client, 'test_elicitation_url'), cannotAsk);
  assert.match(await callFailure(client, 'test_url_required'), /Missing capability of the client: elicitation\.url/);
});

test('passes an error of the client to the tool', { timeout: limitMs }, async (t) => {
  const { client } = await connectUser(t, {}, () => { throw new Error('no screen'); });
  assert.equal(await callFailure(client, 'test_elicitation', { message: 'Who?' }),
    'The client sent the error -32603 instead of an input response. Tell the user before you call again.');
});

test('notifies the client when the user has opened a URL', { timeout: limitMs }, async (t) => {
  const { client, inbox, asked } = await connectUser(t, { url: {} }, () => ({ action: 'accept' }));
  assert.equal(await callText(client, 'test_elicitation_url'),
    'URL elicitation completed: action=accept, content={}');
  assert.deepEqual(asked, [{
    mode: 'url', message: 'Please confirm in your browser.', url: 'https://example.com/confirm',
    elicitationId: 'confirm',
  }]);
  assert.deepEqual(await inbox.next('notifications/elicitation/complete'), { elicitationId: 'confirm' });
  // This client said nothing of forms.
  assert.equal(await callFailure(client, 'test_elicitation', { message: 'Who?' }), cannotAsk);
});

test('passes a declined URL to the tool', { timeout: limitMs }, async (t) => {
  const { client, inbox } = await connectUser(t, { form: {}, url: {} }, () => ({ action: 'decline' }));
  assert.equal(await callText(client, 'test_elicitation_url'),
    'URL elicitation completed: action=decline, content={}');
  await client.ping();
  assert.deepEqual(inbox.unread('notifications/elicitation/complete'), []);
});

test('rejects a call that requires a URL first', { timeout: limitMs }, async (t) => {
  const { client, inbox } = await connectUser(t, { url: {} }, () => assert.fail('nobody asks'));
  const error = await rejected(client.callTool({ name: 'test_url_required' }));
  assert.ok(error instanceof library.UrlElicitationRequiredError);
  assert.equal(error.code, -32042);
  assert.deepEqual(error.elicitations, [{
    mode: 'url', message: 'Please sign in.', url: 'https://example.com/sign-in', elicitationId: 'sign-in',
  }]);
  assert.equal(await callText(client, 'test_sign_in'), 'Signed in.');
  assert.deepEqual(await inbox.next('notifications/elicitation/complete'), { elicitationId: 'sign-in' });
  assert.equal(await callText(client, 'test_url_required'), 'You were signed in.');
});
