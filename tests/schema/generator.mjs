// SPDX-License-Identifier: Apache-2.0
// Arguments for a schema, from a seed: valid ones, ones at the bounds, and ones that are wrong in every way that the
// schema can tell. Knows no device.
//
// An argument is { text, judged }: the JSON text for the device, and the JSON text for a validator in JavaScript. They
// differ only where JSON.parse() loses what the device is to reject: a key that occurs twice, and digits of an integer.

/** Random numbers that depend on the seed alone. */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** 32 random bits (mulberry32). */
  bits() {
    this.#state = (this.#state + 0x6D2B79F5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  below(count) {
    return this.bits() % count;
  }

  chance(probability) {
    return this.bits() < probability * 2 ** 32;
  }

  pick(items) {
    return items[this.below(items.length)];
  }

  /** A whole number from `low` to `high`, both BigInt. */
  bigint(low, high) {
    let bits = 0n;
    for (let i = 0; i < 4; ++i) bits = (bits << 32n) | BigInt(this.bits());
    return low + bits % (high - low + 1n);
  }

  shuffle(items) {
    for (let i = items.length - 1; i > 0; --i) {
      const j = this.below(i + 1);
      [items[i], items[j]] = [items[j], items[i]];
    }
  }
}

/** The integer that a JSON number is, as a BigInt without rounding; undefined for a fraction. */
function exactInteger(literal) {
  const [, sign, whole, fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal);
  const digits = (whole + fraction).replace(/0+$/, '');
  if (/^0*$/.test(digits)) return 0n;
  const exponent = Number(power) + whole.length - digits.length;
  if (exponent < 0) return undefined;
  const magnitude = BigInt(digits) * 10n ** BigInt(Math.min(exponent, 500));
  return sign === '-' ? -magnitude : magnitude;
}

/** The bits of a double as significand and exponent: significand * 2^exponent. */
function takeApart(value) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  const bits = view.getBigUint64(0);
  const field = Number(bits >> 52n);
  const fraction = bits & (2n ** 52n - 1n);
  return field === 0 ? [fraction, -1074] : [fraction + 2n ** 52n, field - 1075];
}

function fromBits(bits) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt.asUintN(64, bits));
  return view.getFloat64(0);
}

/** The double that is `steps` further from zero, or nearer to it. */
function neighbour(value, steps) {
  if (value === 0) return steps * Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return fromBits(view.getBigUint64(0) + BigInt(steps));
}

/** All digits of the number in the middle between a double and the next one further from zero. */
function midpoint(value) {
  const [significand, exponent] = takeApart(value);
  const sign = value < 0 ? '-' : '';
  const odd = 2n * significand + 1n;
  if (exponent > 0) return `${sign}${odd * 2n ** BigInt(exponent - 1)}`;
  return `${sign}${odd * 5n ** BigInt(1 - exponent)}e${exponent - 1}`;
}

const widest = 10n ** 20n;
const characters = ['a', 'Z', '0', ' ', '"', '\\', '/', '\n', '\u0000', '\u007f', '\u0080', 'ä', '\u07ff', '\u0800', '€',
  '\uffff', '\u{10000}', '🌡', '\u{10ffff}'];
const shortEscapes = { '"': '\\"', '\\': '\\\\', '/': '\\/', '\n': '\\n' };
const atTheEdges = ['3.4028234663852886e38', '3.4028235677973366e38', '3.4028235e38', '3.5e38', '-3.4028236e38',
  '1.7976931348623158e308', '1.7976931348623159e308', '-1.8e308', '2.5e-324', '2.4e-324'];
const otherValues = ['null', 'null', 'null', 'true', 'false', '0', '1', '-1', '0.5', '""', '"1"', '"true"', '"null"',
  '[]', '[[]]', '[0]', '[null]', '{}', '{"a":1}', '[{}]'];
const otherKeys = ['', 'x', 'A', '__proto__', 'a.b', '\u0000', 'required\u0000', 'requiredx', '🌡'];
const keywords = new Set(['type', 'title', 'description', 'default', 'format', 'properties', 'required',
  'additionalProperties', 'minimum', 'maximum', 'exactMinimum', 'exactMaximum', 'minLength', 'maxLength', 'maxBytes',
  'enum', 'oneOf', 'anyOf', 'items', 'minItems', 'maxItems', 'multipleOf', 'pattern', 'uniqueItems', 'deprecated', '_meta',
  'propertyNames', 'minProperties', 'maxProperties']);

