import { asRecord, asString, isBlank, omitUndefined } from '../../../json/fields';
import type { Json, JsonRecord } from '../../../json/json';
import { headLines } from '../../../json/jsonLines';
import { jsonOutline } from '../../../json/jsonOutline';
import { parseExactJson } from '../../../json/readJson';
import type { Tape } from '../../../model/tape';
import { t } from '../../../text/l10n';
import type { Span } from '../../../text/source';
import type { TextParts } from '../../../text/textParts';
import type { TapeFormat } from '../../format';
import type { InteractionReading } from '../../lazyTape';
import { type TapeFile, textParts } from '../../tapeFile';
import { cutFields } from '../shared/traces/cut';
import { inputMessages, isUnlimited } from '../shared/traces/input';
import { readTraceMessages, textOf } from '../shared/traces/messages';
import { readTraceOutput } from '../shared/traces/output';
import {
  type ModelCall,
  missingContent,
  modelContent,
  spanTiming,
  timeOfText,
  toolContent,
} from '../shared/traces/reading';
import { recordAt, visitRecords } from '../shared/traces/spanPlaces';
import { readTraceTools } from '../shared/traces/tools';
import { type TraceSpan, traceTape } from '../shared/traces/traceTape';
import { readTraceUsage } from '../shared/traces/usage';

/** Observations exported from Langfuse: those of a trace, a list of them, or a line each. */
export const langfuseFormat = {
  id: 'langfuse',
  label: 'Langfuse trace',
  family: 'log',
  extensions: ['json', 'jsonl'],
  syntax: 'json',
  looksLike,
  read,
} satisfies TapeFormat;

const LISTS = ['data', 'observations'];
const TYPE = /"type"\s*:\s*"(?:GENERATION|SPAN|EVENT|EMBEDDING|AGENT|TOOL|CHAIN|RETRIEVER|EVALUATOR|GUARDRAIL)"/;

function looksLike(file: TapeFile): boolean {
  const text = textParts(file);
  const outline = jsonOutline(text);
  if (outline.isWhole && outline.isOnly) {
    const lists = ['', '[].', 'data[].', 'observations[].', '[].observations[].', 'data[].observations[].'];
    return (
      lists.some((at) => outline.has(`${at}traceId`) && outline.has(`${at}startTime`) && outline.has(`${at}type`)) &&
      TYPE.test(file.text)
    );
  }
  const [first = ''] = headLines(text, 1, 64 * 1024);
  return /^\s*\{/.test(first) && /"traceId"\s*:/.test(first) && /"startTime"\s*:/.test(first) && TYPE.test(first);
}

function read(file: TapeFile): Tape {
  const text = textParts(file);
  const spans: TraceSpan[] = [];
  let name: string | undefined;
  const problems = visitRecords(text, LISTS, ({ place, value }) => {
    if (typeof value.startTime === 'string') spans.push(indexObservation(text, place, value));
    else if (value.timestamp !== undefined) name ??= asString(value.name);
  });
  return traceTape({ format: 'langfuse', name, spans, problems });
}

const KINDS: Readonly<Record<string, TraceSpan['kind']>> = { GENERATION: 'llm', TOOL: 'tool', EMBEDDING: 'embedding' };

function indexObservation(text: TextParts, place: Span, value: JsonRecord): TraceSpan {
  const kind = KINDS[asString(value.type) ?? ''] ?? 'step';
  return {
    source: place,
    id: asString(value.id) ?? '',
    parent: asString(value.parentObservationId),
    name: asString(value.name) ?? '',
    kind,
    start: timeOfText(asString(value.startTime)),
    read: () => readObservation(kind, () => recordAt(text, place), place),
  };
}

function readObservation(kind: TraceSpan['kind'], observation: () => JsonRecord, place: Span): InteractionReading {
  const own = observation();
  const cut = cutFields(own, ['input', 'output'], place);
  if (kind === 'tool') return { content: readToolObservation(own), problems: cut };
  const call = readGeneration(own);
  const how = t('Record input and output of generations, and do not leave them out of the export.');
  return {
    content: modelContent(kind === 'embedding' ? kind : 'llm', call, () => readGeneration(observation())),
    problems: kind === 'embedding' ? cut : [...missingContent(place, call, how), ...cut],
  };
}

function readGeneration(observation: JsonRecord): ModelCall {
  const input = parsed(observation.input);
  return omitUndefined({
    messages: readTraceMessages(inputMessages(input)),
    tools: readTraceTools(asRecord(input).tools),
    params: paramsOf(parsed(observation.modelParameters)),
    model: asString(observation.model ?? observation.providedModelName),
    answer: readTraceOutput(parsed(observation.output)),
    usage: usageOf(observation),
    finishReason: asString(asRecord(parsed(observation.metadata)).finish_reason),
    error: failureOf(observation),
    timing: timingOf(observation),
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

function usageOf(observation: JsonRecord): ModelCall['usage'] {
  const details = readTraceUsage(parsed(observation.usageDetails));
  if (details !== undefined) return details;
  const counts = { input: observation.inputUsage, output: observation.outputUsage, total: observation.totalUsage };
  return readTraceUsage(parsed(observation.usage)) ?? readTraceUsage(omitUndefined(counts));
}

function failureOf({ level, statusMessage }: JsonRecord): string | undefined {
  return level === 'ERROR' ? asString(statusMessage) || 'the call failed' : undefined;
}

function timingOf({ startTime, endTime, completionStartTime }: JsonRecord): ModelCall['timing'] {
  const [start, end, first] = [startTime, endTime, completionStartTime].map((time) => timeOfText(asString(time)));
  return spanTiming(start, end, first);
}

function readToolObservation(observation: JsonRecord): InteractionReading['content'] {
  const { input, output } = observation;
  const { args, kwargs } = asRecord(parsed(input));
  return toolContent({
    id: undefined,
    name: asString(observation.name) ?? '',
    input: kwargs !== undefined && isBlank(args) ? kwargs : (parsed(input) ?? {}),
    result: output === undefined || output === null ? undefined : { content: textOf(output), toolCalls: [] },
    error: failureOf(observation),
    timing: timingOf(observation),
  });
}
