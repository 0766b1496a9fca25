// What RFC 9112 sections 9.3.1 and 9.5 ask of a client: the server may close a connection that is idle in the moment in
// which a request is on its way to it. The servers here do so when another client waits for a place
// (HttpLimits::evict_idle_after_ms), and read nothing of such a request: it is sent once more, over a new connection. Imported
// for that effect: fetch() by itself does so for no POST.
const { fetch } = globalThis;

// A connection that was new, or that has brought the beginning of an answer, is none of these.
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
