// SPDX-License-Identifier: Apache-2.0
// Writes compile_commands.json for clang-tidy. Each image compiles the sources of mote and of the pico-sdk again, and
// clang-tidy checks a file once for each command. OUTPUT has one for each file and each set of macros of mote or Wi-Fi.
// MOTE_USB_PRODUCT is a text, which no check reads.
//
// usage: node tidy_commands.mjs COMPILE_COMMANDS OUTPUT [FILE...]
//   FILE  must have a command
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';

const [input, output, ...files] = process.argv.slice(2);
const commands = JSON.parse(readFileSync(input, 'utf8'));
const seen = new Set();
const kept = commands.filter(({file, command}) => {
  const macros = command.match(/-D(MOTE|THERMOMETER|PICO_CYW43)_(?!USB_PRODUCT)\S*/g) ?? [];
  const key = [file, ...macros.sort()].join('\n');
  return !seen.has(key) && seen.add(key);
});
for (const file of files) {
  if (!kept.some(command => command.file.endsWith(`/${file}`))) {
    console.error(`${input} has no command for ${file}`);
    process.exitCode = 1;
  }
}
mkdirSync(dirname(output), {recursive: true});
writeFileSync(output, JSON.stringify(kept, undefined, 1));
console.log(`${kept.length} of ${commands.length} commands`);
