#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Checks the manifests of mote for ESP-IDF, Zephyr and PlatformIO against the fields that their vendors document, and
// against the files of ROOT. Prints one line per mistake, and fails if there is one.
//
// usage: manifests.mjs ROOT
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

// The fields that a manifest of mote may have, and what each must be.
const text = (value) => typeof value === 'string' && value !== '';
const texts = (value) => Array.isArray(value) && value.length > 0 && value.every(text);
const SCHEMAS = {
  // https://docs.espressif.com/projects/idf-component-manager, "Manifest File"
  'idf_component.yml': {
    version: (value) => /^\d+\.\d+\.\d+$/.test(value), description: text, license: text,
    dependencies: { idf: (value) => /^>=\d+\.\d+$/.test(value) },
  },
  // METADATA_SCHEMA of scripts/zephyr_module.py of Zephyr, commit 013c135
  'zephyr/module.yml': { name: (value) => /^[a-z]+$/.test(value), build: { cmake: text, kconfig: text } },
  // https://docs.platformio.org, "library.json"
  'library.json': {
    name: (value) => /^[A-Za-z0-9-]{1,50}$/.test(value), version: (value) => /^\d+\.\d+\.\d+$/.test(value),
    description: (value) => text(value) && value.length <= 255, keywords: text, license: text,
    frameworks: (value) => value === '*', platforms: (value) => value === '*', headers: texts,
    build: { srcDir: text, includeDir: text, srcFilter: texts, flags: texts, unflags: texts, extraScript: text },
  },
};

// Reads the subset of YAML that the manifests use: `key: value`, two spaces for each level, comments.
export function parse_yaml(source) {
  const levels = [{}];
  for (const line of source.split('\n')) {
    if (/^\s*(#|$)/.test(line)) continue;
    const match = /^((?:  )*)([A-Za-z_-]+):(?: (?:"([^"]*)"|([^"#]+)))?$/.exec(line);
    const depth = match ? match[1].length / 2 : 0;
    if (!match || depth >= levels.length) throw new Error(`not in the subset of YAML: ${line}`);
    const value = match[3] ?? match[4] ?? {};
    levels.length = depth + 1;
    levels[depth][match[2]] = value;
    if (typeof value === 'object') levels.push(value);
  }
  return levels[0];
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

export function check(root) {
  const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');
  const exists = (file) => fs.existsSync(path.join(root, file));
  const manifests = {};
  const mistakes = [];
  for (const [file, schema] of Object.entries(SCHEMAS)) {
    manifests[file] = file.endsWith('.json') ? JSON.parse(read(file)) : parse_yaml(read(file));
    mistakes.push(...check_fields(manifests[file], schema, file));
  }
  if (mistakes.length > 0) return mistakes;

  const [, version, description] = /project\(mote VERSION (\S+) DESCRIPTION "([^"]*)"/.exec(read('CMakeLists.txt'));
  for (const file of ['idf_component.yml', 'library.json']) {
    if (manifests[file].version !== version) mistakes.push(`${file}: the version is not ${version}`);
    if (manifests[file].description !== description) mistakes.push(`${file}: the description is not "${description}"`);
  }
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
  const sources = ['core', 'transports', 'ports', 'examples', 'tests']
    .flatMap((folder) => files_below(root, folder)).filter((file) => file.endsWith('.cpp')).sort();
  const wanted = sources.filter((file) => /^(core|transports)\//.test(file));
  if (filter_sources(build.srcFilter, sources).join() !== wanted.join()) {
    mistakes.push('library.json: srcFilter does not choose the sources of core and transports');
  }
  const of_core = wanted.filter((file) => file.startsWith('core/')).join();
  for (const file of ['examples/makefile/Makefile', 'ports/sdk/esp_idf/component.cmake', `${cmake}/CMakeLists.txt`].filter(exists)) {
    const patterns = [...read(file).matchAll(/\/(core\/\S*?\.cpp)/g)].map(([, pattern]) => `+<${pattern}>`);
    if (filter_sources(patterns, sources).join() !== of_core) mistakes.push(`${file}: does not choose the sources of core`);
  }
  const of_http = wanted.filter((file) => file.startsWith('transports/http/')).join();
  for (const file of ['ports/sdk/esp_idf/component.cmake', `${cmake}/CMakeLists.txt`].filter(exists)) {
    const patterns = [...read(file).matchAll(/\/(transports\/http\/\S*?\.cpp)/g)].map(([, pattern]) => `+<${pattern}>`);
    if (filter_sources(patterns, sources).join() !== of_http) mistakes.push(`${file}: does not choose the sources of HTTP`);
  }
  // ESPHome gives all flags that are no warnings to each source of a firmware. So the flags of mote's sources are in a
  // script, which PlatformIO runs for this library.
  for (const flag of build.flags.filter((one) => !/^-(I|W)/.test(one))) {
    mistakes.push(`library.json: the flag ${flag} applies to other libraries, too`);
  }
  if (!exists(build.extraScript)) mistakes.push(`library.json: there is no ${build.extraScript}`);

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
  }
  return mistakes;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const mistakes = check(process.argv[2]);
  for (const mistake of mistakes) console.error(mistake);
  process.exitCode = mistakes.length > 0 ? 1 : 0;
}
