// SPDX-License-Identifier: Apache-2.0
// Each entity type of ESPHome through the official client: what a model sees, what a call does, and what wrong arguments
// get. The node is nodes/types.yaml.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, call, connect, failure, limitMs, reader, rejected, startNode, token } from './node.mjs';

const uri = (type, id) => `esphome://${type}/${id}`;

async function open(t, options = {}) {
  const node = await startNode(t);
  const session = await connect(t, node, { token, ...options });
  return { node, session, client: session.client };
}

/** Resolves with the state of a resource as soon as `isWanted` is true for it, at an update of it. */
async function state(session, where, isWanted) {
  await session.client.subscribeResource({ uri: where });
  for (;;) {
    const now = await session.readJson(where);
    if (isWanted(now)) return now;
    await session.nextUpdate(where);
  }
}

/** Calls, in this order, with the members of the state that they end with. */
const calls = [
  ['set_pump', { on: true }, { on: true }],
  ['set_pump', { on: false }, { on: false }],
  ['set_valve_switch', { on: true }, { on: true }],
  ['set_target', { value: 23.5 }, { state: 23.5, unit: '°C' }],
  ['set_target', { value: 5 }, { state: 5 }],
  ['set_target', { value: 35 }, { state: 35 }],
  ['set_runtime', { value: -10 }, { state: -10, unit: 's' }],
  ['set_mode_select', { option: 'full' }, { state: 'full' }],
  ['set_lamp', { brightness: 40 }, { on: true, brightness: 40 }],
  ['set_lamp', { on: false }, { on: false }],
  ['set_lamp', { effect: 'Slow Pulse' }, { on: true, effect: 'Slow Pulse' }],
  ['set_lamp', { effect: 'None', transition: 0 }, { on: true, effect: 'None' }],
  ['set_rgb1', { color: '#ff8000', brightness: 100 }, { on: true, color: '#ff8000', brightness: 100 }],
  ['set_white', { color_temperature: 4000 }, { on: true, color_temperature: 4000 }],
  ['set_blind', { position: 30, tilt: 20 }, { position: 30, tilt: 20, state: 'idle' }],
  ['set_blind', { action: 'open' }, { position: 100 }],
  ['set_blind', { action: 'stop' }, { position: 100 }],
  ['set_fan1', { speed: 3, oscillating: true, direction: 'reverse' },
    { on: true, speed: 3, oscillating: true, direction: 'reverse' }],
  ['set_fan1', { on: false }, { on: false }],
  ['set_gate', { action: 'unlock' }, { state: 'unlocked' }],
  ['set_gate', { action: 'lock' }, { state: 'locked' }],
  ['set_thermo', { mode: 'heat', target_temperature: 22.5 }, { mode: 'heat', target_temperature: 22.5 }],
  ['set_thermo', { mode: 'off' }, { mode: 'off' }],
  ['set_both', { target_temperature_low: 17, target_temperature_high: 26 },
    { target_temperature_low: 17, target_temperature_high: 26 }],
  ['set_both', { preset: 'away' }, { preset: 'away', target_temperature_low: 15, target_temperature_high: 30 }],
  ['set_message', { value: 'hello' }, { state: 'hello' }],
  ['set_message', { value: '"\\\\é' }, { state: '"\\\\é' }],
  ['set_radio', { action: 'play', volume: 30 }, { state: 'playing', volume: 30, muted: false }],
  ['set_radio', { action: 'mute' }, { muted: true }],
  ['set_radio', { url: 'http://radio.invalid/stream' }, { state: 'playing' }],
  ['set_burglar_alarm', { action: 'arm_away', code: '1234' }, { state: 'armed_away' }],
  ['set_burglar_alarm', { action: 'disarm', code: '1234' }, { state: 'disarmed' }],
  ['set_tap', { position: 40 }, { position: 40 }],
  ['set_tap', { action: 'close' }, { position: 0 }],
  ['set_start_date', { value: '2026-06-02' }, { state: '2026-06-02' }],
  ['set_start_time', { value: '23:59:58' }, { state: '23:59:58' }],
  ['set_start_both', { value: '2028-02-29 00:00:00' }, { state: '2028-02-29 00:00:00' }],
];

test('each type can be set, and the result is the state after the call', { timeout: limitMs }, async (t) => {
  const { session, client } = await open(t);
  const { rows: resources } = await all(client, 'resources');
  for (const [tool, args, expected] of calls) {
    const found = await call(client, tool, args);
    for (const [key, value] of Object.entries(expected)) {
      assert.deepEqual(found[key], value, `${tool} ${JSON.stringify(args)}: ${JSON.stringify(found)}`);
    }
    // What the tool says is what the resource has.
    const { uri: where } = resources.find(({ name }) => name === tool.slice('set_'.length));
    const read = await session.readJson(where);
    for (const [key, value] of Object.entries(expected)) assert.deepEqual(read[key], value, `${where}: ${key}`);
  }
});

