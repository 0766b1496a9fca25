// SPDX-License-Identifier: Apache-2.0
// Shows values and contents of the device.
import { button, h } from './dom.mjs';
import { isObject, numbersIn, objectsIn, parse, points } from './schema.mjs';

const maxText = 20000;
const cut = (text) => (text.length > maxText ? `${text.slice(0, maxText)}…` : text);

/** Returns a value of JSON: members as rows, the rest as text. */
export function view(value, depth = 0) {
  if ((isObject(value) || objectsIn(value).length) && depth < 4 && Object.keys(value).length) {
    return h('dl', {}, Object.entries(value).slice(0, 100).map(([key, member]) => [
      h('dt', {}, key), h('dd', {}, view(member, depth + 1))]));
  }
  if (typeof value === 'string') return h('pre', {}, cut(value));
  return h('code', { className: typeof value }, cut(JSON.stringify(value) ?? ''));
}

const isBase64 = (text) => typeof text === 'string' && /^[\w+/=\s]*$/.test(text);
const media = { image: ['img', /^image\/[\w.+-]+$/], audio: ['audio', /^audio\/[\w.+-]+$/] };

function shown(kind, mimeType, data) {
  const [tag, types] = media[kind];
  if (!types.test(mimeType) || !isBase64(data)) return h('span', {}, `${kind} (${mimeType})`);
  return h(tag, { src: `data:${mimeType};base64,${data}`, alt: 'Image of the device', controls: true, 'aria-label': kind });
}

/** Returns the content of one resource. */
export function resourceView({ text, blob, mimeType = '', uri }) {
  if (typeof text === 'string') return view(text.length < 1e5 ? parse(text) : text);
  const [kind] = mimeType.split('/');
  if (blob !== undefined && Object.hasOwn(media, kind)) return shown(kind, mimeType, blob);
  return h('span', {}, `${mimeType || 'Binary'}, ${Math.floor(String(blob ?? '').length * 3 / 4)} bytes, ${uri}`);
}

/** Returns one block of content. `read(uri, element)` reads a linked resource. */
export function block(content, read) {
  const { type, text, mimeType, data, resource, uri, title, name } = content;
  if (type === 'text') return view(parse(String(text)));
  if (Object.hasOwn(media, type ?? '')) return shown(type, mimeType, data);
  if (type === 'resource' && isObject(resource)) return resourceView(resource);
  if (type === 'resource_link') {
    const box = h('div');
    return h('div', {}, button(`Read ${title ?? name ?? uri}`, () => read(uri, box)), box);
  }
  return view(content);
}

/** Returns the parts of a result of a tool. */
export function resultView({ content, structuredContent, isError }, read) {
  const blocks = objectsIn(content);
  const same = structuredContent !== undefined && JSON.stringify(structuredContent);
  return h('div', { className: isError ? 'error' : undefined },
    blocks.filter(({ type, text }) => !(same && type === 'text' && JSON.stringify(parse(text)) === same))
      .map((one) => block(one, read)),
    same ? view(structuredContent) : '');
}

function svg(tag, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** Returns a plot of numbers, and their range as text. */
function plot(name, values) {
  const range = `${+Math.min(...values).toPrecision(6)} to ${+Math.max(...values).toPrecision(6)}`;
  const picture = svg('svg', {
    viewBox: '-2 -2 204 44', preserveAspectRatio: 'none', role: 'img', 'aria-label': `${name}: last ${values.length} values, ${range}`,
  });
  picture.append(svg('polyline', { points: points(values, 200, 40), 'vector-effect': 'non-scaling-stroke' }));
  return h('figure', {}, picture, h('figcaption', {}, h('span', {}, name), h('span', {}, range)));
}

/** Returns a function that takes each new value of a resource, and returns plots of its numbers. */
export function plotter() {
  const series = new Map();
  return (value) => numbersIn(parse(value)).map(([path, number]) => {
    if (Array.isArray(number)) return plot(path, number.slice(0, 500));
    const values = series.get(path) ?? [];
    series.set(path, values);
    values.push(number);
    if (values.length > 120) values.shift();
    return values.length > 1 ? plot(path, values) : '';
  });
}
