// SPDX-License-Identifier: Apache-2.0
/** Words in the names of secrets, in lower case, without `_` and `-`: those of the traces of devices. */
export const secretWords = [
  'passw', 'passp', 'passc', 'pwd', 'secret', 'token', 'key', 'puk', 'psk', 'credential', 'authoriz', 'cookie',
];

/** Whether a word of a command is an option with the name of a secret. @param {string} [word] */
export const isSecretOption = (word = '') => {
  const name = word.startsWith('-') ? word.toLowerCase().replace(/=[^]*|[_-]/g, '') : '';
  return secretWords.some((part) => name.includes(part));
};
