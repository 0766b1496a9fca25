// SPDX-License-Identifier: Apache-2.0
// The functions of the page that need no browser.
//
// usage: node unit.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anchor } from '../../transports/http/page/dom.mjs';
import { makeForm } from '../../transports/http/page/form.mjs';
import { backoff, eventReader, leave, link, pathOf } from '../../transports/http/page/rpc.mjs';
import {
  check, expand, headerValue, normalize, numbersIn, objectsIn, parameterHeaders, parse, points, readNumber, sliderStep, variablesOf,
} from '../../transports/http/page/schema.mjs';

// As much of an element as a form needs.
class Element {
  attributes = {};
  children = [];
  validity = {};
  value = '';
  constructor(tag) {
    this.tag = tag;
  }
  append(...children) {
    this.children.push(...children);
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  /** Returns all elements inside with this tag. */
  all(tag) {
    return this.children.flatMap((child) => (child instanceof Element ? [...(child.tag === tag ? [child] : []), ...child.all(tag)] : []));
  }
}
globalThis.document = { createElement: (tag) => new Element(tag) };

test('reads events in pieces of each size', () => {
  const text = ': comment\n\nid: 1-2\nretry: 50\ndata: {"a":\ndata: 1}\n\r\ndata\n\nevent: message\ndata:x: y\n\n';
  const expected = [{}, { id: '1-2', retry: '50', data: '{"a":\n1}' }, { data: '' }, { event: 'message', data: 'x: y' }];
  for (let size = 1; size <= text.length; ++size) {
    const events = [];
    const push = eventReader((event) => events.push(event));
    for (let at = 0; at < text.length; at += size) push(text.slice(at, at + size));
    assert.deepEqual(events, expected, `${size}`);
  }
});

test('rejects an event that is too long', () => {
  const push = eventReader(() => {});
  assert.throws(() => { for (let i = 0; i < 50; ++i) push('x'.repeat(100_000)); }, /too long/);
  for (const line of [`data: ${'x'.repeat(1000)}\n`, ': comment\n', 'retry: 50\n']) {
    const lines = eventReader(() => {});
    assert.throws(() => { for (let i = 0; i < 500_000; ++i) lines(line); }, /too long/, line.slice(0, 9));
  }
  let events = 0;
  const many = eventReader(() => ++events);
  for (let i = 0; i < 5000; ++i) many(`data: ${'x'.repeat(1000)}\n\n`);
  assert.equal(events, 5000);
});

test('waits longer after each failure, at most 60 s', () => {
  assert.deepEqual([0, 1, 2, 5, 6, 99].map((failures) => backoff(failures)), [1000, 2000, 4000, 32000, 60000, 60000]);
  assert.deepEqual(['5', '0', '-1', '1e9', 'Fri', null].map((after) => backoff(0, after)), [5000, 1000, 1000, 60000, 1000, 1000]);
});

test('takes a path of the same host only', () => {
  for (const [field, wanted] of [
    ['</mcp>; rel="service"', '/mcp'], ['</>', '/'], ['</a/b//c>', '/a/b//c'], [null, undefined], ['<mcp>', undefined],
    ['<//evil.example/>', undefined], ['</\\evil.example/x>', undefined], ['</\t/evil.example/x>', undefined],
    ['</\t\\evil.example>', undefined], ['</a\\..\\/evil.example>', undefined], ['</ /evil.example>', undefined],
    ['<https://evil.example/>', undefined],
  ]) {
    assert.equal(pathOf(field), wanted, field);
    if (wanted) assert.equal(new URL(wanted, 'http://device/page').host, 'device');
  }
});

test('ends a session as strictly as it sends requests', (t) => {
  const sent = [];
  t.mock.method(globalThis, 'fetch', async (...one) => {
    sent.push(one);
    return { ok: true };
  });
  Object.assign(link, { session: 's', version: '2025-11-25' });
  leave();
  link.token = 'secret';
  leave();
  Object.assign(link, { session: '', version: '', token: '' });
  for (const [path, { method, keepalive, redirect, credentials, headers, body }] of sent) {
    assert.deepEqual([path, method, keepalive, redirect, credentials, body], ['/mcp', 'DELETE', true, 'error', 'omit', undefined]);
    assert.equal(headers['mcp-session-id'], 's');
  }
  assert.deepEqual(sent.map(([, { headers }]) => headers.authorization), [undefined, 'Bearer secret']);
});

test('shows where a link leads', () => {
  for (const [url, tag, text] of [
    ['https://good.example\\@evil.example/', 'a', 'https://good.example/@evil.example/'],
    ['https://good.example@evil.example', 'a', 'https://good.example@evil.example/'],
    ['https://ex\u0430mple.com/\u202Egnp', 'a', 'https://xn--exmple-4nf.com/%E2%80%AEgnp'],
    ['javascript:alert(1)', 'span', 'javascript:alert(1)'], ['/relative', 'span', '/relative'],
  ]) {
    const made = anchor(url);
    assert.deepEqual([made.tag, made.children], [tag, [text]]);
    assert.equal(made.attributes.href, tag === 'a' ? text : undefined);
  }
});

test('ends lists whose limits contradict each other', () => {
  for (const [limits, rows] of [
    [{ minItems: 2, maxItems: 1 }, 1], [{ minItems: 3 }, 3], [{ minItems: 1e9 }, 100], [{ minItems: 1e9, maxItems: 'x' }, 100],
    [{ minItems: 2, maxItems: -1 }, 0], [{ minItems: 'x' }, 0], [{ maxItems: 2, default: ['a', 'b', 'c'] }, 2],
  ]) {
    const list = { type: 'array', items: { type: 'string' }, ...limits };
    const { element } = makeForm({ properties: { list }, required: ['list'] }, 'Run', () => {});
    assert.equal(element.all('input').length, rows, JSON.stringify(limits));
  }
  const map = { type: 'object', additionalProperties: { type: 'string' }, minProperties: 2, maxProperties: 1 };
  assert.equal(makeForm({ properties: { map }, required: ['map'] }, 'Run', () => {}).element.all('input').length, 2);
});

test('limits the fields of a schema with references to itself', () => {
  const properties = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`p${i}`, { $ref: '#' }]));
  const { element } = makeForm({ type: 'object', properties }, 'Run', () => {});
  const fields = element.all('textarea').length;
  assert.ok(fields >= 400 && fields < 1200, `${fields} fields`);
  // Below the limit, the depth alone ends a form.
  const { element: small } = makeForm({ type: 'object', properties: { a: { $ref: '#' } } }, 'Run', () => {});
  assert.deepEqual([small.all('fieldset').length, small.all('textarea').length], [5, 1]);
});

