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
  'enum', 'oneOf', 'anyOf', 'items', 'minItems', 'maxItems']);

const same = (text) => ({ text, judged: text });
const codePoints = (text) => [...text].length;

/** Arguments for schemas, as they come from schemaOf() in arguments.mjs. */
export class Generator {
  /** How often a difference that the documentation names was generated. */
  differences = { 'integer with more digits than a double': 0, 'number beyond a double': 0, 'key that occurs twice': 0 };
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
    // Titled items of a list have no type, as in TitledMultiSelectEnumSchema.
    switch (schema.type ?? (schema.anyOf && 'string')) {
      case 'integer': return this.#retry(schema, () => this.#integer(schema));
      case 'number': return this.#retry(schema, () => this.#number(schema));
      case 'boolean': return same(this.#random.pick(['true', 'false']));
      case 'string': return this.#string(schema);
      case 'array': return this.#array(schema);
      case 'object': return this.#object(schema);
      default: throw new Error(`this test does not know the type ${schema.type}`);
    }
  }

  // ---- Numbers

  #retry(schema, make) {
    const anything = this.#mayBeWrong();
    for (let i = 0; i < 200; ++i) {
      const literal = make();
      const value = Number(literal);
      const seen = (schema.type === 'number' || Number.isInteger(value)) && Number.isFinite(value) &&
        !(value < schema.minimum) && !(value > schema.maximum);
      if (schema.type === 'number') {
        if (!anything && !seen) continue;
        this.differences['number beyond a double'] += Number.isFinite(value) ? 0 : 1;
        return same(literal);
      }
      const exact = exactInteger(literal);
      const valid = exact !== undefined && !(exact < BigInt(schema.exactMinimum ?? exact)) &&
        !(exact > BigInt(schema.exactMaximum ?? exact));
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
    const value = random.pick(values)() + BigInt(random.pick([0, 0, 0, 1, -1, 2, -2]));
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
    if (choices !== undefined) return same(this.#spellString(this.#choice(choices)));
    const anything = this.#mayBeWrong();
    for (let i = 0; i < 200; ++i) {
      const text = this.#text(schema);
      const length = codePoints(text);
      const fits = length >= (schema.minLength ?? 0) && length <= (schema.maxLength ?? Infinity) &&
        Buffer.byteLength(text) <= (schema.maxBytes ?? Infinity);
      if (anything || fits) return same(this.#spellString(text));
    }
    return same(JSON.stringify('x'.repeat(schema.minLength ?? 0)));
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

  #array({ items, minItems = 0, maxItems }) {
    const random = this.#random;
    let count = random.pick([minItems, maxItems, minItems + random.below(maxItems - minItems + 1)]);
    if (this.#wild && random.chance(0.5)) count = Math.max(0, count + random.pick([-1, 1, 2]));
    const parts = [];
    for (let i = 0; i < count; ++i) {
      parts.push(i > 0 && random.chance(0.2) ? parts[i - 1] : this.#value(items));
    }
    return { text: this.#join('[', parts, ']', 'text'), judged: this.#join('[', parts, ']', 'judged') };
  }

  #member(key, value) {
    const start = `${this.#spellString(key)}${this.#space()}:${this.#space()}`;
    return { text: start + value.text, judged: start + value.judged };
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
