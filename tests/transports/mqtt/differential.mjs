// SPDX-License-Identifier: Apache-2.0
// Compares the MQTT reader and writer with mqtt-packet. Generated and changed streams of a server: the reader must accept
// exactly the packets that mqtt-packet reads and that break no rule of `sections`, and must find the same values in them.
// Generated packets of a client: mqtt-packet must read what the writer was told to write.
//
// usage: node differential.mjs PROGRAM [--seed N] [--count N] [--today]
//   PROGRAM    read_packets
//   --seed N   the seed (1)
//   --count N  streams for a seed (4000)
//   --today    as many again, from a seed that is made of the date
// Exits with 77 (skipped) when mqtt-packet is missing.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseArgs } from 'node:util';
import { nodeFolder } from '../../../examples/client/session.mjs';
import { Random } from '../../schema/generator.mjs';

const { values: options, positionals: [program] } = parseArgs({ allowPositionals: true, options: {
  seed: { type: 'string', default: '1' }, count: { type: 'string', default: '4000' }, today: { type: 'boolean', default: false },
} });
if (!existsSync(join(nodeFolder, 'node_modules/mqtt-packet/package.json'))) {
  console.log(`skipped: mqtt-packet is not installed in ${nodeFolder} (tests/run installs it)`);
  process.exit(77);
}
const require = createRequire(join(nodeFolder, 'package.json'));
const mqtt = require('mqtt-packet');
const constants = require('mqtt-packet/constants');

/** The responses of the program to these commands. */
function play(commands) {
  const { status, signal, stdout, stderr, error } = spawnSync(program, {
    input: `${commands.join('\n')}\n`, encoding: 'utf8', maxBuffer: 2 ** 30, timeout: 240_000,
  });
  if (error || status !== 0) throw new Error(`the program ended with ${status ?? signal}: ${stderr || error}`);
  return stdout;
}

// ---- The rules that mqtt-packet does not check ----------------------------------------------------------------------

const userNames = ['', 'a', 'b', 'MCP-COMPONENT-TYPE'];

// The properties that a server may send, and those that it may send only after a request that our client never makes.
const everywhere = ['userProperties'];
const allowed = {
  connack: [...everywhere, 'sessionExpiryInterval', 'receiveMaximum', 'maximumQoS', 'retainAvailable', 'maximumPacketSize',
    'assignedClientIdentifier', 'topicAliasMaximum', 'reasonString', 'wildcardSubscriptionAvailable',
    'subscriptionIdentifiersAvailable', 'sharedSubscriptionAvailable', 'serverKeepAlive', 'serverReference'],
  publish: [...everywhere, 'payloadFormatIndicator', 'messageExpiryInterval', 'responseTopic', 'correlationData',
    'subscriptionIdentifier', 'contentType'],
  disconnect: [...everywhere, 'reasonString', 'serverReference'],
};
for (const name of ['puback', 'pubrec', 'pubrel', 'pubcomp', 'suback', 'unsuback']) allowed[name] = [...everywhere, 'reasonString'];
const unrequested = {
  connack: { responseInformation: '3.1.2.11.6', authenticationMethod: '4.12', authenticationData: '4.12' },
  publish: { topicAlias: '3.3.2.3.4' },
  disconnect: { sessionExpiryInterval: '3.14.2.2.2' },
};
const flags = ['payloadFormatIndicator', 'maximumQoS', 'retainAvailable', 'wildcardSubscriptionAvailable',
  'subscriptionIdentifiersAvailable', 'sharedSubscriptionAvailable'];
const notZero = ['receiveMaximum', 'maximumPacketSize', 'subscriptionIdentifier'];
const connackCodes = [0, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x8C, 0x90, 0x95, 0x97, 0x99, 0x9A,
  0x9B, 0x9C, 0x9D, 0x9F];
const fromServers = Object.keys(allowed).concat('pingresp');

