// SPDX-License-Identifier: Apache-2.0
// Official clients of both generations at one emulated board through attach: the board is reset, and unplugged, while a host
// shows a question and while all hosts have a subscription.
//
// usage: node everything.test.mjs EMULATE BOARD EVERYTHING_SERVER
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, hosts, open, text } from '../clients.mjs';
import { environment, limitMs, within } from '../support.mjs';
import { endings, endsWith, SerialPort } from './serial_port.mjs';

const [emulate, board, everything] = process.argv.slice(2);
const watched = 'test://watched-resource';

/** All kinds of hosts. `answers` has how the first one answers questions. */
async function start(t, answers) {
  const env = environment(t);
  const port = new SerialPort(t, env.XDG_RUNTIME_DIR, async () => [emulate, board, everything]);
  await port.plug();
  const all = Object.keys(hosts).map((kind, i) =>
    open(t, kind, `host${i}`, env, ['serial', port.path], (params) => answers?.[i]?.(params)));
  return { port, all: await Promise.all(all) };
}

for (const [what, { end, again, reason }] of Object.entries(endings)) {
  for (const [asked, kind] of Object.keys(hosts).entries()) {
    test(`ends a question of a board that ${what}, host ${kind}`, { timeout: 2 * limitMs }, async (t) => {
      let answerLate;
      const answers = [];
      const shown = new Promise((resolve) => {
        answers[asked] = () => new Promise((answer) => {
          answerLate = () => answer({ action: 'accept', content: { username: 'late', email: 'a@b.cd' } });
          resolve();
        });
      });
      const { port, all } = await start(t, answers);
      const host = all[asked];
      // A host of 2026-07-28 asks its user itself, and the board has no call meanwhile: the late answer ends it. Until the reset is
      // noticed, the board rejects the answer.
      const wanted = host.modern ? new RegExp(`${reason.source}|requestState is expired`) : reason;
      const hanging = call(host, 'test_elicitation', { message: 'Who are you?' });
      hanging.catch(() => {});
      await within('question', shown);
      if (host.modern) {
        await end(port);
        await again(port);
        answerLate();
        await endsWith(t, hanging, wanted, Date.now());
      } else {
        const begun = Date.now();
        const done = end(port);
        await endsWith(t, hanging, wanted, begun);
        await done;
        answerLate();
        await again(port);
      }
      answers[asked] = undefined;
      assert.match(text(await call(host, 'test_elicitation', { message: 'And now?' })), new RegExp(host.name));
      assert.deepEqual(host.asked, ['Who are you?', 'And now?']);
      for (const other of all.filter((each) => each !== host)) {
        assert.match(text(await call(other, 'test_simple_text')), /simple text/);
        assert.deepEqual(other.asked, []);
      }
    });
  }

  test(`keeps the subscriptions at a board that ${what}`, { timeout: 2 * limitMs }, async (t) => {
    const { port, all } = await start(t);
    for (const { client, modern } of all) {
      if (modern) await client.listen({ resourceSubscriptions: [watched] });
      else await client.subscribeResource({ uri: watched });
    }
    const updates = () => Promise.all(all.map(({ inbox }) => inbox.next('notifications/resources/updated')));
    const changes = async (by) => {
      await call(by, 'test_update_resource');
      await updates();
    };
    await changes(all[0]);
    const begun = Date.now();
    await end(port);
    await again(port);
    // A board that is back may have changed, so each host gets an update. Before that, a call may still go to the old port.
    await updates();
    t.diagnostic(`all hosts had an update of the board again ${Date.now() - begun} ms later`);
    await changes(all[1]);
    await changes(all[2]);
  });
}
