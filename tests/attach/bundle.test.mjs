// SPDX-License-Identifier: Apache-2.0
// mote-attach bundle: the validator and the unpacker of @anthropic-ai/mcpb accept the file, and the program in it runs
// with its packages. usage: node bundle.test.mjs
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../at_end.mjs';
import { manifestOf, run, zip } from '../../toolchains/attach/commands/bundle.mjs';

const modules = fileURLToPath(new URL('../../toolchains/attach/node_modules', import.meta.url));
const mcpb = (...args) =>
  execFileSync(process.execPath, [join(modules, '@anthropic-ai/mcpb/dist/cli/cli.js'), ...args], { encoding: 'utf8' });

/** A folder with a package in the place of mote-attach, which prints its arguments. */
function packageOf(t, dependencies, { link = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'mote-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const write = (name, text) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  write('package.json', JSON.stringify({
    name: 'mote-attach', version: '1.2.3', description: 'Joins.', license: 'Apache-2.0', type: 'module', dependencies,
    files: ['attach.cjs', 'main.mjs', 'lib', 'README.md', 'missing'],
  }));
  write('attach.cjs', "import('./main.mjs')");
  write('main.mjs', `import { name } from './lib/name.mjs';
    import { SerialPort } from 'serialport';
    import mdns from 'multicast-dns';
    new SerialPort({ path: '/nonexistent', baudRate: 9600, autoOpen: false }).open((error) => {
      console.log(JSON.stringify([name, typeof mdns, error.message, ...process.argv.slice(2)]));
    });`);
  write('lib/name.mjs', "export const name = 'attach';");
  write('lib/name.d.ts', 'export const name: string;');
  write('README.md', 'Not needed.');
  write('LICENSE', 'Terms.');
  if (link) symlinkSync(modules, join(folder, 'node_modules'));
  return { folder, write };
}

async function bundle(args, context) {
  let out = '';
  let err = '';
  const [stdout, stderr] = [{ write: (text) => { out += text; } }, { write: (text) => { err += text; } }];
  // No board answers, unless a test has one.
  const openers = { resolve: async () => Promise.reject(new Error('none')) };
  return { status: await run(args, { stdout, stderr, openers, ms: 100, ...context }), out, err };
}

const needed = { serialport: '13.0.0', 'multicast-dns': '7.2.5' };

test('makes a bundle that validates, unpacks, and runs', { timeout: 120_000 }, async (t) => {
  const { folder } = packageOf(t, needed);
  const context = { folder, cwd: folder };
  const url = 'https://boiler.local/mcp';
  const words = ['--name', 'Boiler', '--', 'http', url, '--token-file', 'token', '--ca', 'ca.pem'];
  const { status, out, err } = await bundle(['boiler.mcpb', ...words], context);
  assert.equal(err, '');
  assert.equal(status, 0);
  const bytes = readFileSync(join(folder, 'boiler.mcpb'));
  assert.equal(out, `boiler.mcpb: ${bytes.length} bytes. Open it with the host to install it.\n`);

  const unpacked = join(folder, 'unpacked');
  mcpb('unpack', join(folder, 'boiler.mcpb'), unpacked);
  assert.match(mcpb('validate', join(unpacked, 'manifest.json')), /valid/i);
  assert.deepEqual(readdirSync(unpacked).sort(), ['manifest.json', 'server']);
  for (const name of ['README.md', 'lib/name.d.ts', 'node_modules/@anthropic-ai', 'node_modules/debug/README.md']) {
    assert.ok(!existsSync(join(unpacked, 'server', name)), name);
  }
  assert.ok(existsSync(join(unpacked, 'server/node_modules/serialport/LICENSE')));
  assert.ok(existsSync(join(unpacked, 'server/LICENSE')));
  assert.equal(readdirSync(folder).filter((name) => name.endsWith('.new')).length, 0);

  const { server: { entry_point: entry, mcp_config: { command, args } }, user_config: config, ...manifest } =
    JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8'));
  assert.deepEqual([manifest.name, manifest.display_name, manifest.version], ['mote-boiler', 'Boiler', '1.2.3']);
  assert.deepEqual(Object.keys(config), ['token_file', 'ca_file']);
  assert.equal(command, 'node');
  const said = { '__dirname': unpacked, 'user_config.token_file': '/t', 'user_config.ca_file': '/c' };
  const real = args.map((word) => word.replace(/\$\{([^}]+)\}/g, (_, key) => said[key]));
  assert.equal(real[0], join(unpacked, entry));
  const { stdout } = spawnSync(process.execPath, real, { encoding: 'utf8', cwd: '/' });
  const [name, mdns, message, ...rest] = JSON.parse(stdout);
  assert.deepEqual([name, mdns], ['attach', 'function']);
  assert.match(message, /No such file/);
  assert.deepEqual(rest, ['http', url, '--token-file', '/t', '--ca', '/c']);

  await bundle(['again.mcpb', ...words], context);
  assert.ok(bytes.equals(readFileSync(join(folder, 'again.mcpb'))), 'the same input makes other bytes');
});