// The sections of OASIS MQTT 5.0 whose rules Theirs checks, because mqtt-packet does not.
const sections = {
  '1.5.4': 'a string is UTF-8 without U+0000',
  '1.5.5': 'a variable byte integer has no more bytes than it needs',
  '2.1.2': 'the packets that only a client sends, and AUTH without an authentication method',
  '2.1.4': 'the parts of a packet have its remaining length',
  '2.2.1': 'a packet identifier is not 0',
  '2.2.2.1': 'the properties have their length',
  '2.2.2.2': 'a property that does not belong to the packet',
  '2.2.2.2 twice': 'a property that occurs once',
  '3.1.2.11.6': 'response information without a request',
  '3.2': 'CONNACK is the first packet, and comes once',
  '3.2.2': 'CONNACK has a reason code and properties',
  '3.2.2.1.1': 'no session is present after a clean start',
  '3.2.2.2': 'the reason codes of CONNACK',
  '3.2.2.3 and 3.3.2.3 flags': 'a flag is 0 or 1',
  '3.2.2.3 and 3.3.2.3.8 zero': 'a number that is not 0',
  '3.3.1.1': 'DUP with QoS 0',
  '3.3.2.1': 'a topic is not empty and has no wildcards',
  '3.3.2.3.4': 'a topic alias above the maximum of the client',
  '3.3.2.3.5': 'a response topic is a topic',
  '3.9.3 and 3.11.3': 'SUBACK and UNSUBACK have a reason code',
  '3.14.2.1': 'DISCONNECT with the will comes from clients',
  '3.14.2.2.2': 'a session expiry interval in the DISCONNECT of a server',
  '3.14.4': 'nothing follows DISCONNECT, or a CONNACK with an error',
  '4.12': 'authentication without a request',
};

/** Whether bytes are a string of MQTT (1.5.4). */
function isString(bytes) {
  try {
    return !new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).includes('\0');
  } catch {
    return false;
  }
}

