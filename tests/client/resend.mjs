// SPDX-License-Identifier: Apache-2.0
// Repeats requests as RFC 9112 sections 9.3.1 and 9.5 require: the server may close an idle connection while a request
// is on its way. These servers do so when another client waits for a connection (HttpLimits::evict_idle_after_ms), and
// do not read the request. This code then sends it once more, over a new connection. A test imports it for this effect,
// because fetch() does not repeat a POST.
const { fetch } = globalThis;

// Does not repeat requests on a new connection, or after the beginning of a response.
function wasIdle({ cause }) {
  if (cause?.code === 'ECONNRESET' || cause?.code === 'EPIPE') return true;
  return cause?.code === 'UND_ERR_SOCKET' && cause.socket?.bytesRead > 0;
}

globalThis.fetch = async (url, init) => {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (!wasIdle(error)) throw error;
    return fetch(url, init);
  }
};