/** Calls with wrong arguments, and the error message. */
const mistakes = [
  ['set_pump', {}, /"on" must be given/],
  ['set_pump', { on: 'yes' }, /"on" must be true or false/],
  ['set_pump', { on: 1 }, /"on" must be true or false/],
  ['set_pump', { on: null }, /"on"/],
  ['set_pump', { on: true, force: true }, /no argument "force"/],
  ['set_target', { value: 99 }, /"value" must be a number from 5 to 35/],
  ['set_target', { value: 4.99 }, /from 5 to 35/],
  ['set_target', { value: '23' }, /"value" must be a number/],
  ['set_target', { value: 1e300 }, /from 5 to 35/],
  ['set_runtime', { value: 600.5 }, /from -10 to 600/],
  ['set_mode_select', { option: 'turbo' }, /must be one of: off, eco, full/],
  ['set_mode_select', { option: 2 }, /must be one of/],
  ['set_lamp', { brightness: 101 }, /from 0 to 100/],
  ['set_lamp', { effect: 'Fast Pulse' }, /must be one of: None, Slow Pulse/],
  ['set_rgb1', { color: 'red' }, /"color" must be a color/],
  ['set_rgb1', { color: '#ff80zz' }, /"color" must be a color/],
  ['set_white', { color_temperature: 1000 }, /from 2700 to 6500/],
  ['set_blind', { action: 'halt' }, /must be one of: open, close, stop/],
  ['set_blind', { tilt: -1 }, /from 0 to 100/],
  ['set_fan1', { speed: 9 }, /an integer from 1 to 4/],
  ['set_fan1', { speed: 2.5 }, /an integer from 1 to 4/],
  ['set_gate', { action: 'break' }, /must be one of: lock, unlock, open/],
  ['set_thermo', { mode: 'cool' }, /must be one of: off, heat/],
  ['set_thermo', { target_temperature: 36 }, /from 5 to 35/],
  ['set_message', { value: 'x' }, /a string of 2 to 8 bytes/],
  ['set_message', { value: 'longer than 8' }, /a string of 2 to 8 bytes/],
  ['set_radio', { volume: 101 }, /from 0 to 100/],
  ['set_radio', { action: 'explode' }, /must be one of: play, pause, stop/],
  ['set_burglar_alarm', { action: 'arm_vacation' }, /must be one of/],
  ['set_tap', { position: 101 }, /from 0 to 100/],
  ['set_start_date', { value: '2026-13-01' }, /YYYY-MM-DD/],
  ['set_start_date', { value: 'tomorrow' }, /10/],
  ['set_start_time', { value: '25:00:00' }, /HH:MM:SS/],
  ['set_start_both', { value: '2026-05-01T06:30:00' }, /YYYY-MM-DD HH:MM:SS/],
  ['set_firmware', { action: 'revert' }, /must be one of: install, check/],
  ['water', { seconds: 0, bed: 'north' }, /seconds/],
  ['water', { seconds: 1.5, bed: 'north' }, /seconds/],
  ['water', { seconds: 1, bed: 'west' }, /bed/],
  ['water', { seconds: 1 }, /bed/],
  ['water', { seconds: 1, bed: 'north', note: 'longer than 10' }, /note/],
  ['water', { seconds: 1, bed: 'north', strength: 1.5 }, /strength/],
  ['blink', { times: 6, fast: true }, /times/],
  ['blink', { times: 1 }, /fast/],
];

test('wrong arguments change nothing, and the error says what to do', { timeout: limitMs }, async (t) => {
  const { session, client } = await open(t);
  const states = async () => {
    const { rows } = await all(client, 'resources');
    const read = {};
    for (const { name, uri: where } of rows.filter((row) => row.name !== 'counter')) {
      const { action, ...others } = await session.readJson(where);  // a thermostat acts when its time has come
      read[name] = others;
    }
    return read;
  };
  // The sensors have published.
  for (const where of [uri('sensor', 'air'), uri('sensor', 'temp_rature_du_bassin'), uri('sensor', 'diagnosis'),
    uri('text_sensor', 'note')]) await state(session, where, ({ state: now }) => now !== null);
  const before = await states();
  for (const [tool, args, expected] of mistakes) {
    const message = await failure(client, tool, args);
    assert.match(message, expected, `${tool} ${JSON.stringify(args)}: ${message}`);
  }
  assert.deepEqual(await states(), before);
});

