// SPDX-License-Identifier: Apache-2.0
// The path between a client and a server over HTTP: a fetch() that a test can watch and cut.
export class Network {
  #open = new Set();
  #waiting = [];
  #held;
  /** Of each request: { method, headers, status }, in the order of the answers. */
  exchanges = [];

  fetch = async (url, init = {}) => {
    const abort = new AbortController();
    const signals = [abort.signal, ...(init.signal ? [init.signal] : [])];
    const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
    this.#note({ method: init.method ?? 'GET', headers: new Headers(init.headers), status: response.status });
    if (!response.body) return response;
    const reader = response.body.getReader();
    const stream = { isGet: (init.method ?? 'GET') === 'GET', rest: Buffer.alloc(0) };
    const body = new ReadableStream({
      start: (controller) => {
        stream.cut = () => {
          controller.error(new TypeError('terminated'));
          abort.abort();
          reader.cancel().catch(() => {});
        };
        this.#open.add(stream);
        const end = (how) => this.#open.delete(stream) && how();
        const pass = (bytes) => bytes.length > 0 && this.#open.has(stream) && controller.enqueue(new Uint8Array(bytes));
        const next = () => reader.read().then(({ done, value }) => {
          if (done) return end(() => (pass(stream.rest), controller.close()));
          if (this.#held === undefined) pass(value);
          else if (this.#passEvents(stream, value, pass)) return undefined;  // until it is cut
          return next();
        }, (error) => end(() => controller.error(error)));
        next();
      },
      cancel: (reason) => {
        this.#open.delete(stream);
        return reader.cancel(reason);
      },
    });
    return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
  };

  /** From now on nothing comes through behind an event that matches: only a cut ends that stream. */
  holdBehind(pattern) {
    this.#held = pattern;
  }

  // Event by event. True when one is the last.
  #passEvents(stream, bytes, pass) {
    stream.rest = Buffer.concat([stream.rest, bytes]);
    for (let end; (end = stream.rest.indexOf('\n\n')) >= 0;) {
      const event = stream.rest.subarray(0, end + 2);
      stream.rest = stream.rest.subarray(end + 2);
      pass(event);
      if (this.#held.test(event.toString())) return true;
    }
    return false;
  }

  #note(exchange) {
    this.exchanges.push(exchange);
    this.#waiting = this.#waiting.filter(({ wanted, resolve }) => !(wanted(exchange) && (resolve(exchange), true)));
  }

  /** The first exchange that `wanted` is true of, done or to come. */
  exchange(wanted) {
    const found = this.exchanges.find(wanted);
    return found ?? new Promise((resolve) => this.#waiting.push({ wanted, resolve }));
  }

  /** Cuts the connections of answers that are not complete: of GET requests, or of the others. */
  cut({ get }) {
    let count = 0;
    for (const stream of [...this.#open].filter(({ isGet }) => isGet === get)) {
      this.#open.delete(stream);
      stream.cut();
      ++count;
    }
    return count;
  }
}
