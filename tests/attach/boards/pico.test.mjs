// SPDX-License-Identifier: Apache-2.0
// The thermometer of examples/pico on USB with two official clients through attach: both are told of changes, also after the
// board was reset and unplugged.
//
// usage: node pico.test.mjs EMULATE THERMOMETER_USB
import { test } from 'node:test';
import { atEnd } from '../../at_end.mjs';
import { picoThermometer } from '../../../examples/client/pico.mjs';
import { open } from '../clients.mjs';
import { environment, limitMs } from '../support.mjs';
import { endings, SerialPort } from './serial_port.mjs';

const [emulate, image] = process.argv.slice(2);
const temperature = 'sensor://temperature';

for (const [what, { end, again }] of Object.entries(endings)) {
  test(`tells two hosts of changes at a Pico that ${what}`, { timeout: 3 * limitMs }, async (t) => {
    const env = environment(t);
    let board;
    let celsius = 21;
    atEnd(t, () => board.close());
    const port = new SerialPort(t, env.XDG_RUNTIME_DIR, async () => {
      board?.close();
      board = await picoThermometer(emulate, image, 'usb', celsius);
      return [board.command, ...board.args];
    });
    await port.plug();
    const target = ['serial', port.path];
    const [older, newer] = await Promise.all(
      ['2025-11-25, SDK v1', '2026-07-28, SDK v2'].map((kind, i) => open(t, kind, `host${i}`, env, target)));
    await older.client.subscribeResource({ uri: temperature });
    await newer.client.listen({ resourceSubscriptions: [temperature] });
    const changes = async (to) => {
      celsius = to;
      await board.setTemperature(to);
      // An update may be older than the change: attach sends one after each reset. After the last update, the value is new.
      for (const { inbox, client } of [older, newer]) {
        for (let celsius; celsius === undefined || Math.abs(celsius - board.shows(to)) >= 0.1;) {
          await inbox.next('notifications/resources/updated');
          const { contents } = await client.readResource({ uri: temperature });
          ({ celsius } = JSON.parse(contents[0].text));
        }
      }
    };
    await changes(30);
    const begun = Date.now();
    await end(port);
    await again(port);
    await older.client.ping();
    t.diagnostic(`served again after ${Date.now() - begun} ms`);
    await changes(10);
  });
}