test('sensors have the digits and the unit that a user sees', { timeout: limitMs }, async (t) => {
  const { session } = await open(t);
  const isKnown = ({ state: now }) => now !== null;
  assert.deepEqual(await state(session, uri('sensor', 'air'), isKnown), { state: 20.3, unit: '°C' });
  const pool = uri('sensor', 'temp_rature_du_bassin');
  assert.equal((await state(session, pool, isKnown)).state, 12.3);
  assert.deepEqual(await state(session, uri('text_sensor', 'note'), isKnown), { state: 'all "good" ✓' });
  assert.equal((await session.readJson(uri('sensor', 'never'))).state, null);
  assert.equal((await session.readJson(uri('sensor', 'not_a_number'))).state, null);
  assert.equal((await session.readJson(uri('event', 'bell'))).state, null);
  assert.equal((await session.readJson(uri('update', 'firmware'))).latest, '1.1.0');
});

test('a password can be set, and never leaves the node', { timeout: limitMs }, async (t) => {
  const { node, session, client } = await open(t);
  const secret = 'correct horse battery';
  const result = await client.callTool({ name: 'set_pin', arguments: { value: secret } });
  const read = await client.readResource({ uri: uri('text', 'pin') });
  const states = await client.callTool({ name: 'read_states', arguments: { of: 'pin' } });
  for (const said of [result, read, states]) assert.ok(!JSON.stringify(said).includes(secret));
  assert.ok(!node.stderr.includes('fedcba9876543210'), 'the node logs a token');
  assert.notEqual(result.isError, true);
  assert.equal((await session.readJson(uri('text', 'pin'))).state, '(secret)');
});

test('a call waits for the state, and says when it has not come in time', { timeout: limitMs }, async (t) => {
  const { client } = await open(t);
  assert.deepEqual(await call(client, 'set_slow_relay', { on: true }), { on: true });
  assert.deepEqual(await call(client, 'set_slow_relay', { on: false }), { on: false });
  assert.deepEqual(await call(client, 'set_stuck_relay', { on: true }), { on: false, pending: true });
});

test('a button is pressed after the response', { timeout: limitMs }, async (t) => {
  const { node, session, client } = await open(t);
  assert.match(await call(client, 'press_water_now'), /./);
  await state(session, uri('switch', 'pump'), ({ on }) => on);
  assert.match(await call(client, 'set_firmware', { action: 'install' }).then(JSON.stringify), /available|installing|no_update/);
  await state(session, uri('update', 'firmware'), ({ state: now }) => now === 'no_update');
  assert.match(await call(client, 'press_restart_node'), /./);
  // On this platform, a restart is the end of the process.
  await node.ended;
});

test('automations and scripts are tools with typed arguments', { timeout: limitMs }, async (t) => {
  const { session, client } = await open(t);
  assert.equal(await call(client, 'water', { seconds: 2, bed: 'north' }), 'Watering bed north for 2 s.');
  assert.equal(await call(client, 'water', { seconds: 60, bed: 'north', note: 'again', quietly: true, strength: 1 }),
    'Watering bed north for 60 s quietly: again.');
  assert.equal(await failure(client, 'water', { seconds: 2, bed: 'south' }), 'Bed south has no water.');
  await state(session, uri('switch', 'pump'), ({ on }) => !on);
  assert.equal(await call(client, 'blink', { times: 3, fast: true }), 'Blinked 3 times, fast.');
  assert.deepEqual(await session.readJson(uri('switch', 'pump')), { on: true });
  assert.match(await call(client, 'stop'), /Done/);
  assert.deepEqual(await session.readJson(uri('switch', 'pump')), { on: false });
  const { rows } = await all(client, 'tools');
  const { inputSchema, description } = rows.find(({ name }) => name === 'water');
  assert.match(description, /^Waters a bed/);
  assert.deepEqual(inputSchema.required, ['seconds', 'bed']);
  assert.deepEqual(inputSchema.properties.bed.enum, ['north', 'south']);
  assert.equal(inputSchema.properties.seconds.maximum, 60);
});

test('internal, read-only and hidden entities cannot be controlled', { timeout: limitMs }, async (t) => {
  const { session, client } = await open(t);
  const { rows: tools } = await all(client, 'tools');
  const { rows: resources } = await all(client, 'resources');
  const names = [...tools, ...resources].map(({ name }) => name);
  for (const id of ['raw', 'hidden_switch', 'unexposed']) {
    assert.ok(!names.some((name) => name === id || name.endsWith(`_${id}`)), `${id} is listed`);
    await rejected(client.readResource({ uri: uri(id === 'raw' ? 'sensor' : 'switch', id) }));
  }
  for (const name of ['set_hidden_switch', 'set_unexposed', 'set_fixed', 'set_air', 'set_bell', 'press_pump']) {
    assert.ok(!tools.some((tool) => tool.name === name), `${name} is listed`);
    await rejected(client.callTool({ name, arguments: { on: true } }));
  }
  assert.deepEqual(await session.readJson(uri('switch', 'fixed')), { on: false });
  assert.match(tools.find(({ name }) => name === 'set_pump').description, /The pump of bed 1/);
});