/** Texts that some pattern of the device accepts, and texts that are nearly right. */
const patternTexts = ['AB-1234', 'ab-1234', 'AB-12345', 'AB-123', 'xAB-1234', 'AB-1234\n', 'AB\u20111234', 'AB-\u0661234', 'a',
  'aa', 'aaa', 'aaaa', 'aaab', '', 'word', 'two words', 'nbsp\u00a0x', 'tab\t', '"', '\\', 'ä', 'ba', 'cba', '🌡a', '\na', 'on',
  'off', 'onoff', 'of', 'a0', 'Za00', 'Z', 'aZaZ000', '0', 'a\u20ac', 'xxa-\u20ac', 'a🌡', 'aä🌡', 'a\n🌡', 'a\u{1f322}',
  'a\u20ab', 'a--🌡', '!a', '..', 'x', ' a', '\u2028aaa', '_aaa', 'aéé', '23:59', '24:00', '00:00', '9:00', '09:60', '09:005'];
/** Texts with and without a format, of which ajv-formats and RFC 3339, 3986, 2673 and 4291 say the same. */
const formatTexts = {
  date: ['2026-11-25', '2024-02-29', '2000-02-29', '2023-02-29', '1900-02-29', '2026-13-01', '2026-00-10', '2026-04-31',
    '2026-12-31', '2026-1-01', '2026-11-25 ', ' 2026-11-25', '2026-11-25T', '20261125', '', '2026-11-00', '0000-01-01',
    '+026-01-01', '2026-01-32', '2026-06-30', '2026-07-31', '2026-08-31', '2026-09-31', '2026-11-31'],
  'date-time': ['2026-11-25T05:35:00Z', '2026-11-25t05:35:00z', '2026-11-25T05:35:00.123456789+02:00',
    '2026-11-25T05:35:00-23:59', '2026-11-25T23:59:60Z', '2026-11-25T22:59:60-01:00', '2026-11-26T00:59:60+01:00',
    '2026-11-25T12:59:60Z', '2026-11-25T05:60:00Z', '2026-11-25T24:00:00Z', '2026-11-25T05:35Z', '2026-11-25T05:35:00',
    '2026-11-25T05:35:00.Z', '2026-11-25T05:35:61Z', '2026-11-25T05:35:00+24:00', '2026-11-25T05:35:00+01:60',
    '2026-02-30T05:35:00Z', '2026-11-25', 'T05:35:00Z', '', '2026-11-25T05:35:00ZZ', '2026-11-25T5:35:00Z', '2026-11-25_05:35:00Z'],
  uri: ['https://example.com/a?b=c#d', 'x:y', 'urn:isbn:1', 'mailto:a@b.c', 'https://example.com/%41', 'https://example.com/%4',
    'https://example.com/ä', 'https://example.com/a b', 'example.com', '', '1x:y', 'https://example.com/<a>', 'i2c://0/76',
    'https://[::1]:8080/', 'https://example.com/\n'],
  ipv4: ['0.0.0.0', '192.168.1.10', '255.255.255.255', '256.0.0.1', '1.2.3', '1.2.3.4.5', '1.2.3.', '.1.2.3', '01.2.3.4',
    '1.2.3.04', '1.2.3.4 ', '', 'a.b.c.d', '1..2.3', '1.2.3.1000'],
  ipv6: ['::', '::1', '1::', 'fe80::1', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:1.2.3.4', '::1.2.3.4',
    '::1.2.3', '::256.1.1.1', '1:2:3:4:5:6:7::', '::2:3:4:5:6:7:8', '1::3::5', ':1', '1:', '12345::', 'g::', '', '1:::2', 'FE80::aBcD',
    '::ffff:0:255.255.255.255'],
};

const same = (text) => ({ text, judged: text });
const codePoints = (text) => [...text].length;

/** Arguments for schemas, as they come from schemaOf() in arguments.mjs. */
export class Generator {
  /** How often a difference that the documentation names was generated. */
  differences = { 'integer with more digits than a double': 0, 'number beyond a double': 0, 'key that occurs twice': 0 };
  /** Whether the schema's formats are checked. */
  checksFormats = false;
  #random;
  #wild = false;
  #long = false;

  constructor(seed) {
    this.#random = new Random(seed);
  }

  /** The `arguments` of one call. */
  next(schema) {
    this.#wild = this.#random.chance(0.6);
    this.#long = this.#random.chance(0.05);
    if (this.#random.chance(0.01)) return same(this.#random.pick(otherValues));
    return this.#object(schema);
  }

  /** Whether this value may be wrong. Most are not, so that a wrong one is reached. */
  #mayBeWrong() {
    return this.#wild && this.#random.chance(0.3);
  }