test('describes the board in its own words, or in those of the user', async (t) => {
  const { folder } = packageOf(t, {}, { link: false });
  const board = (result) => ({
    program: async () => {
      const [readable, writable] = [new PassThrough(), new PassThrough()];
      writable.on('data', (data) => {
        const { id } = JSON.parse(data.toString().trim() || '{}');
        if (id) readable.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
      });
      return { readable, writable, close: async () => {} };
    },
  });
  const serverInfo = { name: 'boiler', title: 'Boiler', version: '1' };
  const modern = { supportedVersions: ['2026-07-28'], _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } };
  const described = async (openers, ...options) => {
    const { status, err } = await bundle(['x.mcpb', ...options, '--', 'exec', 'p'], { folder, cwd: folder, openers, ms: 20_000 });
    assert.equal(status, 0, err);
    mcpb('unpack', join(folder, 'x.mcpb'), join(folder, 'x'));
    const manifest = JSON.parse(readFileSync(join(folder, 'x/manifest.json'), 'utf8'));
    rmSync(join(folder, 'x'), { recursive: true });
    return manifest.description;
  };
  assert.equal(await described(board({ ...modern, instructions: 'Reads the boiler\u202e.' })), 'Reads the boiler?.');
  assert.equal(await described(board({ ...modern, instructions: 'x'.repeat(999) })), 'x'.repeat(200));
  assert.equal(await described(board(modern)), 'Boiler, a board with MCP.');
  assert.equal(await described({ program: async () => Promise.reject(new Error('none')) }), 'Board, a board with MCP, by its program.');
  assert.equal(await described({}, '--description', 'Mine.'), 'Mine.');
});

test('takes the version of a package that lies inside of another one', async (t) => {
  const { folder, write } = packageOf(t, { outer: '1', inner: '1' }, { link: false });
  write('node_modules/inner/package.json', '{"version":"1","dependencies":{"outer":"1"}}');
  write('node_modules/outer/package.json', '{"version":"1","dependencies":{"inner":"2"}}');
  write('node_modules/outer/node_modules/inner/package.json', '{"version":"2"}');
  assert.equal((await bundle(['x.mcpb', '--', 'mdns', 'b'], { folder, cwd: folder })).status, 0);
  mcpb('unpack', join(folder, 'x.mcpb'), join(folder, 'x'));
  const modulesOf = join(folder, 'x/server/node_modules');
  const version = (name) => JSON.parse(readFileSync(join(modulesOf, name, 'package.json'))).version;
  assert.deepEqual([version('inner'), version('outer/node_modules/inner')], ['1', '2']);
});

test('contains what npm install made, unless a source is newer', async (t) => {
  const names = ['dist/broker_main.cjs', 'dist/front_main.cjs'];
  const { folder, write } = packageOf(t, {}, { link: false });
  write('package.json', JSON.stringify({ version: '1.2.3', files: ['attach.cjs', 'lib', ...names] }));
  const bundled = async () => {
    const { status, err } = await bundle(['x.mcpb', '--', 'mdns', 'b'], { folder, cwd: folder });
    assert.equal(status, 0, err);
    rmSync(join(folder, 'x'), { recursive: true, force: true });
    mcpb('unpack', join(folder, 'x.mcpb'), join(folder, 'x'));
    return existsSync(join(folder, 'x/server/dist')) ? readdirSync(join(folder, 'x/server/dist')) : [];
  };
  const timed = (name, seconds) => utimesSync(join(folder, name), seconds, seconds);
  assert.deepEqual(await bundled(), []);
  const make = (text) => {
    for (const name of names) {
      write(name, text);
      timed(name, 2000);
    }
  };
  make('made');
  timed('lib/name.mjs', 3000);
  // The times in a package say nothing.
  assert.deepEqual(await bundled(), ['broker_main.cjs', 'front_main.cjs']);
  assert.equal(readFileSync(join(folder, 'x/server/dist/front_main.cjs'), 'utf8'), 'made');
  write('build.mjs', '');
  timed('build.mjs', 1000);
  timed('lib/name.mjs', 1000);
  assert.deepEqual(await bundled(), [], 'made by another build.mjs');
  make(`{\n  const sources = {"build.mjs":0,"lib/name.mjs":${statSync(join(folder, 'lib/name.mjs')).size}};\n}`);
  assert.deepEqual(await bundled(), ['broker_main.cjs', 'front_main.cjs']);
  for (const name of ['build.mjs', 'lib/name.mjs']) {
    timed(name, 3000);
    assert.deepEqual(await bundled(), [], `${name} is newer`);
    timed(name, 1000);
  }
  write('build.mjs', '// longer');
  timed('build.mjs', 1000);
  assert.deepEqual(await bundled(), [], 'a source of another version');
  write('build.mjs', '');
  timed('build.mjs', 1000);
  assert.equal((await bundled()).length, 2);
  rmSync(join(folder, names[0]));
  assert.deepEqual(await bundled(), []);
});

