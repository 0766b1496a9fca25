// SPDX-License-Identifier: Apache-2.0
// Hides secrets in a text as the traces of devices do (core/kit/trace/README.md, secret_finder.cpp): a digit becomes 1, another
// character x, so sizes stay and JSON stays valid. It needs no valid JSON: it prefers to hide too much. tests/attach/secrets.test.mjs
// compares it with the cases of the device.
import { secretWords as words } from './secret_words.mjs';

// Kinds of names.
const [secret, pin, hexId, base64Id, setting, value] = [1, 2, 4, 8, 128, 256];
const memberKinds = secret | hexId | base64Id | value;
const noLevel = 0xff;
const longestTail = 16;
const literals = ['true', 'false', 'null'];
const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** @param {string} c */
const isDigit = (c) => c >= '0' && c <= '9';
/** @param {string} c */
const hexDigit = (c) => (/^[0-9a-fA-F]$/.test(c) ? parseInt(c, 16) : -1);
/** @param {string} c */
const isSpace = (c) => c === ' ' || c === '\t' || c === '\n' || c === '\r';
/** The second character of an escape that is white space in the inner text. @param {string} c */
const isEscapedSpace = (c) => c === 'n' || c === 'r' || c === 't';
/** @param {string} c */
const isWord = (c) => /^[A-Za-z0-9_-]$/.test(c) || c >= '\x80';
/** @param {number} run of backslashes @returns {number} ones at its end */
const onesOf = (run) => 31 - Math.clz32(~run & -~run);
/** @param {number} number not 0 @returns {number} zeros at its end */
const zerosOf = (number) => 31 - Math.clz32(number & -number);

/** A text without a word of these, and without escapes of letters, has nothing to hide. */
const suspect = new RegExp(`${[...words, 'pin', 'taskid', 'sessionid', 'requeststate'].join('|')}|setting|\\\\u`, 'i');

/** A key of random bits: ids have the same stand-ins in one process, and others in the next. */
export const newKey = () => crypto.getRandomValues(new Uint32Array(2));

/** Replaces the bits of an id by others, with HalfSipHash of the bits before them; by the number 1 without a key. */
class StandIn {
  /** @param {Uint32Array} [key] */
  constructor(key) {
    this.hasKey = key !== undefined;
    if (!key) return;
    this.s = Uint32Array.of(key[0], key[1], key[0] ^ 0x6c796765, key[1] ^ 0x74656462);
    for (let i = 0; i < 4; ++i) this.#mix();
  }

  s = new Uint32Array(4);

  #mix() {
    const { s } = this;
    const rotate = (/** @type {number} */ at, /** @type {number} */ by) => { s[at] = s[at] << by | s[at] >>> 32 - by; };
    s[0] += s[1];
    rotate(1, 5);
    s[1] ^= s[0];
    rotate(0, 16);
    s[2] += s[3];
    rotate(3, 8);
    s[3] ^= s[2];
    s[0] += s[3];
    rotate(3, 7);
    s[3] ^= s[0];
    s[2] += s[1];
    rotate(1, 13);
    s[1] ^= s[2];
    rotate(2, 16);
  }

  /** @param {number} bits @param {number} count */
  bits(bits, count) {
    if (!this.hasKey) return 1;
    const { s } = this;
    let result = 0;
    for (let i = count - 1; i >= 0; --i) {
      const bit = bits >> i & 1;
      result = result << 1 | (bit ^ (s[1] ^ s[3]) & 1);
      s[3] ^= bit + 1;
      this.#mix();
      this.#mix();
      s[0] ^= bit + 1;
    }
    return result;
  }

  /** @param {string} c */
  hex(c) {
    const number = hexDigit(c);
    if (number < 0) return c;
    const digit = this.bits(number, 4).toString(16);
    return c >= 'A' && c <= 'F' ? digit.toUpperCase() : digit;
  }

  /** @param {string} c */
  base64(c) {
    const number = base64.indexOf(c);
    return number < 0 ? c : base64[this.bits(number, 6)];
  }
}

/** Recognizes the names of secrets and ids, with `_` and `-` in them. */
class SecretName {
  tail = '';
  size = 0;

  clear() {
    this.tail = '';
    this.size = 0;
  }

