// SPDX-License-Identifier: Apache-2.0
// The page in Chromium from an emulated board. It prints how long a person waits for the first value.
//
// usage: node board.test.mjs EMULATE BOARD IMAGE
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { DevicePage, eras, limitMs, openBrowser } from './browser.mjs';
import { boardHttpThermometer } from '../../examples/client/thermometer.mjs';

const [emulate, board, image] = process.argv.slice(2);
// How many times as long as a request for the page alone. A quiet machine needs 40 to 160 times as long.
const mostRequests = 500;

/** The milliseconds of a request for the page, in the middle of five. */
async function requestMs(url) {
  const times = [];
  for (let i = 0; i < 5; ++i) {
    const begun = performance.now();
    await (await fetch(url, { headers: { connection: 'close' } })).arrayBuffer();
    times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b)[2];
}

test('a board shows its values and takes calls', { timeout: 2 * limitMs }, async (t) => {
  const [browser, thermometer] = await Promise.all([openBrowser(), boardHttpThermometer(emulate, board, image, 21.5)]);
  atEnd(t, () => Promise.all([browser.close(), thermometer.close()]));
  for (const [i, era] of eras.entries()) {
    // The page opens on a temperature that the board has sampled, and then gets another one.
    const [first, second] = i % 2 === 0 ? [21.5, -5] : [-5, 21.5];
    const begun = performance.now();
    const device = await DevicePage.open(t, browser, thermometer.url, { era });
    const card = await device.card('Temperature');
    await card.says(`${first}`);
    const firstMs = performance.now() - begun;
    const { loaded, bytes } = await device.page.evaluate(() => {
      const [{ responseEnd, transferSize }] = performance.getEntriesByType('navigation');
      return { loaded: responseEnd, bytes: transferSize };
    });
    console.log(`${era}: the page after ${Math.round(loaded)} ms (${bytes} bytes), the first value after ${Math.round(firstMs)} ms`);
    const oneMs = await requestMs(new URL('/', thermometer.url));
    assert.ok(firstMs < mostRequests * oneMs, `${firstMs} ms, and ${oneMs} ms for a request`);
    await device.state(`Connected · ${era}`);
    await thermometer.setTemperature(second);
    await card.says(`${second}`);
    const led = await device.card('LED');
    await led.check('on');
    await led.press('Run');
    await led.says('The LED is on.');
    const history = await device.card('History');
    await history.type('minutes', '5');
    await history.press('Read');
    await history.says('newestFirstCelsius');
    await device.context.close();
  }
});
