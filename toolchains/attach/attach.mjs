#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The same as attach.cjs, for entries of hosts that name this file. Node.js needs 8 ms more to start a module.
import './attach.cjs';