const isTopic = (topic) => topic !== '' && !/[+#]/.test(topic);

/** mqtt-packet as the reader of one connection, with the sections of the rules that a packet breaks nevertheless. */
class Theirs {
  packets = [];
  broken = new Set();  // of the packet that is being read
  failed = false;
  #parser = mqtt.parser({ protocolVersion: 5 });
  #pairs = [];
  #properties = [];
  #header = 0;
  #ended = false;

  constructor() {
    this.#parser.on('error', () => { this.failed = true; });
    this.#parser.on('packet', (packet) => this.#take(packet));
    this.#watch();
  }

  /** Reads a byte. mqtt-packet would read beyond the end of a packet if there were more. */
  read(byte) {
    try {
      if (this.#parser._stateCounter === 0) this.#header = byte;
      this.#parser.parse(Buffer.of(byte));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.failed = true;  // it reads a number beyond the end
    }
    if (this.failed || this.#parser._stateCounter === 0) return;
    // The first byte is read. These rules need no more.
    const name = constants.types[this.#header >> 4];
    if (!fromServers.includes(name)) this.broken.add('2.1.2');
    if (name === 'publish' && (this.#header & 0x0E) === 8) this.broken.add('3.3.1.1');
    if (this.#ended) this.broken.add('3.14.4');
    if ((name === 'connack') !== (this.packets.length === 0)) this.broken.add('3.2');
  }

  /** The bytes that the packet still needs; undefined before its length is known. */
  get missing() {
    return this.#parser.packet.length < 0 ? undefined : this.#parser.packet.length - this.#parser._list.length;
  }

  /** Whether no packet has begun. */
  get idle() {
    return this.#parser._stateCounter === 0;
  }

  /** Watches the functions that read a part of a packet. They find what they find, and the rules are noted. */
  #watch() {
    const parser = this.#parser;
    const watched = (name, check) => {
      const original = parser[name];
      parser[name] = function (...inputs) {
        const start = parser._pos;
        const value = original.apply(parser, inputs);
        check(value, start, ...inputs);
        return value;
      };
    };
    const note = (section) => this.broken.add(section);
    const cut = (value) => { if (value === -1 || value === null || value === undefined) note('2.1.4'); };
    watched('_parseNum', cut);
    watched('_parse4ByteNum', cut);
    watched('_parseByte', cut);
    watched('_parseBuffer', cut);
    watched('_parseString', (value, start) => {
      cut(value);
      if (value !== null && !isString(parser._list.slice(start + 2, parser._pos))) note('1.5.4');
    });
    watched('_parseVarByteNum', (value, start, full) => {
      const { cmd, length } = parser.packet;
      if (full && value === false) return;  // the remaining length needs more bytes
      if (value === false && (cmd !== 'disconnect' || length > 1)) note('1.5.5');
      const bytes = full ? value.bytes : parser._pos - start;
      if (bytes > 1 && (full ? value.value : value) < 128 ** (bytes - 1)) note('1.5.5');
    });
    // Its result has one member for each name. So the properties are read again, one by one.
    let again = false;
    watched('_parseStringPair', (value) => { if (again) this.#pairs.push(value); });
    watched('_parseProperties', (value, start) => {
      const end = parser._pos;
      if (this.failed) return;
      parser._pos = start;
      again = true;
      const limit = parser._parseVarByteNum() + parser._pos;
      while (parser._pos < limit) {
        const name = constants.propertiesCodes[parser._parseByte()];
        const type = constants.propertiesTypes[name];
        // A flag is a boolean in its result.
        this.#properties.push({ name, value: parser._parseByType(type === 'byte' ? 'int8' : type) });
      }
      again = false;
      assert.equal(parser._pos, end);
      if (parser._pos > limit) note('2.2.2.1');
    });
    watched('_newPacket', () => {});
    const newPacket = parser._newPacket;
    parser._newPacket = () => {
      const { cmd, length } = parser.packet;
      if (cmd === 'publish' ? parser._pos > length : parser._pos !== length) note('2.1.4');
      return newPacket();
    };
  }

  #take(packet) {
    if (this.failed) return;
    this.#check(packet);
    this.packets.push({ packet, pairs: this.#pairs, broken: this.broken });
    this.broken = new Set();
    this.#pairs = [];
    this.#properties = [];
    if (packet.cmd === 'disconnect' || (packet.cmd === 'connack' && packet.reasonCode >= 0x80)) this.#ended = true;
  }

  #check(packet) {
    const note = (section) => this.broken.add(section);
    const { cmd } = packet;
    const seen = new Set();
    for (const { name, value } of this.#properties) {
      if (!allowed[cmd]?.includes(name)) note(unrequested[cmd]?.[name] ?? '2.2.2.2');
      if (seen.has(name) && name !== 'userProperties' && name !== 'subscriptionIdentifier') note('2.2.2.2 twice');
      seen.add(name);
      if (flags.includes(name) && value > 1) note('3.2.2.3 and 3.3.2.3 flags');
      if (notZero.includes(name) && value === 0) note('3.2.2.3 and 3.3.2.3.8 zero');
      if (name === 'responseTopic' && !isTopic(value ?? '')) note('3.3.2.3.5');
    }
    if (packet.messageId === 0 && (cmd !== 'publish' || packet.qos !== 0)) note('2.2.1');
    if (cmd === 'publish' && !isTopic(packet.topic)) note('3.3.2.1');
    if (cmd === 'connack') {
      if (packet.sessionPresent) note('3.2.2.1.1');
      if (!connackCodes.includes(packet.reasonCode)) note('3.2.2.2');
      if (packet.length < 3) note('3.2.2');
    }
    if (cmd === 'disconnect' && packet.reasonCode === 4) note('3.14.2.1');
    if (packet.granted?.length === 0) note('3.9.3 and 3.11.3');
  }
}

// ---- The text of a packet, as tests/transports/mqtt/describe_packets.cpp writes it ----------------------------------

function quoted(value) {
  let text = '';
  for (const byte of Buffer.from(value)) {
    const plain = byte >= 0x20 && byte <= 0x7E && byte !== 0x22 && byte !== 0x5C;
    text += plain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `"${text}"`;
}

function describe({ packet, pairs }) {
  const { cmd, properties = {} } = packet;
  const hex = (code) => code.toString(16).padStart(2, '0');
  const text = (name, value) => (value ? ` ${name} ${quoted(value)}` : '');
  const number = (name, value, omitted) => (value === undefined || Number(value) === omitted ? '' : ` ${name} ${Number(value)}`);
  const users = userNames.map((name) => pairs.find((pair) => pair.name === name)).filter(Boolean)
    .map(({ name, value }) => ` ${quoted(name)}=${quoted(value)}`).join('');
  const reason = text('reason', properties.reasonString);
  switch (cmd) {
    case 'connack':
      return [`connack ${hex(packet.reasonCode)}`, number('receive', properties.receiveMaximum, 0xFFFF),
        number('qos', properties.maximumQoS, 2), number('retain', properties.retainAvailable, 1),
        number('size', properties.maximumPacketSize, 2 ** 32 - 1), number('keep', properties.serverKeepAlive),
        text('client', properties.assignedClientIdentifier), reason, text('server', properties.serverReference),
        number('wildcard', properties.wildcardSubscriptionAvailable, 1),
        number('shared', properties.sharedSubscriptionAvailable, 1), users].join('');
    case 'publish': {
      const { payload } = packet;
      const correlation = properties.correlationData;
      const line = [`publish ${quoted(packet.topic)} qos ${packet.qos}`, packet.qos ? ` id ${packet.messageId}` : '',
        packet.retain ? ' retain' : '', packet.dup ? ' dup' : '', number('size', payload.length, 0),
        text('response', properties.responseTopic), correlation === undefined ? '' : ` correlation ${quoted(correlation)}`,
        text('type', properties.contentType), number('expiry', properties.messageExpiryInterval),
        properties.payloadFormatIndicator ? ' utf8' : '', users].join('');
      return payload.length === 0 ? line : `${line}\npayload ${quoted(payload)}`;
    }
    case 'pingresp': return cmd;
    case 'disconnect': return `disconnect ${hex(packet.reasonCode)}${reason}${text('server', properties.serverReference)}${users}`;
    default: {
      const codes = (packet.granted ?? [packet.reasonCode]).map(hex).join(' ');
      return `${cmd} id ${packet.messageId} ${codes}${reason}${users}`;
    }
  }
}

// ---- Streams --------------------------------------------------------------------------------------------------------

const strings = ['', 'a', 'a/b', 'b', '$mcp-rpc/1/2/x', 'é/日本', '😀', '\uFEFF', 'a'.repeat(130), '"\\', 'x\ty'];
const badStrings = ['+', '#', 'a/#', 'a\0b', '\uD800'];

class Packets {
  constructor(seed) {
    this.random = new Random(seed);
  }

  /** A rare case: an error, or a bound. */
  get rare() {
    return this.random.chance(0.06);
  }

  text() {
    return this.random.pick(this.rare ? badStrings : strings);
  }

  topic() {
    return this.random.pick(this.rare ? [...badStrings, ''] : strings.filter((text) => text !== ''));
  }

  two() {
    return this.rare ? 0 : 1 + this.random.below(0xFFFF);
  }

  property(name) {
    const { random } = this;
    switch (constants.propertiesTypes[name]) {
      case 'byte': return random.chance(0.5);
      case 'int8': return this.rare ? 2 : random.below(2);
      case 'int16': return this.two();
      case 'int32': return this.rare ? 0 : random.bits();
      case 'var': return this.rare ? 0 : random.pick([1, 127, 128, 16384, 268435455]);
      case 'binary': return Buffer.from(this.text());
      case 'pair': {
        const pairs = {};
        for (let i = random.below(4); i >= 0; --i) {
          const name = random.pick([...userNames, 'other']);
          pairs[name] = random.chance(0.2) ? [this.text(), this.text()] : this.text();
        }
        return pairs;
      }
      default: return name === 'responseTopic' ? this.topic() : this.text();
    }
  }

  properties(cmd) {
    const properties = {};
    for (let i = this.random.below(5); i > 0; --i) {
      const unasked = Object.keys(unrequested[cmd] ?? {});
      const others = unasked.length > 0 && this.random.chance(0.5) ? unasked : Object.keys(constants.properties);
      const name = this.random.pick(this.rare ? others : allowed[cmd]);
      properties[name] = this.property(name);
      if (this.rare && name !== 'userProperties') properties[name] = [properties[name], properties[name]];
    }
    return properties;
  }

  code(codes, other = 1) {
    const known = Object.keys(codes).map(Number);
    return this.rare ? this.random.below(256) : this.random.chance(0.5) ? known[0] : known[this.random.below(known.length)] ?? other;
  }

  packet(cmd) {
    const { random } = this;
    const properties = allowed[cmd] && random.chance(0.5) ? this.properties(cmd) : undefined;
    const messageId = this.two();
    switch (cmd) {
      case 'connack':
        return { cmd, sessionPresent: this.rare, reasonCode: random.chance(0.9) ? 0 : random.pick(connackCodes), properties };
      case 'publish': {
        const qos = random.below(3);
        return { cmd, topic: this.topic(), payload: Buffer.from(random.chance(0.1) ? 'p'.repeat(random.below(300)) : this.text()), qos,
          retain: random.chance(0.3), dup: qos !== 0 && random.chance(0.3), messageId, properties };
      }
      case 'puback':
      case 'pubrec': return { cmd, messageId, reasonCode: this.code(constants.MQTT5_PUBACK_PUBREC_CODES), properties };
      case 'pubrel':
      case 'pubcomp': return { cmd, messageId, reasonCode: this.code(constants.MQTT5_PUBREL_PUBCOMP_CODES), properties };
      case 'suback':
      case 'unsuback': {
        const codes = cmd === 'suback' ? constants.MQTT5_SUBACK_CODES : constants.MQTT5_UNSUBACK_CODES;
        return { cmd, messageId, granted: Array.from({ length: 1 + random.below(3) }, () => this.code(codes)), properties };
      }
      case 'disconnect': return { cmd, reasonCode: this.code(constants.MQTT5_DISCONNECT_CODES), properties };
      default: return { cmd };
    }
  }

  bytes(cmd) {
    const bytes = mqtt.generate(this.packet(cmd), { protocolVersion: 5 });
    return this.random.chance(0.25) ? this.changed(bytes) : bytes;
  }

  /** The packet with other bytes. In half of the cases its length is correct. */
  changed(bytes) {
    const { random } = this;
    if (random.chance(0.2)) return this.#changedBytes(bytes);
    if (random.chance(0.1)) return Buffer.from([bytes[0] ^ (1 << random.below(4)), ...bytes.subarray(1)]);
    let at = 1;
    while (bytes[at++] >= 0x80);
    const body = this.#changedBytes(bytes.subarray(at));
    const length = [];
    let left = body.length;
    do {
      length.push((left % 128) | (left > 127 ? 128 : 0));
      left = Math.floor(left / 128);
    } while (left > 0);
    if (random.chance(0.05)) length.push(length.pop() | 0x80, 0);
    return Buffer.from([bytes[0], ...length, ...body]);
  }

  #changedBytes(bytes) {
    const { random } = this;
    const changed = [...bytes];
    for (let i = random.below(2); i >= 0; --i) {
      const at = random.below(changed.length + 1);
      const byte = random.chance(0.5) ? random.below(256) : random.pick([0, 1, 2, 0x26, 0x1F, 0x7F, 0x80, 0xFF]);
      switch (random.below(5)) {
        case 0: changed.splice(at, 0, byte); break;
        case 1: changed.splice(at, 1); break;
        case 2: changed.splice(at, 1, byte); break;
        case 3: if (at < changed.length) changed[at] ^= 1 << random.below(8); break;
        default: changed.splice(at, 0, ...changed.slice(random.below(changed.length + 1), at)); break;
      }
    }
    return Buffer.from(changed);
  }

  stream() {
    const { random } = this;
    const parts = this.rare ? [] : [random.chance(0.7) ? Buffer.of(0x20, 3, 0, 0, 0) : this.bytes('connack')];
    for (let i = random.below(4); i >= 0; --i) {
      if (random.chance(0.01)) parts.push(Buffer.of(random.below(256), 0));
      parts.push(this.bytes(random.pick(random.chance(0.5) ? ['publish'] : fromServers)));
    }
    return Buffer.concat(parts);
  }

  cuts(size) {
    const cuts = [];
    if (this.random.chance(0.1)) return Array(size).fill(1);
    for (let i = this.random.below(4); i > 0; --i) cuts.push(this.random.below(1 + size / 2));
    return cuts;
  }
}

/** Why the readers disagree about a stream; undefined if they agree. Counts what was compared. */
function compare(stream, text, counts) {
  const lines = text.trimEnd() === '' ? [] : text.trimEnd().split('\n');
  const rejected = lines.at(-1)?.startsWith('failed ') ? lines.pop() : undefined;
  const theirs = new Theirs();
  for (const byte of stream) {
    if (theirs.failed) break;
    theirs.read(byte);
  }
  // Our reader needs no payload to reject its packet, and mqtt-packet checks complete packets.
  for (let i = theirs.missing ?? 0; rejected && !theirs.failed && !theirs.idle && i > 0 && i < 100_000; --i) theirs.read(0);

  const good = [];
  let broken;
  for (const entry of theirs.packets) {
    if (entry.broken.size !== 0) {
      broken = [...entry.broken];
      break;
    }
    good.push(describe(entry));
  }
  if (!broken && theirs.broken.size !== 0) broken = [...theirs.broken];
  const wanted = good.length === 0 ? [] : good.join('\n').split('\n');
  counts.packets += good.length;
  if (broken || theirs.failed) {
    if (broken) for (const section of broken) counts.rules.set(section, (counts.rules.get(section) ?? 0) + 1);
    if (!broken) ++counts.rejected;
    if (!rejected) return `accepted; mqtt-packet: ${broken ? `breaks ${broken}` : 'an error'}`;
  } else if (rejected && (theirs.missing ?? 0) < 100_000) {
    return `${rejected}; mqtt-packet accepts it, and it breaks no rule`;
  } else {
    // The beginning of a PUBLISH whose payload is not complete.
    const open = lines.slice(wanted.length);
    if (!theirs.idle && open.length <= 2 && (open[0] ?? 'publish ').startsWith('publish ')) lines.length = wanted.length;
  }
  return lines.join('\n') === wanted.join('\n') ? undefined : `found\n${lines.join('\n')}\nmqtt-packet found\n${wanted.join('\n')}`;
}

function runReader(seed, count) {
  const packets = new Packets(seed);
  const streams = Array.from({ length: count }, () => packets.stream());
  const texts = play(streams.map((stream) => `read ${stream.toString('hex') || '-'} ${packets.cuts(stream.length).join(' ')}`))
    .split(/^\.\n/m);
  const counts = { packets: 0, rejected: 0, rules: new Map() };
  const failures = [];
  streams.forEach((stream, i) => {
    const difference = compare(stream, texts[i], counts);
    if (difference) failures.push(`seed ${seed}, ${stream.toString('hex')}\n${difference}`);
  });
  const rules = [...counts.rules].sort().map(([section, n]) => `${section}: ${n}`).join(', ');
  console.log(`seed ${seed}: ${counts.packets} packets accepted, ${counts.rejected} streams rejected by both; by ours alone for ${rules}`);
  for (const section of counts.rules.keys()) assert.ok(section in sections, section);
  return { failures, missed: Object.keys(sections).filter((section) => !counts.rules.has(section)), counts };
}

// ---- The writer -----------------------------------------------------------------------------------------------------

const hexOf = (value) => Buffer.from(value).toString('hex');

/** A command for the program, and the packet that mqtt-packet must read then. */
function writerCase(packets) {
  const { random } = packets;
  const words = [];
  const text = () => random.pick(strings);
  const topic = () => random.pick(strings.filter((one) => one !== ''));
  const maybe = (properties, key, name, value, show = String) => {
    if (random.chance(0.5)) return;
    words.push(`${key}=${show(value)}`);
    properties[name] = value;
  };
  const users = (properties, key) => {
    const pairs = Object.create(null);
    for (const name of userNames) {
      if (random.chance(0.6)) continue;
      pairs[name] = random.pick(strings);
      words.push(`${key}=${hexOf(name)}:${hexOf(pairs[name])}`);
    }
    if (Object.keys(pairs).length > 0) properties.userProperties = pairs;
  };
  const withProperties = (packet, properties) => (Object.keys(properties).length > 0 ? { ...packet, properties } : packet);
  const cmd = random.pick(['connect', 'connect', 'publish', 'publish', 'puback', 'subscribe', 'unsubscribe', 'pingreq', 'disconnect']);
  const messageId = 1 + random.below(0xFFFF);
  const properties = {};
  let packet = { cmd };
  switch (cmd) {
    case 'connect': {
      packet = { cmd, protocolId: 'MQTT', protocolVersion: 5, clean: true, clientId: text(), keepalive: random.below(0x10000) };
      words.push(`client=${hexOf(packet.clientId)}`, `keep=${packet.keepalive}`);
      properties.receiveMaximum = 1 + random.below(0xFFFF);
      words.push(`receive=${properties.receiveMaximum}`);
      maybe(properties, 'size', 'maximumPacketSize', 1 + random.below(2 ** 32 - 1));
      users(properties, 'user');
      packet = withProperties(packet, properties);
      if (random.chance(0.5)) {
        const will = { topic: topic(), payload: Buffer.from(text()), qos: random.below(3), retain: random.chance(0.5) };
        words.push(`will_topic=${hexOf(will.topic)}`, `will_payload=${hexOf(will.payload)}`, `will_qos=${will.qos}`,
          `will_retain=${Number(will.retain)}`);
        packet.will = will;
      }
      maybe(packet, 'name', 'username', text(), hexOf);
      maybe(packet, 'password', 'password', Buffer.from(text()), hexOf);
      break;
    }
    case 'publish': {
      packet = { cmd, topic: topic(), payload: Buffer.from('p'.repeat(random.pick([0, 1, 100, 130]))), qos: random.below(3),
        retain: random.chance(0.5) };
      if (packet.qos !== 0) packet.messageId = messageId;
      words.push(`topic=${hexOf(packet.topic)}`, `payload=${hexOf(packet.payload)}`, `qos=${packet.qos}`,
        `retain=${Number(packet.retain)}`, `id=${messageId}`);
      users(properties, 'user');
      packet = withProperties(packet, properties);
      break;
    }
    case 'puback':
      packet = { cmd, messageId, reasonCode: Number(random.pick(Object.keys(constants.MQTT5_PUBACK_PUBREC_CODES))) };
      words.push(`id=${messageId}`, `reason=${packet.reasonCode}`);
      break;
    case 'subscribe':
    case 'unsubscribe': {
      words.push(`id=${messageId}`);
      const list = Array.from({ length: 1 + random.below(3) }, () => (
        { topic: topic(), qos: random.below(3), nl: random.chance(0.5), rap: random.chance(0.5), rh: random.below(3) }));
      for (const { topic: filter, qos, nl, rap, rh } of list)
        words.push(`filter=${hexOf(filter)}:${qos | (nl ? 4 : 0) | (rap ? 8 : 0) | (rh << 4)}`);
      packet = cmd === 'subscribe' ? { cmd, messageId, qos: 1, subscriptions: list }
        : { cmd, messageId, qos: 1, unsubscriptions: list.map((one) => one.topic) };
      break;
    }
    case 'disconnect':
      packet.reasonCode = Number(random.pick(Object.keys(constants.MQTT5_DISCONNECT_CODES)));
      words.push(`reason=${packet.reasonCode}`);
      break;
    default: break;
  }
  return { command: `write ${cmd} ${words.join(' ')}`, packet };
}

/** The members of a packet as plain values, with the defaults that mqtt-packet sets. */
function plain(value) {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Uint8Array || typeof value.slice === 'function' && !Array.isArray(value)) return hexOf(value.slice());
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== undefined)
    .map(([key, member]) => [key, plain(member)]));
}

function runWriter(seed, count) {
  const packets = new Packets(seed + 1);
  const cases = Array.from({ length: count }, () => writerCase(packets));
  const lines = play(cases.map(({ command }) => command)).split('\n');
  cases.forEach(({ command, packet }, i) => {
    const bytes = Buffer.from(lines[i], 'hex');
    const found = [];
    const parser = mqtt.parser({ protocolVersion: 5 });
    parser.on('error', (error) => { throw new Error(`seed ${seed}: ${command}\n${lines[i]}\n${error.message}`); });
    parser.on('packet', (one) => found.push(one));
    assert.equal(parser.parse(bytes), 0, command);
    assert.equal(found.length, 1, command);
    const defaults = { retain: false, qos: 0, dup: false };
    const { length, topic, payload, ...rest } = found[0];
    const theirs = plain(packet.cmd === 'publish' ? { ...rest, topic, payload } : rest);
    assert.deepEqual(theirs, plain({ ...defaults, ...packet }), `seed ${seed}: ${command}\n${lines[i]}`);
    assert.equal(length, bytes.length - 1 - (bytes.length - 2 < 128 ? 1 : 2), command);
  });
  console.log(`seed ${seed}: mqtt-packet reads ${cases.length} written packets`);
}

const count = Number(options.count);
const today = Math.floor(Date.now() / 86_400_000);
for (const seed of options.today ? [Number(options.seed), today] : [Number(options.seed)]) {
  test(`reader, seed ${seed}`, () => {
    const { failures, missed, counts } = runReader(seed, count);
    assert.equal(failures.length, 0, `${failures.length} differences:\n${failures.slice(0, 5).join('\n\n')}`);
    assert.ok(counts.packets > count && counts.rejected > count / 100, 'too few packets are compared');
    if (seed === 1 && count >= 4000) assert.deepEqual(missed, [], 'rules that no stream breaks');
  });
  test(`writer, seed ${seed}`, () => runWriter(seed, count));
}
