// SPDX-License-Identifier: Apache-2.0
// How a secret is recognized by its name, or by a mark in the schema of a tool.

/** Words in the names of secrets, in lower case, without `_` and `-`: those of the traces of devices. */
export const secretWords = [
  'passw', 'passp', 'passc', 'pwd', 'secret', 'token', 'key', 'puk', 'psk', 'credential', 'authoriz', 'cookie',
];

const marks = /"writeOnly"\s*:\s*true|"format"\s*:\s*"password"/;

/**
 * Keeps the schemas of tools that mark an argument, so that records hide it.
 * @param {any[]} tools of a list @param {string} line the text of this list @param {Map<string, any>} schemas by the names of tools
 */
export function keepMarked(tools, line, schemas) {
  const hasMarks = marks.test(line);
  if (!hasMarks && schemas.size === 0) return;
  for (const tool of tools) {
    if (typeof tool?.name !== 'string') continue;
    if (hasMarks && marks.test(JSON.stringify(tool.inputSchema) ?? '')) schemas.set(tool.name, tool.inputSchema);
    else schemas.delete(tool.name);
  }
}

/** Whether a word of a command is an option with the name of a secret. @param {string} [word] */
export const isSecretOption = (word = '') => {
  const name = word.startsWith('-') ? word.toLowerCase().replace(/=[^]*|[_-]/g, '') : '';
  return secretWords.some((part) => name.includes(part));
};
