import type { JsonNode } from '../../../json/jsonNode';
import { nodeAt } from '../../../json/jsonPath';
import { member } from '../../../json/readJson';
import type { TapeFormat } from '../../format';
import { any, none } from '../../marks';
import { stringAt, USUAL_PLACES } from '../shared/httpTape';
import { joined, layoutFormat, type RecorderDescription } from '../shared/layoutFormat';
import { arrayNode, objectNode, withMembers } from '../shared/shape';

/** Recorded HTTP, where most have it. */
const HTTP = {
  ...USUAL_PLACES,
  request: [USUAL_PLACES.request],
  status: [USUAL_PLACES.status],
  response: [USUAL_PLACES.response],
};

/** The README names where each layout was seen. */
const RECORDERS: readonly RecorderDescription[] = [
  {
    id: 'standin',
    label: 'standin cassette',
    files: ['json'],
    marks: ['version', 'recorded_with', 'interactions', /"recorded_with"\s*:\s*"standin"/],
    layout: {
      entries: 'interactions',
      version: 'version',
      ...HTTP,
      status: ['response.status_code'],
    },
  },
  {
    id: 'agent-replay',
    label: 'agent-replay recording',
    files: ['jsonl'],
    isLines: true,
    marks: any(['kind', /"library"\s*:\s*"agent-replay"/], ['kind', 'request.fp_exact']),
    layout: {
      kind: { at: 'kind', model: ['interaction'] },
      method: 'method',
      host: 'host',
      path: 'path',
      requestHeaders: 'request.headers',
      request: ['request.body'],
      status: ['response.status'],
      responseHeaders: 'response.headers',
      response: ['response.body'],
      chunks: ['response.stream'],
      beside: 'fp_exact fp_norm provider seq',
    },
  },
  {
    id: 'promptecho',
    label: 'promptecho cassette',
    files: ['yaml', 'yml'],
    marks: ['match_on', 'interactions[].request.match_key'],
    layout: {
      entries: 'interactions',
      version: 'version',
      ...HTTP,
      chunks: ['response.events'],
      beside: 'match_key matched_on',
    },
  },
  {
    id: 'cuesheet',
    label: 'cuesheet cassette',
    files: ['yaml', 'yml'],
    marks: ['version', 'interactions[].duration_ms', 'interactions[].response.is_streaming'],
    layout: {
      entries: 'interactions',
      version: 'version',
      ...HTTP,
      status: ['response.status_code'],
      response: ['response.body', 'response.body_raw'],
      chunks: ['response.body_stream'],
      duration: 'duration_ms',
      beside: 'body_raw',
    },
  },
  {
    id: 'llm-tape',
    label: 'llm-tape recording',
    files: ['yaml', 'yml'],
    ownEndings: ['tape.yaml'],
    marks: [
      'version',
      'metadata',
      'interactions[].duration_ms',
      'interactions[].request.url',
      none('interactions[].response.is_streaming'),
    ],
    layout: {
      entries: 'interactions',
      version: 'version',
      ...HTTP,
      chunks: ['response.chunks'],
      duration: 'duration_ms',
    },
  },
  {
    id: 'pytest-llm-vcr',
    label: 'pytest-llm-vcr cassette',
    files: ['yaml', 'yml'],
    marks: ['name', 'interactions[].request_body', 'interactions[].status_code', 'interactions[].streaming'],
    layout: {
      entries: 'interactions',
      name: 'name',
      method: 'method',
      url: 'url',
      requestHeaders: 'request_headers',
      request: ['request_body'],
      status: ['status_code'],
      responseHeaders: 'response_headers',
      response: ['response_body'],
      chunks: ['chunks'],
    },
  },
  {
    id: 'cassette-sdk',
    label: 'cassette-sdk recording',
    files: ['json'],
    marks: ['v', 'fingerprint', 'request.url', 'response.status'],
    layout: {
      ...HTTP,
    },
  },
  {
    id: 'reel-vcr',
    label: 'reel-vcr cassette',
    files: ['jsonl'],
    isLines: true,
    marks: ['schema_version', 'request.fingerprint'],
    layout: {
      about: '_meta',
      ...HTTP,
      url: 'request.path',
      chunks: ['response.stream_chunks'],
      beside: 'fingerprint',
    },
  },
  {
    id: 'cendor',
    label: 'Cendor cassette',
    files: ['json'],
    marks: ['version', any('entries[].request_hash', ['entries', /"entries"\s*:\s*\[\s*\]/])],
    layout: {
      entries: 'entries',
      version: 'version',
      kind: { at: 'kind', model: ['llm'], tool: ['tool'] },
      request: ['request'],
      response: ['response'],
      chunks: ['response'],
      tool: { name: 'request.name', input: 'request.args', output: 'response' },
      beside: 'kind request_hash response_type',
    },
  },
  {
    id: 'agenttape',
    label: 'agenttape recording',
    files: ['yaml', 'yml', 'json'],
    marks: ['version', 'meta.agenttape_version', 'interactions'],
    layout: {
      entries: 'interactions',
      version: 'version',
      recordedAt: 'created_at',
      kind: { at: 'kind', model: ['llm', 'http'], tool: ['tool', 'retrieval', 'memory_read', 'memory_write'] },
      method: 'request.method',
      url: 'request.url',
      requestHeaders: 'request.headers',
      request: ['request.json', 'request.raw_b64', 'request'],
      status: ['response.status_code'],
      responseHeaders: 'response.headers',
      response: ['response.json', 'response.text', 'response.raw_b64', 'response'],
      error: 'error',
      tool: { name: 'boundary', input: 'request', output: 'response' },
      duration: 'latency_ms',
      beside: 'usage tags metadata boundary kind match_key raw_b64 reason_phrase',
    },
  },
  {
    id: 'llm-cassette',
    label: 'llm-cassette recording',
    files: ['jsonl'],
    isLines: true,
    marks: any('request.operation', ['format_version', /"type"\s*:\s*"header"/]),
    layout: {
      kind: { at: 'type', model: ['llm_call'], tool: ['tool_call'] },
      request: ['request.body'],
      response: ['response.body', 'response'],
      chunks: ['response.chunks'],
      tool: { name: 'name', input: 'args', output: 'result' },
      beside: 'provider operation',
    },
  },
  {
    id: 'agentcassette',
    label: 'agentcassette recording',
    files: ['json'],
    marks: ['version', 'recorded_at', 'duration_ms', any('steps[].arguments', 'steps')],
    layout: {
      entries: 'steps',
      version: 'version',
      recordedAt: 'recorded_at',
      kind: { at: 'type', model: ['llm'], tool: ['tool', 'call'] },
      request: ['arguments.kwargs'],
      response: ['result'],
      chunks: ['result'],
      tool: { name: 'name', input: 'arguments.kwargs', output: 'result' },
      duration: 'duration_ms',
      beside: 'args name',
    },
  },
  {
    id: 'agentape',
    label: 'agentape recording',
    files: ['yaml', 'yml'],
    marks: [
      'version',
      'provider',
      any('interactions[].request.method', 'interactions'),
      none('name', 'interactions[].request.url'),
    ],
    layout: {
      entries: 'interactions',
      version: 'version',
      recordedAt: 'recorded_at',
      request: ['request'],
      response: ['response'],
      chunks: ['streaming_chunks'],
      duration: 'latency_ms',
    },
  },
  {
    id: 'pytest-agentreplay',
    label: 'pytest-agentreplay recording',
    files: ['jsonl'],
    isLines: true,
    marks: any(['created_at', 'format_version', 'framework'], ['event_id', 'kind', 'timestamp']),
    layout: {
      kind: { at: 'kind', model: ['model_request'], tool: ['tool_call'] },
      request: ['arguments'],
      response: ['result', 'message'],
      tool: { name: 'name', input: 'arguments', output: 'result' },
      beside: 'name kind event_id tool_calls',
    },
    join: withResults,
  },
  {
    id: 'openai-batch',
    label: 'OpenAI batch',
    files: ['jsonl'],
    isLines: true,
    marks: any(['custom_id', 'response.status_code'], ['custom_id', 'method', 'url', 'body']),
    layout: {
      method: 'method',
      url: 'url',
      requestHeaders: 'headers',
      request: ['body'],
      status: ['response.status_code'],
      responseHeaders: 'response.headers',
      response: ['response.body'],
      error: 'error',
      beside: 'custom_id request_id',
    },
  },
  {
    id: 'anthropic-batch',
    label: 'Anthropic batch',
    files: ['jsonl', 'json'],
    isLines: 'maybe',
    marks: any(
      ['custom_id', 'result.type'],
      ['custom_id', 'params.messages'],
      ['requests[].custom_id', 'requests[].params.messages'],
    ),
    layout: {
      entries: 'requests',
      request: ['params'],
      response: ['result.message'],
      error: 'result.error',
      beside: 'custom_id',
    },
  },
  {
    id: 'litellm',
    label: 'LiteLLM log',
    files: ['json', 'jsonl'],
    isLines: 'maybe',
    marks: any(
      ...['', '[].'].map((at) => [
        `${at}call_type`,
        `${at}model`,
        `${at}messages`,
        `${at}response`,
        `${at}response_cost`,
      ]),
    ),
    layout: {
      name: 'trace_id',
      request: ['\0body'],
      response: ['response'],
      error: 'error_str',
      duration: 'response_time',
    },
    join: (entries) => entries.map((entry) => withBodyOf(entry, ['model', 'messages'], 'model_parameters')),
  },
  {
    id: 'openhands-completion',
    label: 'OpenHands completion log',
    files: ['json'],
    marks: ['messages', 'response.choices', 'kwargs', 'cost', 'timestamp'],
    layout: {
      request: ['\0body'],
      response: ['response'],
      beside: 'args kwargs fncall_messages fncall_response raw_response',
    },
    join: (entries) => entries.map((entry) => withBodyOf(entry, ['messages', 'tools'], 'kwargs')),
  },
  {
    id: 'helicone',
    label: 'Helicone requests',
    files: ['json', 'jsonl'],
    isLines: 'maybe',
    marks: any(
      ...['', '[].', 'data[].'].map((at) => [`${at}request_id`, `${at}request_created_at`, `${at}request_body`]),
    ),
    layout: {
      entries: 'data',
      url: 'target_url',
      requestHeaders: 'request_headers',
      request: ['request_body'],
      status: ['response_status'],
      responseHeaders: 'response_headers',
      response: ['response_body'],
      duration: 'delay_ms',
      beside:
        'request_id request_created_at request_path request_user_id request_properties request_model request_referrer response_id response_created_at response_model provider model llmSchema model_override helicone_user properties scores assets asset_ids asset_urls country_code signed_body_url cache_reference_id prompt_id prompt_version updated_at storage_location',
    },
  },
  {
    id: 'php-vcr',
    label: 'PHP-VCR cassette',
    files: ['yml', 'yaml', 'json'],
    marks: ['[].request.method', '[].request.url', '[].response.status', any('[].index', '[].response.status.code')],
    layout: {
      ...HTTP,
      status: ['response.status.code', 'response.status'],
      beside: 'status index curl_info post_fields post_files',
    },
  },
  {
    id: 'req-cassette',
    label: 'ReqCassette cassette',
    files: ['json'],
    marks: ['version', 'interactions[].request.uri', 'interactions[].response.body_type'],
    layout: {
      entries: 'interactions',
      version: 'version',
      ...HTTP,
      url: 'request.uri',
      request: ['request.body_json', 'request.body', 'request.body_blob'],
      response: ['response.body_json', 'response.body', 'response.body_blob'],
      beside: 'body_type query_string',
    },
  },
  {
    id: 'cassetter',
    label: 'cassetter cassette',
    files: ['yaml', 'yml', 'json'],
    marks: ['version', 'interactions[].request.uri', 'interactions[].response.body.type'],
    layout: {
      entries: 'interactions',
      version: 'version',
      ...HTTP,
      url: 'request.uri',
      request: ['request.body.content'],
      response: ['response.body.content'],
      beside: 'type',
    },
  },
  {
    id: 'test-server',
    label: 'test-server recording',
    files: ['json'],
    marks: any('interactions[].request.bodySegments', 'interactions[].request.body_segments'),
    layout: {
      entries: 'interactions',
      name: 'recordID',
      ...HTTP,
      status: ['response.statusCode', 'response.status_code'],
      chunks: ['response.bodySegments', 'response.body_segments'],
      beside:
        'request previousRequest serverAddress shaSum sdkResponseSegments sdk_response_segments bodySegments body_segments',
    },
    join: (entries) => entries.map(withSegments),
  },
  {
    id: 'betamax',
    label: 'Betamax tape',
    files: ['yaml', 'yml'],
    marks: ['name', 'interactions[].recorded', 'interactions[].request.uri', 'interactions[].response.status'],
    layout: { entries: 'interactions', name: 'name', ...HTTP, url: 'request.uri', beside: 'recorded' },
  },
  {
    id: 'dvr',
    label: 'DVR cassette',
    files: ['json'],
    marks: ['name', 'interactions[].recorded_at', 'interactions[].request.url', 'interactions[].response.url'],
    layout: { entries: 'interactions', name: 'name', ...HTTP, beside: 'body_format' },
  },
  {
    id: 'responses',
    label: 'recording of responses',
    files: ['yaml', 'yml'],
    marks: ['responses[].response.method', 'responses[].response.url', 'responses[].response.status'],
    layout: {
      entries: 'responses',
      method: 'response.method',
      url: 'response.url',
      requestHeaders: 'request.headers',
      request: [],
      status: ['response.status'],
      responseHeaders: 'response.headers',
      response: ['response.body'],
      beside: 'content_type auto_calculate_content_length',
    },
  },
  {
    id: 'one-response',
    label: 'response in a file',
    files: ['json'],
    marks: [
      any('status', 'statusCode', 'status_code'),
      'headers',
      'body',
      /"status(?:_?[Cc]ode)?"\s*:\s*[1-5]\d\d\b/,
      none('request', 'response', 'method', 'url', 'uri', 'path', 'fingerprint', 'messages'),
    ],
    layout: {
      requestHeaders: 'request.headers',
      request: [],
      status: ['status', 'statusCode', 'status_code'],
      responseHeaders: 'headers',
      response: ['body'],
      beside: 'statusText cookies isBase64Encoded multiValueHeaders',
    },
  },
  {
    id: 'stream-events',
    label: 'events of a stream',
    files: ['json'],
    marks: any(
      ['[].object', '[].choices[].delta'],
      ['[].type', /"type"\s*:\s*"(?:message_start|response\.created)"/],
      ['[].data', /"(?:event|type)\W+(?:message_start|response\.created)\b|chat\.completion\.chunk/],
      '[].candidates[].content.parts',
    ),
    layout: { requestHeaders: 'request.headers', request: [], response: [], chunks: ['\0events'] },
    join: ([first, ...others]) => {
      const last = others.at(-1) ?? first;
      if (first === undefined || last === undefined) return [];
      const place = { start: first.start, end: last.end };
      return [objectNode({ '\0events': arrayNode([first, ...others], place) }, place)];
    },
  },
];

/** What was asked and what came back are lines of their own, one after the other. */
function withResults(entries: readonly JsonNode[]): readonly JsonNode[] {
  return entries.map((entry, at) => {
    const kind = stringAt(entry, 'kind');
    const next = entries[at + 1];
    const answers =
      kind === 'model_request' ? ['model_response', 'error'] : kind === 'tool_call' ? ['tool_result', 'error'] : [];
    return next !== undefined && answers.includes(stringAt(next, 'kind') ?? '') ? joined(entry, next) : entry;
  });
}

/** A body of parts that stand apart: members of the entry, and parameters in an object of their own. */
function withBodyOf(entry: JsonNode, parts: readonly string[], paramsAt: string): JsonNode {
  const params = member(entry, paramsAt);
  if (entry.type !== 'object') return entry;
  const body = objectNode(Object.fromEntries(parts.map((part) => [part, member(entry, part)])), entry);
  const others = params?.type === 'object' ? params.members : [];
  const own = others.filter(({ key }) => !parts.includes(key));
  return withMembers(entry, { '\0body': { ...body, members: [...body.members, ...own] } });
}

/** Bodies in segments: of one, the segment is the body; several are the events of a stream. */
function withSegments(entry: JsonNode): JsonNode {
  const sides = ['request', 'response'].map((side) => {
    const node = member(entry, side);
    const [name, segments] =
      ['bodySegments', 'body_segments'].map((key) => [key, nodeAt(node, key)] as const).find(([, list]) => list) ?? [];
    const isOne = segments?.type === 'array' && segments.items.length === 1;
    if (node?.type !== 'object' || name === undefined || !isOne) return [side, node] as const;
    return [side, withMembers(node, { [name]: undefined, body: segments.items[0] })] as const;
  });
  return entry.type === 'object' ? withMembers(entry, Object.fromEntries(sides)) : entry;
}

/** The formats of recorders whose files say everything by where it stands. */
export const recorderFormats: readonly TapeFormat[] = RECORDERS.map(layoutFormat);
