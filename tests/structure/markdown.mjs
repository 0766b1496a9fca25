// What checks of Markdown share.

// The rows of the tables in a text, with the heads: {line, cells}. `|` within backquotes and behind a backslash is text, and what is
// in a block of code is no table.
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
    // Behind the last bar there is no cell.
    if (cells.at(-1).trim() === '') cells.pop();
    rows.push({ line, cells: cells.map((cell) => cell.trim()) });
  }
  return rows;
}
