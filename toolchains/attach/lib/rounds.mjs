// SPDX-License-Identifier: Apache-2.0
// The input rounds of one call of a host of 2025-11-25 or earlier, for which attach answers input_required results. The host is
// asked to open a URL once: the device asks again until the person has finished there, and gets the same answer after a pause.

/** `ms` is the time without a question to the host, and `pauseMs` the first and the longest pause. */
export const limits = { rounds: 64, ms: 600_000, pauseMs: [200, 10_000] };

/** @param {any} request */
const urlOf = (request) => (request?.method === 'elicitation/create' && request.params?.mode === 'url' ? request.params.url : undefined);

export class Rounds {
  #questions = 0;
  #pauseMs = 0;
  #askedAt = Date.now();
  /** @type {Map<any, any>} what the host said, by the URL */ #opened = new Map();
  #wake = () => {};

  /** Whether the host has agreed to open the URL of this request before. @param {any} request */
  isOpened(request) { return this.#opened.has(urlOf(request)); }

  /** The answer to a request that isOpened(). @param {any} request */
  answerOf(request) { return { result: this.#opened.get(urlOf(request)) }; }

  /** @param {any} request @param {any} result */
  answered(request, result) {
    if (urlOf(request) !== undefined && result?.action === 'accept') this.#opened.set(urlOf(request), result);
  }

  /**
   * Begins the next round. Resolves with undefined, after a pause if there is nothing to ask the host, or with a sentence if the
   * call has to end.
   * @param {any[]} requests @returns {Promise<string | undefined>}
   */
  async next(requests) {
    if (requests.some((request) => !this.isOpened(request))) {
      this.#askedAt = Date.now();
      this.#pauseMs = 0;
      return ++this.#questions > limits.rounds ? `The device requested input more than ${limits.rounds} times.` : undefined;
    }
    if (Date.now() - this.#askedAt >= limits.ms) {
      const [url] = requests.map(urlOf);
      return url === undefined ? 'The device did not finish the call in time.'
        : `The user has opened ${url}, but has not finished there. Let the user finish, then call again.`;
    }
    const [first, longest] = limits.pauseMs;
    this.#pauseMs = Math.min(2 * this.#pauseMs || first, longest);
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#pauseMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
    return undefined;
  }

  /** Ends a pause: the person has finished, or the call has ended. */
  wake() { this.#wake(); }
}
