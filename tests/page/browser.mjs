// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of the page in Chromium: one browser, and what a person does on the page.
import { atEnd } from '../at_end.mjs';
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = join(dirname(fileURLToPath(import.meta.url)), '../../build/page/');
const chromium = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'chromium')).find(existsSync);

if (!chromium || !existsSync(join(packages, 'node_modules/puppeteer-core'))) {
  console.log('skipped: chromium or the packages in build/page are not installed; tests/run installs them');
  process.exit(77);
}
const require = createRequire(packages);
const puppeteer = require('puppeteer-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Generous: it only ends tests that have already failed. */
export const limitMs = 60_000;
export const waitMs = 20_000;
export const eras = ['2026-07-28', '2025-11-25'];

export const openBrowser = () => puppeteer.launch({
  // The tests of a build may run as root, for which Chromium has no sandbox.
  executablePath: chromium, headless: true, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});

/** The page of one device. It fails the test on a request to another host, and on each error in the console. */
export class DevicePage {
  problems = [];

  static async open(t, browser, url, { era, tolerates = /(?!)/, viewport, scheme = 'light' } = {}) {
    const device = new DevicePage();
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    Object.assign(device, { page, context });
    page.setDefaultTimeout(waitMs);
    await page.setViewport(viewport ?? { width: 1100, height: 900 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    const { origin } = new URL(url);
    const note = (text) => tolerates.test(text) || device.problems.push(text);
    page.on('pageerror', ({ message }) => note(`error: ${message}`));
    page.on('console', (message) => ['error', 'warn'].includes(message.type()) && note(`console: ${message.text()}`));
    page.on('request', (request) => {
      if (!request.url().startsWith('data:') && new URL(request.url()).origin !== origin) note(`request: ${request.url()}`);
    });
    atEnd(t, async () => {
      await context.close().catch(() => {});
      assert.deepEqual(device.problems, []);
    });
    device.response = await page.goto(`${origin}/${era ? `#${era}` : ''}`);
    return device;
  }

  /** Awaits that the state begins with `text`. */
  state(text) {
    return this.page.waitForFunction((wanted) => document.getElementById('state').textContent.startsWith(wanted), {}, text);
  }

  /** The card with this title, opened. */
  async card(title) {
    const handle = await this.page.waitForFunction((wanted) => [...document.querySelectorAll('.card')]
      .find((card) => card.querySelector('h3')?.textContent === wanted), {}, title);
    const card = new Part(this.page, handle);
    if (await handle.evaluate((element) => element.tagName === 'DETAILS' && !element.open)) {
      await (await handle.$('summary')).click();
      await handle.waitForSelector('form');
    }
    return card;
  }

  /** The dialog that is open. */
  async dialog() {
    return new Part(this.page, await this.page.waitForSelector('dialog[open]'));
  }

  noDialog() {
    return this.page.waitForFunction(() => !document.querySelector('dialog'));
  }

  text() {
    return this.page.evaluate(() => document.body.innerText);
  }

  /** Asserts that axe-core finds nothing. */
  async assertAccessible() {
    await this.page.evaluate(axe);
    const violations = await this.page.evaluate(async () => (await globalThis.axe.run(document)).violations
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`));
    assert.deepEqual(violations, []);
  }
}

/** A card or a dialog. */
class Part {
  constructor(page, handle) {
    this.page = page;
    this.handle = handle;
  }

  async press(text) {
    const button = await this.page.waitForFunction((part, wanted) => [...part.querySelectorAll('button')]
      .find((one) => one.textContent === wanted && !one.hidden && !one.disabled), {}, this.handle, text);
    await button.evaluate((one) => one.click());
  }

  /** The control whose label or legend is `label`. */
  async field(label) {
    return this.page.waitForFunction((part, wanted) => {
      const named = [...part.querySelectorAll('label, legend')].find((one) => one.textContent.replace(' *', '') === wanted);
      return named?.control ?? named?.parentElement;
    }, {}, this.handle, label);
  }

  async type(label, text) {
    const field = await this.field(label);
    await field.focus();
    await field.evaluate((input) => { input.value = ''; });
    await field.type(text);
  }

  async choose(label, title) {
    const field = await this.field(label);
    await field.evaluate((select, wanted) => {
      select.selectedIndex = [...select.options].findIndex(({ text }) => text === wanted);
    }, title);
  }

  async check(label) {
    await (await this.field(label)).evaluate((box) => box.click());
  }

  async in(label) {
    return new Part(this.page, await this.field(label));
  }

  /** Awaits that its text contains `text`. */
  says(text) {
    return this.page.waitForFunction((part, wanted) => part.innerText.includes(wanted), {}, this.handle, text)
      .catch(async (error) => {
        throw new Error(`${error.message}: "${text}" is not in "${await this.text()}"`);
      });
  }

  text() {
    return this.handle.evaluate((part) => part.innerText);
  }

  /** The errors at its fields: label and error. */
  errors() {
    return this.handle.evaluate((part) => [...part.querySelectorAll('small.error')].filter((one) => one.textContent)
      .map((one) => [one.closest('.field, fieldset').querySelector('label, legend').textContent, one.textContent]));
  }
}
