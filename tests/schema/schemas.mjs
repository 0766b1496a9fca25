// SPDX-License-Identifier: Apache-2.0
// The official JSON Schemas of MCP, a file for each revision, and the definition for each value. Knows no conversation.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { nodeFolder } from '../../examples/client/session.mjs';

const require = createRequire(join(nodeFolder, 'package.json'));

/** Whether the validator is installed; without it Schemas cannot be used. */
export const ajvInstalled = ['ajv', 'ajv-formats'].every(
  (name) => existsSync(join(nodeFolder, 'node_modules', name, 'package.json')));

// ajv only warns of some errors, such as an unknown format. Such a schema would check nothing.
const logger = { log() {}, warn(text) { throw new Error(text); }, error(text) { throw new Error(text); } };

/** A validator of the dialect that `module` of ajv implements. */
export function makeAjv(module, options = {}) {
  const ajv = new (require(module).default)({ strict: false, logger, ...options });
  require('ajv-formats').default(ajv);
  return ajv;
}

function complaintOf(errors) {
  const texts = errors.map(({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`);
  return [...new Set(texts)].slice(0, 6).join('; ');
}

/** The definitions of one revision. A complaint is a text; undefined is none. */
class Revision {
  #ajv;
  #id;

  constructor(name, schema) {
    this.name = name;
    // Draft 2020-12 calls them $defs; the revisions before 2025-11-25 are written in draft 07.
    this.keyword = '$defs' in schema ? '$defs' : 'definitions';
    this.definitions = schema[this.keyword];
    this.#ajv = makeAjv(this.keyword === '$defs' ? 'ajv/dist/2020' : 'ajv');
    // A server repeats the URI of a request, and the literals of its templates, as they came: also a space and a
    // character beyond ASCII. A client escapes them.
    for (const format of ['uri', 'uri-template']) {
      const isValid = this.#ajv.formats[format];
      const test = (text) => (isValid instanceof RegExp ? isValid.test(text) : (isValid.validate ?? isValid)(text));
      this.#ajv.addFormat(format, (text) => test(text.replace(/[^!-~]/gu, encodeURIComponent)));
    }
    this.#id = `mcp:${name}`;
    this.#ajv.addSchema({ ...schema, $id: this.#id });
  }

  /** The first of `names` that this revision defines. */
  first(...names) {
    return names.find((name) => name in this.definitions);
  }

  /** What `value` lacks to be a `definition`. */
  complaint(definition, value) {
    if (!(definition in this.definitions)) return `the schema of ${this.name} has no ${definition}`;
    const validate = this.#ajv.getSchema(`${this.#id}#/${this.keyword}/${definition}`);
    return validate(value) ? undefined : `no ${definition}: ${complaintOf(validate.errors)}`;
  }

  /** The definition of the message `method` among those that the union has, such as ServerNotification. */
  member(union, method) {
    const names = (this.definitions[union]?.anyOf ?? []).map(({ $ref }) => $ref.split('/').at(-1));
    return names.find((name) => this.definitions[name].properties?.method?.const === method);
  }

  /** The definition of the result of the request `method`; undefined for a request that no client of this revision may send. */
  result(method) {
    // A task's result has the type of its request, and only tools/call can be a task.
    if (method === 'tasks/result') return 'CallToolResult';
    const request = this.member('ClientRequest', method);
    return request && this.first(request.replace(/Request$/, 'Result'), 'EmptyResult');
  }
}

/** The schemas of a folder, as REVISION.json. */
export class Schemas {
  #folder;
  #revisions = new Map();
  #dialect = makeAjv('ajv/dist/2020');

  constructor(folder) {
    this.#folder = folder;
  }

  /** The revision of this name, or undefined when the folder does not have it. */
  revision(name) {
    if (!this.#revisions.has(name)) {
      const file = join(this.#folder, `${name}.json`);
      const there = /^[\w-]+(\.schema)?$/.test(name) && existsSync(file);
      this.#revisions.set(name, there ? new Revision(name, JSON.parse(readFileSync(file, 'utf8'))) : undefined);
    }
    return this.#revisions.get(name);
  }

  /** What the extension of tasks adds to 2026-07-28; undefined when the folder does not have it. */
  tasks() {
    return this.revision('ext-tasks.schema');
  }

  /** What is wrong with a schema of the server's own, which without a $schema is one of draft 2020-12. */
  schemaComplaint(schema) {
    if ('$schema' in schema && schema.$schema !== 'https://json-schema.org/draft/2020-12/schema') {
      return `a dialect that nobody needs to support: ${schema.$schema}`;
    }
    return this.#dialect.validateSchema(schema) ? undefined : `no JSON Schema: ${complaintOf(this.#dialect.errors)}`;
  }

  /** What `value` lacks to conform to a schema of the server's own, which is valid. */
  valueComplaint(schema, value) {
    const validate = this.#dialect.compile(schema);
    return validate(value) ? undefined : complaintOf(validate.errors);
  }
}
