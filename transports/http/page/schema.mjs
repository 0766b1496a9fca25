// SPDX-License-Identifier: Apache-2.0
// Reads JSON Schemas, URI templates and values of a device. It has no DOM, so Node.js can test it.
// All input is untrusted: depth and size have limits, and an unknown form becomes a field for JSON.

export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

const most = 100;

/** Returns the objects of a list, at most 100. */
export const objectsIn = (list) => (Array.isArray(list) ? list.filter(isObject).slice(0, most) : []);

const choice = (value, title) => ({ value, title: String(title ?? value) });

function pointed(ref, root) {
  const keys = ref.startsWith('#/') ? ref.slice(2).split('/') : [];
  return keys.reduce((at, key) => {
    key = key.replaceAll('~1', '/').replaceAll('~0', '~');
    return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, ref[0] === '#' ? root : undefined);
}

/** Returns the schema with one `type`, with `nullable` in place of the type null, and with `choices` in place of enum. */
export function normalize(schema, root, depth = 8) {
  if (!isObject(schema) || depth === 0) return {};
  if (typeof schema.$ref === 'string') {
    const { $ref, ...others } = schema;
    return normalize({ ...pointed($ref, root), ...others }, root, depth - 1);
  }
  const { oneOf, anyOf, ...field } = schema;
  const all = oneOf ?? anyOf;
  if (Array.isArray(all)) {
    const options = all.filter((option) => option?.type !== 'null');
    field.nullable = options.length < all.length;
    if (options.length && options.every((option) => isObject(option) && 'const' in option)) {
      field.choices = options.map((option) => choice(option.const, option.title));
    } else if (options.length === 1) {
      return { ...normalize(options[0], root, depth - 1), ...field };
    } else {
      field.type = 'any';
    }
  }
  if (Array.isArray(field.type)) {
    const types = field.type.filter((type) => type !== 'null');
    field.nullable ||= types.length < field.type.length;
    field.type = types.length === 1 ? types[0] : 'any';
  }
  const values = 'const' in field ? [field.const] : field.enum;
  if (Array.isArray(values)) {
    field.choices ??= values.filter((value) => value !== null)
      .map((value, i) => choice(value, field.enumNames?.[i]));
    field.nullable ||= values.includes(null);
  }
  field.type ??= field.properties || field.additionalProperties ? 'object' : 'any';
  return field;
}

export const propertiesOf = (field) =>
  (isObject(field.properties) ? Object.entries(field.properties).slice(0, most) : []);

/** Returns the number in this text. A long integer keeps its digits. */
export function readNumber(text) {
  const number = Number(text);
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(text) ? number : JSON.rawJSON?.(text) ?? number;
}

/** Returns the step of a slider; undefined if the range has no end or too many steps. */
export function sliderStep({ type, minimum, maximum, multipleOf }) {
  const range = maximum - minimum;
  const step = multipleOf ?? (type === 'integer' ? 1 : 10 ** Math.floor(Math.log10(range / 100)));
  return range > 0 && step > 0 && range / step <= 1e6 ? step : undefined;
}

// A repeated group, or many choices, may take exponential time, so the device alone checks such a pattern.
function fitsPattern(value, pattern) {
  if (value.length > 200 || pattern.length > 200 || /\)[*+?{]|([*+?{|][^]*){3}|\\[1-9]/.test(pattern)) return true;
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}

const formats = { email: /^[^\s@]+@[^\s@]+$/, uri: /^[a-z][a-z0-9+.-]*:\S+$/i };

/** Returns what is wrong with a value of a field, or ''. Members and items are checked by their own fields. */
export function check(field, value) {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = field;
  const isInteger = type === 'integer';
  if (field.choices) return '';
  if (isInteger || type === 'number') {
    const number = Number(isObject(value) ? value.rawJSON : value);
    if (!Number.isFinite(number)) return 'Enter a number.';
    if (isInteger && !Number.isInteger(number)) return 'Enter a whole number.';
    if (number < minimum || number > maximum) return `Enter ${minimum ?? 'any'} to ${maximum ?? 'any'}.`;
    if (number <= exclusiveMinimum) return `Enter more than ${exclusiveMinimum}.`;
    if (number >= exclusiveMaximum) return `Enter less than ${exclusiveMaximum}.`;
    const quotient = number / multipleOf;
    if (Math.abs(quotient - Math.round(quotient)) > 1e-9 * Math.max(1, Math.abs(quotient))) {
      return `Enter a multiple of ${multipleOf}.`;
    }
  }
  if (type === 'string') {
    const { length } = [...value];
    if (length < field.minLength) return `Enter at least ${field.minLength} characters.`;
    if (length > field.maxLength) return `Enter at most ${field.maxLength} characters.`;
    if (typeof field.pattern === 'string' && !fitsPattern(value, field.pattern)) return `Must match ${field.pattern}`;
    if (Object.hasOwn(formats, field.format ?? '') && !formats[field.format].test(value)) {
      return `Not a valid ${field.format}.`;
    }
  }
  if (type === 'object' && !isObject(value)) return 'Enter an object of JSON.';
  if (type === 'array') {
    if (!Array.isArray(value)) return 'Enter a list of JSON.';
    if (value.length < field.minItems) return `Needs at least ${field.minItems}.`;
    if (value.length > field.maxItems) return `Takes at most ${field.maxItems}.`;
    const texts = value.map((item) => JSON.stringify(item));
    if (field.uniqueItems && new Set(texts).size < texts.length) return 'Each item must differ.';
  }
  return '';
}

/** Returns the headers that repeat arguments. Source: basic/transports/streamable-http, 2026-07-28. */
export function parameterHeaders(schema, values) {
  const headers = {};
  for (const [name, property] of Object.entries(schema?.properties ?? {})) {
    const header = property?.['x-mcp-header'];
    const value = values[name];
    if (/^[\w-]+$/.test(header ?? '') && Object.hasOwn(values, name) && value !== null) {
      headers[`mcp-param-${header}`] = headerValue(String(value.rawJSON ?? value));
    }
  }
  return headers;
}

/** Returns a header value for any text. */
export const headerValue = (text) => (/^(?!=\?)[!-~]([ -~]*[!-~])?$/.test(text) ? text :
  `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}?=`);

// ---- URI templates, RFC 6570 ----------------------------------------------------------------------------------------

const expression = /\{([+#./;?&]?)([^{}]*)\}/g;
const namesIn = (list) => list.split(',').map((name) => name.replace(/[*]$|:\d+$/, ''));

export const variablesOf = (template) =>
  [...new Set([...template.matchAll(expression)].flatMap(([, , list]) => namesIn(list)))].slice(0, most);

export function expand(template, values) {
  return template.replace(expression, (_, operator, list) => {
    const isNamed = ';?&'.includes(operator || '/');
    const isOpen = '+#'.includes(operator || '/');
    const parts = namesIn(list).filter((name) => Object.hasOwn(values, name) && values[name] !== '').map((name) => {
      const text = (isOpen ? encodeURI : encodeURIComponent)(values[name]);
      return isNamed ? `${name}=${text}` : text;
    });
    if (!parts.length) return '';
    const separator = !operator || isOpen ? ',' : operator === '?' ? '&' : operator;
    return (operator === '+' ? '' : operator) + parts.join(separator);
  });
}

// ---- Values ---------------------------------------------------------------------------------------------------------

/** Returns the numbers in a value as [path, number], and lists of numbers as [path, numbers]: at most eight. */
export function numbersIn(value, path = '', found = []) {
  if (found.length === 8 || path.length > 80) return found;
  if (Number.isFinite(value)) {
    found.push([path, value]);
  } else if (Array.isArray(value)) {
    if (value.length > 1 && value.every(Number.isFinite)) found.push([path, value]);
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value).slice(0, most)) {
      numbersIn(member, path ? `${path}.${key}` : key, found);
    }
  }
  return found;
}

/** Returns the points of a polyline for a box of this size. */
export function points(values, width, height) {
  const least = Math.min(...values);
  const range = Math.max(...values) - least;
  return values.map((value, i) => {
    const y = range ? height - (value - least) / range * height : height / 2;
    return `${(i / (values.length - 1) * width).toFixed(1)},${y.toFixed(1)}`;
  }).join(' ');
}

/** Returns the value of JSON text; the text itself if it is none. */
export function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
