// SPDX-License-Identifier: Apache-2.0
// The page: connects, shows what the device has, and lets a person use it.
import { anchor, button, h, newId } from './dom.mjs';
import { makeForm } from './form.mjs';
import { backoff, call, connect, hooks, leave, link, listAll, listen, pathOf, probe, request, sleep } from './rpc.mjs';
import { expand, objectsIn, parameterHeaders, variablesOf } from './schema.mjs';
import { block, plotter, resourceView, resultView } from './view.mjs';

const [titleBox, aboutBox, stateBox, mainBox] = ['title', 'about', 'state', 'main'].map((id) => document.getElementById(id));
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const autoReads = 20;
const logLines = 200;

let device = {};
const displayName = ({ title, name, uri, uriTemplate }) => String(title ?? name ?? uri ?? uriTemplate);

function showState(kind, ...parts) {
  stateBox.className = kind;
  stateBox.replaceChildren(...parts);
}

// ---- Reading resources ----------------------------------------------------------------------------------------------

// One at a time, because a device has few connections.
let queue = Promise.resolve();
function enqueue(action) {
  const done = queue.then(action);
  queue = done.catch(() => {});
  return done;
}

// Without a person who has asked for it (`isQuiet`), a read shows no dialog.
async function readInto(uri, box, plots, isQuiet) {
  try {
    const read = isQuiet ? request : call;
    const result = await enqueue(() => read('resources/read', { uri }, { timeout: 30000 }));
    if (result.inputRequests) throw new Error('The device needs input.');
    const contents = objectsIn(result.contents);
    box.replaceChildren(...contents.map(resourceView), ...(plots?.(contents[0]?.text) ?? []));
  } catch (error) {
    box.replaceChildren(h('p', { className: 'error' }, error.message));
  }
  // A keyboard scrolls what has the focus.
  box.tabIndex = box.scrollHeight > box.clientHeight ? 0 : -1;
}

// ---- Cards ----------------------------------------------------------------------------------------------------------

const heading = (row, tag) => [h('h3', {}, displayName(row)), tag ? h('span', { className: 'tag' }, tag) : ''];

// The content is made when a person opens it: a list may be long.
function details(row, tag, make) {
  const element = h('details', {
    className: 'card',
    ontoggle: () => {
      element.ontoggle = null;
      element.append(...make());
    },
  }, h('summary', {}, heading(row, tag), h('p', {}, String(row.description ?? ''))));
  return { element };
}

function resourceCard(row) {
  const { uri, description } = row;
  const box = h('div', { className: 'value' });
  const plots = plotter();
  let isPending = false;
  const read = async (isQuiet) => {
    if (isPending) return;
    isPending = true;
    row.size = 0;  // from now on, the page reads it itself
    await enqueue(() => { isPending = false; });
    await readInto(uri, box, plots, isQuiet);
  };
  let timer;
  const poll = h('input', {
    type: 'checkbox',
    onchange: () => {
      clearInterval(timer);
      if (poll.checked) timer = setInterval(read, 2000, true);
    },
  });
  return {
    uri, read, isLarge: () => row.size > 8192,
    remove: () => clearInterval(timer),
    element: h('div', { className: 'card' }, heading(row), h('p', {}, String(description ?? '')), box,
      h('div', { className: 'row' }, button('Read', () => read()), h('label', {}, poll, 'every 2 s'), h('small', {}, uri))),
  };
}

/** The fields for arguments that are strings, which the device may complete. */
function textForm(names, ref, label, submit, buttons) {
  const properties = Object.fromEntries(names.map(({ name, title, description }) => (
    [name, { type: 'string', title, description }])));
  const required = names.filter((one) => one.required).map(({ name }) => name);
  const form = makeForm({ type: 'object', properties, required }, label, submit, buttons);
  const inputs = [...form.element.querySelectorAll('input')];
  // Not in the order of `names`, because an object has its members with a number as name first.
  const keys = Object.keys(properties);
  if (device.capabilities?.completions) inputs.forEach((input, i) => complete(input, keys[i], ref, inputs, keys));
  return form;
}

function complete(input, name, ref, inputs, keys) {
  const list = h('datalist', { id: newId() });
  input.setAttribute('list', list.id);
  input.after(list);
  let timer;
  const ask = async () => {
    const others = Object.fromEntries(inputs.map((other, i) => [keys[i], other.value]).filter(([, value]) => value));
    const { completion } = await request('completion/complete',
      { ref, argument: { name, value: input.value }, context: { arguments: others } }, { timeout: 10000 });
    list.replaceChildren(...(completion?.values ?? []).map((value) => h('option', { value })));
  };
  input.onfocus = input.oninput = () => {
    clearTimeout(timer);
    timer = setTimeout(() => ask().catch(() => {}), 200);
  };
}

