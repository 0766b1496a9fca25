#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Checks the manifests of mote for ESP-IDF, Zephyr, PlatformIO and npm against the fields that their vendors document,
// against the files of ROOT, and against what CMakeLists.txt says of the project. Prints one line per mistake, and
// fails if there is one. With --publish, a home of the project in the domain `invalid`, which is a placeholder, is a
// mistake.
//
// usage: manifests.mjs ROOT [--publish]
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

// The fields that a manifest of mote may have, and what each must be.
const text = (value) => typeof value === 'string' && value !== '';
const texts = (value) => Array.isArray(value) && value.length > 0 && value.every(text);
const SCHEMAS = {
  // https://docs.espressif.com/projects/idf-component-manager, "Manifest File"
  'idf_component.yml': {
    version: (value) => /^\d+\.\d+\.\d+$/.test(value), description: text, url: text, repository: text, license: text,
    maintainers: texts, tags: texts, dependencies: { idf: (value) => /^>=\d+\.\d+$/.test(value) },
    files: { exclude: texts, include: texts },
  },
  // METADATA_SCHEMA of scripts/zephyr_module.py of Zephyr, commit 013c135
  'zephyr/module.yml': { name: (value) => /^[a-z]+$/.test(value), build: { cmake: text, kconfig: text } },
  // https://docs.platformio.org, "library.json"
  'library.json': {
    name: (value) => /^[A-Za-z0-9-]{1,50}$/.test(value), version: (value) => /^\d+\.\d+\.\d+$/.test(value),
    description: (value) => text(value) && value.length <= 255, keywords: text, license: text, homepage: text,
    repository: { type: (value) => value === 'git', url: text },
    authors: (value) => Array.isArray(value) && value.length > 0 && value.every(({ name }) => text(name)),
    export: { include: texts },
    frameworks: (value) => value === '*', platforms: (value) => value === '*', headers: texts,
    build: { srcDir: text, includeDir: text, srcFilter: texts, flags: texts, unflags: texts, extraScript: text },
  },
};

// https://docs.npmjs.com, "package.json", and what the official MCP registry compares with server.json
SCHEMAS['toolchains/attach/package.json'] = {
  name: (value) => /^[a-z-]+$/.test(value), version: text, description: text, keywords: texts, homepage: text,
  repository: { type: (value) => value === 'git', url: text, directory: text }, author: text, license: text,
  mcpName: text, type: text, bin: () => true, files: texts, scripts: () => true, engines: { node: text },
  dependencies: () => true,
  devDependencies: () => true,
};
// https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json, the parts that mote uses
SCHEMAS['toolchains/attach/server.json'] = {
  $schema: (value) => value === 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: (value) => /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(value), title: text,
  description: (value) => text(value) && value.length <= 100, version: text, websiteUrl: text,
  packages: (value) => Array.isArray(value) && value.length === 1,
};

