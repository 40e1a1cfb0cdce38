// Tapes in every format that can be edited, written and read by plain JSON and YAML libraries: nothing of `src/` is used here.
import { gunzipSync, gzipSync } from 'node:zlib';
import { parse, stringify } from 'yaml';

const yaml = (value) => stringify(value, { lineWidth: 0 });
const pretty = (value) => `${JSON.stringify(value, null, 2)}\n`;
const line = (value) => JSON.stringify(value);
const base64 = (value) => Buffer.from(line(value)).toString('base64');
const bytesIn = (text) => Buffer.byteLength(text);
const AT = '2026-01-01T00:00:00Z';

/** A request as Tapedeck records it: what an earlier one said is a reference to that. `requests` are the earlier ones, in full. */
function withReferences(request, requests) {
  return mapMembers(request, (name, value) => {
    const beginnings = requests.map((earlier) => commonBeginning(earlier[name], value));
    const count = Math.max(0, ...beginnings);
    if (count > 0) return [{ $from: beginnings.indexOf(count) + 1, at: 0, count }, ...value.slice(count)];
    const same = requests.findIndex((earlier) => line(earlier[name] ?? null) === line(value));
    return same !== -1 && line(value).length >= 60 ? { $same: same + 1 } : value;
  });
}

function commonBeginning(earlier, list) {
  if (!Array.isArray(earlier) || !Array.isArray(list) || typeof list[0] !== 'object') return 0;
  const differing = list.findIndex((item, at) => line(item) !== line(earlier[at] ?? null));
  return differing === -1 ? list.length : differing;
}

function withoutReferences(json, requests) {
  return mapMembers(json, (name, value) => {
    if (value?.$same !== undefined) return requests[value.$same - 1][name];
    if (!Array.isArray(value)) return value;
    return value.flatMap((item) =>
      item?.$from === undefined ? [item] : requests[item.$from - 1][name].slice(item.at, item.at + item.count),
    );
  });
}

function mapMembers(object, map) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(name, value)]));
}

