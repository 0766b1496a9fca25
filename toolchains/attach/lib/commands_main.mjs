// SPDX-License-Identifier: Apache-2.0
// The commands, which people start. usage: attach.cjs COMMAND ...
import { readFileSync } from 'node:fs';
import { targetUsage } from './target.mjs';

const commands = ['list', 'config', 'bundle', 'provision', 'doctor', 'watch'];
const usage = `Usage: mote-attach TARGET       serves the device on stdin and stdout
       mote-attach COMMAND ...  ${commands.join(', ')}; each has --help
       mote-attach --version
A TARGET is one of: ${targetUsage}
and may have --plain, which adds no tools to those of the device, and --trace FILE, to which what the host and the device send
is written, without secrets.
Several hosts may serve one device at once. The device's own text goes to stderr.`;

/** @param {string[]} argv @returns {Promise<number>} the exit status */
async function run([first, ...rest]) {
  if (first === undefined || first === '--help') {
    process.stdout.write(`${usage}\n`);
    return first ? 0 : 2;
  }
  if (first === '--version') {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    process.stdout.write(`${version}\n`);
    return 0;
  }
  if (!commands.includes(first)) throw new Error(`A TARGET is: ${targetUsage}`);
  const command = await import(`../commands/${first}.mjs`);
  return command.run(rest, { stdout: process.stdout, stderr: process.stderr, env: process.env });
}

try {
  process.exit(await run(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`mote-attach: ${/** @type {Error} */ (error).message}\n`);
  process.exit(2);
}
