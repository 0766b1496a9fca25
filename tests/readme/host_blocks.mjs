// SPDX-License-Identifier: Apache-2.0
// The blocks of the documents that connect a board to an MCP host: the command that writes the entry of the host, a
// sentence for the model, the call that the model makes, and the response of the board. host_play.mjs plays them.
//
//   ```console
//   $ toolchains/attach/attach.cjs config HOST --write -- TARGET
//   user:  SENTENCE
//   model: TOOL ARGUMENTS
//   board: RESPONSE
//   ```
//
// As a program, checks that each document of a board or of an SDK ends with such a block, and that no document joins a
// serial port to a host without attach. Prints one line per error, FILE: message, and fails if there is one.
//
// usage: node host_blocks.mjs ROOT
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { boardOf } from '../../toolchains/attach/lib/serial_ports.mjs';
import { parseTarget } from '../../toolchains/attach/lib/target.mjs';

const program = /^(?:\.\.\/mote\/)?toolchains\/attach\/attach\.cjs$/;
const form = /^```console\n(\$ [^\n]*attach\.cjs config [^\n]*)\n([^]*?)^```$/gm;
const conversation = /^user: {2}(\S[^\n]*)\nmodel: (\w+) (\{[^\n]*\})\nboard: (\S[^\n]*)\n$/;

/**
 * @typedef {{words: string[], target: string[], sentence: string, tool: string, values: object, response: string,
 *   end: number}} Block
 */

/** @param {string} command @param {string} rest @param {number} end @returns {Block} */
function readBlock(command, rest, end) {
  const [dollar, name, ...args] = command.split(' ');
  const at = args.indexOf('--');
  if (dollar !== '$' || !program.test(name)) throw new Error(`the command of a block is toolchains/attach/attach.cjs, not ${name}`);
  if (!args.includes('--write') || at < args.indexOf('--write')) throw new Error('the command of a block has --write before --');
  const found = conversation.exec(rest);
  if (!found) throw new Error('after the command, a block has the lines user, model and board');
  const [, sentence, tool, values, response] = found;
  const target = args.slice(at + 1);
  const { kind, usb, path: port } = /** @type {any} */ (parseTarget(target));
  if (!['serial', 'mdns'].includes(kind)) throw new Error(`the target of a block is serial or mdns, not ${kind}`);
  const [vendorId, productId] = usb?.split(':') ?? [];
  if (usb && !boardOf({ vendorId, productId })) throw new Error(`attach knows no board with the USB id ${usb}`);
  if (port && !/^\/dev\/tty(ACM|USB)\d$/.test(port)) throw new Error(`${port} is not a usual name of a serial port`);
  return { words: args.slice(0, at), target, sentence, tool, values: JSON.parse(values), response, end };
}

/** The blocks of a document. Errors: a sentence. @param {string} text */
export function blocksOf(text) {
  return [...text.matchAll(form)].map(({ 0: all, 1: command, 2: rest, index }) => readBlock(command, rest, index + all.length));
}

/** The documents that end with a block. @param {string} root */
export function documentsWithBlocks(root) {
  const folders = ['ports/boards', 'ports/sdk'].flatMap((folder) =>
    readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}/README.md`))
    // A node of ESPHome has no serial port, and none of the services in mDNS that attach finds.
    .filter((name) => name !== 'ports/sdk/esphome/README.md');
  const examples = ['esp_idf/usb', 'esp_idf/wifi', 'stm32', 'workbench', 'zephyr'].map((name) => `examples/${name}/README.md`);
  return ['README.md', 'examples/README.md', 'examples/tutorial.md', ...examples, ...folders]
    .filter((name) => existsSync(path.join(root, name)));
}

// Where the block is in a document that goes on after it.
const sections = new Map([
  ['README.md', /^## On real hardware\n[^]*?(?=^## )/m],
  ['examples/workbench/README.md', /^## Five minutes\n[^]*?(?=^## )/m],
]);

/** The errors of a document that needs a block, as sentences. @param {string} name @param {string} text */
export function errorsOf(name, text) {
  const section = sections.has(name) ? sections.get(name)?.exec(text)?.[0] ?? '' : text;
  let blocks;
  try {
    blocks = blocksOf(section);
  } catch (error) {
    return [/** @type {Error} */ (error).message];
  }
  if (blocks.length === 0) return ['has no block that connects the board to a host'];
  const errors = [];
  const after = /^## (?!Next$).*$/m.exec(section.slice(blocks.at(-1)?.end))?.[0];
  if (after) errors.push(`must end with the block that connects the board to a host, not with "${after}"`);
  for (const { tool } of blocks) {
    const resource = /^read_(\w+)$/.exec(tool)?.[1];
    const isHere = resource === undefined || text.includes(`.name = "${resource}"`);
    if (!isHere) errors.push(`has no resource ${resource}, which ${tool} reads`);
  }
  return errors;
}

/** Whether a text joins a serial port to stdin and stdout, or to a host, without attach. @param {string} text */
export const hasOtherWay = (text) => /socat[^\n]*\/dev\/(tty|serial|cu)|"\/dev\/(tty|serial|cu)/.test(text);

/** @param {string} root */
function check(root) {
  let count = 0;
  const errors = [];
  for (const name of documentsWithBlocks(root)) {
    const text = readFileSync(path.join(root, name), 'utf8');
    errors.push(...errorsOf(name, text).map((error) => `${name}: ${error}`));
    if (hasOtherWay(text)) errors.push(`${name}: joins a serial port to a host without attach`);
    ++count;
  }
  for (const error of errors) console.log(error);
  console.log(`looked at ${count} documents`);
  return errors.length === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href && !check(process.argv[2])) process.exit(1);