/** An exchange is `{ url, request, response }`, both bodies as JSON. */
const http = {
  'tapedeck with references': {
    path: 'a.tape.jsonl',
    id: 'tapedeck',
    write: (exchanges) => {
      const requests = [];
      const lines = exchanges.flatMap(({ url, request, response }) => {
        const json = withReferences(request, requests);
        const number = requests.push(request);
        const length = ['content-length', `${bytesIn(line(response))}`];
        return [
          { request: number, at: AT, method: 'POST', url, json },
          { response: number, status: 200, headers: [['content-type', 'application/json'], length], json: response },
        ];
      });
      return [{ tapedeck: 'tape', version: 1, name: 'case' }, ...lines].map((record) => `${line(record)}\n`).join('');
    },
    read: (text) => {
      const [, ...records] = text
        .trim()
        .split('\n')
        .map((record) => JSON.parse(record));
      const requests = [];
      return records.flatMap(({ request, url, json }) => {
        if (request === undefined) return [];
        requests.push(withoutReferences(json, requests));
        const answer = records.find((record) => record.response === request);
        const isWhole = answer.headers[1][1] === `${bytesIn(line(answer.json))}`;
        return [{ url, request: requests.at(-1), response: isWhole ? answer.json : 'its length is another one' }];
      });
    },
  },
  tapedeck: {
    path: 'a.tape.jsonl',
    write: (exchanges) =>
      [
        { tapedeck: 'tape', version: 1, name: 'case' },
        ...exchanges.flatMap(({ url, request, response }, index) => [
          { request: index + 1, at: AT, method: 'POST', url, json: request },
          { response: index + 1, status: 200, headers: [['content-type', 'application/json']], json: response },
        ]),
      ]
        .map((record) => `${line(record)}\n`)
        .join(''),
    read: (text) => {
      const [, ...records] = text
        .trim()
        .split('\n')
        .map((record) => JSON.parse(record));
      const requests = records.filter((record) => record.request !== undefined);
      return requests.map(({ request, url, json }) => ({
        url,
        request: json,
        response: records.find((record) => record.response === request).json,
      }));
    },
  },
  'azure-test-proxy': {
    path: 'a.json',
    write: (exchanges) =>
      pretty({
        Entries: exchanges.map(({ url, request, response }) => ({
          RequestUri: url,
          RequestMethod: 'POST',
          RequestHeaders: {},
          RequestBody: base64(request),
          StatusCode: 200,
          ResponseHeaders: { 'content-type': 'application/json' },
          ResponseBody: response,
        })),
        Variables: {},
      }),
    read: (text) =>
      JSON.parse(text).Entries.map((entry) => ({
        url: entry.RequestUri,
        request: JSON.parse(Buffer.from(entry.RequestBody, 'base64').toString('utf8')),
        response: entry.ResponseBody,
      })),
  },
  opencode: {
    path: 'a.json',
    write: (exchanges) =>
      pretty({
        version: 1,
        metadata: { name: 'case', recordedAt: AT },
        interactions: exchanges.map(({ url, request, response }) => ({
          transport: 'http',
          request: { method: 'POST', url, headers: {}, body: line(request) },
          response: { status: 200, headers: { 'content-type': 'application/json' }, body: line(response) },
        })),
      }),
    read: (text) =>
      JSON.parse(text).interactions.map(({ request, response }) => ({
        url: request.url,
        request: JSON.parse(request.body),
        response: JSON.parse(response.body),
      })),
  },
  mastra: {
    path: 'a.json',
    write: (exchanges) =>
      pretty({
        meta: { name: 'case', createdAt: AT },
        recordings: exchanges.map(({ url, request, response }, index) => ({
          hash: `e0bc72485f0bd82${index}`,
          request: { url, method: 'POST', body: request, timestamp: 1767225600000 },
          response: {
            status: 200,
            statusText: 'OK',
            headers: { 'content-type': 'application/json' },
            body: response,
            isStreaming: false,
          },
        })),
      }),
    read: (text) =>
      JSON.parse(text).recordings.map(({ request, response }) => ({
        url: request.url,
        request: request.body,
        response: response.body,
      })),
  },
  har: harOf('a.har', { version: '1.2', creator: { name: 'Other', version: '1' } }),
  'polly-har': harOf('recording.har', {
    _recordingName: 'case',
    creator: { comment: 'persister:fs', name: 'Polly.JS', version: '6.0.6' },
    version: '1.2',
  }),
  vcrpy: {
    path: 'a.yaml',
    write: (exchanges) =>
      yaml({
        interactions: exchanges.map(({ url, request, response }) => ({
          request: { body: line(request), headers: {}, method: 'POST', uri: url },
          response: {
            body: { string: line(response) },
            headers: { 'content-type': ['application/json'] },
            status: { code: 200, message: 'OK' },
          },
        })),
        version: 1,
      }),
    read: (text) =>
      parse(text).interactions.map(({ request, response }) => ({
        url: request.uri,
        request: JSON.parse(request.body),
        response: JSON.parse(response.body.string),
      })),
  },
  'vcrpy-parsed-body': {
    path: 'a.yaml',
    write: (exchanges) =>
      yaml({
        interactions: exchanges.map(({ url, request, response }) => ({
          request: { headers: {}, method: 'POST', parsed_body: request, uri: url },
          response: {
            headers: { 'content-type': ['application/json'] },
            parsed_body: response,
            status: { code: 200, message: 'OK' },
          },
        })),
        version: 1,
      }),
    read: (text) =>
      parse(text).interactions.map(({ request, response }) => ({
        url: request.uri,
        request: request.parsed_body,
        response: response.parsed_body,
      })),
  },
  'langchain-gz': {
    path: 'a.yaml.gz',
    write: (exchanges) =>
      gzipSync(
        yaml({
          requests: exchanges.map(({ url, request }) => ({
            body: line(request),
            headers: {},
            method: 'POST',
            uri: url,
          })),
          responses: exchanges.map(({ response }) => ({
            body: { string: line(response) },
            headers: { 'content-type': ['application/json'] },
            status: { code: 200, message: 'OK' },
          })),
        }),
      ),
    read: (bytes) => {
      const { requests, responses } = parse(gunzipSync(bytes).toString('utf8'));
      return requests.map(({ uri, body }, index) => ({
        url: uri,
        request: JSON.parse(body),
        response: JSON.parse(responses[index].body.string),
      }));
    },
  },
  'ruby-vcr': {
    path: 'a.yml',
    write: (exchanges) =>
      `---\n${yaml({
        http_interactions: exchanges.map(({ url, request, response }) => ({
          request: { method: 'post', uri: url, body: { encoding: 'UTF-8', string: line(request) }, headers: {} },
          response: {
            status: { code: 200, message: 'OK' },
            headers: { 'content-type': ['application/json'] },
            body: { encoding: 'UTF-8', string: line(response) },
          },
          recorded_at: 'Thu, 01 Jan 2026 00:00:00 GMT',
        })),
        recorded_with: 'VCR 6.4.0',
      })}`,
    read: readVcr,
  },
  'r-vcr': {
    path: 'a.yml',
    write: (exchanges) =>
      yaml({
        http_interactions: exchanges.map(({ url, request, response }) => ({
          request: { method: 'POST', uri: url, body: { string: line(request) } },
          response: { status: 200, headers: { 'content-type': 'application/json' }, body: { string: line(response) } },
          recorded_at: '2026-01-01 00:00:00',
        })),
        recorded_with: 'VCR-vcr/2.1.0',
      }),
    read: readVcr,
  },
  'go-vcr': {
    path: 'a.yaml',
    write: (exchanges) =>
      `---\n${yaml({
        version: 2,
        interactions: exchanges.map(({ url, request, response }, id) => ({
          id,
          request: {
            proto: 'HTTP/1.1',
            content_length: bytesIn(line(request)),
            body: line(request),
            form: {},
            headers: {},
            url,
            method: 'POST',
          },
          response: {
            proto: 'HTTP/1.1',
            content_length: bytesIn(line(response)),
            body: line(response),
            headers: { 'content-type': ['application/json'] },
            status: '200 OK',
            code: 200,
            duration: '0s',
          },
        })),
      })}`,
    read: (text) =>
      parse(text).interactions.map(({ request, response }) => ({
        url: request.url,
        request: JSON.parse(request.body),
        response: JSON.parse(response.body),
      })),
  },
  httprr: {
    path: 'a.httprr',
    write: (exchanges) => `httprr trace v1\n${exchanges.map(httprrRecord).join('')}`,
    read: readHttprr,
  },
};