const templateCard = (row) => details(row, '', () => {
  const box = h('div', { className: 'value' });
  const names = variablesOf(String(row.uriTemplate)).map((name) => ({ name }));
  const form = textForm(names, { type: 'ref/resource', uri: row.uriTemplate }, 'Read',
    (values) => readInto(expand(row.uriTemplate, values), box, plotter()));
  return [h('small', {}, row.uriTemplate), form.element, box];
});

/** Returns { run(action), buttons, element }: an action with progress, a button to cancel it, and its result. */
function runner(onError) {
  const box = h('div', { 'aria-live': 'polite' });
  let stop;
  const cancel = button('Cancel', () => stop?.abort());
  cancel.hidden = true;
  const run = async (action) => {
    stop?.abort();
    const own = stop = new AbortController();
    const bar = h('progress', { 'aria-label': 'Progress' });
    const text = h('small');
    cancel.hidden = false;
    box.replaceChildren(bar, text);
    const progress = ({ progress: now, total, message }) => {
      if (total > 0) Object.assign(bar, { max: total, value: Number(now) || 0 });
      text.textContent = String(message ?? (total > 0 ? `${now} of ${total}` : now));
    };
    let shown;
    try {
      shown = await action({ signal: own.signal, progress });
    } catch (error) {
      const message = own.signal.aborted ? 'Cancelled.' : error.message;
      if (!error.code) onVisible();
      onError?.(message);
      shown = h('p', { className: 'error' }, message);
      // A page of another site must be seen before the call.
      if (error.code === -32042) {
        for (const params of objectsIn(error.data?.elicitations)) hooks.answer({ method: 'elicitation/create', params });
      }
    }
    if (own !== stop) return;
    cancel.hidden = true;
    box.replaceChildren(shown);
  };
  return { run, cancel, box };
}

function toolCard(row) {
  const { name, inputSchema, annotations = {} } = row;
  const tag = annotations.readOnlyHint ? 'reads only' : annotations.destructiveHint ? 'destructive' : '';
  return details({ ...row, title: row.title ?? annotations.title }, tag, () => {
    const { run, cancel, box } = runner((message) => form.fail(message));
    const form = makeForm(inputSchema, 'Run', (values) => run(async (options) => {
      const headers = link.isModern ? parameterHeaders(inputSchema, values) : {};
      const result = await call('tools/call', { name, arguments: values }, { ...options, headers });
      if (result.isError) form.fail(String(result.content?.[0]?.text));
      return resultView(result, readInto);
    }), [cancel]);
    return [form.element, box];
  });
}

const promptCard = (row) => details(row, '', () => {
  const { run, cancel, box } = runner();
  const form = textForm(objectsIn(row.arguments), { type: 'ref/prompt', name: row.name }, 'Get',
    (values) => run(async (options) => {
      const { messages } = await call('prompts/get', { name: row.name, arguments: values }, options);
      return h('dl', {}, objectsIn(messages).map(({ role, content }) => [
        h('dt', {}, role), h('dd', {}, objectsIn([content].flat()).map((one) => block(one, readInto)))]));
    }), [cancel]);
  return [form.element, box];
});

// ---- Sections -------------------------------------------------------------------------------------------------------

// A section keeps the cards whose rows have not changed, with all that a person has typed.
function section(title, method, member, makeCard) {
  const grid = h('div', { className: 'grid' });
  const element = h('section', { hidden: true }, h('h2', {}, title), grid);
  mainBox.append(element);
  let cards = new Map();
  let waiting;
  const load = async () => {
    const rows = await enqueue(() => {
      waiting = undefined;
      return listAll(method, member);
    });
    const next = new Map();
    for (const row of rows) {
      const json = JSON.stringify(row);
      next.set(json, cards.get(json) ?? makeCard(row));
    }
    for (const [json, card] of cards) if (!next.has(json)) card.remove?.();
    cards = next;
    element.hidden = !cards.size;
    grid.replaceChildren(...[...cards.values()].map((card) => card.element));
  };
  return {
    cards: () => [...cards.values()],
    hide: () => { element.hidden = true; },
    // One load that has not begun is enough, however often the list changes.
    refresh: () => waiting ??= load(),
  };
}

mainBox.replaceChildren();
const resources = section('Resources', 'resources/list', 'resources', resourceCard);
const templates = section('Resource templates', 'resources/templates/list', 'resourceTemplates', templateCard);
const tools = section('Tools', 'tools/list', 'tools', toolCard);
const prompts = section('Prompts', 'prompts/list', 'prompts', promptCard);

