// SPDX-License-Identifier: Apache-2.0
// The program that a host starts. usage: attach.cjs TARGET
import { runFront } from './front.mjs';
import { socketPath } from './socket.mjs';
import { brokerName, parseTarget, targetText } from './target.mjs';

const argv = process.argv.slice(2);
try {
  const target = parseTarget(argv);
  const about = { target: targetText(target), trace: target.trace };
  void runFront(argv, socketPath(brokerName(target)), about).then((status) => process.exit(status));
} catch (error) {
  process.stderr.write(`mote-attach: ${/** @type {Error} */ (error).message}\n`);
  process.exit(2);
}
