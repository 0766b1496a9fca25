// SPDX-License-Identifier: Apache-2.0
import { createRequire } from 'node:module';

const js = createRequire(new URL('../../build/attach/', import.meta.url))('@eslint/js');
const node = ['Buffer', 'URL', 'console', 'fetch', 'performance', 'process', 'setTimeout'];
const browser = ['AbortController', 'AbortSignal', 'Event', 'TextDecoderStream', 'TextEncoder', 'URL', 'btoa', 'clearInterval',
  'clearTimeout', 'document', 'fetch', 'location', 'localStorage', 'sessionStorage', 'setInterval', 'setTimeout', 'window'];

export default [
  js.configs.recommended,
  {
    languageOptions: { globals: Object.fromEntries([...node, ...browser].map((name) => [name, 'readonly'])) },
    rules: {
      'max-len': ['error', 140],
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^[_$]', ignoreRestSiblings: true }],
      'no-empty': ['error', { allowEmptyCatch: true }],
    },
  },
];