test('normalizes schemas', () => {
  const root = { $defs: { 'a/b': { type: 'integer', minimum: 1 }, loop: { $ref: '#/$defs/loop' } } };
  const choices = [{ value: 1, title: 'One' }, { value: 'b', title: 'b' }];
  for (const [schema, wanted] of [
    [{ type: 'string' }, { type: 'string' }],
    [{ type: ['string', 'null'] }, { type: 'string', nullable: true }],
    [{ type: ['string', 'integer'] }, { type: 'any', nullable: false }],
    [{ $ref: '#/$defs/a~1b', title: 'T' }, { type: 'integer', minimum: 1, title: 'T' }],
    [{ $ref: '#/$defs/loop' }, {}],
    [{ $ref: 'https://example.com/' }, { type: 'any' }],
    [{ $ref: '#/constructor/prototype' }, { type: 'any' }],
    [{ oneOf: [{ const: 1, title: 'One' }, { const: 'b' }] }, { choices, nullable: false, type: 'any' }],
    [{ oneOf: [{ const: 1, title: 'One' }, { const: 'b' }, { type: 'null' }], enum: [1, 'b', null] },
      { choices, nullable: true, type: 'any', enum: [1, 'b', null] }],
    [{ enum: [1, 'b', null], enumNames: ['One'] }, { choices, nullable: true, type: 'any', enum: [1, 'b', null], enumNames: ['One'] }],
    [{ anyOf: [{ type: 'integer', maximum: 3 }, { type: 'null' }], title: 'T' },
      { type: 'integer', maximum: 3, title: 'T', nullable: true }],
    [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { type: 'any', nullable: false }],
    [{ const: 'b' }, { const: 'b', choices: [choices[1]], type: 'any', nullable: false }],
    [{ properties: {} }, { type: 'object', properties: {} }],
    [true, {}], [null, {}], [[], {}], ['x', {}], [{ anyOf: [] }, { type: 'any', nullable: false }],
  ]) assert.deepEqual(normalize(schema, root), wanted, JSON.stringify(schema));
});

