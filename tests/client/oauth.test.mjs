// SPDX-License-Identifier: Apache-2.0
// The official client finds out by itself where a token for the server is to be had, gets one, and one that allows more
// when it must (spec: basic/authorization).
//
// usage: node oauth.test.mjs SERVER     (guarded_server of this machine)
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { atEnd, limitMs, waitMs } from './support.mjs';
import { sdk, within } from '../../examples/client/session.mjs';

const { Client } = sdk('client/index.js');
const { StreamableHTTPClientTransport } = sdk('client/streamableHttp.js');
const { discoverOAuthProtectedResourceMetadata, UnauthorizedError } = sdk('client/auth.js');

const [serverPath] = process.argv.slice(2);
const callback = 'http://127.0.0.1/callback';
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/** An authorization server that gives every user what it is told to. */
async function authorizationServer(t) {
  const asked = [];
  const server = createServer((request, response) => {
    const answer = (body, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const issuer = `http://127.0.0.1:${server.address().port}`;
    if (request.url === '/.well-known/oauth-authorization-server') {
      return answer({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      });
    }
    if (request.url !== '/token' || request.method !== 'POST') return answer({ error: 'not here' }, 404);
    let body = '';
    request.on('data', (piece) => { body += piece; });
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(body));
      asked.push(form);
      const [user, scopes] = form.code.split('.');
      const audience = form.resource.replaceAll(':', '~');
      answer({ access_token: `${user}+${scopes}+${audience}`, token_type: 'Bearer', expires_in: 3600 });
    });
    return undefined;
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  atEnd(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${server.address().port}`, asked };
}

async function guardedServer(t, issuer) {
  const server = spawn(serverPath, [issuer], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => { server.on('exit', resolve); });
  process.on('exit', () => server.kill('SIGKILL'));
  atEnd(t, () => {
    server.kill('SIGKILL');
    return ended;
  });
  let text = '';
  const listening = (async () => {
    for await (const piece of server.stderr) {
      text += piece;
      const found = /^listening on (\S+)\n/m.exec(text);
      if (found) return found[1];
    }
    throw new Error(`the server does not listen: ${text}`);
  })();
  return within(waitMs, 'address of the server', listening);
}

/** A user who has an OAuth client, and where it sent him. */
class User {
  sentTo = [];
  get redirectUrl() { return callback; }
  get clientMetadata() { return { redirect_uris: [callback], client_name: 'mote-tests' }; }
  clientInformation() { return this.information ?? { client_id: 'mote-tests' }; }
  saveClientInformation(information) { this.information = information; }
  tokens() { return this.saved; }
  saveTokens(tokens) { this.saved = tokens; }
  redirectToAuthorization(url) { this.sentTo.push(url); }
  saveCodeVerifier(verifier) { this.verifier = verifier; }
  codeVerifier() { return this.verifier; }
}

/** Connects as `user`, who is sent to the authorization server as often as there are codes, and comes back with them. */
async function connect(t, url, user, codes) {
  for (const code of [...codes, undefined]) {
    const client = new Client({ name: 'mote-tests', version: '0.1.0' });
    const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: user });
    atEnd(t, () => client.close());
    if (code === undefined) {
      await client.connect(transport);
      return { client, transport };
    }
    await assert.rejects(client.connect(transport), UnauthorizedError);
    await transport.finishAuth(code);
  }
  return undefined;
}

test('a client discovers the authorization server and gets a token', { timeout: limitMs }, async (t) => {
  const issuer = await authorizationServer(t);
  const url = await guardedServer(t, issuer.url);
  const user = new User();
  const { client } = await connect(t, url, user, ['1.read_set']);
  assert.equal((await client.callTool({ name: 'whoami' })).content[0].text, 'A friend.');
  assert.equal(user.sentTo.length, 1);
  const [sent] = user.sentTo;
  assert.equal(sent.origin, issuer.url);
  assert.equal(sent.searchParams.get('scope'), 'read set');
  assert.equal(sent.searchParams.get('resource'), url);
  assert.equal(issuer.asked[0].resource, url);
});

test('serves the metadata at the well-known paths', { timeout: limitMs }, async (t) => {
  const issuer = await authorizationServer(t);
  const url = await guardedServer(t, issuer.url);
  const expected = {
    resource: url,
    authorization_servers: [issuer.url],
    scopes_supported: ['read', 'set'],
    bearer_methods_supported: ['header'],
    resource_name: 'A guarded server',
  };
  assert.deepEqual(await discoverOAuthProtectedResourceMetadata(url), expected);
  assert.deepEqual(await discoverOAuthProtectedResourceMetadata(new URL('/', url)), expected);
});

test('a client replaces a token with insufficient scope', { timeout: limitMs }, async (t) => {
  const issuer = await authorizationServer(t);
  const url = await guardedServer(t, issuer.url);
  const user = new User();
  const { client } = await connect(t, url, user, ['1.read', '1.set_read']);
  assert.equal((await client.callTool({ name: 'whoami' })).content[0].text, 'A friend.');
  assert.deepEqual(user.sentTo.map((sent) => sent.searchParams.get('scope')), ['read set', 'read set']);
});

test('rejects the token of another server', { timeout: limitMs }, async (t) => {
  const issuer = await authorizationServer(t);
  const url = await guardedServer(t, issuer.url);
  const user = new User();
  user.saveTokens({ access_token: '1+read_set+https~//example.com/mcp', token_type: 'Bearer', issuer: `${issuer.url}` });
  const { client } = await connect(t, url, user, ['1.read_set']);
  await client.listTools();
  assert.equal(user.sentTo.length, 1);
});

test('rejects the session of another user', { timeout: limitMs }, async (t) => {
  const issuer = await authorizationServer(t);
  const url = await guardedServer(t, issuer.url);
  const [first, second] = [new User(), new User()];
  const ours = await connect(t, url, first, ['1.read_set']);
  const theirs = await connect(t, url, second, ['2.read_set']);
  assert.notEqual(ours.transport.sessionId, theirs.transport.sessionId);
  const ping = async (user, { transport }) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${user.saved.access_token}`,
        'mcp-session-id': transport.sessionId,
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    await response.arrayBuffer();
    return response.status;
  };
  assert.equal(await ping(first, ours), 200);
  assert.equal(await ping(second, theirs), 200);
  assert.equal(await ping(second, ours), 404);
  assert.equal(await ping(first, theirs), 404);
});
