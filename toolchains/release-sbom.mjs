// SPDX-License-Identifier: Apache-2.0
// Writes mote-VERSION.spdx.json: which files a release has, and the software in them. SPDX 2.3.
//
// usage: node release-sbom.mjs FOLDER VERSION SECONDS
// in the folder of the project, after the builds in build/release-BOARD.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, version, seconds] = process.argv.slice(2);
const hash = (algorithm, bytes) => createHash(algorithm).update(bytes).digest('hex');
const names = readdirSync(folder).sort();
const gcc = (args, input) => execFileSync('arm-none-eabi-gcc', args, { encoding: 'utf8', input });

// The version in a file of numbers, each in a line that `names` matches in this order.
function numbers(path, names) {
  const text = readFileSync(path, 'utf8');
  return names.map((name) => new RegExp(`${name}\\s+(\\d+)`).exec(text)[1]).join('.');
}

// A path that a build with the pico-sdk has stored.
const stores = ['pico', 'pico_w', 'pico2'].map((board) => `build/release-${board}/CMakeCache.txt`).filter(existsSync);
const stored = (name) => new RegExp(`^${name}:[A-Z]+=(.*)$`, 'm').exec(readFileSync(stores[0], 'utf8'))[1];

// The software, and a pattern for the names of the images with it.
const compiler = gcc(['-dumpfullversion']).trim();
const newlib = /"([\d.]+)"/.exec(gcc(['-E', '-P', '-'], '#include <_newlib_version.h>\n_NEWLIB_VERSION\n'))[1];
const parts = {
  mote: { version, license: 'Apache-2.0' },
  libgcc: { version: compiler, license: 'GPL-3.0-or-later WITH GCC-exception-3.1' },
  libstdcxx: { name: 'libstdc++ (headers)', version: compiler, license: 'GPL-3.0-or-later WITH GCC-exception-3.1' },
  newlib: { version: newlib, license: 'NOASSERTION' },
};
if (names.some((name) => name.includes('-pico'))) {
  const [sdk, usb] = [stored('PICO_SDK_PATH'), stored('PICO_TINYUSB_PATH')];
  parts['pico-sdk'] = {
    version: numbers(join(sdk, 'pico_sdk_version.cmake'), ['MAJOR', 'MINOR', 'REVISION'].map((name) => `_VERSION_${name}`)),
    license: 'BSD-3-Clause',
    images: /-pico/,
  };
  parts.tinyusb = {
    version: numbers(join(usb, 'src', 'tusb_option.h'), ['MAJOR', 'MINOR', 'REVISION'].map((name) => `TUSB_VERSION_${name}`)),
    license: 'MIT',
    images: /-pico.*_(usb|both)/,
  };
}
const packages = Object.entries(parts).map(([id, part]) => ({
  SPDXID: `SPDXRef-${id}`,
  name: part.name ?? id,
  versionInfo: part.version,
  downloadLocation: 'NOASSERTION',
  filesAnalyzed: false,
  licenseConcluded: part.license,
  licenseDeclared: part.license,
  copyrightText: 'NOASSERTION',
}));

const files = names.map((name, index) => {
  const bytes = readFileSync(join(folder, name));
  return {
    SPDXID: `SPDXRef-file-${index + 1}`,
    fileName: `./${name}`,
    fileTypes: ['BINARY'],
    checksums: [
      { algorithm: 'SHA1', checksumValue: hash('sha1', bytes) },
      { algorithm: 'SHA256', checksumValue: hash('sha256', bytes) },
    ],
    licenseConcluded: 'NOASSERTION',
    copyrightText: 'NOASSERTION',
  };
});

const relate = (spdxElementId, relationshipType, relatedSpdxElement) =>
  ({ spdxElementId, relationshipType, relatedSpdxElement });
const relationships = files.flatMap(({ SPDXID, fileName }) => [
  relate('SPDXRef-DOCUMENT', 'DESCRIBES', SPDXID),
  ...Object.entries(parts).filter(([, { images }]) => images?.test(fileName) ?? true)
    .map(([id]) => relate(SPDXID, 'CONTAINS', `SPDXRef-${id}`)),
]);

const content = JSON.stringify([packages, files]);
const document = {
  spdxVersion: 'SPDX-2.3',
  dataLicense: 'CC0-1.0',
  SPDXID: 'SPDXRef-DOCUMENT',
  name: `mote-${version}`,
  // A name of this content, not a place.
  documentNamespace: `urn:sha256:${hash('sha256', content)}`,
  creationInfo: {
    created: new Date(1000 * seconds).toISOString().replace('.000', ''),
    creators: [`Tool: mote-release-${version}`],
  },
  packages,
  files,
  relationships,
};
writeFileSync(join(folder, `mote-${version}.spdx.json`), `${JSON.stringify(document, null, 2)}\n`);
