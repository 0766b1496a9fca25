// SPDX-License-Identifier: Apache-2.0
// Makes elements. Strings become text nodes, never HTML, because they may come from the device.

/** Returns an element with properties, or attributes where it has no such property. */
export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === undefined) continue;
    if (key in element && key !== 'list') element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.flat(9).filter((child) => child !== undefined && child !== ''));
  return element;
}

export const button = (text, onclick, className) => h('button', { type: 'button', onclick, className }, text);

let ids = 0;
export const newId = () => `i${++ids}`;

/**
 * Returns a link to another page, which shows where it leads; only its text if it is not one of http or https. The other page
 * has no access to this one, because noreferrer includes noopener.
 */
export function anchor(url, onclick) {
  const { protocol, href } = URL.parse?.(url) ?? {};
  return /^https?:$/.test(protocol) ?
    h('a', { href, target: '_blank', rel: 'noreferrer', onclick }, href) : h('span', {}, url);
}
