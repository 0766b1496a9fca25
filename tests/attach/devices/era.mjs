// SPDX-License-Identifier: Apache-2.0
// A device of one era: passes the lines of a server of both, and answers what the other era begins with.
//
// usage: node era.mjs modern|legacy COMMAND ARGUMENT...
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [era, command, ...args] = process.argv.slice(2);
const unknown = era === 'modern' ? 'initialize' : 'server/discover';
const child = spawn(command, args, { stdio: ['pipe', 'inherit', 'inherit'] });
child.stdin.on('error', () => {});
createInterface({ input: process.stdin }).on('line', (line) => {
  const message = line.includes(`"${unknown}"`) ? JSON.parse(line) : {};
  if (message.method !== unknown) return child.stdin.write(`${line}\n`);
  const error = { code: -32601, message: 'Method not found' };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, error })}\n`);
}).on('close', () => child.stdin.end());
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('close', (status) => process.exit(status ?? 1));
