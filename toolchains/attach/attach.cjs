#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Joins any board to any MCP host. See README.md and --help.
// A host starts the bundle of build.mjs, or the sources without it. This file is no module, because each host waits for it.
const { existsSync } = require('node:fs');

const targets = ['serial', 'http', 'mdns', 'mqtt', 'exec'];
const bundle = `${__dirname}/dist/front_main.cjs`;
if (!targets.includes(process.argv[2])) import('./lib/commands_main.mjs');
else if (existsSync(bundle)) require(bundle);
else import('./lib/front_main.mjs');