test('the user decides about an entity with confirm', { timeout: limitMs }, async (t) => {
  for (const options of [{}, { sdk: 'v2' }, { sdk: 'v2', mode: 'auto' }]) {
    const asked = [];
    let answer;
    const elicit = ({ message, requestedSchema }) => {
      asked.push(message);
      const [key] = Object.keys(requestedSchema.properties);
      return answer === undefined ? { action: 'decline' } : { action: 'accept', content: { [key]: answer } };
    };
    const { session, client } = await open(t, { ...options, elicit });
    const heater = () => session.readJson(uri('switch', 'heater'));
    await failure(client, 'set_heater', { on: true });
    answer = false;
    await failure(client, 'set_heater', { on: true });
    assert.deepEqual(await heater(), { on: false });
    answer = true;
    assert.deepEqual(await call(client, 'set_heater', { on: true }), { on: true });
    assert.deepEqual(await heater(), { on: true });
    assert.equal(asked.length, 3);
    for (const message of asked) assert.match(message, /Heater/);
  }
  // Without a user to ask, it stays as it is.
  const { session, client } = await open(t);
  await client.callTool({ name: 'set_heater', arguments: { on: true } }).catch(() => {});
  assert.deepEqual(await session.readJson(uri('switch', 'heater')), { on: false });
});

test('a token with the scope read reads, and controls nothing', { timeout: limitMs }, async (t) => {
  const { node, session, client } = await open(t);
  const guest = await connect(t, node, { token: reader });
  await call(client, 'set_pump', { on: true });
  assert.deepEqual(await guest.readJson(uri('switch', 'pump')), { on: true });
  assert.match(await call(guest.client, 'read_states', { of: 'pump' }), /pump.*: on/);
  for (const [name, args] of [['set_pump', { on: false }], ['set_heater', { on: true }], ['stop', {}],
    ['blink', { times: 1, fast: true }], ['press_water_now', {}]]) {
    await rejected(guest.client.callTool({ name, arguments: args }));
  }
  assert.deepEqual(await session.readJson(uri('switch', 'pump')), { on: true });
  const { rows } = await all(guest.client, 'tools');
  assert.deepEqual(rows.map(({ name }) => name), ['read_states']);
  // The name that a client sends goes to the log, but begins no line there.
  await rejected(guest.client.callTool({ name: 'pump\n[00:00:00][I] forged', arguments: {} }));
  await node.said(/tools\/call pump\?\[00:00:00\]\[I\] forged of caller/);
});

test('both SDKs, with a session and without one, see the same tools', { timeout: limitMs }, async (t) => {
  const node = await startNode(t);
  const lists = [];
  for (const options of [{}, { sdk: 'v2' }, { sdk: 'v2', mode: 'auto' }]) {
    const { client } = await connect(t, node, { token, ...options });
    const { rows } = await all(client, 'tools');
    lists.push(rows.map(({ name }) => name).sort());
    assert.deepEqual(await call(client, 'set_pump', { on: true }), { on: true });
    assert.match(await failure(client, 'set_target', { value: 99 }), /from 5 to 35/);
  }
  for (const list of lists) assert.deepEqual(list, lists[0]);
});

test('read_states gives a model all states that the resources have', { timeout: limitMs }, async (t) => {
  const { client } = await open(t);
  const { rows: resources } = await all(client, 'resources');
  let first = 0;
  let text = '';
  for (;;) {
    const piece = await call(client, 'read_states', { first });
    const [, next] = /There are more: call again with first=(\d+)/.exec(piece) ?? [];
    text += `${piece}\n`;
    if (next === undefined) break;
    assert.ok(Number(next) > first, piece);
    first = Number(next);
  }
  for (const { name } of resources) {
    const lines = text.split('\n').filter((line) => line.startsWith(`${name} (`));
    assert.equal(lines.length, 1, `${name} has ${lines.length} lines: ${text}`);
  }
  assert.match(text, /^lamp \(Grow Light\): off/m);
  assert.match(await call(client, 'read_states', { of: 'climate' }), /^thermo /);
  assert.match(await call(client, 'read_states', { of: 'no such entity' }), /No entity/);
  assert.match(await failure(client, 'read_states', { first: -1 }), /first/);
});