function harOf(path, head) {
  return {
    path,
    write: (exchanges) =>
      pretty({
        log: {
          ...head,
          entries: exchanges.map(({ url, request, response }, index) => ({
            ...(head._recordingName && { _id: `eec0f90793392305eff4c2c5d2b81e6${index}`, _order: 0, cache: {} }),
            startedDateTime: AT,
            time: 0,
            request: {
              method: 'POST',
              url,
              httpVersion: 'HTTP/1.1',
              cookies: [],
              headers: [],
              queryString: [],
              headersSize: -1,
              bodySize: bytesIn(line(request)),
              postData: { mimeType: 'application/json', params: [], text: line(request) },
            },
            response: {
              status: 200,
              statusText: 'OK',
              httpVersion: 'HTTP/1.1',
              cookies: [],
              headers: [{ name: 'content-type', value: 'application/json' }],
              content: { size: bytesIn(line(response)), mimeType: 'application/json', text: line(response) },
              redirectURL: '',
              headersSize: -1,
              bodySize: bytesIn(line(response)),
            },
            cache: {},
            timings: { blocked: -1, connect: -1, dns: -1, receive: 0, send: 0, ssl: -1, wait: 0 },
          })),
        },
      }),
    read: (text) =>
      JSON.parse(text).log.entries.map(({ request, response }) => ({
        url: request.url,
        request: JSON.parse(request.postData.text),
        response: JSON.parse(response.content.text),
      })),
  };
}

