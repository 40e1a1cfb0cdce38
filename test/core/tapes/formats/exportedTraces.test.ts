import assert from 'node:assert/strict';
import { exportedTraceFormats } from '../../../../src/core/tapes/formats/traces/index';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { readmeSamples } from '../../../harness/readmeSamples';
import { formatOf, readAs } from '../editing';

/** A call of a model and one of a tool, within an agent. */
function assertWeather(id: string, text: string): void {
  const [call, tool, ...others] = readAs(id, text).interactions;
  assert.equal(others.length, 0);
  assert.deepEqual([call?.kind, tool?.kind], ['llm', 'tool']);
  assert.equal(call?.request?.messages.at(-1)?.content, 'Weather in Oslo?');
  assert.equal(call?.request?.model, 'gpt-4o-mini');
  assert.deepEqual(call?.response?.toolCalls[0]?.arguments, { city: 'Oslo' });
  assert.deepEqual([call?.response?.usage?.promptTokens, call?.response?.usage?.completionTokens], [7, 3]);
  assert.deepEqual(tool?.request?.messages[0]?.toolCalls[0]?.arguments, { city: 'Oslo' });
  assert.equal(tool?.response?.content, '4');
  assert.deepEqual([call?.timing?.durationMs, tool?.timing?.durationMs], [1000, 1000]);
  assert.deepEqual(
    call?.within?.map(({ name }) => name),
    ['agent'],
  );
}

describe('traces of servers', () => {
  const samples = readmeSamples('traces');

  it('have a sample each', () => {
    assert.deepEqual(
      samples.map(({ text }) => formatOf(tapeFileFromText(text)).id),
      exportedTraceFormats.map(({ id }) => id),
    );
  });

  for (const [at, { title, text }] of samples.entries())
    it(`are read: ${title}`, () => assertWeather(exportedTraceFormats[at]?.id ?? '', text));
});

const CALL = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'gpt-4o-mini',
  'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'Weather in Oslo?' }] }]),
  'gen_ai.output.messages': JSON.stringify([
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'get_weather', arguments: { city: 'Oslo' } }] },
  ]),
  'gen_ai.usage.input_tokens': 7,
  'gen_ai.usage.output_tokens': 3,
};
const TOOL = {
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'get_weather',
  'gen_ai.tool.call.arguments': JSON.stringify({ city: 'Oslo' }),
  'gen_ai.tool.call.result': '4',
};
const SPANS = [
  {
    id: 'aa',
    parent: undefined,
    name: 'agent',
    at: 0,
    took: 9,
    attributes: { 'gen_ai.operation.name': 'invoke_agent' },
  },
  { id: 'bb', parent: 'aa', name: 'chat', at: 1, took: 1, attributes: CALL },
  { id: 'cc', parent: 'aa', name: 'get_weather', at: 3, took: 1, attributes: TOOL },
];
const SECOND = 1_767_261_600;
const pairs = (attributes: object) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    type: typeof value === 'number' ? 'int64' : 'string',
    value,
  }));
const tempo = SPANS.map(({ id, parent, name, at, took, attributes }) => ({
  traceId: 'AAAA',
  spanId: id,
  parentSpanId: parent,
  name,
  startTimeUnixNano: `${SECOND + at}000000000`,
  endTimeUnixNano: `${SECOND + at + took}000000000`,
  attributes: pairs(attributes).map(({ key, value }) => ({
    key,
    value: typeof value === 'number' ? { intValue: `${value}` } : { stringValue: value },
  })),
}));
const jaeger = SPANS.map(({ id, parent, name, at, took, attributes }) => ({
  traceID: 't1',
  spanID: id,
  operationName: name,
  references: parent === undefined ? [] : [{ refType: 'CHILD_OF', traceID: 't1', spanID: parent }],
  startTime: (SECOND + at) * 1e6,
  duration: took * 1e6,
  tags: pairs(attributes),
  logs: [],
  processID: 'p1',
}));
const zipkin = SPANS.map(({ id, parent, name, at, took, attributes }) => ({
  traceId: 't1',
  id,
  parentId: parent,
  name,
  timestamp: (SECOND + at) * 1e6,
  duration: took * 1e6,
  tags: attributes,
}));
const javascript = SPANS.map(({ id, parent, name, at, took, attributes }) => ({
  resource: { attributes: {} },
  traceId: 't1',
  parentSpanContext: parent && { traceId: 't1', spanId: parent },
  name,
  id,
  kind: 0,
  timestamp: (SECOND + at) * 1e6,
  duration: took * 1e6,
  attributes,
  status: { code: 0 },
  events: [],
  links: [],
}));

describe('spans of OpenTelemetry from other servers', () => {
  const batches = [{ resource: { attributes: [] }, scopeSpans: [{ spans: tempo }] }];
  for (const [from, file] of Object.entries({
    Tempo: { batches },
    'Tempo, version 2 of its API': { trace: { resourceSpans: batches } },
    Jaeger: { data: [{ traceID: 't1', spans: jaeger, processes: { p1: { serviceName: 's', tags: [] } } }] },
    'Jaeger, version 3 of its API': { result: { resourceSpans: batches } },
    Zipkin: zipkin,
    'Zipkin, several traces': [zipkin],
    'the console of an SDK in JavaScript': javascript,
  }))
    it(`are read: ${from}`, () => assertWeather('otlp', JSON.stringify(file)));
});
