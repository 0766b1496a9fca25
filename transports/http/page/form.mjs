// SPDX-License-Identifier: Apache-2.0
// Makes forms from JSON Schemas.
import { button, h, newId } from './dom.mjs';
import { check, isObject, normalize, parse, propertiesOf, readNumber, sliderStep } from './schema.mjs';

const maxItems = 100;
const maxDepth = 6;
const maxFields = 500;

const inputTypes = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' };

const text = (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value ?? ''));

// Controls: { element, input, get() }. `input` has the label. get() returns undefined for a field without a value.

function choiceControl({ choices, default: preset }, id, required) {
  const select = h('select', { id }, h('option', { value: '' }, required ? 'Choose…' : '–'),
    choices.map(({ title, value }, i) => h('option', { value: i, selected: value === preset }, title)));
  return { element: select, input: select, get: () => choices[select.value]?.value };
}

function booleanControl({ default: preset }, id, required) {
  const element = h('input', { id, type: 'checkbox', checked: preset === true });
  element.indeterminate = !required && preset === undefined;
  return { element, input: element, get: () => (element.indeterminate ? undefined : element.checked) };
}

function numberControl(field, id, label) {
  const { minimum: min, maximum: max, default: preset } = field;
  const step = sliderStep(field);
  const box = h('input', { id, type: 'number', step: 'any', min, max, value: text(preset) });
  const get = () => (box.validity.badInput ? NaN : box.value === '' ? undefined : readNumber(box.value));
  if (!step) return { element: box, input: box, get };
  const first = field.multipleOf ? Math.ceil(min / step) * step : min;
  const slider = h('input', {
    type: 'range', min: first, max, step, 'aria-label': `${label}, slider`, value: preset ?? min,
    oninput: () => { box.value = slider.value; },
  });
  box.oninput = () => { slider.value = box.value; };
  return { element: h('div', { className: 'row' }, slider, box), input: box, get };
}

function textControl({ type, format, maxLength, default: preset }, id) {
  const isJson = type !== 'string';
  const element = isJson || maxLength > 160 ? h('textarea', { id, rows: 3 }) :
    h('input', { id, type: inputTypes[format] ?? 'text', autocomplete: 'off' });
  const isDateTime = element.type === 'datetime-local';
  if (!isDateTime) element.value = text(preset);
  return {
    element,
    input: element,
    get: () => {
      const { value } = element;
      if (value === '' && !element.validity.badInput) return undefined;
      return isJson ? parse(value) : isDateTime && value ? new Date(value).toISOString() : value;
    },
  };
}

// Several of these values.
function severalControl({ items, default: preset }) {
  const boxes = items.choices.map(({ value, title }) => {
    const box = h('input', { type: 'checkbox', checked: !!preset?.includes?.(value) });
    return { box, value, label: h('label', {}, box, title) };
  });
  return {
    element: h('div', { className: 'row' }, boxes.map(({ label }) => label)),
    get: () => {
      const values = boxes.filter(({ box }) => box.checked).map(({ value }) => value);
      return values.length ? values : undefined;
    },
  };
}

function controlOf(field, id, label, required) {
  const { type, choices } = field;
  if (choices) return choiceControl(field, id, required);
  if (type === 'boolean') return booleanControl(field, id, required);
  if (type === 'integer' || type === 'number') return numberControl(field, id, label);
  if (type === 'array' && field.items.choices) return severalControl(field);
  return textControl(field, id);
}

/**
 * Returns { element, read(errors) } for a value. read() returns the value, or undefined, and adds [show, message] for
 * each error. `form` has the root of the schema, the number of fields that are `made`, and `shows`, the functions that show an
 * error by their path. A schema with references to itself has more and more fields, so a field after many is one for JSON.
 */
function makeField(form, schema, { path, name, required, depth = 0 }) {
  const field = normalize(schema, form.root);
  const label = text(field.title ?? name);
  if (field.type === 'array') field.items = normalize(field.items, form.root);
  const isMap = field.type === 'object' && !propertiesOf(field).length;
  const isList = field.type === 'array' && !field.items.choices;
  const isGroup = ++form.made <= maxFields && depth < maxDepth && !field.choices &&
    (isList || (field.type === 'object' && (!isMap || isObject(field.additionalProperties))));
  const id = newId();
  const error = h('small', { className: 'error', id: `${id}e` });
  const hint = h('small', { id: `${id}h` }, text(field.description));
  const mark = required ? h('b', { className: 'error' }, ' *') : '';
  const group = isList ? listControl : isMap ? mapControl : objectControl;
  const inner = isGroup ? group(form, field, { path, depth, required }) : controlOf(field, id, label, required);
  const { input } = inner;
  const target = input ?? inner.element;
  target.setAttribute('aria-describedby', `${id}h ${id}e`);
  const isCheck = input?.type === 'checkbox';
  if (required && input && !isCheck) input.setAttribute('aria-required', true);
  const show = (message) => {
    error.textContent = message;
    input?.setAttribute('aria-invalid', !!message);
    return input ?? target.querySelector('input,select,textarea,button') ?? target;
  };
  form.shows.set(path, show);

  let none;
  if (field.nullable) {
    none = h('input', {
      type: 'checkbox',
      onchange: () => inner.element.toggleAttribute('inert', none.checked),
      checked: field.default === null && 'default' in field,
    });
  }
  const read = (errors) => {
    if (none?.checked) return null;
    const value = inner.get(errors);
    if (value === undefined) {
      if (required) errors.push([show, 'Required.']);
      return undefined;
    }
    const problem = check(field, value);
    if (problem) errors.push([show, problem]);
    return value;
  };
  const nullBox = none ? h('label', {}, none, `${label}: no value`) : '';
  const element = input ?
    h('div', { className: isCheck ? 'field check' : 'field' },
      h('label', { htmlFor: id }, label, mark), inner.element, hint, nullBox, error) :
    h('fieldset', {}, h('legend', {}, label, mark), hint, inner.element, nullBox, error);
  return { element, read };
}

