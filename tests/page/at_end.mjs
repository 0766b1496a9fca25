// SPDX-License-Identifier: Apache-2.0
const actions = new WeakMap();

/** Has `action` done when the test `t` ends, the latest first: a page closes before its server ends. */
export function atEnd(t, action) {
  if (!actions.has(t)) {
    const all = [];
    actions.set(t, all);
    t.after(async () => {
      for (const last of all.reverse()) await last();
    });
  }
  actions.get(t).push(action);
}
