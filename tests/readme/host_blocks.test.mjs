// SPDX-License-Identifier: Apache-2.0
// Tests host_blocks.mjs: a block without an error, and one with each error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocksOf, errorsOf, hasOtherWay } from './host_blocks.mjs';

const command = '$ toolchains/attach/attach.cjs config claude --write -- serial --usb 0d28:0204';
const block = `\`\`\`console
${command}
user:  Switch on the LED.
model: set_led {"on":true}
board: The LED is on.
\`\`\`
`;
const document = `# A board\n\n## Ask a model\n\nText:\n\n${block}`;

test('reads a block', () => {
  const [{ end, ...read }] = blocksOf(document);
  assert.equal(end, document.length - 1);
  assert.deepEqual(read, {
    words: ['config', 'claude', '--write'], target: ['serial', '--usb', '0d28:0204'], sentence: 'Switch on the LED.',
    tool: 'set_led', values: { on: true }, response: 'The LED is on.',
  });
  assert.deepEqual(errorsOf('ports/README.md', document), []);
});

const wrong = {
  'no block': [block, '', 'has no block that connects the board to a host'],
  'a section after the block': [block, `${block}\n## Tests\n`, 'must end with the block that connects the board to a host, not with "## Tests"'],
  'another program': ['toolchains/attach/attach.cjs', 'attach.cjs', 'the command of a block is toolchains/attach/attach.cjs, not attach.cjs'],
  'a command that only prints': [' --write', '', 'the command of a block has --write before --'],
  'no target': [' -- ', ' ', 'the command of a block has --write before --'],
  'another target': ['serial --usb 0d28:0204', 'exec firmware', 'the target of a block is serial or mdns, not exec'],
  'an unknown board': ['0d28:0204', '1234:5678', 'attach knows no board with the USB id 1234:5678'],
  'another port': ['--usb 0d28:0204', '/dev/null', '/dev/null is not a usual name of a serial port'],
  'no response': ['board: The LED is on.\n', '', 'after the command, a block has the lines user, model and board'],
  'an unknown resource': ['set_led {"on":true}', 'read_uptime {}', 'has no resource uptime, which read_uptime reads'],
};
for (const [what, [old, changed, error]] of Object.entries(wrong)) {
  test(`rejects ${what}`, () => {
    assert.ok(document.includes(old));
    assert.deepEqual(errorsOf('ports/README.md', document.replace(old, changed)), [error]);
  });
}

test('finds the block of the section on hardware', () => {
  const others = `# mote\n\n## On real hardware\n\nText.\n\n## Others\n\n${block}`;
  assert.deepEqual(errorsOf('README.md', others), ['has no block that connects the board to a host']);
  assert.deepEqual(errorsOf('README.md', `# mote\n\n## On real hardware\n\n${block}\n## Others\n\nText.\n`), []);
});

test('permits links to other documents after the block', () => {
  assert.deepEqual(errorsOf('examples/tutorial.md', `${document}\n## Next\n\n- Text.\n`), []);
});

test('finds a way to a host without attach', () => {
  assert.ok(hasOtherWay('For example: `socat - /dev/ttyUSB0,b115200,raw,echo=0`.'));
  assert.ok(hasOtherWay('{ "command": "cat", "args": ["/dev/ttyACM0"] }'));
  assert.ok(!hasOtherWay('$ exec 3<>/dev/ttyACM0; stty -F /dev/ttyACM0 115200 raw -echo'));
  assert.ok(!hasOtherWay('| `socat` | 97 us |'));
});
