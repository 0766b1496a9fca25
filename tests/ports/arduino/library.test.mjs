// SPDX-License-Identifier: Apache-2.0
// The Arduino library has the layout and the properties that the Library Manager needs, and the root of the project is no
// library. Source: the library specification of arduino-cli, 1.5 format, revision 2.2.
//
// usage: node library.test.mjs ROOT
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const root = process.argv[2];

// The files of a zip file without compression, by name.
function unzip(zip) {
  const files = new Map();
  for (let at = 0; zip.readUInt32LE(at) === 0x04034b50;) {
    const [size, name, extra] = [zip.readUInt32LE(at + 18), zip.readUInt16LE(at + 26), zip.readUInt16LE(at + 28)];
    const begin = at + 30 + name + extra;
    files.set(zip.toString('utf8', at + 30, at + 30 + name), zip.toString('utf8', begin, begin + size));
    at = begin + size;
  }
  return files;
}

const work = mkdtempSync(join(tmpdir(), 'mote-'));
let files;
try {
  execFileSync(join(root, 'toolchains/arduino-pack'), [join(work, 'mote.zip')]);
  files = unzip(readFileSync(join(work, 'mote.zip')));
} finally {
  rmSync(work, { recursive: true });
}
const names = [...files.keys()].map((name) => name.split('/'));
const properties = Object.fromEntries(files.get('mote/library.properties').trim().split('\n').map((line) => line.split(/=(.*)/, 2)));

test('the folder in the zip file is a library', () => {
  assert.deepEqual(new Set(names.map(([folder]) => folder)), new Set([properties.name]));
  assert.deepEqual(new Set(names.map(([, name]) => name)), new Set(['LICENSE', 'README.md', 'examples', 'library.properties', 'src']));
  for (const [, kind, ...path] of names) {
    if (kind === 'src') assert.match(path.at(-1), /\.(cpp|hpp|h)$/);
    if (kind === 'examples') assert.ok(files.has(`mote/examples/${path[0]}/${path[0]}.ino`), path.join('/'));
  }
  for (const header of properties.includes.split(',')) assert.ok(files.has(`mote/src/${header}`), header);
});

test('the properties have the fields of the specification', () => {
  for (const field of ['name', 'version', 'author', 'maintainer', 'sentence', 'paragraph', 'category', 'url', 'architectures']) {
    assert.ok(properties[field], field);
  }
  assert.match(properties.name, /^[A-Za-z0-9][A-Za-z0-9 _.-]*$/);
  assert.match(properties.version, /^\d+\.\d+\.\d+$/);
  assert.match(properties.sentence, /\.$/);
  const categories = ['Display', 'Communication', 'Signal Input/Output', 'Sensors', 'Device Control', 'Timing', 'Data Storage',
    'Data Processing', 'Other'];
  assert.ok(categories.includes(properties.category), properties.category);
});

test('the library names the architectures whose cores can compile it', () => {
  const rows = [...files.get('mote/README.md').matchAll(/^\| ([^|]+) \| (`[^|]+`) \| ([^|]+) \| (yes|no)\b/gm)];
  assert.ok(rows.length >= 8, `${rows.length} cores`);
  const able = new Map();
  for (const [, core, architectures, gcc, use] of rows) {
    assert.equal(use, Number.parseInt(gcc, 10) >= 12 ? 'yes' : 'no', core);
    for (const [, one] of architectures.matchAll(/`([^`]+)`/g)) able.set(one, (able.get(one) ?? true) && use === 'yes');
  }
  assert.deepEqual(properties.architectures.split(','), [...able].filter(([, is]) => is).map(([one]) => one));
});

test('the root of the project is no library', () => {
  assert.ok(!existsSync(join(root, 'library.properties')));
});