// Reads the subset of YAML that the manifests use: `key: value`, lists of texts, two spaces for each level, comments.
export function parse_yaml(source) {
  const root = {};
  const levels = [{ items: root }];  // `items` is the map or the list of a level, whose first line decides
  for (const line of source.split('\n')) {
    if (/^\s*(#|$)/.test(line)) continue;
    const match = /^((?:  )*)(?:([A-Za-z_-]+):|-)(?: (?:"([^"]*)"|([^"#]+)))?$/.exec(line);
    const [, indent = '', key, quoted, plain] = match ?? [];
    const value = quoted ?? plain;
    const level = levels[indent.length / 2];
    if (!level || key === undefined && value === undefined) throw new Error(`not in the subset of YAML: ${line}`);
    levels.length = indent.length / 2 + 1;
    level.items ??= level.parent[level.name] = key === undefined ? [] : {};
    if (Array.isArray(level.items) !== (key === undefined)) throw new Error(`a map or a list: ${line}`);
    if (key === undefined) level.items.push(value);
    else level.items[key] = value ?? {};
    if (value === undefined) levels.push({ parent: level.items, name: key });
  }
  return root;
}

export function check_fields(value, schema, where) {
  const mistakes = Object.keys(value).filter((key) => !(key in schema)).map((key) => `${where}: unknown field ${key}`);
  for (const [key, rule] of Object.entries(schema)) {
    if (!(key in value)) mistakes.push(`${where}: ${key} is missing`);
    else if (typeof rule === 'object') mistakes.push(...check_fields(value[key], rule, `${where}: ${key}`));
    else if (!rule(value[key])) mistakes.push(`${where}: ${key} is ${JSON.stringify(value[key])}`);
  }
  return mistakes;
}

const files_below = (root, folder) =>
  fs.readdirSync(path.join(root, folder), { recursive: true }).map((file) => `${folder}/${file}`);

// The sources that PlatformIO compiles: the filters apply in their order, and `*` matches no `/` except alone.
export function filter_sources(filters, sources) {
  const chosen = new Set();
  for (const filter of filters) {
    const [, sign, pattern] = /^([+-])<(.*)>$/.exec(filter) ?? [];
    if (!sign) throw new Error(`not a filter: ${filter}`);
    const escaped = pattern.replaceAll(/[.]/g, '[.]').replaceAll('*', '[^/]*');
    const regex = pattern === '*' ? /./ : new RegExp(`^${escaped}$`);
    for (const source of sources.filter((one) => regex.test(one))) chosen[sign === '+' ? 'add' : 'delete'](source);
  }
  return [...chosen].sort();
}

// What the first lines of CMakeLists.txt say of the project.
export function read_project(source) {
  const [, license] = /^# SPDX-License-Identifier: (\S+)$/m.exec(source);
  const call = /^project\((\w+) VERSION (\S+) DESCRIPTION "([^"]*)"\s+HOMEPAGE_URL (\S+)/m;
  const [, name, version, description, home] = call.exec(source);
  return { name, version, description, home, license };
}

// The files of a package that one of the patterns includes: `*` is a name or a part of it, `**` any folders, and a
// folder stands for the files below it.
export function packed_files(patterns, files) {
  const regexes = patterns.map((pattern) => {
    const parts = { '.': '[.]', '**/*': '.*', '*': '[^/]*' };
    return new RegExp(`^${pattern.replaceAll(/[.]|\*\*\/\*|\*/g, (part) => parts[part])}(/|$)`);
  });
  return files.filter((file) => regexes.some((regex) => regex.test(file)));
}

// What is wrong with the application of examples/zephyr, whose `boards` has these files. `schema` of sample.yaml: the fields that mote uses of
// scripts/schemas/twister/testsuite-schema.yaml of Zephyr, commit 013c135.
function check_zephyr_application(read, boards, options) {
  const folder = 'examples/zephyr';
  const mistakes = [];
  const schema = new Set(['sample', 'name', 'description', 'common', 'tags', 'depends_on', 'filter', 'tests',
    'build_only', 'platform_allow', 'integration_platforms', 'harness', 'harness_config', 'type', 'regex']);
  const sample = read(`${folder}/sample.yaml`);
  for (const [, key] of sample.matchAll(/^ *([a-z_.]+):/gm)) {
    if (!schema.has(key) && !/^sample[.]mote[.]/.test(key)) mistakes.push(`${folder}/sample.yaml: unknown field ${key}`);
  }
  // Each platform has its files, and each file is that of a platform.
  const platforms = [...sample.matchAll(/^ +platform_allow:\n((?: +- .*\n)+)/gm)]
    .flatMap(([, list]) => [...list.matchAll(/- (\S+)/g)].map(([, name]) => name));
  const names = platforms.flatMap((platform) =>
    ['overlay', 'conf'].map((ending) => `${platform.replaceAll('/', '_')}.${ending}`));
  for (const name of names.filter((one) => !boards.includes(one))) {
    mistakes.push(`${folder}/sample.yaml: there is no ${folder}/boards/${name}`);
  }
  for (const name of boards.filter((one) => !names.includes(one))) {
    mistakes.push(`${folder}/boards/${name}: sample.yaml has no such platform`);
  }
  // The workflow builds all platforms with the version of west.yml, and the script has its modules.
  const west = read(`${folder}/west.yml`);
  const revision = /^ +revision: (\S+)$/m.exec(west)?.[1];
  const [, job] = /^ {2}zephyr:\n([^]*?)(?=^ {2}\S|(?![^]))/m.exec(read('.github/workflows/sdks.yml'));
  if (!job.includes(`tests/sdk/vendor/zephyr ${revision} `)) {
    mistakes.push(`${folder}/west.yml: the workflow has another revision than ${revision}`);
  }
  const targets = /^ +target: \[(.*)\]$/m.exec(job)[1].split(', ');
  if (targets.sort().join() !== platforms.sort().join()) {
    mistakes.push(`${folder}/sample.yaml: the workflow builds ${targets}, not ${platforms}`);
  }
  const modules = [...west.slice(west.indexOf('name-allowlist:')).matchAll(/^ +- (\w+)$/gm)].map(([, name]) => name);
  if (!read('tests/sdk/vendor/zephyr').includes(` ${modules.join(' ')})`)) {
    mistakes.push(`${folder}/west.yml: the modules ${modules} are not those of tests/sdk/vendor/zephyr`);
  }
  for (const file of ['prj.conf', ...boards.filter((one) => one.endsWith('.conf')).map((one) => `boards/${one}`)]) {
    for (const [, name] of read(`${folder}/${file}`).matchAll(/^CONFIG_(MOTE\w*)=/gm)) {
      if (!options.includes(name)) mistakes.push(`${folder}/${file}: there is no option ${name}`);
    }
  }
  return mistakes;
}

export function check(root, { publish = false } = {}) {
  const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');
  const exists = (file) => fs.existsSync(path.join(root, file));
  const manifests = {};
  const mistakes = [];
  for (const [file, schema] of Object.entries(SCHEMAS)) {
    manifests[file] = file.endsWith('.json') ? JSON.parse(read(file)) : parse_yaml(read(file));
    mistakes.push(...check_fields(manifests[file], schema, file));
  }
  if (mistakes.length > 0) return mistakes;

  const { name, version, description, home, license } = read_project(read('CMakeLists.txt'));
  const same = (file, what, value, expected) => {
    if (value !== expected) mistakes.push(`${file}: the ${what} is not ${JSON.stringify(expected)}`);
  };
  const repository = `${home}.git`;
  for (const file of ['idf_component.yml', 'library.json']) {
    const manifest = manifests[file];
    same(file, 'version', manifest.version, version);
    same(file, 'description', manifest.description, description);
    same(file, 'license', manifest.license, license);
    same(file, 'home', manifest.url ?? manifest.homepage, home);
    same(file, 'repository', manifest.repository.url ?? manifest.repository, repository);
    const authors = manifest.maintainers ?? manifest.authors.map((author) => author.name);
    same(file, 'author', authors.join(), name);
  }
  // npm takes the license from the folder of a package, and REUSE from LICENSES.
  for (const file of ['toolchains/attach/LICENSE', `LICENSES/${license}.txt`]) {
    if (!exists(file) || read(file) !== read('LICENSE')) mistakes.push(`${file}: is not LICENSE`);
  }
  const [npm, server] = ['package.json', 'server.json'].map((file) => `toolchains/attach/${file}`);
  const attach = manifests[npm];
  same(npm, 'version', attach.version, version);
  same(npm, 'license', attach.license, license);
  same(npm, 'home', attach.homepage, home);
  same(npm, 'repository', attach.repository.url, `git+${repository}`);
  same(npm, 'directory', attach.repository.directory, 'toolchains/attach');
  same(npm, 'author', attach.author, name);
  // The namespace of the registry is the domain of the home, reversed.
  const namespace = new URL(home).hostname.split('.').reverse().join('.');
  same(server, 'name', manifests[server].name, `${namespace}/${attach.name}`);
  same(server, 'version', manifests[server].version, version);
  same(server, 'home', manifests[server].websiteUrl, home);
  const [{ identifier, version: of_package, registryType, transport, packageArguments }] = manifests[server].packages;
  const described = [registryType, identifier, of_package, transport?.type].join();
  same(server, 'package', described, `npm,${attach.name},${version},stdio`);
  const targets = new Set(packageArguments?.[0]?.choices);
  const [table] = /^\| target \| device \|\n(?:\|.*\n)+/m.exec(read('toolchains/attach/README.md'));
  for (const [, target] of table.matchAll(/^\| `([a-z]+) /gm)) {
    if (!targets.has(target)) mistakes.push(`${server}: the target ${target} is missing`);
  }
  same(npm, 'mcpName', attach.mcpName, manifests[server].name);

  if (publish && (!/^https:\/\/[^/]+\.[^/]+\/./.test(home) || new URL(home).hostname.endsWith('.invalid'))) {
    mistakes.push(`CMakeLists.txt: HOMEPAGE_URL is ${home}, a placeholder: mote has no home to publish at`);
  }
  same('library.json', 'name', manifests['library.json'].name, name);
  same('zephyr/module.yml', 'name', manifests['zephyr/module.yml'].name, name);
  const { cmake, kconfig } = manifests['zephyr/module.yml'].build;
  for (const file of [`${cmake}/CMakeLists.txt`, kconfig]) {
    if (!exists(file)) mistakes.push(`zephyr/module.yml: there is no ${file}`);
  }

  const { headers, build } = manifests['library.json'];
  const folders = build.flags.filter((flag) => flag.startsWith('-I')).map((flag) => flag.slice(2).trim());
  for (const folder of [...folders, build.includeDir].filter((one) => !exists(one))) {
    mistakes.push(`library.json: there is no folder ${folder}`);
  }
  for (const header of headers.filter((one) => !folders.some((folder) => exists(`${folder}/${one}`)))) {
    mistakes.push(`library.json: there is no header ${header}`);
  }
  // With `framework = arduino`, PlatformIO reads library.json alone, and adds the sources of the port to each project.
  const arduino = 'ports/sdk/arduino';
  const [, include] = /^includes=(.+)$/m.exec(read(`${arduino}/library.properties`));
  if (!headers.includes(include)) mistakes.push(`library.json: headers does not have ${include} of library.properties`);
  for (const source of files_below(root, arduino).filter((file) => file.endsWith('.cpp'))) {
    const is_for_arduino = /^(\/\/.*\n)*#ifdef ARDUINO\n[^]*\n#endif\n$/.test(read(source));
    if (!is_for_arduino) mistakes.push(`${source}: not all of it is in #ifdef ARDUINO`);
  }
  const sources = ['core', 'transports', 'ports', 'examples', 'tests']
    .flatMap((folder) => files_below(root, folder)).filter((file) => file.endsWith('.cpp')).sort();
  const wanted = sources.filter((file) => /^(core|transports|ports\/devices|ports\/workbench|ports\/sdk\/arduino)\//.test(file));
  if (filter_sources(build.srcFilter, sources).join() !== wanted.join()) {
    mistakes.push('library.json: srcFilter does not choose the sources of core, transports, ports/devices, ports/workbench and ports/sdk/arduino');
  }
  const of_core = wanted.filter((file) => file.startsWith('core/')).join();
  for (const file of ['examples/makefile/Makefile', 'ports/sdk/esp_idf/component.cmake', `${cmake}/CMakeLists.txt`].filter(exists)) {
    const patterns = [...read(file).matchAll(/\/(core\/\S*?\.cpp)/g)].map(([, pattern]) => `+<${pattern}>`);
    if (filter_sources(patterns, sources).join() !== of_core) mistakes.push(`${file}: does not choose the sources of core`);
  }
  const of_http = wanted.filter((file) => file.startsWith('transports/http/')).join();
  for (const file of ['ports/sdk/esp_idf/component.cmake', `${cmake}/CMakeLists.txt`].filter(exists)) {
    const patterns = [...read(file).matchAll(/\/(transports\/http\/\S*?\.cpp)/g)].map(([, pattern]) => `+<${pattern}>`);
    if (filter_sources(patterns, sources).join() === of_http) continue;
    mistakes.push(`${file}: does not choose the sources of HTTP`);
  }
  // PlatformIO gives the folders of -I to each source of a firmware, and ESPHome all flags that are no warnings. So the
  // folders of internal headers and the flags of mote's sources are in a script, which both run for this library.
  const is_public = (flag) => /^-I \S*(\/include|\/arduino)$/.test(flag) || flag.startsWith('-W');
  for (const flag of build.flags.filter((one) => !is_public(one))) {
    mistakes.push(`library.json: the flag ${flag} applies to other libraries, too`);
  }
  if (!exists(build.extraScript)) mistakes.push(`library.json: there is no ${build.extraScript}`);

  // The package of a registry has what it compiles and its license, and no tests.
  const everything = fs.readdirSync(root, { withFileTypes: true })
    .filter((entry) => !/^(\.git|build)$/.test(entry.name))
    .flatMap((entry) => (entry.isDirectory() ? files_below(root, entry.name) : entry.name));
  const of_component = [...read('ports/sdk/esp_idf/component.cmake').matchAll(/\$\{mote\}\/([\w/]*\w(?:[.]cpp)?)/g)]
    .map(([, place]) => place);
  for (const [file, patterns, needed] of [
    ['library.json', manifests['library.json'].export.include,
      ['library.json', build.extraScript, ...folders, ...wanted]],
    ['idf_component.yml', manifests['idf_component.yml'].files.include,
      ['CMakeLists.txt', 'ports/sdk/esp_idf/component.cmake', ...of_component,
        ...wanted.filter((file) => !file.startsWith('ports/'))]],
  ]) {
    const packed = packed_files(patterns, everything);
    const has = (one) => one === '.' || packed.some((other) => `${other}/`.startsWith(`${one}/`));
    const lacks = [...needed, 'LICENSE', 'README.md'].filter((one) => !has(one));
    for (const one of lacks) mistakes.push(`${file}: the package has no ${one}`);
    if (packed.some((one) => /^(tests|build)\//.test(one))) mistakes.push(`${file}: the package has tests`);
    for (const pattern of patterns.filter((one) => packed_files([one], everything).length === 0)) {
      mistakes.push(`${file}: no file is ${pattern}`);
    }
  }
  same('idf_component.yml', 'exclude', manifests['idf_component.yml'].files.exclude.join(), '**/*');

  // The container of editors is that of the workflows, and its commands exist.
  const container = '.devcontainer/devcontainer.json';
  const { image, ...settings } = JSON.parse(read(container).replaceAll(/^\/\/.*$/gm, ''));
  same(container, 'image', image, /container: (debian:\S+)/.exec(read('.github/workflows/tests.yml'))?.[1]);
  const commands = Object.entries(settings).filter(([key]) => key.endsWith('Command')).map(([, command]) => command);
  for (const program of commands.flatMap((command) => command.match(/\b(tests|examples|toolchains)\/\S+/g) ?? [])) {
    if (!exists(program)) mistakes.push(`${container}: there is no ${program}`);
  }

  // An option that Kconfig does not declare would be off for ever, and an option that nothing reads would do nothing.
  for (const [file, readers] of [
    ['ports/sdk/esp_idf/Kconfig', files_below(root, 'ports/sdk/esp_idf')],
    [kconfig, [`${cmake}/CMakeLists.txt`, ...files_below(root, 'ports/sdk/zephyr')]],
  ]) {
    const declared = [...read(file).matchAll(/^\s*(?:menu)?config (\w+)$/gm)].map((match) => match[1]);
    const code = readers.filter((one) => /\.(cpp|hpp|cmake|txt)$/.test(one) && exists(one)).map(read).join('\n');
    const used = new Set([...code.matchAll(/\bCONFIG_(MOTE\w*)/g)].map((match) => match[1]));
    for (const name of declared.filter((one) => !used.has(one))) mistakes.push(`${file}: nothing reads ${name}`);
    for (const name of [...used].filter((one) => !declared.includes(one))) mistakes.push(`${file}: ${name} is missing`);
    if (file === kconfig) {
      const boards = fs.readdirSync(path.join(root, 'examples/zephyr/boards'));
      mistakes.push(...check_zephyr_application(read, boards, declared));
    }
  }
  return mistakes;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const mistakes = check(process.argv[2], { publish: process.argv[3] === '--publish' });
  for (const mistake of mistakes) console.error(mistake);
  process.exitCode = mistakes.length > 0 ? 1 : 0;
}
