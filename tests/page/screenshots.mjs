// SPDX-License-Identifier: Apache-2.0
// Pictures of the page for the documents: the thermometer, and a tool of the greenhouse on a phone, and its own figures.
//
// usage: node screenshots.mjs THERMOMETER_HTTP GREENHOUSE_HTTP [--write]
//   --write  writes them into tests/page/pictures; without, it only shows that it can make them
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../at_end.mjs';
import { DevicePage, limitMs, openBrowser } from './browser.mjs';
import { startHttp } from '../../examples/client/http.mjs';
import { httpThermometer } from '../../examples/client/thermometer.mjs';

const [thermometer, greenhouse, option] = process.argv.slice(2);
const folder = join(dirname(fileURLToPath(import.meta.url)), 'pictures');
let browser;
before(async () => { browser = await openBrowser(); });
after(() => browser?.close());

async function take(device, name, part = device.page) {
  const { scrollWidth, innerWidth } = await device.page.evaluate(() => (
    { scrollWidth: document.documentElement.scrollWidth, innerWidth: window.innerWidth }));
  assert.ok(scrollWidth <= innerWidth, `the page is ${scrollWidth} pixels wide, the window ${innerWidth}`);
  const picture = await part.screenshot({ type: 'png' });
  assert.ok(picture.length > 5000 && picture.length < 200_000, `${picture.length} bytes`);
  if (option !== '--write') return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `page-${name}.png`), picture);
}

for (const scheme of ['light', 'dark']) {
  test(`makes a picture of the thermometer, ${scheme}`, { timeout: limitMs }, async (t) => {
    const server = await httpThermometer(thermometer, 21.5);
    atEnd(t, () => server.close());
    const device = await DevicePage.open(t, browser, server.url, { scheme, viewport: { width: 1000, height: 1060 } });
    await device.state('Connected');
    const interval = await device.card('Sampling interval');
    await interval.type('milliseconds', '100');
    await interval.press('Run');
    await interval.says('Sampling every 100 ms.');
    const temperature = await device.card('Temperature');
    for (const celsius of [21.75, 22.25, 22, 22.5, 23.25, 23, 22.75, 23.5]) {
      await server.setTemperature(celsius);
      await temperature.says(`${celsius}\n`);
    }
    await device.page.waitForFunction((card) => card.innerText.includes('21.5 to 23.5'), {}, temperature.handle);
    await device.page.evaluate(() => window.scrollTo(0, 0));
    await take(device, scheme);
  });
}

/** The page of the greenhouse, with the token that has all scopes. */
async function openGreenhouse(t, viewport) {
  const server = await startHttp(greenhouse, ['--reader', 'read-only', '--operator', 'operator']);
  atEnd(t, () => server.end());
  const device = await DevicePage.open(t, browser, server.url, { viewport, tolerates: /401/ });
  await device.state('Sign in');
  await device.page.type('input[type=password]', 'operator');
  await device.page.keyboard.press('Enter');
  await device.state('Connected');
  return device;
}

test('makes a picture of the figures of the device', { timeout: limitMs }, async (t) => {
  const device = await openGreenhouse(t, { width: 1000, height: 1060 });
  const health = await device.card('Health of the device');
  await health.press('Read');
  await health.says('uptime_ms');
  await health.handle.$eval('.value', (value) => { value.style.maxHeight = '44rem'; });
  await take(device, 'health', health.handle);
});

test('makes a picture of a tool on a phone', { timeout: limitMs }, async (t) => {
  const device = await openGreenhouse(t, { width: 390, height: 844 });
  const water = await device.card('Water');
  await device.assertAccessible();
  await water.handle.evaluate((card) => card.scrollIntoView());
  await take(device, 'phone');
});
