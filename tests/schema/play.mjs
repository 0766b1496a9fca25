// SPDX-License-Identifier: Apache-2.0
// Follows one play of a conversation. It gives each line of the server its negotiated revision and, for a response, its
// request.

// The newest revision that has `initialize`. Messages before the negotiation are checked against it.
const newest = '2025-11-25';

// A stateless request names its revision, and its response has the same revision.
const versionKey = 'io.modelcontextprotocol/protocolVersion';
const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';
const stateless = '2026-07-28';

// Requests that may return input requests.
const asking = ['tools/call', 'prompts/get', 'resources/read'];

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

// The body of 401 and 403, for a request that was not read. Its id is null, without which the Python SDK 2 shows no text.
// The schemas have no value for that. Source: JSON-RPC 2.0, section 5.
const rejectsAccess = ({ error }) => error?.code === -32600 && /\b(token|scope)\b/i.test(error.message);

function parsed(text) {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

export class Play {
  #schemas;
  #counts;
  #revisionName = newest;
  #asked = [];            // requests without an answer yet, the oldest first: { id, request, line }
  #lines = 0;             // of the client
  #lastLine;              // of the client, parsed
  #unreadable = [];       // lines of the client that are no JSON
  #idsOfServer = new Set();
  #outputSchemas = new Map();  // of the tools that were listed, by name
  #late;                       // requests that were cancelled may be answered
  #vendor;                     // prefix of methods that MCP does not have; their results are objects

  /** `counts` grows: { messages, unchecked (no schema), withoutId (errors that old schemas cannot express) }, each a Map by revision. */
  constructor(schemas, counts, late = false, vendor = undefined) {
    this.#vendor = vendor;
    this.#schemas = schemas;
    this.#late = late;
    this.#counts = counts;
  }

  /** A line of the client, whatever it is. */
  client(line) {
    if (line.trim() === '') return;
    ++this.#lines;
    this.#lastLine = parsed(line.replace(/^[\0\u00ff\ufffd]+/, ''));  // a break, which the server skips
    if (this.#lastLine === undefined) this.#unreadable.push(line);
    const messages = Array.isArray(this.#lastLine) ? this.#lastLine : [this.#lastLine];
    for (const message of messages.filter(isObject)) {
      if ('id' in message && ('method' in message || !('result' in message || 'error' in message))) {
        this.#asked.push({ id: JSON.stringify(message.id), request: message, line: this.#lines });
      } else if (message.method === 'notifications/cancelled' && !this.#late) {
        this.#forget(({ id }) => id === JSON.stringify(message.params?.requestId));
      }
    }
  }

  /**
   * A line of the server, as text: what is wrong with it, or undefined. Throws a SyntaxError for what is not JSON. `to` is
   * the number of the line of the client that the transport assigns it to: 0 for none, by default the last line.
   */
  server(line, to = this.#lines) {
    const message = JSON.parse(line);
    // The answer to initialize is the first message of the revision that it names.
    const revisionName = message?.result?.protocolVersion ?? this.#claimed(message) ?? this.#revisionName;
    const revision = this.#schemas.revision(revisionName);
    this.#count(revision ? 'messages' : 'unchecked', revisionName);
    if (Array.isArray(message)) return this.#batch(revision, message);
    return this.#message(revision, message, to);
  }

  // The request that a message names: for progress and log messages, the last one. Other notifications belong to a
  // subscription, which they name, or to a session.
  #claimed(message) {
    if (!isObject(message)) return undefined;
    if (isObject(message.params?._meta) && subscriptionKey in message.params._meta) return stateless;
    if ('method' in message && !['notifications/progress', 'notifications/message'].includes(message.method)) return undefined;
    const of = 'id' in message ? this.#asked.find(({ id }) => id === JSON.stringify(message.id))?.request
      : this.#asked.at(-1)?.request;
    // For an unsupported version, the error has the form of the modern revision.
    const meta = of?.params?._meta;
    return isObject(meta) && versionKey in meta ? stateless : undefined;
  }

  #count(what, revisionName) {
    this.#counts[what].set(revisionName, (this.#counts[what].get(revisionName) ?? 0) + 1);
  }

  #forget(which) {
    this.#asked = this.#asked.filter((asked) => !which(asked));
  }

  #batch(revision, messages) {
    if (messages.length === 0) return 'a batch without messages';
    const ofBatch = (definition) => definition?.type === 'array' || definition?.anyOf?.some(ofBatch);
    if (revision && !ofBatch(revision.definitions.JSONRPCMessage)) return `${revision.name} has no batches`;
    for (const message of messages) {
      const complaint = this.#message(revision, message);
      if (complaint) return complaint;
    }
    return undefined;
  }

  // Without a revision it makes only the checks that need no schema. In a batch there is no `to`.
  #message(revision, message, to) {
    if (!isObject(message)) return 'no object';
    if (message.jsonrpc !== '2.0') return 'no jsonrpc 2.0';
    const kinds = ['method', 'result', 'error'].filter((key) => key in message);
    if (kinds.length !== 1) return `a message has one of method, result and error, not ${kinds.length}`;
    if (kinds[0] === 'result') return this.#result(revision, message);
    if (kinds[0] === 'error') return this.#error(revision, message, to);
    return this.#ofServer(revision, message);
  }

  #ofServer(revision, message) {
    const isRequest = 'id' in message;
    if (isRequest) {
      const id = JSON.stringify(message.id);
      if (this.#idsOfServer.has(id)) return `the id ${id} a second time`;
      this.#idsOfServer.add(id);
    }
    if (!revision) return undefined;
    // MCP over MQTT has this notification in each revision.
    if (!isRequest && message.method === 'notifications/disconnected') return revision.complaint('JSONRPCNotification', message);
    const [union, frame] = isRequest ? ['ServerRequest', 'JSONRPCRequest'] : ['ServerNotification', 'JSONRPCNotification'];
    if (revision.name === stateless && message.method === 'notifications/tasks') return this.#newsOfTask(revision, message);
    const definition = revision.member(union, message.method);
    if (!definition) return `${revision.name} has no ${union} ${message.method}`;
    return revision.complaint(frame, message) ?? revision.complaint(definition, message);
  }

  #error(revision, message, to) {
    const { id: given, ...rest } = message;
    let checked = given === null && rejectsAccess(message) ? rest : message;
    if ('id' in checked) {
      // If two requests have one id, the server rejects the later one.
      const index = this.#asked.findLastIndex(({ id }) => id === JSON.stringify(message.id));
      if (index < 0 && !this.#takeUnreadable(message)) return 'an error for a request that was not sent, or is answered';
      if (index >= 0) this.#asked.splice(index, 1);
    } else {
      const isBatch = Array.isArray(this.#lastLine);
      if (![-32700, -32600].includes(message.error?.code) && !isBatch) return 'an error without the id of its request';
      this.#forget(({ line }) => line === to);
      if (revision?.definitions.JSONRPCError?.required.includes('id')) {
        this.#count('withoutId', revision.name);
        checked = { ...rest, id: 0 };
      }
    }
    if (!revision) return undefined;
    const special = { [-32042]: 'URLElicitationRequiredError', [-32021]: 'MissingRequiredClientCapabilityError' };
    const definition = message.error?.code in special ? revision.first(special[message.error.code]) : undefined;
    return revision.complaint(revision.first('JSONRPCErrorResponse', 'JSONRPCError'), checked) ??
      (definition && revision.complaint(definition, checked));
  }

  // A line that is no JSON and contains the id of this error, which it takes.
  #takeUnreadable({ id, error }) {
    if (error?.code !== -32700) return false;
    const contains = (line) => line.split(/"id"\s*:\s*/).slice(1).some((rest) => rest.startsWith(JSON.stringify(id)));
    const index = this.#unreadable.findLastIndex(contains);
    if (index >= 0) this.#unreadable.splice(index, 1);
    return index >= 0;
  }

  #result(revision, message) {
    const index = this.#asked.findIndex(({ id }) => id === JSON.stringify(message.id));
    if (index < 0) return 'a result for a request that was not sent, or is answered';
    const [{ request }] = this.#asked.splice(index, 1);
    if (request.method === 'initialize') this.#begin(message.result);
    if (!revision) return undefined;
    if (revision.name === stateless) {
      const own = this.#resultOfTasks(revision, request.method, message.result);
      if (own !== undefined) return own || undefined;
    }
    const isTask = isObject(request.params?.task) && isObject(message.result?.task);
    const asks = message.result?.resultType === 'input_required' && asking.includes(request.method);
    const isVendor = this.#vendor !== undefined && request.method.startsWith(this.#vendor);
    const definition = isVendor ? 'Result' : isTask ? 'CreateTaskResult' : asks ? 'InputRequiredResult' : revision.result(request.method);
    if (!definition) return `a result for ${request.method}, which ${revision.name} does not have`;
    return revision.complaint(revision.first('JSONRPCResultResponse', 'JSONRPCResponse'), message) ??
      revision.complaint(definition, message.result) ?? this.#beyond(request, message.result);
  }

  // The error in a result of the extension, or ''. Returns undefined for any other result.
  #resultOfTasks(revision, method, result) {
    const names = { 'tasks/get': 'GetTaskResult', 'tasks/update': 'UpdateTaskResult', 'tasks/cancel': 'CancelTaskResult' };
    const definition = method === 'tools/call' && result?.resultType === 'task' ? 'CreateTaskResult' : names[method];
    if (!definition) return undefined;
    const extension = this.#schemas.tasks();
    if (!extension) {
      this.#count('unchecked', 'ext-tasks.schema');
      return '';
    }
    return extension.complaint(definition, result) ?? this.#kept(revision, result) ?? '';
  }

  // The response that the call of a task would have got.
  #kept(revision, task) {
    return task.status === 'completed' ? revision.complaint('CallToolResult', task.result) : undefined;
  }

  #newsOfTask(revision, message) {
    const extension = this.#schemas.tasks();
    if (!extension) return this.#count('unchecked', 'ext-tasks.schema');
    return extension.complaint('TaskStatusNotification', message) ?? this.#kept(revision, message.params);
  }

  #begin(result) {
    this.#revisionName = String(result?.protocolVersion);
    this.#asked = [];
    this.#idsOfServer.clear();
    this.#outputSchemas.clear();
  }

  // Rules that the schema of MCP does not contain: a tool's schemas are schemas, its results are valid in them, and
  // lists have a maximum length.
  #beyond({ method, params }, result) {
    if (method === 'completion/complete' && result.completion.values.length > 100) {
      return `${result.completion.values.length} values, which is more than 100`;
    }
    if (method === 'tools/call') {
      const schema = this.#outputSchemas.get(params?.name);
      if (!schema || result.isError || isObject(result.task) || result.resultType === 'input_required') return undefined;
      if (!('structuredContent' in result)) return `${params.name} has an outputSchema, and its result nothing of it`;
      return this.#schemas.valueComplaint(schema, result.structuredContent);
    }
    for (const { name, inputSchema, outputSchema } of method === 'tools/list' ? result.tools : []) {
      for (const schema of [inputSchema, outputSchema].filter(isObject)) {
        const complaint = this.#schemas.schemaComplaint(schema);
        if (complaint) return `${name}: ${complaint}`;
      }
      if (outputSchema) this.#outputSchemas.set(name, outputSchema);
    }
    return undefined;
  }
}
