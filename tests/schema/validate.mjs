// SPDX-License-Identifier: Apache-2.0
// Holds every recorded message of the server against the official schema of its revision.
//
// usage: node validate.mjs SCHEMAS RECORD...
// SCHEMAS is a folder with a file for each revision, REVISION.json. Exits with 77 (skipped) when it or the validator is
// missing, and also when all is well but the schema of a revision is missing: then its messages were not checked.
import { existsSync } from 'node:fs';
import { Report } from './records.mjs';
import { ajvInstalled, Schemas } from './schemas.mjs';
import { nodeFolder } from '../../examples/client/session.mjs';

const [folder, ...files] = process.argv.slice(2);

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

if (!ajvInstalled) skip(`ajv is not installed in ${nodeFolder} (tests/run installs it)`);
if (!existsSync(folder)) skip(`no folder ${folder} (MOTE_SCHEMAS); tests/run obtains the schemas of four revisions`);

const report = new Report(new Schemas(folder));
for (const file of files) {
  if (existsSync(file)) report.readFile(file);
  else report.failures.push(`${file}: the test has left no record`);
}

for (const [revision, count] of [...report.counts.messages].sort()) console.log(`${revision}: ${count} messages checked`);
for (const [revision, count] of [...report.counts.withoutId].sort()) {
  console.log(`${revision}: ${count} of them are errors without an id, which its schema demands but has no value for`);
}
for (const cut of report.cuts) console.log(`broken off on purpose: ${cut}`);
for (const failure of report.failures.slice(0, 50)) console.log(`refused: ${failure}`);
if (report.failures.length > 0) {
  console.log(`${report.failures.length} refused`);
  process.exit(1);
}
const unchecked = [...report.counts.unchecked].sort();
if (unchecked.length > 0) {
  const counts = unchecked.map(([revision, count]) => `${revision}.json, ${count} messages not checked`);
  skip(`not in ${folder}, and in no package: ${counts.join('; ')}; all other messages are valid`);
}
