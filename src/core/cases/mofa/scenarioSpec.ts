import { asCount, asList, asRecord, asRecords, asString } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import { exactValue, member } from '../../json/readJson';
import { readTextDocument, rootObject } from '../../syntax/textDocument';
import { formatById } from '../../tapes/registry';
import { tapeFileFromText } from '../../tapes/tapeFile';
import { message } from '../../text/l10n';
import type { ParseResult, Span } from '../../text/source';
import type { CaseKind } from '../caseKind';

const format = formatById('mofa-scenario');

export const NO_PROMPTS = message(
  'the scenario has responses of the model but no prompts: add prompts: ["…"] to it, which MoFA ignores',
);

/** Scenario specs: model and tools are mocked in the file, so there is no tape. */
export const mofaScenarioKind: CaseKind = {
  id: 'mofa-scenario',
  label: format.label,
  looksLike: (text) => format.looksLike(tapeFileFromText(text)),
  list(text) {
    const { value, problems } = readScenarioSpec(text);
    if (value === undefined) return { cases: [], problems };
    const { name, span, tools, prompts } = value;
    const words = tools.map((tool) => tool.name);
    const lacks = prompts.length === 0 ? { lacks: NO_PROMPTS } : {};
    return { cases: [{ name, span, tapes: [], words, tags: ['mofa'], ...lacks }], problems };
  },
};

/** MoFA's `ScenarioSpec` (mofa-org/mofa, pull requests 1287 and 1455): a mocked model, mocked tools, and expected counts. */
export interface ScenarioSpec {
  readonly name: string;
  readonly span: Span;
  readonly model: string;
  /** Tapedeck: the prompts for the agent. MoFA's own scenarios leave them to the test's code. */
  readonly prompts: readonly string[];
  readonly responses: readonly { readonly substring: string; readonly response: string }[];
  readonly sequences: readonly { readonly substring: string; readonly responses: readonly string[] }[];
  readonly fallback?: string;
  readonly failNext: readonly { readonly count: number; readonly error: string }[];
  readonly failOn: readonly { readonly substring: string; readonly error: string }[];
  readonly tools: readonly ToolStub[];
  readonly expectations: ScenarioExpectations;
}

interface ToolStub {
  readonly name: string;
  readonly description: string;
  readonly schema: Json;
  readonly result: Json;
}

interface ScenarioExpectations {
  readonly inferTotal?: number;
  readonly promptCounts: readonly { readonly substring: string; readonly expected: number }[];
  readonly toolCalls: readonly { readonly name: string; readonly expected: number }[];
  /** The number of expectations about the message bus, which Tapedeck does not have: the result mentions them. */
  readonly busMessages: number;
}

export function readScenarioSpec(text: string): ParseResult<ScenarioSpec> {
  const { name = '', problems } = format.read(tapeFileFromText(text));
  const root = rootObject(readTextDocument(text));
  if (root === undefined || problems.some(({ severity }) => severity === 'error'))
    return { value: undefined, problems };
  const value = exactValue(root);
  if (!isRecord(value)) return { value: undefined, problems };
  const { start, end } = member(root, 'case_name') ?? member(root, 'suite_name') ?? root;
  return { value: { name, span: { start, end }, ...specOf(value) }, problems };
}

function specOf(root: JsonRecord): Omit<ScenarioSpec, 'name' | 'span'> {
  const llm = asRecord(root.llm);
  const fallback = llm.fallback;
  return {
    model: textIn(llm.model_name) || 'mock-model',
    prompts: [...(typeof root.prompt === 'string' ? [root.prompt] : []), ...textsOf(root.prompts)],
    responses: asRecords(llm.responses).map((item) => ({
      substring: textIn(item.prompt_substring),
      response: textIn(item.response),
    })),
    sequences: asRecords(llm.response_sequences).map((item) => ({
      substring: textIn(item.prompt_substring),
      responses: textsOf(item.responses),
    })),
    ...(typeof fallback === 'string' ? { fallback } : {}),
    failNext: asRecords(llm.fail_next).map((item) => ({ count: asCount(item.count) ?? 1, error: textIn(item.error) })),
    failOn: asRecords(llm.fail_on).map((item) => ({
      substring: textIn(item.prompt_substring),
      error: textIn(item.error),
    })),
    tools: asRecords(root.tools).map((tool) => ({
      name: textIn(tool.name),
      description: textIn(tool.description),
      schema: tool.schema ?? { type: 'object' },
      result: resultOf(asRecord(tool.stubbed_result)),
    })),
    expectations: expectationsOf(asRecord(root.expectations)),
  };
}

function expectationsOf(node: JsonRecord): ScenarioExpectations {
  const total = asCount(node.infer_total);
  const counted = (items: Json | undefined, key: string) =>
    asRecords(items).map((item) => ({ of: textIn(item[key]), expected: asCount(item.expected) ?? 0 }));
  return {
    inferTotal: total,
    promptCounts: counted(node.prompt_counts, 'substring').map(({ of, expected }) => ({ substring: of, expected })),
    toolCalls: counted(node.tool_calls, 'tool_name').map(({ of, expected }) => ({ name: of, expected })),
    busMessages: asRecords(node.bus_messages_from).length,
  };
}

function resultOf({ text, json, error }: JsonRecord): Json {
  if (typeof error === 'string') return { error };
  return text ?? json ?? null;
}

function textIn(value: Json | undefined): string {
  return asString(value) ?? '';
}

function textsOf(value: Json | undefined): readonly string[] {
  return asList(value).filter((item): item is string => typeof item === 'string');
}

type MockResponse = { readonly content: string } | { readonly error: string };

/** The mocked model: failures first, then sequences (the last of one is repeated), then responses, then the fallback. */
export class MockModel {
  readonly #spec: ScenarioSpec;
  readonly #used = new Map<number, number>();
  readonly prompts: string[] = [];
  #failures: string[];

  constructor(spec: ScenarioSpec) {
    this.#spec = spec;
    this.#failures = spec.failNext.flatMap(({ count, error }) => Array.from({ length: count }, () => error));
  }

  /** Undefined if the scenario has no response for the prompt. */
  respond(prompt: string): MockResponse | undefined {
    this.prompts.push(prompt);
    const [failure, ...later] = this.#failures;
    if (failure !== undefined) {
      this.#failures = later;
      return { error: failure };
    }
    const has = ({ substring }: { readonly substring: string }): boolean => prompt.includes(substring);
    const refused = this.#spec.failOn.find(has);
    if (refused) return { error: refused.error };
    const sequence = this.#spec.sequences.findIndex(has);
    const content = this.#next(sequence) ?? this.#spec.responses.find(has)?.response ?? this.#spec.fallback;
    return content === undefined ? undefined : { content };
  }

  #next(sequence: number): string | undefined {
    const { responses = [] } = this.#spec.sequences[sequence] ?? {};
    const at = this.#used.get(sequence) ?? 0;
    this.#used.set(sequence, at + 1);
    return responses[Math.min(at, responses.length - 1)];
  }
}
