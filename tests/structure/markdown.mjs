// SPDX-License-Identifier: Apache-2.0
// Helpers to check Markdown.

// Returns the rows of all tables, including the header rows: {line, cells}. A `|` in backquotes or after a backslash is
// text. Lines of a code block are not rows.
export function rows_of(text) {
  const rows = [];
  let fence = '';
  for (const line of text.split('\n')) {
    const [mark] = /^ *(```+|~~~+)/.exec(line)?.slice(1) ?? [];
    if (mark) {
      if (!fence) fence = mark;
      else if (mark.startsWith(fence)) fence = '';
      continue;
    }
    if (fence || !line.startsWith('|')) continue;
    const cells = [''];
    for (const [part] of line.slice(1).matchAll(/`[^`]*`|\\.|[^]/g)) {
      if (part === '|') cells.push('');
      else cells[cells.length - 1] += part === '\\|' ? '|' : part;
    }
    // The last bar ends the row.
    if (cells.at(-1).trim() === '') cells.pop();
    rows.push({ line, cells: cells.map((cell) => cell.trim()) });
  }
  return rows;
}
