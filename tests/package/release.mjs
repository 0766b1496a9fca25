// SPDX-License-Identifier: Apache-2.0
// toolchains/release: two copies of the project in two folders make the same files, and the lists of the files are true.
//
// usage: node release.mjs SOURCE WORK
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';

const [source, work] = process.argv.slice(2);
const env = { ...process.env, SOURCE_DATE_EPOCH: '1700000000' };
// The pico-sdk is there after a build for one of its boards.
const boards = ['microbit', ...(existsSync(join(source, 'build/picotool/bin/picotool')) ? ['pico'] : [])];
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

function copy(name) {
  const folder = join(work, name);
  mkdirSync(join(folder, 'build'), { recursive: true });
  const left = new Set(['.git', 'build']);
  for (const entry of readdirSync(source)) {
    if (!left.has(entry)) cpSync(join(source, entry), join(folder, entry), { recursive: true });
  }
  for (const sources of ['sources', 'picotool']) {
    if (existsSync(join(source, 'build', sources))) {
      symlinkSync(join(source, 'build', sources), join(folder, 'build', sources));
    }
  }
  return folder;
}

rmSync(work, { recursive: true, force: true });
const folders = [copy('a'), copy('another_folder/with_a_longer_path')];

test('says what is wrong with a call', () => {
  const fails = (args, sentence, environment = env) => {
    const { status, stderr } = spawnSync(join(folders[0], 'toolchains/release'), args,
      { encoding: 'utf8', env: environment, cwd: work });
    assert.match(stderr, sentence);
    assert.equal(status, 2);
  };
  fails(['microbit'], /HOMEPAGE_URL is https:\/\/mote\.invalid\/mote, a placeholder/);
  fails(['--output'], /^release: --output takes a folder\n$/);
  fails(['arduino'], /^release: there is no board 'arduino'; there is: .*microbit/);
  const { SOURCE_DATE_EPOCH: _, ...others } = env;
  fails(['--draft', 'microbit'], /^release: this is no clone of git, so SOURCE_DATE_EPOCH must be set\n$/,
    { ...others, GIT_CEILING_DIRECTORIES: work });

  // It deletes the files of the last release only. A relative path is one of the caller, not of the project.
  mkdirSync(join(work, 'core'));
  writeFileSync(join(work, 'core/notes'), '');
  fails(['--draft', '--output', 'core', 'microbit'], /^release: '.*' has files that are no release\n$/);
  assert.ok(existsSync(join(work, 'core/notes')));
  assert.ok(existsSync(join(folders[0], 'core/include')));
});

test('makes the same files in two folders', { timeout: 1_200_000 }, () => {
  const flags = '-fno-inline';  // of other programs that this user compiles
  const users = [env, { ...env, TZ: 'Pacific/Auckland', CFLAGS: flags, CXXFLAGS: flags, LDFLAGS: '-Wl,--no-gc-sections' }];
  const releases = folders.map((folder, index) => {
    execFileSync(join(folder, 'toolchains/release'), ['--draft', ...boards],
      { env: users[index], stdio: ['ignore', 'ignore', 'inherit'] });
    return join(folder, 'build/release');
  });
  const names = readdirSync(releases[0]);
  assert.ok(names.some((name) => name.endsWith('-draft-microbit-thermometer.hex')));
  assert.ok(names.some((name) => name.endsWith('-draft-esphome.tar.gz')));
  assert.ok(names.some((name) => name.endsWith('-THIRD_PARTY_LICENSES.txt')));
  for (const image of boards.includes('pico') ? ['thermometer_usb', 'workbench'] : []) {
    assert.ok(names.some((name) => name.endsWith(`-pico-${image}.uf2`)), image);
  }
  assert.deepEqual(readdirSync(releases[1]), names);
  for (const name of names) {
    const [one, other] = releases.map((release) => sha256(readFileSync(join(release, name))));
    assert.equal(one, other, name);
  }

  const read = (name) => readFileSync(join(releases[0], name));
  const sums = new Map(names.filter((name) => name !== 'SHA256SUMS').map((name) => [name, sha256(read(name))]));
  assert.equal(read('SHA256SUMS').toString(), [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join(''));

  // The rules of SPDX 2.3 for the parts that a document must have.
  const list = names.find((name) => name.endsWith('.spdx.json'));
  const document = JSON.parse(read(list));
  assert.equal(document.spdxVersion, 'SPDX-2.3');
  assert.equal(document.dataLicense, 'CC0-1.0');
  assert.equal(document.SPDXID, 'SPDXRef-DOCUMENT');
  assert.match(document.documentNamespace, /^urn:[^#]+$/);
  assert.equal(document.creationInfo.created, '2023-11-14T22:13:20Z');
  sums.delete(list);
  const listed = document.files.map(({ fileName, checksums }) =>
    [basename(fileName), checksums.find(({ algorithm }) => algorithm === 'SHA256').checksumValue]);
  assert.deepEqual(listed, [...sums]);
  const elements = [document, ...document.packages, ...document.files].map(({ SPDXID }) => SPDXID);
  assert.equal(new Set(elements).size, elements.length);
  for (const id of elements) assert.match(id, /^SPDXRef-[a-zA-Z0-9.-]+$/);
  for (const { spdxElementId, relatedSpdxElement } of document.relationships) {
    assert.ok(elements.includes(spdxElementId) && elements.includes(relatedSpdxElement));
  }
  const parts = (ending) => {
    const { SPDXID } = document.files.find(({ fileName }) => fileName.endsWith(ending));
    return document.relationships.filter((each) => each.spdxElementId === SPDXID && each.relationshipType === 'CONTAINS')
      .map((each) => each.relatedSpdxElement.replace('SPDXRef-', ''));
  };
  const always = ['mote', 'libgcc', 'libstdcxx', 'newlib'];
  assert.deepEqual(parts('microbit-thermometer.bin'), always);
  if (boards.includes('pico')) {
    assert.deepEqual(parts('pico-thermometer_uart.uf2'), [...always, 'pico-sdk']);
    assert.deepEqual(parts('pico-thermometer_usb.uf2'), [...always, 'pico-sdk', 'tinyusb']);
    assert.deepEqual(parts('pico-workbench.uf2'), [...always, 'pico-sdk', 'tinyusb']);
  }
});
