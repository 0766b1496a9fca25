// SPDX-License-Identifier: Apache-2.0
// What a release says of its software, for a folder with an image: the elements that the NTIA asks of a list of
// software (supplier, name, version, identifier, relationships, author, time), and the texts of licenses.
//
// usage: node release_lists.mjs SOURCE WORK
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const [source, work] = process.argv.slice(2);
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
writeFileSync(join(work, 'mote-1.2.3-microbit-thermometer.bin'), 'an image');
writeFileSync(join(work, 'mote-1.2.3-esphome.tar.gz'), 'sources');
const run = (name, ...args) =>
  execFileSync(process.execPath, [join(source, 'toolchains', name), work, '1.2.3', ...args], { cwd: source });
const read = (name) => readFileSync(join(work, name), 'utf8');

test('has the texts of all licenses', { skip: !existsSync('/usr/share/doc/libnewlib-arm-none-eabi/copyright') &&
  'the license of newlib is not where Debian has it' }, () => {
  run('release-licenses.mjs');
  assert.equal(read('mote-1.2.3-LICENSE.txt'), readFileSync(join(source, 'LICENSE'), 'utf8'));
  const others = read('mote-1.2.3-THIRD_PARTY_LICENSES.txt');
  assert.match(others, /^newlib \d[^]*Regents of the University of California/m);
  assert.match(others, /^libgcc \d.*\nLicense: GPL-3.0-or-later WITH GCC-exception-3.1\nIn: all images$/m);
});

test('lists the elements of the NTIA', () => {
  run('release-sbom.mjs', '1700000000');
  const { creationInfo, packages, files, relationships } = JSON.parse(read('mote-1.2.3.spdx.json'));
  assert.equal(creationInfo.created, '2023-11-14T22:13:20Z');
  assert.ok(creationInfo.creators.some((creator) => /^Organization: ./.test(creator)));
  for (const { name, versionInfo, SPDXID, supplier } of packages) {
    assert.match(supplier, /^Organization: ./, name);
    assert.match(versionInfo, /^\d/, name);
    assert.ok(relationships.some(({ spdxElementId, relationshipType, relatedSpdxElement }) =>
      spdxElementId === 'SPDXRef-DOCUMENT' && relationshipType === 'DESCRIBES' && relatedSpdxElement === SPDXID), name);
  }
  // An image contains software, an archive the sources of mote, and the text of a license nothing.
  const contents = (ending) => relationships.filter(({ relationshipType, spdxElementId }) => relationshipType === 'CONTAINS' &&
    files.find(({ SPDXID }) => SPDXID === spdxElementId).fileName.endsWith(ending))
    .map(({ relatedSpdxElement }) => relatedSpdxElement.replace('SPDXRef-', ''));
  assert.deepEqual(contents('.bin'), ['mote', 'libgcc', 'libstdcxx', 'newlib']);
  assert.deepEqual(contents('.tar.gz'), ['mote']);
  assert.deepEqual(contents('.txt'), []);
  assert.deepEqual(files.find(({ fileName }) => fileName.endsWith('.tar.gz')).fileTypes, ['ARCHIVE']);
});
