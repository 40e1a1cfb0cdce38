import { asRecord, asString, isBlank, omitKeys, omitUndefined } from '../../../json/fields';
import type { Json, JsonRecord } from '../../../json/json';
import { headLines } from '../../../json/jsonLines';
import { jsonOutline } from '../../../json/jsonOutline';
import type { Tape } from '../../../model/tape';
import { t } from '../../../text/l10n';
import type { Span } from '../../../text/source';
import type { TextParts } from '../../../text/textParts';
import type { TapeFormat } from '../../format';
import type { InteractionReading } from '../../lazyTape';
import { type TapeFile, textParts } from '../../tapeFile';
import { cutFields } from '../shared/traces/cut';
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

/** Runs exported from LangSmith: a list of them, a line each, or nested in each other as `child_runs`. */
export const langsmithFormat = {
  id: 'langsmith',
  label: 'LangSmith runs',
  family: 'log',
  extensions: ['json', 'jsonl'],
  syntax: 'json',
  looksLike,
  read,
} satisfies TapeFormat;

const LISTS = ['runs', 'child_runs'];

function looksLike(file: TapeFile): boolean {
  const text = textParts(file);
  const outline = jsonOutline(text);
  if (outline.isWhole && outline.isOnly)
    return ['', '[].', 'runs[].'].some(
      (at) => outline.has(`${at}run_type`) && outline.has(`${at}start_time`) && outline.has(`${at}inputs`),
    );
  const [first = ''] = headLines(text, 1, 64 * 1024);
  return (
    /^\s*\{/.test(first) && /"run_type"\s*:/.test(first) && /"inputs"\s*:/.test(first) && /"start_time"\s*:/.test(first)
  );
}

function read(file: TapeFile): Tape {
  const text = textParts(file);
  const spans: TraceSpan[] = [];
  const problems = visitRecords(text, LISTS, ({ place, value }) => {
    if (typeof value.run_type === 'string') spans.push(indexRun(text, place, value));
  });
  return traceTape({ format: 'langsmith', name: undefined, spans, problems });
}

const KINDS: Readonly<Record<string, TraceSpan['kind']>> = { llm: 'llm', tool: 'tool', embedding: 'embedding' };

function indexRun(text: TextParts, place: Span, run: JsonRecord): TraceSpan {
  const kind = KINDS[asString(run.run_type) ?? ''] ?? 'step';
  return {
    source: place,
    id: asString(run.id) ?? '',
    parent: asString(run.parent_run_id),
    name: asString(run.name) ?? '',
    kind,
    start: timeOfText(asString(run.start_time)),
    read: () => readRun(kind, () => recordAt(text, place), place),
  };
}

function readRun(kind: TraceSpan['kind'], run: () => JsonRecord, place: Span): InteractionReading {
  const own = run();
  const cut = cutFields(own, ['inputs', 'outputs'], place);
  if (kind === 'tool') return { content: readToolRun(own), problems: cut };
  const call = readModelRun(own);
  const how = t(
    'Record the inputs and outputs of runs (LANGSMITH_HIDE_INPUTS, LANGSMITH_HIDE_OUTPUTS), and run it again.',
  );
  return {
    content: modelContent(kind === 'embedding' ? kind : 'llm', call, () => readModelRun(run())),
    problems: kind === 'embedding' ? cut : [...missingContent(place, call, how), ...cut],
  };
}

function readModelRun(run: JsonRecord): ModelCall {
  const inputs = asRecord(run.inputs);
  const extra = asRecord(run.extra);
  const metadata = asRecord(extra.metadata);
  const settings = asRecord(extra.invocation_params);
  const params = { ...omitKeys(inputs, ...INPUTS), ...omitKeys(settings, ...SETTINGS) };
  return omitUndefined({
    messages: readTraceMessages(inputs.messages ?? inputs.prompts ?? inputs.input ?? inputs.prompt),
    tools: readTraceTools(isBlank(inputs.tools) ? settings.tools : inputs.tools),
    params: Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null)),
    model: asString(inputs.model ?? settings.model ?? settings.model_name ?? metadata.ls_model_name),
    answer: isBlank(run.outputs) ? undefined : readTraceOutput(run.outputs),
    usage: readTraceUsage(metadata.usage_metadata),
    error: failureOf(run),
    timing: timingOf(run),
  });
}

const INPUTS = ['messages', 'prompts', 'input', 'prompt', 'tools', 'model'];
const SETTINGS = ['messages', 'tools', 'model', 'model_name', '_type'];

/** The text of an exception, and not where it was thrown. */
function failureOf({ error }: JsonRecord): string | undefined {
  const text = asString(error);
  return text === undefined || text === '' ? undefined : (text.split('\nTraceback ', 1)[0] ?? text).trimEnd();
}

function timingOf({ start_time: start, end_time: end, first_token_time: first }: JsonRecord): ModelCall['timing'] {
  const [from, to, token] = [start, end, first].map((time) => timeOfText(asString(time)));
  return spanTiming(from, to, token);
}

function readToolRun(run: JsonRecord): InteractionReading['content'] {
  return toolContent({
    id: asString(asRecord(asRecord(run.outputs).output).tool_call_id),
    name: asString(run.name) ?? '',
    input: only(run.inputs, 'input') ?? {},
    result: isBlank(run.outputs) ? undefined : { content: resultOf(run.outputs ?? null), toolCalls: [] },
    error: failureOf(run),
    timing: timingOf(run),
  });
}

/** The value of the only member, if it has this name. */
function only(value: Json | undefined, name: string): Json | undefined {
  const keys = Object.keys(asRecord(value));
  return keys.length === 1 && keys[0] === name ? asRecord(value)[name] : value;
}

/** A tool of LangChain gives a message; its content is the result. */
function resultOf(outputs: Json): string {
  const output = only(outputs, 'output') ?? outputs;
  const [message] =
    asRecord(output).type === 'tool' || asRecord(output).kwargs !== undefined ? readTraceMessages([output]) : [];
  return message?.content ?? textOf(output);
}