  #value(schema) {
    const unknown = Object.keys(schema).find((keyword) => !keywords.has(keyword));
    if (unknown !== undefined) throw new Error(`this test does not know the keyword ${unknown}`);
    if (this.#mayBeWrong() && this.#random.chance(0.5)) return same(this.#random.pick(otherValues));
    const [type, other] = [schema.type].flat();
    if (other === 'null' && this.#random.chance(0.25)) return same('null');
    // Titled items of a list have no type, as in TitledMultiSelectEnumSchema.
    switch (type ?? (schema.anyOf && 'string')) {
      case 'integer': return this.#retry(schema, type, () => this.#integer(schema));
      case 'number': return this.#retry(schema, type, () => this.#number(schema));
      case 'boolean': return same(this.#random.pick(['true', 'false']));
      case 'string': return this.#string(schema);
      case 'array': return this.#array(schema);
      case 'object': return schema.propertyNames ? this.#map(schema) : this.#object(schema);
      default: throw new Error(`this test does not know the type ${schema.type}`);
    }
  }

  // ---- Numbers

  #retry(schema, type, make) {
    const { multipleOf } = schema;
    const whole = (quotient) => quotient === parseInt(quotient);  // as ajv has it
    const anything = this.#mayBeWrong();
    for (let i = 0; i < 200; ++i) {
      const literal = make();
      const value = Number(literal);
      const seen = (type === 'number' || Number.isInteger(value)) && Number.isFinite(value) &&
        !(value < schema.minimum) && !(value > schema.maximum) && (multipleOf === undefined || whole(value / multipleOf));
      if (type === 'number') {
        if (!anything && !seen) continue;
        this.differences['number beyond a double'] += Number.isFinite(value) ? 0 : 1;
        return same(literal);
      }
      const exact = exactInteger(literal);
      const valid = exact !== undefined && !(exact < BigInt(schema.exactMinimum ?? exact)) &&
        !(exact > BigInt(schema.exactMaximum ?? exact)) && exact % BigInt(multipleOf ?? 1) === 0n;
      if (!anything && !valid) continue;
      if (seen === valid || !Number.isFinite(value)) return same(literal);
      // Rounding keeps the order, so only an invalid value can look valid.
      if (valid) throw new Error(`${literal} is valid, and is not as a double`);
      this.differences['integer with more digits than a double'] += 1;
      return { text: literal, judged: '0.5' };
    }
    return same(schema.exactMinimum ?? '0');
  }

  #integer(schema) {
    const random = this.#random;
    const [low, high] = [BigInt(schema.exactMinimum ?? -widest), BigInt(schema.exactMaximum ?? widest)];
    const power = 1n << BigInt(random.below(70));
    const values = [
      () => low, () => high, () => random.bigint(low, high), () => random.pick([power, -power]),
      () => random.pick([0n, 10n, 1000n, -100n]), () => 10n ** BigInt(random.below(40)), () => random.bigint(-300n, 300n),
    ];
    const multiple = BigInt(schema.multipleOf ?? 1);
    const value = random.pick(values)() / multiple * multiple + BigInt(random.pick([0, 0, 0, 1, -1, 2, -2]));
    return this.#spellInteger(value);
  }

