// SPDX-License-Identifier: Apache-2.0
const endings = new WeakMap();

/**
 * Runs `action` when the test `t` ends, the latest action first: a process ends before its folder is removed. Runs the
 * others also if one fails, because a process that is left keeps the program of the tests running. An action that is
 * added after the end runs at once. The hooks of node:test run in the other order, and end with the first failure.
 */
export function atEnd(t, action) {
  if (!endings.has(t)) {
    const ending = { actions: [], hasEnded: false };
    endings.set(t, ending);
    t.after(async () => {
      const failures = [];
      while (ending.actions.length > 0) {
        try {
          await ending.actions.pop()();
        } catch (error) {
          failures.push(error);
        }
      }
      ending.hasEnded = true;
      if (failures.length > 0) throw failures[0];
    });
  }
  const { actions, hasEnded } = endings.get(t);
  if (hasEnded) return action();
  actions.push(action);
}
