// SPDX-License-Identifier: Apache-2.0
// Writes mote-VERSION-LICENSE.txt, the license of mote, and mote-VERSION-THIRD_PARTY_LICENSES.txt, the texts of the
// licenses of all other software in the images of a release.
//
// usage: node release-licenses.mjs FOLDER VERSION
// in the folder of the project, after the builds in build/release-BOARD.
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parts_of } from './release-parts.mjs';

const [folder, version] = process.argv.slice(2);
const names = readdirSync(folder).sort();
const { mote, ...others } = parts_of(version, names);
const line = '='.repeat(80);
const chapters = Object.entries(others).map(([id, { name = id, version: of, license, images, texts }]) => {
  const where = images ? names.filter((image) => images.test(image)).join(', ') : 'all images';
  const text = texts.map((file) => `\n${readFileSync(file, 'utf8').trim()}\n`).join('');
  const shown = license === 'NOASSERTION' ? 'see the text' : license;
  return `${line}\n${name} ${of}\nLicense: ${shown}\nIn: ${where}\n${text}`;
});
copyFileSync(mote.texts[0], join(folder, `mote-${version}-LICENSE.txt`));
writeFileSync(join(folder, `mote-${version}-THIRD_PARTY_LICENSES.txt`), `${chapters.join('\n')}`);
