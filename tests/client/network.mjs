// What lies between a client and a server over HTTP, as a fetch() that a test can look at and cut.
export class Network {
  #open = new Set();
  #waiting = [];
  /** Of each request: { method, headers, status }, in the order of the answers. */
  exchanges = [];

  fetch = async (url, init = {}) => {
    const abort = new AbortController();
    const signals = [abort.signal, ...(init.signal ? [init.signal] : [])];
    const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
    this.#note({ method: init.method ?? 'GET', headers: new Headers(init.headers), status: response.status });
    if (!response.body) return response;
    const reader = response.body.getReader();
    const stream = { isGet: (init.method ?? 'GET') === 'GET' };
    const body = new ReadableStream({
      start: (controller) => {
        stream.cut = () => {
          controller.error(new TypeError('terminated'));
          abort.abort();
          reader.cancel().catch(() => {});
        };
        this.#open.add(stream);
        const end = (how) => this.#open.delete(stream) && how();
        const next = () => reader.read().then(({ done, value }) => {
          if (done) return end(() => controller.close());
          if (this.#open.has(stream)) controller.enqueue(value);
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
