// Where a secret may stand in a request or a response that is no stream.
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { escaped } from './secrets.mjs';

/**
 * One exchange with an upstream.
 * @typedef {object} Item
 * @property {string} id  Found by the upstream in the path, the query or the body.
 * @property {string} place
 * @property {string} api
 * @property {string} path
 * @property {string} method
 * @property {Record<string, string>} headers
 * @property {string} [body]  In base64.
 * @property {{ status: number, headers: Record<string, string>, pieces: string[], cut?: boolean }} response  Its pieces in base64.
 */

const JSON_TYPE = { 'content-type': 'application/json' };
/** @param {unknown} value */
const asJson = (value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
/** @param {string} content */
export const completion = (content) => ({
  id: 'c',
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
});
/** @param {string} content */
const ask = (content) => ({ model: 'm', messages: [{ role: 'user', content }] });

/** @param {string} id @param {string} place @param {Partial<Item> & { sent?: Buffer, answer?: Buffer, answerHeaders?: Record<string, string>, status?: number }} more @returns {Item} */
export function item(id, place, { sent, answer, answerHeaders = JSON_TYPE, status = 200, ...more }) {
  const { api = 'openai', path = '/chat/completions', method = 'POST', headers = JSON_TYPE } = more;
  return {
    id,
    place,
    api,
    method,
    path: `${path}${path.includes('?') ? '&' : '?'}run=${id}`,
    headers,
    ...(method !== 'GET' && { body: (sent ?? asJson(ask('go'))).toString('base64') }),
    response: { status, headers: answerHeaders, pieces: [(answer ?? asJson(completion('ok'))).toString('base64')] },
  };
}

/** Places for a secret in any of the writings: `text` is the written secret. @type {Record<string, (text: string) => Parameters<typeof item>[2]>} */
export const WRITTEN_PLACES = {
  'request: text': (text) => ({ sent: asJson(ask(`Use ${text} to log in.`)) }),
  'request: tool result': (text) => ({
    sent: asJson({
      model: 'm',
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 't', type: 'function', function: { name: 'login', arguments: JSON.stringify({ note: text }) } },
          ],
        },
        { role: 'tool', tool_call_id: 't', content: text },
      ],
    }),
  }),
  'request: gzip': (text) => ({
    sent: gzipSync(asJson(ask(text))),
    headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
  }),
  'request: plain text': (text) => ({
    api: 'other',
    path: '/log',
    sent: Buffer.from(`log in with ${text} now`),
    headers: { 'content-type': 'text/plain' },
  }),
  'response: text': (text) => ({ answer: asJson(completion(`It is ${text}.`)) }),
  'response: tool arguments': (text) => ({
    answer: asJson({
      ...completion(''),
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 't', type: 'function', function: { name: 'login', arguments: JSON.stringify({ note: text }) } },
            ],
          },
        },
      ],
    }),
  }),
  'response: gzip': (text) => ({
    answer: gzipSync(asJson(completion(text))),
    answerHeaders: { ...JSON_TYPE, 'content-encoding': 'gzip' },
  }),
  'response: br': (text) => ({
    answer: brotliCompressSync(asJson(completion(text))),
    answerHeaders: { ...JSON_TYPE, 'content-encoding': 'br' },
  }),
  'response: error': (text) => ({
    status: 401,
    answer: asJson({ error: { message: `Incorrect key ${text} provided`, type: 'auth' } }),
  }),
  'response: HTML': (text) => ({
    api: 'other',
    path: '/page',
    method: 'GET',
    answer: Buffer.from(`<html><body data-x="${text.replaceAll('"', '&quot;')}">${text}</body></html>`),
    answerHeaders: { 'content-type': 'text/html' },
  }),
  'response: unknown JSON': (text) => ({ api: 'other', path: '/x', answer: asJson({ deep: [{ er: text }] }) }),
};

