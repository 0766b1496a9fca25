// SPDX-License-Identifier: Apache-2.0
// The official client of the second generation, with the interface of the first, so that a test is written once for both.
// Speaks the revisions that have `initialize`, which it calls legacy.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sdk } from '../../examples/client/session.mjs';

export const v2Folder = fileURLToPath(new URL('../../build/node22', import.meta.url));
const require = createRequire(join(v2Folder, 'package.json'));

/** Whether it is installed; without it only clientV2() cannot be used. */
export const v2Installed = existsSync(join(v2Folder, 'node_modules/@modelcontextprotocol/client/package.json'));

// The first generation names a handler's method by a schema, the second by its name.
const methodOf = (named) => (typeof named === 'string' ? named : named.shape.method.value);

/** What clientLibrary() gives, of the second generation. */
export function clientV2() {
  const v2 = require('@modelcontextprotocol/client');
  class Client extends v2.Client {
    constructor(info, options) {
      super(info, { versionNegotiation: { mode: 'legacy' }, ...options });
    }

    setRequestHandler(named, ...rest) {
      super.setRequestHandler(methodOf(named), ...rest);
    }

    setNotificationHandler(named, ...rest) {
      super.setNotificationHandler(methodOf(named), ...rest);
    }

    callTool(params, schema, options) {
      return super.callTool(params, options);
    }
  }
  return {
    ...sdk('types.js'), ...v2, ...require('@modelcontextprotocol/client/stdio'), McpError: v2.ProtocolError, Client,
    // It hands a resource that is not found on as newer revisions say it, and lists as one page.
    notFound: -32602, joinsPages: true,
  };
}
