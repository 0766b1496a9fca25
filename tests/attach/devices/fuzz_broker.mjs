// SPDX-License-Identifier: Apache-2.0
// Brokers of attach in one process, one for each target, each at a socket of its own: what ends one ends all, and what takes the
// time or the memory of one takes that of all.
//
// usage: node fuzz_broker.mjs FOLDER TARGET... (each a JSON array of words); the sockets are FOLDER/0.sock and so on
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Broker } from '../../../toolchains/attach/lib/broker.mjs';
import { parseTarget } from '../../../toolchains/attach/lib/target.mjs';

const [folder, ...targets] = process.argv.slice(2);
const brokers = targets.map((words, at) => {
  const broker = new Broker(parseTarget(JSON.parse(words)));
  createServer((socket) => broker.serve(socket)).listen(join(folder, `${at}.sock`), () => process.stdout.write('ready\n'));
  void broker.device.start();
  return broker;
});
process.stdin.on('end', () => {
  for (const { device } of brokers) device.stop();
  setTimeout(() => process.exit(0), 200);
}).resume();