  #spellInteger(value) {
    const random = this.#random;
    const digits = String(value);
    if (random.chance(0.6)) return digits;
    const zeros = '0'.repeat(random.below(30));
    const trailing = /0*$/.exec(digits)[0].length;
    const power = 1 + random.below(30);
    return random.pick([
      () => `${digits}.0${zeros}`, () => `${digits}e0`, () => `${digits}E+00`,
      () => `${digits}${value === 0n ? '' : '0'.repeat(power)}e-${power}`,
      () => `${digits.slice(0, digits.length - trailing) || '0'}e${value === 0n ? random.below(9) : trailing}`,
      () => `${digits}.${zeros}1`, () => `${digits}.5`, () => `${digits}e-${power}`, () => `${digits}e${power}`,
      () => random.pick(['-0', '-0.0', '0e-99999', '-0E+9', '1e-99999', '1e400', '-1e400', '1e999999999999',
        '1e-999999999999', '0e999999999999']),
    ])();
  }

  #number(schema) {
    const random = this.#random;
    const { minimum = -Number.MAX_VALUE, maximum = Number.MAX_VALUE } = schema;
    const bound = random.pick([minimum, maximum]);
    const bits = () => fromBits((BigInt(random.bits()) << 32n) | BigInt(random.bits()));
    const doubles = [() => bound, () => neighbour(bound, random.pick([-2, -1, 1, 2])), () => Math.fround(bound),
      () => minimum / 2 + maximum / 2, () => minimum + (maximum - minimum) * random.bits() / 2 ** 32, bits,
      () => Math.fround(bits())];
    const others = [() => midpoint(bound), () => midpoint(neighbour(bound, -1)),
      () => midpoint(bound).replace(/e|$/, '.0000000001$&'), () => this.#spellInteger(random.bigint(-300n, 300n)),
      () => random.pick(atTheEdges)];
    if (schema.multipleOf !== undefined && random.chance(0.7)) {
      return this.#spellNumber(schema.multipleOf * Number(random.bigint(-40n, 40n)) / random.pick([1, 1, 1, 2, 3]));
    }
    return random.chance(0.6) ? this.#spellNumber(random.pick(doubles)()) : random.pick(others)();
  }

  #spellNumber(value) {
    if (!Number.isFinite(value)) return this.#random.pick(['1e400', '-1e309']);
    const text = Object.is(value, -0) ? '-0' : String(value);
    if (this.#random.chance(0.6)) return text;
    const [, digits, power = ''] = /^([^e]*)(e.*)?$/.exec(text);
    const point = digits.includes('.') ? '' : '.';
    return `${digits}${point}${'0'.repeat(1 + this.#random.below(25))}${this.#random.pick(['', '1'])}${power}`;
  }

  // ---- Strings

  #string(schema) {
    const choices = schema.enum ?? schema.oneOf?.map((one) => one.const) ?? schema.anyOf?.map((one) => one.const);
    if (choices !== undefined) {
      return same(this.#spellString(this.#choice(choices.filter((choice) => typeof choice === 'string'))));
    }
    const anything = this.#mayBeWrong();
    if (schema.pattern !== undefined) return same(this.#spellString(this.#patternText(schema, anything)));
    if (this.checksFormats) return same(this.#spellString(this.#random.pick(formatTexts[schema.format])));
    for (let i = 0; i < 200; ++i) {
      const text = this.#text(schema);
      const length = codePoints(text);
      const fits = length >= (schema.minLength ?? 0) && length <= (schema.maxLength ?? Infinity) &&
        Buffer.byteLength(text) <= (schema.maxBytes ?? Infinity);
      if (anything || fits) return same(this.#spellString(text));
    }
    return same(JSON.stringify('x'.repeat(schema.minLength ?? 0)));
  }

  #patternText({ pattern, maxLength = Infinity, maxBytes = Infinity }, anything) {
    const regExp = new RegExp(pattern, 'u');
    const fits = (text) => regExp.test(text) && codePoints(text) <= maxLength && Buffer.byteLength(text) <= maxBytes;
    const text = this.#random.pick(anything ? patternTexts : patternTexts.filter(fits));
    if (!anything || this.#random.chance(0.5)) return text;
    const points = [...text];
    points.splice(this.#random.below(points.length + 1), 0, this.#random.pick(characters));
    return points.join('');
  }

  #choice(choices) {
    const choice = this.#random.pick(choices);
    if (!this.#mayBeWrong()) return choice;
    return this.#random.pick([choice.slice(0, -1), choice.slice(1), `${choice}x`, `${choice}\u0000`,
      choice.toUpperCase(), ` ${choice}`, '']);
  }

  #text({ minLength, maxLength, maxBytes }) {
    const random = this.#random;
    const around = (count) => Math.max(0, count + random.pick([-1, 0, 0, 1]));
    const alphabet = random.pick([characters, ['a'], ['ä'], ['€'], ['🌡'], ['a', '🌡']]);
    if (maxBytes !== undefined && random.chance(0.5)) {
      const bytes = around(maxBytes);
      let text = '';
      while (Buffer.byteLength(text) < bytes) text += random.pick(alphabet);
      return text;
    }
    const lengths = [random.below(12), around(minLength ?? 0)];
    // One long string in a message is enough.
    if (maxLength < 1000 || this.#long) lengths.push(around(maxLength ?? 70_000));
    const length = random.pick(lengths);
    if (length > 1000) this.#long = false;
    let text = '';
    for (let i = 0; i < length; ++i) text += random.pick(alphabet);
    return text;
  }

  /** A text as JSON, its characters in any of their forms. */
  #spellString(text) {
    if (text.length > 1000 || this.#random.chance(0.4)) return JSON.stringify(text);
    let out = '"';
    for (const character of text) {
      const raw = character >= ' ' && character !== '"' && character !== '\\';
      const short = shortEscapes[character];
      if (raw && this.#random.chance(0.6)) out += character;
      else if (short !== undefined && this.#random.chance(0.5)) out += short;
      else out += this.#escape(character);
    }
    return `${out}"`;
  }

  #escape(character) {
    const upper = this.#random.chance(0.5);
    const units = [...Array(character.length).keys()].map((i) => character.charCodeAt(i).toString(16).padStart(4, '0'));
    return units.map((unit) => `\\u${upper ? unit.toUpperCase() : unit}`).join('');
  }

  // ---- Lists and structs

  #space() {
    return this.#random.chance(0.1) ? this.#random.pick([' ', '\t', '  ']) : '';
  }

  #join(open, parts, close, key) {
    const space = this.#space();
    return `${open}${space}${parts.map((part) => part[key]).join(`${space},`)}${space}${close}`;
  }

  #array({ items, minItems = 0, maxItems, uniqueItems }) {
    const random = this.#random;
    let count = random.pick([minItems, maxItems, minItems + random.below(maxItems - minItems + 1)]);
    if (this.#wild && random.chance(0.5)) count = Math.max(0, count + random.pick([-1, 1, 2]));
    const parts = [];
    for (let i = 0; i < count; ++i) {
      parts.push(i > 0 && random.chance(uniqueItems ? 0.02 : 0.2) ? parts[i - 1] : this.#value(items));
    }
    if (uniqueItems && !this.#wild) {
      const seen = parts.map(({ judged }) => JSON.stringify(JSON.parse(judged)));
      const unique = parts.filter((part, i) => seen.indexOf(seen[i]) === i);
      parts.splice(0, parts.length, ...unique);
    }
    return { text: this.#join('[', parts, ']', 'text'), judged: this.#join('[', parts, ']', 'judged') };
  }

  #member(key, value) {
    const start = `${this.#spellString(key)}${this.#space()}:${this.#space()}`;
    return { text: start + value.text, judged: start + value.judged };
  }

  #map({ additionalProperties, propertyNames: { maxLength }, minProperties = 0, maxProperties }) {
    const random = this.#random;
    const wrong = this.#mayBeWrong() ? random.below(4) : -1;
    let count = minProperties + random.below(maxProperties - minProperties + 1);
    if (wrong === 0) count = random.pick([0, maxProperties + 1]);
    const names = ['bed1', 'a', 'ä€', '0', '__proto__', 'a b', '\u0000', '"', '🌡'.repeat(maxLength / 4), 'x'.repeat(maxLength)];
    random.shuffle(names);
    if (wrong === 1) names.unshift('x'.repeat(maxLength + 1));
    if (wrong === 2) names.unshift(random.pick(['', '🌡'.repeat(maxLength)]));
    const parts = names.slice(0, count).map((name) => this.#member(name, this.#value(additionalProperties)));
    const judged = [...parts];
    if (wrong === 3 && parts.length > 0) {
      this.differences['key that occurs twice'] += 1;
      parts.push(random.pick(parts));
      judged.push(same(`"${'a key that occurs twice'.repeat(20)}":1`));
    }
    return { text: this.#join('{', parts, '}', 'text'), judged: this.#join('{', judged, '}', 'judged') };
  }

  #object({ properties = {}, required = [] }) {
    const random = this.#random;
    const names = Object.keys(properties);
    const wrong = this.#mayBeWrong() ? random.below(4) : -1;
    const parts = [];
    for (const name of names) {
      if (required.includes(name) ? random.chance(0.95) || !this.#wild : random.chance(0.5)) {
        parts.push(this.#member(name, this.#value(properties[name])));
      }
    }
    if (wrong === 0) parts.splice(random.below(parts.length + 1), 1);
    if (wrong === 1) {
      const keys = [...otherKeys, ...names.map((name) => `${name}2`)].filter((key) => !names.includes(key));
      parts.push(this.#member(random.pick(keys), same('1')));
    }
    if (random.chance(0.5)) random.shuffle(parts);
    const judged = [...parts];
    if (wrong === 2 && parts.length > 0) {
      this.differences['key that occurs twice'] += 1;
      parts.splice(random.below(parts.length + 1), 0, random.pick(parts));
      judged.push(same('"a key that occurs twice":1'));
    }
    return { text: this.#join('{', parts, '}', 'text'), judged: this.#join('{', judged, '}', 'judged') };
  }
}
