// SPDX-License-Identifier: Apache-2.0
// A device behind a program's stdin and stdout, such as an emulator.
import { spawn } from 'node:child_process';
import { LineLink } from './line_link.mjs';

/** @param {{command: string, args: string[]}} target @returns {Promise<LineLink>} */
export async function openProgram({ command, args }) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const link = new LineLink((data) => child.stdin.write(data), () => {
    child.stdin.end();
    child.kill('SIGTERM');
  });
  child.stdin.on('error', () => {});  // the end of the process reports it
  child.stdout.on('data', (data) => link.take(data));
  child.stderr.on('data', (data) => link.emit('text', data.toString().trimEnd()));
  await new Promise((resolve, reject) => child.once('spawn', () => resolve(undefined)).once('error', reject));
  child.on('error', (error) => link.lose(error.message));
  child.on('close', (status, signal) => link.lose(`${command} ended with ${signal ?? status}`));
  return link;
}