/** @param {string} text */
const utf16 = (text) => Buffer.from(`\ufeff${text}`, 'utf16le');
const BOUNDARY = 'xXboundaryXx';
/** @param {string} name @param {string} value @param {string} [type] */
const multipart = (name, value, type = '') =>
  Buffer.from(
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n${type}\r\n${value}\r\n--${BOUNDARY}--\r\n`,
  );
const MULTIPART = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
/** @param {string} text */
const encoded = (text) => encodeURIComponent(text);

/** Places of their own for a secret that is known by shape, value or pattern. @type {Record<string, (secret: string) => Parameters<typeof item>[2]>} */
export const RAW_PLACES = {
  'request: form': (secret) => ({
    api: 'other',
    path: '/form',
    headers: FORM,
    sent: Buffer.from(`a=1&note=${encoded(secret)}&z=2`),
  }),
  'request: multipart': (secret) => ({
    api: 'other',
    path: '/form',
    headers: MULTIPART,
    sent: multipart('note', secret),
  }),
  'request: UTF-16': (secret) => ({
    api: 'other',
    path: '/doc',
    headers: { 'content-type': 'text/plain; charset=utf-16' },
    sent: utf16(`key ${secret} end`),
  }),
  'request: octets': (secret) => ({
    api: 'other',
    path: '/doc',
    headers: { 'content-type': 'application/octet-stream' },
    sent: Buffer.concat([Buffer.from([0, 1, 2, 255]), Buffer.from(` ${secret} `), Buffer.from([254, 0])]),
  }),
  'request: path': (secret) => ({ api: 'other', path: `/v1/${encoded(secret)}/models`, method: 'GET' }),
  'request: query': (secret) => ({ api: 'other', path: `/v1/models?note=${encoded(secret)}`, method: 'GET' }),
  'request: JSON escapes': (secret) => ({
    sent: asJson(JSON.stringify(ask('log in with @@ now')).replace('@@', escaped(secret))),
  }),
  'response: JSON escapes': (secret) => ({
    answer: asJson(JSON.stringify(completion('log in with @@ now')).replace('@@', escaped(secret))),
  }),
  'response: UTF-16': (secret) => ({
    api: 'other',
    path: '/doc',
    method: 'GET',
    answer: utf16(`key ${secret} end`),
    answerHeaders: { 'content-type': 'text/plain; charset=utf-16le' },
  }),
  'response: octets': (secret) => ({
    api: 'other',
    path: '/doc',
    method: 'GET',
    answer: Buffer.concat([Buffer.from([0, 255, 3]), Buffer.from(`=${secret};`), Buffer.from([0, 200])]),
    answerHeaders: { 'content-type': 'application/octet-stream' },
  }),
  'response: header': (secret) => ({
    answerHeaders: { ...JSON_TYPE, 'x-debug': `key ${secret.replace(/[^\x20-\x7e]/g, '')}` },
  }),
  'response: location': (secret) => ({
    api: 'other',
    path: '/go',
    method: 'GET',
    status: 302,
    answer: Buffer.from(''),
    answerHeaders: { location: `https://x.example/cb?note=${encoded(secret)}` },
  }),
};

/** @param {string} text */
const xml = (text) => ({
  api: 'other',
  path: '/page',
  method: 'GET',
  answer: Buffer.from(text),
  answerHeaders: { 'content-type': 'text/xml' },
});

