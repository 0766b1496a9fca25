// SPDX-License-Identifier: Apache-2.0
import js from '@eslint/js';

const globals = Object.fromEntries(['AbortController', 'Buffer', 'URL', 'clearInterval', 'clearTimeout', 'console', 'crypto', 'process',
  'setImmediate', 'setInterval', 'setTimeout', 'structuredClone'].map((name) => [name, 'readonly']));

export default [
  { ignores: ['dist', 'node_modules'] },
  js.configs.recommended,
  {
    languageOptions: { globals },
    rules: {
      'max-len': ['error', 140],
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      'no-empty': ['error', { allowEmptyCatch: true }],
    },
  },
  { files: ['attach.cjs'], languageOptions: { globals: { __dirname: 'readonly', require: 'readonly' } } },
];
