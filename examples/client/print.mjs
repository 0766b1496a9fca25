// SPDX-License-Identifier: Apache-2.0
// Prints the steps of the demos. Knows no MCP.

/** A heading, with an empty line before it. */
export function title(text) {
  console.log(`\n${text}`);
}

/** What is shown, and how it went. */
export function line(label, text) {
  console.log(`  ${label.padEnd(42)} ${text}`);
}