  /** Adds a character. Returns the kinds of names that end with it. @param {string} c */
  add(c) {
    if (c === '_' || c === '-') return 0;
    const small = c >= 'A' && c <= 'Z' ? c.toLowerCase() : c;
    this.tail = (this.tail + small).slice(-longestTail);
    ++this.size;
    const { tail, size } = this;
    let kinds = words.some((word) => tail.endsWith(word)) ? secret : 0;
    if (tail === 'progresstoken' && size === 13) kinds = 0;  // a number of the client, which every server repeats
    if (tail.endsWith('pin')) kinds |= pin;
    if (tail.endsWith('taskid') || tail.endsWith('sessionid')) kinds |= hexId;
    if (tail.endsWith('requeststate')) kinds |= base64Id;
    if (tail.endsWith('setting')) kinds |= setting;
    if (tail === 'value' && size === 5) kinds |= value;
    return kinds;
  }
}

/** Finds the values of secret members in a text that comes character by character. */
class SecretFinder {
  /** @type {'text' | 'value' | 'id' | 'string' | 'container' | 'scalar' | 'query'} */ #mode = 'text';
  // Of an escape: backslashes directly before, digits of a code that are missing, backslashes of this code, and the code.
  #backslashes = 0;
  #digits = 0;
  #before = 0;
  #code = 0;
  #name = new SecretName();
  // The kinds of the names that are complete, for three guesses of where the name of a member begins.
  #kinds = { string: 0, member: 0, word: 0 };
  #open = 0;  // a bit for each level of strings that is open
  #level = 0;  // of the name of a value, then of its string
  #inner = noLevel;  // of the string in a container
  #valueKinds = 0;
  #literal = 0;  // the position in true, false or null
  #word = '';  // the first letter of this literal
  #afterDigit = false;
  #afterQuote = false;
  #mayBePin = false;
  #isList = false;  // of ids
  #begins = false;  // the next character is the first one of an id or a query
  #keepsId = false;
  #depth = 0;
  /** @type {StandIn | undefined} */ #standIn;

  /** @param {Uint32Array | undefined} key @param {boolean} hasSetting whether the text names a secret or a setting */
  constructor(key, hasSetting) {
    this.key = key;
    this.hasSetting = hasSetting;
  }

  get #hides() { return this.#mode === 'string' || this.#mode === 'container' || this.#mode === 'scalar' || this.#mode === 'query'; }

