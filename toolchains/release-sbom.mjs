// SPDX-License-Identifier: Apache-2.0
// Writes mote-VERSION.spdx.json: which files a release has, and the software in them. SPDX 2.3.
//
// usage: node release-sbom.mjs FOLDER VERSION SECONDS
// in the folder of the project, after the builds in build/release-BOARD.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parts_of } from './release-parts.mjs';

const [folder, version, seconds] = process.argv.slice(2);
const hash = (algorithm, bytes) => createHash(algorithm).update(bytes).digest('hex');
const names = readdirSync(folder).sort();

const type_of = (name) => (name.endsWith('.txt') ? 'TEXT' : name.endsWith('.tar.gz') ? 'ARCHIVE' : 'BINARY');
const parts = parts_of(version, names);
const packages = Object.entries(parts).map(([id, part]) => ({
  SPDXID: `SPDXRef-${id}`,
  name: part.name ?? id,
  versionInfo: part.version,
  supplier: `Organization: ${part.supplier}`,
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
    fileTypes: [type_of(name)],
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
const describe = ({ SPDXID }) => relate('SPDXRef-DOCUMENT', 'DESCRIBES', SPDXID);
const relationships = [...packages, ...files].map(describe);
for (const { SPDXID, fileName, fileTypes: [type] } of files) {
  for (const [id, { images }] of Object.entries(parts)) {
    // An archive of sources has those of mote alone.
    const contains = type === 'ARCHIVE' ? id === 'mote' : type === 'BINARY' && (images?.test(fileName) ?? true);
    if (contains) relationships.push(relate(SPDXID, 'CONTAINS', `SPDXRef-${id}`));
  }
}

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
    creators: [`Tool: mote-release-${version}`, 'Organization: mote'],
  },
  packages,
  files,
  relationships,
};
writeFileSync(join(folder, `mote-${version}.spdx.json`), `${JSON.stringify(document, null, 2)}\n`);
