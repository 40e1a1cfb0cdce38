import { asRecord, asString, isBlank, omitUndefined } from '../../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../../json/json';
import { parseExactJson } from '../../../json/readJson';
import type { Message, ToolCall } from '../../../model/message';
import type { Usage } from '../../../model/usage';
import { message } from '../../../text/l10n';
import { inputMessages, inputTools, isUnlimited } from '../shared/traces/input';
import { readTraceMessages, textOf } from '../shared/traces/messages';
import { readTraceOutput } from '../shared/traces/output';
import { offeredTools, readTraceTools } from '../shared/traces/tools';
import { type TraceDescription, traceFormat } from '../shared/traces/traceFormat';
import { readTraceUsage } from '../shared/traces/usage';

/** Observations exported from Langfuse: those of a trace, a list of them, or a line each. */
export const langfuseFormat = traceFormat({
  id: 'langfuse',
  label: 'Langfuse trace',
  files: ['json', 'jsonl'],
  lists: ['data[]', 'observations[]', '[].observations[]', 'data[].observations[]'],
  marks: [
    'traceId',
    'startTime',
    'type',
    /"type"\s*:\s*"(?:GENERATION|SPAN|EVENT|EMBEDDING|AGENT|TOOL|CHAIN|RETRIEVER|EVALUATOR|GUARDRAIL)"/,
  ],
  at: {
    type: 'type',
    parent: 'parentObservationId',
    start: 'startTime',
    end: 'endTime',
    firstToken: 'completionStartTime',
  },
  kinds: { GENERATION: 'llm', TOOL: 'tool', EMBEDDING: 'embedding' },
  isSpan: ({ startTime }) => typeof startTime === 'string',
  traceName: ({ timestamp, name }) => (timestamp === undefined ? undefined : asString(name)),
  call: readGeneration,
  tool: readTool,
  failure: failureOf,
  texts: ['input', 'output'],
  ifMissing: message('Record input and output of generations, and do not leave them out of the export.'),
});

function readGeneration(observation: JsonRecord): ReturnType<TraceDescription['call']> {
  const input = parsed(observation.input);
  const offered = Array.isArray(input) ? input.flatMap((item) => offeredTool(item) ?? []) : [];
  const said = Array.isArray(input) ? input.filter((item) => offeredTool(item) === undefined) : input;
  return omitUndefined({
    messages: withToolRoles(readTraceMessages(inputMessages(said))),
    tools: readTraceTools(offered.length > 0 ? offered : (inputTools(input) ?? toolsBeside(observation))),
    params: paramsOf(parsed(observation.modelParameters)),
    model: asString(observation.model ?? observation.providedModelName),
    answer: readTraceOutput(parsed(observation.output)),
    usage: usageOf(observation),
    finishReason: asString(asRecord(parsed(observation.metadata)).finish_reason),
  });
}

/** The tools that the attributes of a span of OpenTelemetry have, which are its metadata, or that a response names. */
function toolsBeside({ metadata, output }: JsonRecord): Json | undefined {
  const attributes = asRecord(asRecord(parsed(metadata)).attributes);
  const tools = parsed(attributes['gen_ai.tool.definitions']) ?? asRecord(parsed(output)).tools;
  return tools ?? offeredTools(parsed(attributes.model_request_parameters));
}

/** Langfuse's integration of LangChain lists the tools that are offered behind the messages, as if they were some. */
function offeredTool(item: Json): JsonRecord | undefined {
  const { role, content } = asRecord(item);
  return role === 'tool' && isRecord(content) && isRecord(content.function) ? content : undefined;
}

/** That of JavaScript writes the name of the tool as the role of its result, and leaves out which call it answers. */
function withToolRoles(messages: readonly Message[]): Message[] {
  const open: ToolCall[] = [];
  return messages.map((message) => {
    open.push(...message.toolCalls);
    const at = open.findIndex(({ name }) => name === message.role);
    const [call] = at === -1 ? [] : open.splice(at, 1);
    return call === undefined ? message : { ...message, role: 'tool', name: call.name, toolCallId: call.id };
  });
}

/** Exports of the user interface have JSON as text. */
function parsed(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value.slice(0, 64))) return value;
  return parseExactJson(value) ?? value;
}

/** The server keeps parameters as text, and fills in what stands for none. */
function paramsOf(value: Json | undefined): JsonRecord {
  const params = Object.entries(asRecord(value)).filter(([, param]) => param !== null && !isUnlimited(param));
  return Object.fromEntries(params.map(([name, param]) => [name, numberOf(param)]));
}

function numberOf(param: Json): Json {
  return typeof param === 'string' && /^-?\d{1,12}(?:\.\d{1,12})?$/.test(param) ? Number(param) : param;
}

function usageOf(observation: JsonRecord): Usage | undefined {
  const details = readTraceUsage(parsed(observation.usageDetails));
  if (details !== undefined) return details;
  const counts = { input: observation.inputUsage, output: observation.outputUsage, total: observation.totalUsage };
  return readTraceUsage(parsed(observation.usage)) ?? readTraceUsage(omitUndefined(counts));
}

function failureOf({ level, statusMessage }: JsonRecord): string | undefined {
  return level === 'ERROR' ? asString(statusMessage) || 'the call failed' : undefined;
}

function readTool({ name, input, output }: JsonRecord): ReturnType<TraceDescription['tool']> {
  const { args, kwargs } = asRecord(parsed(input));
  return {
    id: undefined,
    name: asString(name) ?? '',
    input: kwargs !== undefined && isBlank(args) ? kwargs : (parsed(input) ?? {}),
    result: output === undefined || output === null ? undefined : { content: textOf(output), toolCalls: [] },
  };
}