test('checks values', () => {
  for (const [field, value, wanted] of [
    [{ type: 'integer', minimum: 1, maximum: 3 }, 4, 'Enter 1 to 3.'],
    [{ type: 'integer', minimum: 1 }, 0, 'Enter 1 to any.'],
    [{ type: 'integer' }, 1.5, 'Enter a whole number.'],
    [{ type: 'number' }, NaN, 'Enter a number.'],
    [{ type: 'number', exclusiveMinimum: 0 }, 0, 'Enter more than 0.'],
    [{ type: 'number', exclusiveMaximum: 1 }, 1, 'Enter less than 1.'],
    [{ type: 'number', multipleOf: 0.1 }, 0.3, ''],
    [{ type: 'number', multipleOf: 0.1 }, 0.35, 'Enter a multiple of 0.1.'],
    [{ type: 'integer', maximum: 3 }, { rawJSON: '9223372036854775807' }, 'Enter any to 3.'],
    [{ type: 'string', minLength: 2 }, '😀', 'Enter at least 2 characters.'],
    [{ type: 'string', maxLength: 1 }, '😀', ''],
    [{ type: 'string', maxLength: 1 }, 'ab', 'Enter at most 1 characters.'],
    [{ type: 'string', pattern: '^[A-Z]{2}-[0-9]{4}$' }, 'AB-123', 'Must match ^[A-Z]{2}-[0-9]{4}$'],
    [{ type: 'string', pattern: '^[A-Z]{2}-[0-9]{4}$' }, 'AB-1234', ''],
    [{ type: 'string', pattern: '(' }, 'x', ''],
    [{ type: 'string', pattern: 7 }, 'x', ''],
    [{ type: 'string', format: 'email' }, 'x', 'Not a valid email.'],
    [{ type: 'string', format: 'constructor' }, 'x', ''],
    [{ type: 'object' }, 'x', 'Enter an object of JSON.'],
    [{ type: 'array' }, 'x', 'Enter a list of JSON.'],
    [{ type: 'array', minItems: 1 }, [], 'Needs at least 1.'],
    [{ type: 'array', maxItems: 1 }, [1, 2], 'Takes at most 1.'],
    [{ type: 'array', uniqueItems: true }, [{ a: 1 }, { a: 1 }], 'Each item must differ.'],
    [{ type: 'integer', choices: [] }, 'x', ''],
  ]) assert.equal(check(field, value), wanted, JSON.stringify([field, value]));
});

/** Processor time, which other processes do not change. */
function microseconds(work) {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return user + system;
}

test('ends the check of each pattern soon', () => {
  const value = `${'a'.repeat(199)}!`;
  const optional = `${'a?'.repeat(60)}${'a'.repeat(60)}`;
  const take = (pattern) => microseconds(() => check({ type: 'string', pattern }, value));
  take('a*a*b');  // compiles what it uses
  const slow = take('a*a*b');  // the time grows with the third power of the length: the slowest kind that is checked
  for (const pattern of ['a*a*a*b', '^(a+())+$', '^a*a*a*a*a*a*$', '^a*a*b', '(a*)a*\\1', optional, `^${'(a|a)'.repeat(30)}b`,
    '^(a\n*)*$', '^a*\na*a*a*a*a*$', '^(a+)+$', '^(a|a)*$', '^((a+))+$', '^(a*)*b', '(?:a+){9}$', '(a{1,30}){1,30}$', '^(a|aa)+$']) {
    const us = take(pattern);
    assert.ok(us < 10 * slow, `${pattern}: ${us} us, and a*a*b: ${slow} us`);
  }
  assert.notEqual(check({ type: 'string', pattern: '^[a-z]+-[0-9]+$' }, 'x'.repeat(200)), '');
  assert.equal(check({ type: 'string', pattern: '^[a-z]+-[0-9]+$' }, 'x'.repeat(201)), '');
});

