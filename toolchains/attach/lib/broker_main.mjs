// SPDX-License-Identifier: Apache-2.0
// The program of a broker, which front.mjs starts. usage: node broker_main.mjs broker SOCKET TARGET...
import { runBroker } from './broker.mjs';
import { parseTarget } from './target.mjs';

const [, path, ...target] = process.argv.slice(2);
delete process.env.NODE_COMPILE_CACHE;  // it is not for the program of a target
void runBroker(parseTarget(target), path, Number(process.env.MOTE_ATTACH_LINGER_MS ?? 2000));
