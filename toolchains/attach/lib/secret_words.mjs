// SPDX-License-Identifier: Apache-2.0
// How a secret is recognized by its name, or by a mark in the schema of a tool.

/** Words in the names of secrets, in lower case, without `_` and `-`: those of the traces of devices. */
export const secretWords = [
  'passw', 'passp', 'passc', 'pwd', 'secret', 'token', 'key', 'puk', 'psk', 'credential', 'authoriz', 'cookie',
];

const marks = /"writeOnly"\s*:\s*true|"format"\s*:\s*"password"/;

/** Whether a schema, or a part of it, marks a secret. @param {any} schema */
export const hasMark = (schema) => marks.test(JSON.stringify(schema) ?? '');

/**
 * Keeps the schemas of tools that mark an argument, so that records hide it.
 * @param {any[]} tools of a list @param {string} line the text of this list @param {Map<string, any>} schemas by the names of tools
 */
export function keepMarked(tools, line, schemas) {
  const hasMarks = marks.test(line);
  if (!hasMarks && schemas.size === 0) return;
  for (const tool of tools) {
    if (typeof tool?.name !== 'string') continue;
    if (hasMarks && hasMark(tool.inputSchema)) schemas.set(tool.name, tool.inputSchema);
    else schemas.delete(tool.name);
  }
}

/** Whether a name has a word of secrets. @param {string} name */
const isSecretName = (name) => {
  const small = name.toLowerCase().replace(/[_-]/g, '');
  return secretWords.some((part) => small.includes(part));
};

/**
 * A word of a command without its secret: the value of an option, a variable, a header field or a query. The value may be the next word.
 * @param {string} word @param {string} [before] the word before it
 */
export function withoutSecret(word, before = '') {
  if (/^-[^=:]*$/.test(before) && isSecretName(before)) return '***';
  const [name = ''] = /^[^=:/?\s]+[=:]/.exec(word) ?? [];
  if (isSecretName(name)) return `${name}***`;
  return word.replace(/([?&][^=&#]*=)[^&#]*/g, (all, query) => (isSecretName(query) ? `${query}***` : all));
}