test('reads numbers and makes sliders', () => {
  assert.equal(readNumber('1e2'), 100);
  assert.equal(readNumber('-7'), -7);
  assert.deepEqual([
    { type: 'integer', minimum: 0, maximum: 100 }, { type: 'number', minimum: 0, maximum: 1 }, { type: 'integer', minimum: 0 },
    { type: 'integer', minimum: 0, maximum: 2 ** 31 }, { type: 'number', minimum: 0, maximum: 10, multipleOf: 2.5 },
    { type: 'integer', minimum: 3, maximum: 3 },
  ].map(sliderStep), [1, 0.01, undefined, undefined, 2.5, undefined]);
});

test('writes header values', () => {
  assert.equal(headerValue('tool-1 x'), 'tool-1 x');
  for (const text of ['', ' x', 'x ', 'é', 'a\nb', '=?base64?eA==?=']) {
    const [, base64] = /^=\?base64\?(.*)\?=$/.exec(headerValue(text));
    assert.equal(Buffer.from(base64, 'base64').toString(), text);
  }
  const properties = { a: { 'x-mcp-header': 'A' }, b: { 'x-mcp-header': 'B' }, c: { 'x-mcp-header': 'c d' }, e: null };
  assert.deepEqual(parameterHeaders({ properties }, { a: 1, b: null, c: 2 }), { 'mcp-param-A': '1' });
  assert.deepEqual(parameterHeaders(undefined, {}), {});
  const inherited = { constructor: { 'x-mcp-header': 'A' }, toString: { 'x-mcp-header': 'B' } };
  assert.deepEqual(parameterHeaders({ properties: inherited }, {}), {});
});

test('expands URI templates', () => {
  const values = { a: 'x y/z', b: '2', empty: '' };
  for (const [template, wanted] of [
    ['t://{a}', 't://x%20y%2Fz'], ['t://{+a}', 't://x%20y/z'], ['t:/{/a,b}', 't://x%20y%2Fz/2'], ['t:{?a,b,none}', 't:?a=x%20y%2Fz&b=2'],
    ['t:x{&b}', 't:x&b=2'], ['t:{;b}', 't:;b=2'], ['t:{#b}', 't:#2'], ['t:{.b}', 't:.2'], ['t:{a*,b:3}', 't:x%20y%2Fz,2'],
    ['t:{empty}{none}', 't:'], ['t:{constructor}{__proto__}', 't:'],
  ]) assert.equal(expand(template, values), wanted, template);
  assert.deepEqual(variablesOf('t:{/a*,b:3}{?c}{a}{'), ['a', 'b', 'c']);
});

test('finds the numbers of a value', () => {
  assert.deepEqual(numbersIn({ a: 1, b: { c: [1, 2], d: 'x', e: [1, 'x'] }, f: [3] }), [['a', 1], ['b.c', [1, 2]]]);
  assert.deepEqual(numbersIn(5), [['', 5]]);
  assert.deepEqual(numbersIn(JSON.parse('{"a":1e999,"b":[1e999,1]}')), []);
  assert.equal(numbersIn(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [i, i]))).length, 8);
  let deep = {};
  for (let i = 0; i < 10_000; ++i) deep = { deep };
  assert.deepEqual(numbersIn(deep), []);
  assert.equal(points([0, 5, 10], 20, 10), '0.0,10.0 10.0,5.0 20.0,0.0');
  assert.equal(points([5, 5], 20, 10), '0.0,5.0 20.0,5.0');
  assert.deepEqual([parse('{"a":1}'), parse('x'), parse(undefined)], [{ a: 1 }, 'x', undefined]);
  assert.deepEqual(objectsIn([1, null, { a: 1 }, []]), [{ a: 1 }]);
  assert.deepEqual(objectsIn('x'), []);
});
