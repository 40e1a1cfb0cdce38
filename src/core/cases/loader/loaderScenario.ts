import { isRecord, type Json, type JsonRecord } from '../../json/json';
import { exactValue, member, readJson } from '../../json/readJson';
import type { ChatResponse, ToolCall } from '../../model/message';
import { formatById } from '../../tapes/registry';
import { tapeFileFromText } from '../../tapes/tapeFile';
import { t } from '../../text/l10n';
import type { ParseResult, Problem, Span } from '../../text/source';
import { type CaseKind, fileStem } from '../caseKind';

const format = formatById('loader');

/** Loader's scripted scenarios: the script is in the file, so there is no tape. */
export const loaderKind: CaseKind = {
  id: 'loader',
  label: format.label,
  places: /\.scenario\.json$/i,
  looksLike: (text) => format.looksLike(tapeFileFromText(text)),
  list(text, path) {
    const { value, problems } = readLoaderScenario(text);
    if (value === undefined) return { cases: [], problems };
    const words = value.tools.map((tool) => tool.name);
    return {
      cases: [{ name: value.name || fileStem(path), span: value.span, tapes: [], words, tags: ['loader'] }],
      problems,
    };
  },
};

/**
 * A scripted scenario of Loader as a file (tenseleyFlow/loader, `tests/helpers/runtime_harness.py`): two queues of
 * responses that are served in order, with their context. Everything but the prompt and the queues is Tapedeck's addition.
 */
export interface LoaderScenario {
  readonly name: string;
  readonly span: Span;
  readonly prompt: string;
  readonly nativeTools: boolean;
  readonly completions: readonly ChatResponse[];
  readonly streams: readonly ChatResponse[];
  readonly config: LoaderConfig;
  /** The tools that the script calls: their results, and whether they ask for confirmation. */
  readonly tools: readonly LoaderTool[];
  /** Files in the temporary folder `{{temp_dir}}`, by their path in it. */
  readonly files: Readonly<Record<string, string>>;
  /** The replies to confirmations, in order. */
  readonly confirmations: readonly boolean[];
  /** The replies to the agent's questions, in order. */
  readonly answers: readonly string[];
  /** The types of the run's events, in order; undefined if they are not checked. */
  readonly expectedEvents?: readonly string[];
  /** The names of the called tools, in order; undefined if they are not checked. */
  readonly expectedTools?: readonly string[];
  readonly expectedResponse?: string;
}

interface LoaderConfig {
  /** Whether responses are requested as streams. */
  readonly stream: boolean;
  readonly maxIterations: number;
  /** `explore` refuses every tool that writes. */
  readonly mode: 'run' | 'explore';
  readonly temperature: number;
  readonly maxTokens: number;
}

export interface LoaderTool {
  readonly name: string;
  readonly description: string;
  readonly result: Json;
  /** The tool asks for confirmation. */
  readonly confirm: boolean;
  /** The tool changes something, and is refused in `explore`. */
  readonly writes: boolean;
}

export function readLoaderScenario(text: string): ParseResult<LoaderScenario> {
  const { interactions, problems } = format.read(tapeFileFromText(text));
  const { value: root } = readJson(text);
  if (root === undefined || problems.some(({ severity }) => severity === 'error'))
    return { value: undefined, problems };
  const value = exactValue(root);
  if (!isRecord(value)) return { value: undefined, problems };
  const { start, end } = member(root, 'name') ?? member(root, 'prompt') ?? { start: 0, end: 0 };
  const responsesOf = (queue: string): readonly ChatResponse[] =>
    interactions.flatMap(({ id = '', response }) => (id.startsWith(queue) && response ? [response] : []));
  const missing: Problem[] = typeof value.prompt === 'string' ? [] : [noPrompt()];
  const scenario = {
    ...scenarioOf(value),
    span: { start, end },
    completions: responsesOf('completion'),
    streams: responsesOf('stream'),
  };
  return { value: missing.length === 0 ? scenario : undefined, problems: [...problems, ...missing] };
}

function noPrompt(): Problem {
  const fix = t('Add "prompt": "the prompt for the agent".');
  return { severity: 'error', message: t('the scenario has no prompt'), fix, span: { start: 0, end: 1 } };
}

function scenarioOf(root: JsonRecord): Omit<LoaderScenario, 'span' | 'completions' | 'streams'> {
  const config = isRecord(root.config) ? root.config : {};
  const events = root.expected_events;
  const tools = root.expected_tools ?? root.expected_tool_names;
  return {
    name: typeof root.name === 'string' ? root.name : '',
    prompt: typeof root.prompt === 'string' ? root.prompt : '',
    nativeTools: root.supports_native_tools !== false,
    config: {
      stream: config.stream === true,
      maxIterations: typeof config.max_iterations === 'number' ? config.max_iterations : 10,
      mode: config.mode === 'explore' || root.mode === 'explore' ? 'explore' : 'run',
      temperature: typeof config.temperature === 'number' ? config.temperature : 0.7,
      maxTokens: typeof config.max_tokens === 'number' ? config.max_tokens : 4096,
    },
    tools: (Array.isArray(root.tools) ? root.tools.filter(isRecord) : []).map((tool) => ({
      name: String(tool.name ?? ''),
      description: typeof tool.description === 'string' ? tool.description : '',
      result: tool.result ?? null,
      confirm: tool.confirm === true,
      writes: tool.writes === true,
    })),
    files: Object.fromEntries(
      Object.entries(isRecord(root.files) ? root.files : {}).map(([path, content]) => [path, String(content)]),
    ),
    confirmations: (Array.isArray(root.confirmations) ? root.confirmations : []).map((answer) => answer === true),
    answers: (Array.isArray(root.answers) ? root.answers : []).map(String),
    ...(Array.isArray(events) ? { expectedEvents: events.map(String) } : {}),
    ...(Array.isArray(tools) ? { expectedTools: tools.map(String) } : {}),
    ...(typeof root.expected_response === 'string' ? { expectedResponse: root.expected_response } : {}),
  };
}

const BRACKETS = /\[calls\s+([\w.-]+)\s+tool with:\s*([\s\S]*?)\]\s*(?=\[calls\s|$)/gi;

/**
 * The tool calls that a model without native tools writes into its text, in the two forms of Loader: as raw JSON,
 * `{"name": …, "arguments": …}`, and as `[calls NAME tool with: …]`.
 */
export function textToolCalls(text: string): readonly ToolCall[] {
  const bracketed = Array.from(text.matchAll(BRACKETS), ([, name = '', args = '']) => ({
    name,
    arguments: parsed(args.trim()) ?? fieldsOf(args),
  }));
  const found = bracketed.length > 0 ? bracketed : rawCalls(text.trim());
  return found.map((call, index) => ({ id: `text-${index + 1}`, ...call }));
}

function rawCalls(text: string): readonly Pick<ToolCall, 'name' | 'arguments'>[] {
  const value = parsed(text.replace(/^```(?:json)?\s*|\s*```$/g, ''));
  const calls = Array.isArray(value) ? value : [value ?? null];
  return calls.flatMap((call) =>
    isRecord(call) && typeof call.name === 'string' && call.arguments !== undefined
      ? [{ name: call.name, arguments: call.arguments }]
      : [],
  );
}

/** `key=value, other="…"`. */
function fieldsOf(text: string): Json {
  const pairs = text.matchAll(/([\w.-]+)\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|([^,]+))/g);
  return Object.fromEntries(Array.from(pairs, ([, key = '', a, b, c]) => [key, a ?? b ?? c?.trim() ?? '']));
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