const lines = h('div', { className: 'log', role: 'log', tabIndex: 0, 'aria-label': 'Messages' });
const levelBox = h('select', {
  'aria-label': 'Log level',
  onchange: () => setLevel().catch((error) => log('error', error.message)),
}, ['off', ...levels].map((level) => h('option', {}, level)));
const logSection = h('section', { hidden: true }, h('h2', {}, 'Log'),
  h('div', { className: 'card' }, h('div', { className: 'row' }, h('label', {}, 'Level ', levelBox)), lines));
mainBox.append(logSection);

function log(level, text) {
  lines.prepend(h('div', {}, h('small', {}, `${new Date().toLocaleTimeString()} ${level} `), text));
  while (lines.childElementCount > logLines) lines.lastChild.remove();
}

async function setLevel() {
  const level = levelBox.value === 'off' ? '' : levelBox.value;
  link.level = level;
  if (!link.isModern && device.capabilities?.logging) await request('logging/setLevel', { level: level || 'emergency' });
}

// ---- Input requests -------------------------------------------------------------------------------------------------

const dialogs = new Map();

// Shows a dialog and returns what `fill(end)` passes to end(); `otherwise` after Escape, or if the request is cancelled.
function ask(title, otherwise, fill, id, signal) {
  return new Promise((done) => {
    const heading2 = h('h2', { id: newId() }, title);
    const dialog = h('dialog', { 'aria-labelledby': heading2.id, onclose: () => end(otherwise) });
    const end = (result) => {
      dialog.remove();
      dialogs.delete(id);
      done(result);
    };
    dialog.append(heading2, ...fill(end));
    document.body.append(dialog);
    dialogs.set(id, () => end(otherwise));
    signal?.addEventListener('abort', () => end(otherwise));
    dialog.showModal();
  });
}

function elicit({ mode, message, url, requestedSchema }, ...more) {
  return ask('The device needs input', { action: 'cancel' }, (end) => {
    const decline = button('Decline', () => end({ action: 'decline' }));
    const text = h('p', {}, String(message ?? ''));
    if (mode === 'url') {
      return [text, h('p', {}, anchor(String(url), () => end({ action: 'accept' }))), decline];
    }
    return [text, makeForm(requestedSchema, 'Send', (content) => end({ action: 'accept', content }), [decline]).element];
  }, ...more);
}

async function sample({ messages, systemPrompt }, ...more) {
  const text = await ask('The device needs a text', undefined, (end) => [
    h('p', {}, String(systemPrompt ?? '')),
    ...objectsIn(messages).flatMap(({ content }) => objectsIn([content].flat()).map((one) => block(one))),
    makeForm({ properties: { text: { type: 'string', title: 'Your answer', maxLength: 4000 } }, required: ['text'] }, 'Send',
      (values) => end(values.text), [button('Decline', () => end())]).element,
  ], ...more);
  if (text === undefined) throw Object.assign(new Error('The person has declined.'), { code: -1 });
  return { role: 'assistant', content: { type: 'text', text }, model: 'person', stopReason: 'endTurn' };
}

let asked = Promise.resolve();
hooks.answer = async ({ method, params = {}, id }, signal) => {
  if (method === 'ping') return {};
  if (method === 'roots/list') return { roots: [] };
  const answer = { 'elicitation/create': elicit, 'sampling/createMessage': sample }[method];
  if (!answer) throw Object.assign(new Error('Unknown method.'), { code: -32601 });
  const result = asked.then(() => answer(params, id ?? newId(), signal));
  asked = result.catch(() => {});
  return result;
};

const refreshers = { tools: [tools], prompts: [prompts], resources: [resources, templates] };
let relisten = () => {};
hooks.notify = ({ method, params = {} }) => {
  const [, list, event] = /^notifications\/(\w+)\/?(.*)$/.exec(method) ?? [];
  if (event === 'list_changed' && Object.hasOwn(refreshers, list)) {
    Promise.allSettled(refreshers[list].map((one) => one.refresh())).then(() => list === 'resources' && relisten());
  } else if (event === 'updated') {
    resources.cards().find(({ uri }) => uri === params.uri)?.read(true);
  } else if (event === 'acknowledged') {
    showValues();
  } else if (list === 'message') {
    log(String(params.level), `${params.logger ? `${params.logger}: ` : ''}${
      typeof params.data === 'string' ? params.data : JSON.stringify(params.data)}`);
  } else if (list === 'cancelled') {
    dialogs.get(params.requestId)?.();
  }
};

