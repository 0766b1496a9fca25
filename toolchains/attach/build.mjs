// SPDX-License-Identifier: Apache-2.0
// Makes the bundles that attach.cjs starts: dist/front_main.cjs for each host, and dist/broker_main.cjs for each board.
// `npm install` in this folder and `npm pack` run it. The commands, and packages, are no part of a bundle. In a checkout, a bundle starts
// the sources if one is newer, or has another size. A package has no build.mjs, and starts its bundles whatever the times of its files.
//
// usage: node build.mjs [FOLDER]  FOLDER is dist unless it is given
import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, 'dist');
// attach starts the bundles when that of the front is there, so that one is written last and removed first.
const names = ['broker_main', 'front_main'];
/** @param {string} name */
const pathOf = (name) => join(folder, `${name}.cjs`);
const begun = new Date();
const ownSize = statSync(join(here, 'build.mjs')).size;

/**
 * What a bundle does first. commands/bundle.mjs reads the line of the sources, too.
 * @param {string} name @param {Record<string, number>} sources their sizes
 */
const begin = (name, sources) => `"use strict"; // made by build.mjs
const moduleUrl = require("node:url").pathToFileURL(__filename).href;
{
  const sources = ${JSON.stringify(sources)};
  const { statSync } = require("node:fs");
  const find = (path) => statSync(__dirname + "/../" + path, { throwIfNoEntry: false });
  const time = statSync(__filename).mtimeMs;
  const isCurrent = ([path, size]) => {
    const found = find(path);
    return found?.size === size && found.mtimeMs <= time;
  };
  if (find("build.mjs") && !Object.entries(sources).every(isCurrent)) {
    import("../lib/${name}.mjs");
    return;
  }
}
`;

/** The text of a bundle. @param {any} esbuild @param {string} name @returns {Promise<string>} */
async function bundleOf(esbuild, name) {
  const { outputFiles: [{ text }], metafile } = await esbuild.build({
    absWorkingDir: here, entryPoints: [`lib/${name}.mjs`], write: false, metafile: true, logLevel: 'warning',
    bundle: true, platform: 'node', format: 'cjs', target: 'node20', packages: 'external',
    supported: { 'dynamic-import': false },  // require() loads half as much of Node.js
    minifySyntax: true, minifyWhitespace: true, define: { 'import.meta.url': 'moduleUrl' },
  });
  const sizes = Object.entries(metafile.inputs).map(([path, { bytes }]) => [path, bytes]).sort();
  return begin(name, { 'build.mjs': ownSize, ...Object.fromEntries(sizes) }) + text;
}

/** Replaces a bundle at once, because a host may start it meanwhile. @param {string} name @param {string} text */
function write(name, text) {
  const next = `${pathOf(name)}.${process.pid}.new`;
  try {
    writeFileSync(next, text);
    utimesSync(next, begun, begun);  // a source that was changed during the build is newer
    renameSync(next, pathOf(name));
  } finally {
    rmSync(next, { force: true });
  }
}

const remove = () => names.toReversed().forEach((name) => rmSync(pathOf(name), { force: true }));

const esbuild = await import('esbuild').catch(() => undefined);
if (!esbuild) {
  remove();  // they may be of older sources
  console.error('attach: without esbuild there is no bundle, and attach starts from its sources.');
  process.exit(0);
}
try {
  const texts = await Promise.all(names.map((name) => bundleOf(esbuild, name)));
  mkdirSync(folder, { recursive: true });
  for (const [at, name] of names.entries()) write(name, texts[at]);
} catch (error) {
  remove();
  throw error;
}