test('refuses a package that is not installed, or has two versions side by side', async (t) => {
  const missing = packageOf(t, { nowhere: '1' }, { link: false });
  const words = ['x.mcpb', '--', 'mdns', 'b'];
  const { status, err } = await bundle(words, { folder: missing.folder, cwd: missing.folder });
  assert.equal(status, 1);
  assert.equal(err, 'The package nowhere is not installed: run npm install.\n');
  assert.deepEqual(readdirSync(missing.folder).filter((name) => /mcpb/.test(name)), []);

  const twice = packageOf(t, {}, { link: false });
  twice.write('app/package.json', '{"dependencies":{"inner":"2","outer":"1"},"files":["attach.cjs"]}');
  twice.write('app/attach.cjs', '');
  twice.write('app/node_modules/inner/package.json', '{"version":"2"}');
  twice.write('node_modules/outer/package.json', '{"version":"1","dependencies":{"inner":"1"}}');
  twice.write('node_modules/inner/package.json', '{"version":"1"}');
  const context = { folder: join(twice.folder, 'app'), cwd: twice.folder };
  assert.match((await bundle(words, context)).err, /^There are two versions of inner: run npm dedupe\.\n$/);
  rmSync(join(twice.folder, 'app/attach.cjs'));
  rmSync(join(twice.folder, 'app/node_modules'), { recursive: true });
  assert.match((await bundle(words, context)).err, /app has no attach\.cjs\.\n$/);
});

test('reports a file that cannot be written', async (t) => {
  const { folder } = packageOf(t, {}, { link: false });
  const { status, err } = await bundle(['none/x.mcpb', '--', 'mdns', 'b'], { folder, cwd: folder });
  assert.equal(status, 1);
  assert.match(err, /ENOENT/);
});

test('asks the user of the host for the files of a broker', () => {
  const target = ['mqtt', 'mqtts://b/a', '--password-file', '/p', '--cert', '/c', '--key', '/k'];
  const manifest = manifestOf({ version: '1.0.0', description: 'd', license: 'l' }, 'b', target);
  assert.deepEqual(Object.keys(manifest.user_config), ['password_file', 'client_certificate_file', 'client_key_file']);
  const files = ['password_file', 'client_certificate_file', 'client_key_file'].map((key) => `\${user_config.${key}}`);
  assert.deepEqual(manifest.server.mcp_config.args.slice(1),
    ['mqtt', 'mqtts://b/a', '--password-file', files[0], '--cert', files[1], '--key', files[2]]);
});

test('asks the user of the host for nothing if the target needs no file', () => {
  const target = ['exec', 'p', '--token-file', 'x'];
  const manifest = manifestOf({ version: '1.0.0', description: 'd', license: 'l' }, '--', target);
  assert.equal(manifest.name, 'mote-board');
  assert.equal(manifest.user_config, undefined);
  assert.deepEqual(manifest.server.mcp_config.args.slice(1), target);
  assert.throws(() => manifestOf({}, 'x', ['mdns', '${HOME}']), /must not contain \$\{/);
});

test('writes an empty file, a large one, and a name in UTF-8', (t) => {
  const { folder } = packageOf(t, {}, { link: false });
  const large = Buffer.alloc(300_000, 'mote ');
  const entries = [{ name: 'ü/b', data: large }, { name: 'a', data: Buffer.alloc(0) }];
  writeFileSync(join(folder, 'x.mcpb'), zip(entries));
  mcpb('unpack', join(folder, 'x.mcpb'), join(folder, 'x'));
  assert.deepEqual(readFileSync(join(folder, 'x/ü/b')), large);
  assert.equal(readFileSync(join(folder, 'x/a')).length, 0);
});

test('refuses wrong arguments with the usage', async () => {
  for (const [args, sentence] of [
    [['x.mcpb'], /TARGET comes after --/], [['x.zip', '--', 'mdns', 'b'], /ends with \.mcpb/],
    [['--', 'mdns', 'b'], /ends with \.mcpb/], [['x.mcpb', 'y', '--', 'mdns', 'b'], /one file name/],
    [['x.mcpb', '--name', '', '--', 'mdns', 'b'], /--name must be/], [['x.mcpb', '--', 'usb'], /A TARGET is/],
  ]) {
    const { status, err } = await bundle(args, {});
    assert.equal(status, 2);
    assert.match(err, sentence);
    assert.match(err, /mote-attach bundle OUT\.mcpb/);
  }
  assert.match((await bundle(['--help'], {})).out, /^mote-attach bundle/);
});
