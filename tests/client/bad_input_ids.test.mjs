// SPDX-License-Identifier: Apache-2.0
// Each row of ../shared/spec/bad-inputs.md whose id can be read goes over a wire with id 7, and the answer must carry it:
// a client on a wire cannot find the request of an error without an id, so it waits for its time limit. Prints how many
// answers carry 7, and the reason of each other input.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { heads, messages } from './bad_inputs.mjs';
import { command, Lines, limitMs } from './support.mjs';

const list = new URL('../../../shared/spec/bad-inputs.md', import.meta.url);

/** Why an input of bad_inputs.mjs has no answer with its id, by its row; a function: of what it is. */
const noId = {
  J08: (what) => what === 'an id of 1e400' && 'the id is not an integer',
  J17: (what, text) => !/"id":7,/.test(text) && 'the id is cut off',
  J18: (what) => what === 'two messages' && 'the line has two ids',
  J19: () => 'the input has no id',
  J20: () => 'a batch has no id of its own, and this revision has no batches',
  M04: () => 'a notification has no id',
};

/** Rows that are no message of a client, and where they are tested. */
const elsewhere = {
  H: 'a request of HTTP (transports/http/bad_inputs_test.cpp)',
  P: 'a fault of the device, not a message (tests/faults, tests/simulator)',
};

function withSeven(text) {
  const changed = Buffer.from(text).toString('latin1').replaceAll(/"id":(1|9007199254740993)(?=[,}])/g, '"id":7');
  return Buffer.from(changed, 'latin1');
}

class Wire {
  constructor(t) {
    this.lines = new Lines(t, { command: command[0], args: [...command.slice(1), '--stdio'] });
    this.pings = 0;
  }

  /** The answers to a line: what comes before the answer to a ping behind it. */
  async answers(text) {
    await this.lines.write(Buffer.concat([Buffer.from(text), Buffer.from('\n')]));
    const id = `ping ${++this.pings}`;
    await this.lines.send({ jsonrpc: '2.0', id, method: 'ping' });
    const answers = [];
    for (;;) {
      const message = await this.lines.message();
      if (message.id === id) return answers;
      if ('result' in message || 'error' in message) answers.push(message);
    }
  }
}

// M05: the row needs a call that runs.
async function sendTwice(wire) {
  const call = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"test_slow"}}';
  assert.deepEqual(await wire.answers(call), []);
  const answers = await wire.answers(call);
  await wire.answers('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}');
  return answers;
}

test('the answer to each bad input carries its id', {
  timeout: limitMs, skip: existsSync(list) ? false : 'no ../shared/spec/bad-inputs.md',
}, async (t) => {
  const rows = readFileSync(list, 'utf8').match(/^\| [A-Z]\d\d (?=\|)/gm).map((line) => line.slice(2, 5));
  assert.ok(rows.length > 0 && heads.length > 0);
  const wire = new Wire(t);
  const others = [];
  let sent = 0;
  const take = (row, what, reason, answers) => {
    ++sent;
    const carries = answers.some(({ id }) => id === 7);
    assert.equal(carries, !reason, `${row}, ${what}: ${JSON.stringify(answers)}`);
    if (reason) others.push(`${row}, ${what}: ${reason}`);
  };
  const play = async (row, isOpen) => {
    for (const { what, text } of messages.filter((each) => each.id === row && !each.modern && Boolean(each.open) === isOpen)) {
      const changed = withSeven(text);
      take(row, what, noId[row]?.(what, changed.toString('latin1')), await wire.answers(changed));
      if (row === 'M02') await wire.lines.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    }
  };
  for (const row of rows) await play(row, true);
  await wire.lines.initialize();
  for (const row of rows) {
    const reason = elsewhere[row[0]];
    if (reason) others.push(`${row}: ${reason}`);
    else if (row === 'M05') take(row, 'the id of a running call', undefined, await sendTwice(wire));
    else assert.ok(messages.some(({ id }) => id === row), `${row} is not in bad_inputs.mjs`);
    await play(row, false);
  }
  console.log(`${sent - others.filter((text) => text[3] === ',').length} of ${sent} inputs on the wire have an answer with id 7. The others:`);
  for (const text of others) console.log(text);
});