/** Places that tell by their names that a value without a shape is secret. @type {Record<string, (secret: string) => Parameters<typeof item>[2]>} */
export const NAMED_PLACES = {
  'request: authorization': (secret) => ({ headers: { ...JSON_TYPE, authorization: `Bearer ${secret}` } }),
  'request: x-api-key': (secret) => ({ headers: { ...JSON_TYPE, 'x-api-key': secret } }),
  'request: cookie': (secret) => ({ headers: { ...JSON_TYPE, cookie: `session=${secret}` } }),
  'request: unknown header': (secret) => ({ headers: { ...JSON_TYPE, 'x-unknown-thing': secret } }),
  'request: organization': (secret) => ({ headers: { ...JSON_TYPE, 'openai-organization': secret } }),
  'request: query api-key': (secret) => ({ path: `/chat/completions?api-key=${secret}` }),
  'request: query key': (secret) => ({ path: `/chat/completions?key=${secret}` }),
  'request: query code': (secret) => ({ api: 'other', path: `/cb?code=${secret}`, method: 'GET' }),
  'request: query subscription-key': (secret) => ({
    api: 'other',
    path: `/cb?subscription-key=${secret}`,
    method: 'GET',
  }),
  'request: query X-Goog-Signature': (secret) => ({
    api: 'other',
    path: `/cb?X-Goog-Signature=${secret}`,
    method: 'GET',
  }),
  'request: Telegram path': (secret) => ({
    api: 'other',
    path: `/bot123456789:${secret}/sendMessage`,
    method: 'GET',
  }),
  'request: form password': (secret) => ({
    api: 'other',
    path: '/form',
    headers: FORM,
    sent: Buffer.from(`user=ada&password=${secret}`),
  }),
  'request: form client_secret': (secret) => ({
    api: 'other',
    path: '/form',
    headers: FORM,
    sent: Buffer.from(`client_secret=${secret}&grant_type=x`),
  }),
  'request: multipart password': (secret) => ({
    api: 'other',
    path: '/form',
    headers: MULTIPART,
    sent: multipart('password', secret),
  }),
  'request: JSON password': (secret) => ({ sent: asJson(ask(`Mine is in {"password": "${secret}"}`)) }),
  'request: arguments': (secret) => ({
    sent: asJson({
      model: 'm',
      messages: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 't',
              type: 'function',
              function: { name: 'login', arguments: JSON.stringify({ user: 'ada', password: secret }) },
            },
          ],
        },
      ],
    }),
  }),
  'request: JSON token': (secret) => ({ sent: asJson(ask(JSON.stringify({ token: secret, page: 1 }))) }),
  'request: option': (secret) => ({ sent: asJson(ask(`deploy --token ${secret} --quiet`)) }),
  'request: curl': (secret) => ({ sent: asJson(ask(`curl -s -u ada:${secret} https://api.example.com`)) }),
  'request: netrc': (secret) => ({
    sent: asJson(ask(`machine api.example.com\n  login ada\n  password ${secret}\n`)),
  }),
  'request: pgpass': (secret) => ({ sent: asJson(ask(`db.example.com:5432:shop:ada:${secret}`)) }),
  'request: Docker auth': (secret) => ({
    sent: asJson(ask(JSON.stringify({ auths: { 'registry.example.com': { auth: secret } } }))),
  }),
  'request: JSON web key': (secret) => ({
    sent: asJson(ask(JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: 'public', d: secret }))),
  }),
  'request: URLSearchParams': (secret) => ({
    api: 'other',
    path: '/form',
    headers: FORM,
    sent: Buffer.from(new URLSearchParams({ note: `log in with --token ${secret} now`, id: '1' }).toString()),
  }),
  'request: query of URLSearchParams': (secret) => ({
    api: 'other',
    path: `/v1/models?${new URLSearchParams({ q: `{"token": "${secret}"}` })}`,
    method: 'GET',
  }),
  'response: XML element': (secret) => xml(`<r><id>7</id><w:Password Type="x">${secret}</w:Password></r>`),
  'response: XML attribute': (secret) => xml(`<r><user name="ada" password="${secret}"/></r>`),
  'response: XML key': (secret) => xml(`<configuration><add key="ApiKey" value="${secret}"/></configuration>`),
  'response: HTML field': (secret) => xml(`<form><input name="csrf_token" type="hidden" value="${secret}"></form>`),
  'response: HTML meta': (secret) => xml(`<head><meta name="csrf-token" content="${secret}"></head>`),
  'response: JSON in HTML': (secret) => xml(`<div data-x="{&quot;api_token&quot;:&quot;${secret}&quot;}"></div>`),
  'response: member token': (secret) => ({ api: 'other', path: '/token', answer: asJson({ id: 7, token: secret }) }),
  'response: header private-token': (secret) => ({ answerHeaders: { ...JSON_TYPE, 'private-token': secret } }),
  'request: Azure connection': (secret) => ({
    sent: asJson(
      ask(
        `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${Buffer.from(secret.padEnd(64, 'k')).toString('base64')};EndpointSuffix=core.windows.net`,
      ),
    ),
  }),
  'request: database address': (secret) => ({ sent: asJson(ask(`postgres://ada:${secret}@db.example.com/main`)) }),
  'response: set-cookie': (secret) => ({ answerHeaders: { ...JSON_TYPE, 'set-cookie': `sid=${secret}; Path=/` } }),
  'response: organization': (secret) => ({ answerHeaders: { ...JSON_TYPE, 'openai-organization': secret } }),
  'response: location token': (secret) => ({
    api: 'other',
    path: '/go',
    method: 'GET',
    status: 302,
    answer: Buffer.from(''),
    answerHeaders: { location: `https://x.example/cb?access_token=${secret}&state=1` },
  }),
  'response: JSON client_secret': (secret) => ({ answer: asJson(completion(`{"client_secret": "${secret}"}`)) }),
  'response: member access_token': (secret) => ({
    api: 'other',
    path: '/token',
    answer: asJson({ access_token: secret, token_type: 'bearer', expires_in: 3600 }),
  }),
  'response: form access_token': (secret) => ({
    api: 'other',
    path: '/token',
    answer: Buffer.from(`access_token=${secret}&scope=x`),
    answerHeaders: FORM,
  }),
};

/** What of a named secret must not be found: the upstream may have changed it to fit. @param {string} place @param {string} secret */
export function wantedOf(place, secret) {
  if (place.includes('Azure')) return Buffer.from(secret.padEnd(64, 'k')).toString('base64');
  return secret;
}
