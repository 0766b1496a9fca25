// SPDX-License-Identifier: Apache-2.0
// Helpers to check C++ sources: files, tokens, functions.
import fs from 'node:fs';
import path from 'node:path';

// Returns the files below `folder`, relative to `root`, sorted.
export function files_below(root, folder) {
  const found = [];
  if (!fs.existsSync(path.join(root, folder))) return found;
  for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) found.push(...files_below(root, name));
    else if (!entry.isSymbolicLink()) found.push(name);
  }
  return found.sort();
}

// Returns the names of the folders directly in `folder`.
export function folders_in(root, folder) {
  if (!fs.existsSync(path.join(root, folder))) return [];
  const entries = fs.readdirSync(path.join(root, folder), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort();
}

const TOKEN = new RegExp(
  [
    /(?<space>(?:\s|\\\n)+)/,
    /(?<comment>\/\/(?:\\\n|[^\n])*|\/\*[^]*?(?:\*\/|$))/,
    /(?<raw>(?:u8|[uUL])?R"(?<mark>[^()\\\s]*)\([^]*?\)\k<mark>")/,
    /(?<string>(?:u8|[uUL])?"(?:\\[^]|[^"\\\n])*"?)/,
    /(?<character>(?:u8|[uUL])?'(?:\\[^]|[^'\\\n])*'?)/,
    /(?<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)/,
    /(?<name>[A-Za-z_]\w*)/,
    /(?<operator>::|->|==|!=|<=|>=|&&|\|\||[^])/,
  ]
    .map((part) => part.source)
    .join('|'),
  'y',
);
// A directive ends at the end of its line. A block comment or a backslash continues it.
const DIRECTIVE = /#(?:\\\n|\/\*[^]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|[^\n])*/y;

// Returns the tokens of a source: {kind, text, line, end}. A kind is comment, directive, raw, string, character,
// number, name or operator. `line` and `end` are the token's first and last line.
export function tokens_of(text) {
  const tokens = [];
  let at = 0;
  let line = 1;
  let first = true;
  while (at < text.length) {
    let kind;
    let part;
    DIRECTIVE.lastIndex = at;
    if (first && text[at] === '#') {
      kind = 'directive';
      part = DIRECTIVE.exec(text)[0];
    } else {
      TOKEN.lastIndex = at;
      const { groups } = TOKEN.exec(text);
      kind = Object.keys(groups).find((name) => name !== 'mark' && groups[name] !== undefined);
      part = groups[kind];
    }
    const lines = part.split('\n').length - 1;
    if (kind === 'space') first ||= part.replaceAll('\\\n', '').includes('\n');
    else {
      tokens.push({ kind, text: part, line, end: line + lines });
      if (kind !== 'comment') first = false;
    }
    line += lines;
    at += part.length;
  }
  return tokens;
}

export function code_of(text) {
  return tokens_of(text).filter((token) => token.kind !== 'comment');
}

// Returns {header, quoted} if the token is an include directive, else undefined.
export function include_of(token) {
  const match = token.kind === 'directive' && /^#\s*include\s*(["<])([^">]+)[">]/.exec(token.text);
  return match ? { header: match[2], quoted: match[1] === '"' } : undefined;
}

// Adjacent string literals are one string. Returns the first or the last string, or undefined.
export function text_of_strings(tokens, which) {
  const runs = [];
  let open = false;
  for (const token of tokens) {
    if (token.kind !== 'string') {
      open = false;
      continue;
    }
    const text = token.text.replace(/^[^"]*"|"$/g, '');
    if (open) runs[runs.length - 1] += text;
    else runs.push(text);
    open = true;
  }
  return which === 'first' ? runs[0] : runs.at(-1);
}

const SCOPES = new Set(['namespace', 'class', 'struct', 'union', 'enum', 'extern', 'export']);

// Returns all functions except nested ones, including member functions: {name, line, end}. `line` is the line of the
// opening brace.
export function functions_of(text) {
  const tokens = tokens_of(text).filter((token) => token.kind !== 'comment' && token.kind !== 'directive');
  const found = [];
  // The open braces: 'scope' (a namespace or class), 'body' (of a function) or 'other'.
  const open = [];
  let declaration = [];
  let brackets = 0;
  for (const token of tokens) {
    const outer = open.every((one) => one.kind === 'scope');
    if (token.text === '{') {
      // Inside brackets only a lambda has a body: `static_assert([] {`.
      const inner = declaration.at(-1) === ']' ? 'body' : 'other';
      const kind = outer ? (brackets ? inner : kind_of_block(declaration)) : 'other';
      open.push({ kind, token, declaration, brackets });
      if (kind === 'scope') declaration = [];
    } else if (token.text === '}') {
      const closed = open.pop();
      if (!closed) continue;
      brackets = closed.brackets;
      if (closed.kind === 'body') {
        found.push({ name: name_of(closed.declaration), line: closed.token.line, end: token.line });
      }
      const outside = open.every((one) => one.kind === 'scope');
      if (closed.kind === 'other' && outside) declaration = [...closed.declaration, '{}'];
      else if (closed.kind !== 'other' && !brackets) declaration = [];
    } else if (outer) {
      if ('(['.includes(token.text)) ++brackets;
      if (')]'.includes(token.text)) --brackets;
      if (token.text === ';' && !brackets) declaration = [];
      else declaration.push(token.text);
    }
  }
  return found;
}

function name_of(declaration) {
  const at = declaration.indexOf('(');
  return declaration[at - 1] ?? '';
}

// Returns the kind of the block after this declaration.
function kind_of_block(declaration) {
  let words = declaration;
  while (words[0] === 'template' || words[0] === '[' || ['public', 'private', 'protected'].includes(words[0])) {
    words = words.slice(length_of_prefix(words));
  }
  const last = words.at(-1);
  if (SCOPES.has(words[0]) && !words.includes('(')) return 'scope';
  if (SCOPES.has(words[0]) && words[0] !== 'extern' && !is_function(words)) return 'scope';
  // In `: member{1}, other{2} {` an initializer follows a name, and the body follows a bracket.
  const colon = words.lastIndexOf(':');
  if (colon > 0 && words.slice(0, colon).includes(')') && /^[\w>]/.test(last)) return 'other';
  if (words[0] === 'concept' || last === '=' || !words.includes('(')) return 'other';
  const assigned = words.findIndex((word, at) => word === '=' && depth_at(words, at) === 0);
  const named = words.indexOf('operator');
  if (assigned > 0 && named !== assigned - 1 && last !== ')' && !/^(mutable|noexcept)$/.test(last)) return 'other';
  return 'body';
}

// Returns how many round brackets are open before the word at index `at`.
function depth_at(words, at) {
  return words.slice(0, at).reduce((depth, word) => depth + (word === '(') - (word === ')'), 0);
}

// `struct A f() {` is a function. `struct alignas(4) A {` is a type.
function is_function(words) {
  return /^(\)|const|noexcept|override|final)$/.test(words.at(-1)) && words.indexOf('(') > 2;
}

// Returns the number of words in the declaration's first template head, attribute or access specifier.
function length_of_prefix(words) {
  if (['public', 'private', 'protected'].includes(words[0])) return 2;
  const [begin, end] = words[0] === '[' ? ['[', ']'] : ['<', '>'];
  let depth = 0;
  for (let at = words[0] === '[' ? 0 : 1; at < words.length; ++at) {
    if (words[at] === begin) ++depth;
    if (words[at] === end && --depth === 0) return at + 1;
  }
  return words.length;
}
