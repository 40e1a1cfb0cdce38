import type { JsonNode } from '../../../json/jsonNode';
import type { TapeFormat } from '../../format';
import { stringAt, USUAL_PLACES } from '../shared/httpTape';
import { joined, layoutFormat, type RecorderDescription } from '../shared/layoutFormat';
import { any, none } from '../shared/marks';

/** Recorded HTTP, where most have it. */
const HTTP = { ...USUAL_PLACES, request: [USUAL_PLACES.request], response: [USUAL_PLACES.response] };

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
      status: 'response.status_code',
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
      status: 'response.status',
      responseHeaders: 'response.headers',
      response: ['response.body'],
      chunks: ['response.stream'],
      beside: ['fp_exact', 'fp_norm', 'provider', 'seq'],
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
      beside: ['match_key', 'matched_on'],
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
      status: 'response.status_code',
      response: ['response.body', 'response.body_raw'],
      chunks: ['response.body_stream'],
      duration: 'duration_ms',
      beside: ['body_raw'],
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
      status: 'status_code',
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
      beside: ['fingerprint'],
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
      beside: ['kind', 'request_hash', 'response_type'],
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
      status: 'response.status_code',
      responseHeaders: 'response.headers',
      response: ['response.json', 'response.text', 'response.raw_b64', 'response'],
      error: 'error',
      tool: { name: 'boundary', input: 'request', output: 'response' },
      duration: 'latency_ms',
      beside: ['usage', 'tags', 'metadata', 'boundary', 'kind', 'match_key', 'raw_b64', 'reason_phrase'],
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
      beside: ['provider', 'operation'],
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
      beside: ['args', 'name'],
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
      beside: ['name', 'kind', 'event_id', 'tool_calls'],
    },
    join: withResults,
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

/** The formats of recorders whose files say everything by where it stands. */
export const recorderFormats: readonly TapeFormat[] = RECORDERS.map(layoutFormat);