  /** Returns what replaces a character. @param {string} c */
  next(c) {
    if (this.#digits !== 0 && hexDigit(c) >= 0) return this.#feedDigit(c);
    this.#digits = 0;
    if (c === '\\') {
      this.#backslashes = Math.min(this.#backslashes + 1, 0xff);
      return c;
    }
    const run = this.#backslashes;
    this.#backslashes = 0;
    if (c === '"') {
      this.#feedQuote(onesOf(run));
      return c;
    }
    const isEscaped = run % 2 !== 0 || (run !== 0 && this.#level !== 0);
    if (isEscaped && c === 'u' && this.#mode !== 'id') {
      [this.#digits, this.#before, this.#code] = [4, run, 0];
      return c;
    }
    return this.#feed(c, isEscaped);
  }

  // A digit of \uXXXX. The code may be a letter of a name, or a quote or a backslash in JSON in a string.
  /** @param {string} c */
  #feedDigit(c) {
    const isCodeOf = (/** @type {number} */ wanted) => {
      const code = wanted >> 4 * (this.#digits - 1);
      return this.#code === code >> 4 && hexDigit(c) === (code & 0xf);
    };
    const stays = isCodeOf(0x22) || isCodeOf(0x5c);
    const result = this.#hides && !stays ? '1' : c;
    this.#code = (this.#code << 4 | hexDigit(c)) & 0xffff;
    if (--this.#digits !== 0) return result;
    const code = this.#code;
    const before = this.#before;
    // Each zero at the end of the number of backslashes, which is at least 1, is a level of strings around the code.
    const level = zerosOf(before);
    if (code === 0x22) this.#feedQuote(level + onesOf(before >> level));
    else if (code === 0x5c) this.#backslashes = Math.min(before + (1 << level), 0xff);
    else if (!this.#hides) this.#feed(code < 0x80 ? String.fromCharCode(code) : '\x80', false);
    else this.#begins = false;
    return result;
  }

  /** @param {string} c @param {boolean} isEscaped @returns {string} */
  #feed(c, isEscaped) {
    switch (this.#mode) {
      case 'text':
        // An equals sign begins a value at once.
        if (c === '=' && !isEscaped) {
          this.#endName();
          this.#beginQuery(this.#kinds.word);
          this.#kinds.word = 0;
        } else {
          this.#feedText(c, isEscaped);
        }
        return c;
      case 'value': return this.#feedValue(c, isEscaped);
      case 'id': return this.#feedId(c);
      case 'string': return hide(c, isEscaped);
      case 'container': return this.#feedContainer(c, isEscaped);
      case 'scalar':
        if (c !== ',' && c !== '}' && c !== ']') return this.#hideWord(c);
        this.#endValue();
        return c;
      default:
        if (isSpace(c) || '&;,})<>#'.includes(c)) {
          this.#endValue();
          return c;
        }
        this.#begins = false;
        return hide(c, isEscaped);
    }
  }

  /** @param {number} ones */
  #feedQuote(ones) {
    const level = Math.min(ones, 7);
    const bit = 1 << level;
    const below = bit - 1;
    const opens = () => {
      this.#level = level;
      this.#open = this.#open & below | bit;
    };
    if (this.#mode === 'string' || this.#mode === 'id') {
      if (level > this.#level) return;
      const continues = this.#mode === 'id' && this.#isList && level === this.#level;
      this.#open &= below;
      this.#endValue();
      this.#afterQuote = true;
      if (continues) this.#mode = 'value';
      return;
    }
    if (this.#mode === 'container' && level >= this.#level) {
      if (this.#inner === noLevel) this.#inner = level;
      else if (level <= this.#inner) this.#inner = noLevel;
      return;
    }
    if (this.#mode === 'value' && level >= this.#level) {
      const isSecret = (this.#valueKinds & secret) !== 0;
      this.#mode = isSecret ? 'string' : 'id';
      opens();
      if (isSecret) return;
      this.#standIn = new StandIn(this.key);
      this.#begins = true;
      return;
    }
    if (this.#mode === 'query' && this.#begins && (this.#open & bit) === 0) {
      this.#mode = 'string';
      opens();
      return;
    }
    // A value without its own quotes ends with the string around it.
    if (this.#mode !== 'text') this.#endValue();
    this.#endName();
    if ((this.#open & bit) === 0) {
      this.#kinds.string = 0;
      opens();
    } else {
      this.#open &= below;
    }
    this.#level = level;
    this.#afterQuote = true;
  }

  #endName() {
    if (this.#mayBePin) this.#addKinds(secret);
    this.#mayBePin = false;
    this.#name.clear();
  }

  /** @param {number} kinds */
  #addKinds(kinds) {
    if ((kinds & (secret | setting)) !== 0) this.hasSetting = true;
    const members = kinds & memberKinds;
    this.#kinds.string |= members;
    this.#kinds.member |= members;
    this.#kinds.word |= members;
  }

  /** @param {string} c */
  #feedName(c) {
    // A capital letter begins a word, as in pinNumber.
    if (this.#mayBePin && c !== 'g' && c !== 'n') this.#addKinds(secret);
    const kinds = this.#name.add(c);
    this.#mayBePin = (kinds & pin) !== 0;
    this.#addKinds(kinds);
  }

  /** @param {string} c @param {boolean} isEscaped */
  #feedText(c, isEscaped) {
    if (isWord(c) && !(isEscaped && isEscapedSpace(c))) {
      if (this.#afterQuote) this.#kinds.word = 0;
      this.#afterQuote = false;
      this.#feedName(c);
      return;
    }
    this.#endName();
    if (isSpace(c) || (isEscaped && isEscapedSpace(c))) {
      this.#kinds.word = 0;
      return;
    }
    const isMember = c === ':' && this.#afterQuote;
    let kinds = this.#kinds.string | this.#kinds.member;
    // The tools of settings have the name of the setting in another member.
    if ((kinds & value) !== 0) kinds = this.hasSetting ? kinds | secret : kinds ^ value;
    this.#afterQuote = false;
    this.#kinds.word = 0;
    if (',:{}[]'.includes(c)) this.#kinds.member = 0;
    if (isMember && kinds !== 0) this.#beginValue(kinds);
  }

  /** @param {number} kinds */
  #beginValue(kinds) {
    this.#mode = 'value';
    this.#valueKinds = kinds;
    this.#isList = false;
    this.#literal = 0;
    this.#word = '';
    this.#afterDigit = false;
  }

  /** @param {number} kinds */
  #beginQuery(kinds) {
    if ((kinds & (secret | hexId)) === 0) return;
    this.#beginValue(kinds);
    this.#begins = true;
    if ((kinds & secret) !== 0) {
      this.#mode = 'query';
      return;
    }
    this.#mode = 'id';
    this.#level = noLevel;  // any quote ends it
    this.#standIn = new StandIn(this.key);
  }

  #endValue() {
    this.#mode = 'text';
    this.#kinds = { string: 0, member: 0, word: 0 };
    this.#name.clear();
    this.#mayBePin = false;
    this.#afterQuote = false;
    this.#inner = noLevel;
    this.#depth = 0;
  }

  /** @param {string} c @param {boolean} isEscaped */
  #feedValue(c, isEscaped) {
    if (isSpace(c) || (isEscaped && isEscapedSpace(c))) return c;
    if ((this.#valueKinds & secret) === 0) {
      if (c === '[' && !this.#isList) {
        this.#isList = true;
        return c;
      }
      if (c === ',' && this.#isList) return c;
      this.#endValue();
      return this.#feed(c, isEscaped);
    }
    if (c === ',' || c === '}' || c === ']') {
      this.#endValue();
      return c;
    }
    if (c === '{' || c === '[') {
      this.#mode = 'container';
      this.#depth = 1;
      this.#inner = noLevel;
      return c;
    }
    this.#mode = 'scalar';
    return this.#hideWord(c);
  }

  /** @param {string} c @param {boolean} isEscaped */
  #feedContainer(c, isEscaped) {
    if (this.#inner !== noLevel) return hide(c, isEscaped);
    if (c === '{' || c === '[') {
      this.#depth = Math.min(this.#depth + 1, 0xffff);
      return c;
    }
    if (c === '}' || c === ']') {
      if (--this.#depth === 0) this.#endValue();
      return c;
    }
    if (c === ',' || c === ':') {
      this.#literal = 0;
      this.#afterDigit = false;
      return c;
    }
    return this.#hideWord(c);
  }

  // A state that the device has sealed begins with A, and cannot be read without its key.
  /** @param {string} c */
  #feedId(c) {
    const isHex = (this.#valueKinds & hexId) !== 0;
    if (this.#begins) this.#keepsId = !isHex && c === 'A';
    this.#begins = false;
    if (this.#level === noLevel && hexDigit(c) < 0) {
      this.#level = 0;
      this.#endValue();
      return this.#feed(c, false);
    }
    if (this.#keepsId || !this.#standIn) return c;
    return isHex ? this.#standIn.hex(c) : this.#standIn.base64(c);
  }

  // Outside of a string: numbers, true, false and null stay valid.
  /** @param {string} c */
  #hideWord(c) {
    if (isDigit(c)) {
      this.#afterDigit = true;
      this.#literal = noLevel;
      return '1';
    }
    if (isSpace(c)) {
      this.#literal = 0;
      this.#afterDigit = false;
      return c;
    }
    const isExponent = this.#afterDigit && (c === 'e' || c === 'E');
    const isSign = c === '-' || c === '+' || c === '.';
    this.#afterDigit = isSign && this.#afterDigit;
    if (isExponent || isSign) return c;
    if (this.#literal === 0) this.#word = c;
    if (literals.some((literal) => literal[0] === this.#word && literal[this.#literal] === c)) {
      ++this.#literal;
      return c;
    }
    this.#literal = noLevel;
    return c < ' ' ? c : 'x';
  }
}

/** @param {string} c @param {boolean} isEscaped */
function hide(c, isEscaped) {
  if (isEscaped && (isEscapedSpace(c) || c === 'b' || c === 'f' || c === '/')) return c;
  if (isDigit(c)) return '1';
  return c < ' ' ? c : 'x';
}

/** @param {string} text @param {Uint32Array | undefined} key @param {boolean} hasSetting */
function once(text, key, hasSetting) {
  const finder = new SecretFinder(key, hasSetting);
  const pieces = [];
  let from = 0;  // of the characters that stay
  for (let at = 0; at < text.length; ++at) {
    const c = text[at];
    const other = finder.next(c);
    if (other === c) continue;
    pieces.push(text.slice(from, at), other);
    from = at + 1;
  }
  return { text: pieces.length > 0 ? pieces.join('') + text.slice(from) : text, hasSetting: finder.hasSetting };
}

/** Returns a text, or a message as JSON, without its secrets. @param {string} text @param {Uint32Array} [key] */
export function hideSecrets(text, key) {
  if (!suspect.test(text.replace(/[_-]+/g, ''))) return text;
  const first = once(text, key, false);
  // The name of a setting may be after its value.
  return first.hasSetting && /value/i.test(text) ? once(text, key, true).text : first.text;
}

/** Hides the strings and numbers of a value whose schema marks it as secret. @param {any} marked @returns {any} */
export function hideAll(marked) {
  if (typeof marked === 'string') return marked.replace(/[^]/g, (c) => hide(c, false));
  if (typeof marked === 'number') return 1;
  if (Array.isArray(marked)) return marked.map(hideAll);
  if (typeof marked !== 'object' || marked === null) return marked;
  return Object.fromEntries(Object.entries(marked).map(([name, member]) => [hideAll(name), hideAll(member)]));
}
