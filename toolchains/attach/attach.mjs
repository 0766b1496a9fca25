#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Joins any board to any MCP host. See README.md and --help.
import { readFileSync } from 'node:fs';
import { runBroker } from './lib/broker.mjs';
import { runFront } from './lib/front.mjs';
import { socketPath } from './lib/socket.mjs';
import { brokerName, parseTarget, targetUsage } from './lib/target.mjs';

const commands = ['list', 'config', 'bundle', 'provision', 'doctor'];
const usage = `Usage: mote-attach TARGET       serves the device on stdin and stdout
       mote-attach COMMAND ...  ${commands.join(', ')}; each has --help
       mote-attach --version
A TARGET is one of: ${targetUsage}
and may have --plain, which adds no tools to those of the device.
Several hosts may serve one device at once. The device's own text goes to stderr.`;

/** @param {string[]} argv @returns {Promise<number>} the exit status */
async function run(argv) {
  const [first, ...rest] = argv;
  if (first === undefined || first === '--help') {
    process.stdout.write(`${usage}\n`);
    return first ? 0 : 2;
  }
  if (first === '--version') {
    const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
    process.stdout.write(`${version}\n`);
    return 0;
  }
  if (commands.includes(first)) {
    const command = await import(`./commands/${first}.mjs`);
    return command.run(rest, { stdout: process.stdout, stderr: process.stderr, env: process.env });
  }
  if (first === 'broker') {
    const [path, ...target] = rest;
    await runBroker(parseTarget(target), path, Number(process.env.MOTE_ATTACH_LINGER_MS ?? 2000));
    return -1;  // it ends by itself
  }
  return runFront(argv, socketPath(brokerName(parseTarget(argv))));
}

try {
  const status = await run(process.argv.slice(2));
  if (status >= 0) process.exit(status);
} catch (error) {
  process.stderr.write(`mote-attach: ${/** @type {Error} */ (error).message}\n`);
  process.exit(2);
}