function objectControl(form, field, { path, depth, required }) {
  const needed = Array.isArray(field.required) ? field.required : [];
  const members = propertiesOf(field).map(([name, schema]) => [name, makeField(form, schema, {
    path: path ? `${path}.${name}` : name, name, required: needed.includes(name), depth: depth + 1,
  })]);
  return {
    element: h('div', { className: 'members' }, members.map(([, member]) => member.element)),
    get: (errors) => {
      const own = [];
      const value = {};
      for (const [name, member] of members) {
        const given = member.read(own);
        if (given !== undefined) Object.defineProperty(value, name, { value: given, enumerable: true });
      }
      // The members of an object that is not given are not required.
      if (!required && !Object.keys(value).length && own.every(([, message]) => message === 'Required.')) return undefined;
      errors.push(...own);
      return value;
    },
  };
}

// The rows of a list or of a map, and the buttons that add and remove one.
function rowsControl(makeRow, least = 0, most = maxItems, presets, readAll) {
  const rows = [];
  const box = h('div', { className: 'rows' });
  const add = button('Add', () => addRow()?.querySelector('input,select,textarea')?.focus());
  function addRow(preset) {
    if (rows.length >= most || rows.length >= maxItems) return undefined;
    const row = makeRow(rows.length, preset);
    const line = h('div', { className: 'row' }, row.element, button('Remove', () => {
      rows.splice(rows.indexOf(row), 1);
      line.remove();
      add.disabled = false;
      add.focus();
    }));
    rows.push(row);
    box.append(line);
    add.disabled = rows.length >= most;
    return line;
  }
  for (const preset of presets) addRow(preset);
  while (rows.length < least && addRow());
  return { element: h('div', {}, box, add), get: (errors) => readAll(rows, errors) };
}

function listControl(form, field, { path, depth, required }) {
  const makeRow = (i, preset) => makeField(form, preset === undefined ? field.items : { ...field.items, default: preset }, {
    path: `${path}[${i}]`, name: `${field.items.title ?? 'Item'} ${i + 1}`, required: true, depth: depth + 1,
  });
  const presets = Array.isArray(field.default) ? field.default : [];
  return rowsControl(makeRow, required ? field.minItems : 0, field.maxItems, presets, (rows, errors) => (
    rows.length || required ? rows.map((row) => row.read(errors)) : undefined));
}

function mapControl(form, field, { path, depth, required }) {
  const makeRow = () => {
    const row = `${path}.${newId()}`;
    const key = makeField(form, { type: 'string', title: 'Name' }, { path: `${row}k`, required: true });
    const value = makeField(form, field.additionalProperties, { path: row, name: 'Value', required: true, depth: depth + 1 });
    return { element: h('div', { className: 'row' }, key.element, value.element), key, value };
  };
  return rowsControl(makeRow, required ? field.minProperties : 0, field.maxProperties, [], (rows, errors) => {
    const value = Object.fromEntries(rows.map((row) => [row.key.read(errors) ?? '', row.value.read(errors)]));
    return rows.length || required ? value : undefined;
  });
}

/**
 * Returns { element, fail(text) }: a form whose `submit(values)` is called with valid values only. fail() shows the error
 * of the device at the field that it quotes.
 */
export function makeForm(schema, label, submit, buttons = []) {
  const form = { root: schema, made: 0, shows: new Map() };
  const field = normalize(schema, schema);
  const top = objectControl(form, field, { path: '', depth: 0, required: true });
  const show = (errors) => {
    for (const clear of form.shows.values()) clear('');
    errors.map(([at, message]) => at(message))[0]?.focus();
  };
  const element = h('form', {
    noValidate: true,
    onsubmit: (event) => {
      event.preventDefault();
      const errors = [];
      const values = top.get(errors);
      show(errors);
      if (!errors.length) submit(values);
    },
  }, top.element, h('div', { className: 'row' }, h('button', { className: 'main' }, label), buttons));
  const fail = (message) => {
    const [, path] = /"([^"]{1,200})"/.exec(message) ?? [];
    // The longest path that the error begins with: an error of a member that has no field belongs to its parent.
    const [found] = [...form.shows.keys()].filter((known) => known && path?.startsWith(known))
      .sort((a, b) => b.length - a.length);
    if (found) show([[form.shows.get(found), message]]);
  };
  return { element, fail };
}