function readVcr(text) {
  return parse(text).http_interactions.map(({ request, response }) => ({
    url: request.uri,
    request: JSON.parse(request.body.string),
    response: JSON.parse(response.body.string),
  }));
}

function httprrRecord({ url, request, response }) {
  const [asked, answered] = [line(request), line(response)];
  const { host } = new URL(url);
  const sent = `POST ${url} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${bytesIn(asked)}\r\nContent-Type: application/json\r\n\r\n${asked}`;
  const received = `HTTP/2.0 200 OK\r\nContent-Length: ${bytesIn(answered)}\r\nContent-Type: application/json\r\n\r\n${answered}`;
  return `${bytesIn(sent)} ${bytesIn(received)}\n${sent}${received}`;
}

function readHttprr(text) {
  const bytes = Buffer.from(text);
  const exchanges = [];
  let at = bytes.indexOf('\n') + 1;
  while (at < bytes.length) {
    const end = bytes.indexOf('\n', at);
    const [sent, received] = bytes.toString('utf8', at, end).split(' ').map(Number);
    const request = bytes.toString('utf8', end + 1, end + 1 + sent);
    const response = bytes.toString('utf8', end + 1 + sent, end + 1 + sent + received);
    const body = (message) => {
      const [head, ...rest] = message.split('\r\n\r\n');
      const content = rest.join('\r\n\r\n');
      if (Number(/Content-Length: (\d+)/.exec(head)[1]) !== bytesIn(content)) throw new Error('a wrong length');
      return JSON.parse(content);
    };
    exchanges.push({ url: request.split(' ')[1], request: body(request), response: body(response) });
    at = end + 1 + sent + received;
  }
  return exchanges;
}

/** A scripted mock has one exchange in a document. */
const httpmock = {
  path: 'a.yaml',
  write: (exchanges) =>
    exchanges
      .map(({ url, request, response }) =>
        yaml({
          when: { path: new URL(url).pathname, method: 'POST', query_param: [], header: [], body: line(request) },
          // biome-ignore lint/suspicious/noThenProperty: the format calls it so.
          then: { status: 200, header: [{ name: 'content-type', value: 'application/json' }], body: line(response) },
        }),
      )
      .join('---\n'),
  read: (text) =>
    text.split(/^---\n/m).map((one) => {
      const { when, then } = parse(one);
      return { url: when.path, request: JSON.parse(when.body), response: JSON.parse(then.body) };
    }),
};

/** Formats of conversations keep messages of Chat Completions, and not HTTP. */
const chat = {
  mofa: {
    path: 'a.tape.json',
    write: (exchanges) =>
      pretty({
        version: 1,
        case_name: 'case',
        interactions: exchanges.map(({ request, response }) => ({
          request: {
            messages: request.messages.map(({ role, content }) => ({
              role,
              content,
              tool_call_id: null,
              tool_calls: [],
            })),
            model: request.model,
            temperature: request.temperature ?? null,
            max_tokens: null,
            tool_names: [],
          },
          response: response.choices[0].message.content ?? '',
          tool_calls: (response.choices[0].message.tool_calls ?? []).map(
            ({ id, function: { name, arguments: given } }) => ({
              id,
              name,
              arguments: JSON.parse(given),
            }),
          ),
          usage: response.usage,
        })),
      }),
  },
  checkagent: {
    path: 'a.json',
    write: (exchanges) =>
      pretty({
        meta: { schema_version: 1, checkagent_version: '2.2.0', recorded_at: AT, content_hash: '', test_id: 'case' },
        interactions: exchanges.map(({ request: { model, ...body }, response: { usage, ...answer } }, sequence) => ({
          id: `f4872d883d75f76${sequence}`,
          sequence,
          request: { kind: 'llm', method: 'chat.completions.create', model, body },
          response: {
            status: 'ok',
            body: answer,
            prompt_tokens: usage.prompt_tokens,
            completion_tokens: usage.completion_tokens,
            duration_ms: null,
          },
          metadata: {},
        })),
      }),
  },
};

export const HTTP_FORMATS = { ...http, httpmock };
export const CHAT_FORMATS = chat;