// ---- The connection -------------------------------------------------------------------------------------------------

function signIn(error) {
  showState('down', 'Sign in');
  return new Promise((done) => {
    const form = makeForm({ properties: { token: { type: 'string', title: 'Token', description: 'Kept until the page is closed.' } },
      required: ['token'] }, 'Sign in', ({ token }) => {
      link.token = token;
      card.remove();
      done();
    });
    const input = form.element.querySelector('input');
    input.type = 'password';
    const card = h('section', { className: 'card' }, h('h2', {}, 'Sign in'),
      h('p', { className: 'error' }, link.token ? error.message : ''), form.element);
    mainBox.prepend(card);
    input.focus();
  });
}

function showDevice() {
  const { title, name, version, description, websiteUrl } = device.serverInfo;
  document.title = titleBox.textContent = String(title ?? name ?? 'Device');
  aboutBox.replaceChildren([name, version].filter(Boolean).join(' '), ...(description ? [` · ${description}`] : []),
    ...(websiteUrl ? [' · ', anchor(String(websiteUrl))] : []), ...(device.instructions ? [`\n${device.instructions}`] : []));
}

// Also after each subscription: a change between a read and the subscription has no notification.
const showValues = () => resources.cards().filter(({ isLarge }) => !isLarge()).slice(0, autoReads).forEach(({ read }) => read(true));

async function showLists() {
  const { capabilities: { resources: hasResources, tools: hasTools, prompts: hasPrompts, logging } = {} } = device;
  logSection.hidden = !logging;
  if (hasResources) await resources.refresh();
  showValues();
  for (const [one, has] of [[tools, hasTools], [templates, hasResources], [prompts, hasPrompts]]) {
    if (has) await one.refresh();
    else one.hide();
  }
}

// Subscribes, and returns when the connection is lost. Throws what a request reports.
async function stay() {
  const { capabilities = {} } = device;
  const end = new AbortController();
  const has = ['resources', 'tools', 'prompts'].some((list) => capabilities[list]?.listChanged || capabilities[list]?.subscribe);
  const uris = () => resources.cards().map(({ uri }) => uri).slice(0, 100);
  let isLost = false;
  const keepListening = async () => {
    for (let failures = 0; has && !end.signal.aborted;) {
      const again = new AbortController();
      relisten = () => again.abort();
      const begun = Date.now();
      try {
        await listen(uris(), capabilities, AbortSignal.any([end.signal, again.signal]));
        await sleep(1000, end.signal);
      } catch (error) {
        if (again.signal.aborted) continue;
        // Without a place for a subscription, reading works.
        if (error.status === 404 && link.session) isLost = true;
        failures = Date.now() - begun > 5000 ? 1 : failures + 1;
        if (!error.code) onVisible();
        await sleep(backoff(failures, error.retryAfter), end.signal);
      }
    }
  };
  const listening = keepListening();
  if (!link.isModern && capabilities.resources?.subscribe) {
    for (const uri of uris()) await enqueue(() => request('resources/subscribe', { uri }, { timeout: 10000 })).catch(() => {});
    showValues();
  }
  try {
    while (!isLost) {
      await new Promise((done) => {
        onVisible = done;
        setTimeout(done, 10000);
      });
      if (document.hidden) continue;
      const boot = await probe();
      if (boot !== undefined && boot !== device.boot) return;
    }
  } finally {
    end.abort();
    await listening;
  }
}

let onVisible = () => {};
document.addEventListener('visibilitychange', () => onVisible());

async function findPath() {
  const response = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(10000) });
  link.path = pathOf(response.headers.get('link')) ?? link.path;
}

async function run() {
  const era = /^#20\d\d-\d\d-\d\d$/.test(location.hash) ? location.hash.slice(1) : undefined;
  let hasPath = false;
  for (let failures = 0;;) {
    try {
      showState('', 'Connecting…');
      if (!hasPath) await findPath();
      hasPath = true;
      device = await connect(era);
      showDevice();
      await setLevel();
      await showLists();
      failures = 0;
      showState('up', `Connected · ${link.version}`);
      await stay();
    } catch (error) {
      if (error.status === 401) {
        await signIn(error);
        continue;
      }
      await new Promise((done) => {
        const wait = backoff(failures++, error.retryAfter);
        showState('down', `${error.message.slice(0, 300)} Next try in ${wait / 1000} s.`, button('Retry', done));
        setTimeout(done, wait);
      });
    }
  }
}

window.addEventListener('pagehide', () => {
  if (link.session) leave();
});
run();
