import { asRecord, asRecords } from '../../json/fields';
import { isRecord, type Json, type JsonRecord, jsonEqual } from '../../json/json';
import type { JsonNode } from '../../json/jsonNode';
import { exactValue, member } from '../../json/readJson';
import { readTextDocument, rootObject } from '../../syntax/textDocument';
import { formatById } from '../../tapes/registry';
import { tapeFileFromText } from '../../tapes/tapeFile';
import { compilePattern, isRefused } from '../../text/compilePattern';
import { t } from '../../text/l10n';
import type { ParseResult, Problem, Span } from '../../text/source';
import { type CaseKind, defaultTape } from '../caseKind';

const format = formatById('mofa-agent-scenario');

/** Agent scenarios; each variant of a parameterised one is a case of its own. */
export const mofaAgentScenarioKind: CaseKind = {
  id: 'mofa-agent-scenario',
  label: format.label,
  places: /(?:^|\/)scenarios?\/(?:.*\/)?[^/]*\.(?:ya?ml|json|toml)$/i,
  looksLike: (text) => format.looksLike(tapeFileFromText(text)),
  list(text, path) {
    const { value, problems } = readAgentScenarios(text);
    if (value === undefined) return { cases: [], problems };
    const cases = value.scenarios.map(({ variant, agentId, tools, tape: named }) => {
      const tape = named ?? defaultTape(path, variant);
      return {
        id: variant,
        name: variant === undefined ? agentId : `${agentId}: ${variant}`,
        span: value.span,
        tapes: [tape],
        recordedTape: tape,
        words: tools,
        tags: ['mofa'],
      };
    });
    return { cases, problems };
  },
};

/** A conversation with expectations for each turn: MoFA's agent test DSL (mofa-org/mofa, pull request 1600). */
export interface AgentScenario {
  /** The name of the variant of a parameterised scenario; undefined without parameters. */
  readonly variant?: string;
  readonly agentId: string;
  readonly systemPrompt?: string;
  readonly tools: readonly string[];
  readonly turns: readonly ScenarioTurn[];
  /** Tapedeck: the results of tools, by name. */
  readonly toolResults: JsonRecord;
  /** Tapedeck: the tape that Replay reads and Re-record replaces, relative to the file. */
  readonly tape?: string;
  /** Tapedeck: a file of semantic assertions for the last response, relative to the file. */
  readonly assertions?: string;
}

interface ScenarioTurn {
  readonly user: string;
  readonly expectations: readonly TurnExpectation[];
}

interface TurnExpectation {
  readonly kind: string;
  readonly name?: string;
  readonly arguments?: Json;
  readonly text?: string;
  readonly pattern?: string;
}

/** The outcome of a turn. */
export interface TurnResult {
  readonly response: string;
  readonly toolCalls: readonly { readonly name: string; readonly input: Json }[];
}

interface ScenarioFile {
  readonly scenarios: readonly AgentScenario[];
  /** The place of the name. */
  readonly span: Span;
}

/** Reads a scenario, or all variants of a parameterised one (pull request 1606). */
export function readAgentScenarios(text: string): ParseResult<ScenarioFile> {
  const { problems } = format.read(tapeFileFromText(text));
  const root = rootObject(readTextDocument(text));
  if (root === undefined || problems.some(({ severity }) => severity === 'error'))
    return { value: undefined, problems };
  const template = member(root, 'template') ?? root;
  const named = member(template, 'agent_id') ?? template;
  const span = { start: named.start, end: named.end };
  const value = exactValue(root);
  if (!isRecord(value)) return { value: undefined, problems };
  const scenarios = isRecord(value.template) ? expanded(value, value.template) : [scenarioOf(value, value)];
  const open = scenarios.flatMap((scenario) => openPlaceholders(scenario, template));
  return { value: { scenarios, span }, problems: [...problems, ...open] };
}

/** One scenario for each set of parameters, then one for each combination of the matrix, its dimensions by name. */
function expanded(file: JsonRecord, template: JsonRecord): readonly AgentScenario[] {
  const sets = asRecords(file.parameters).map((set, index) => ({
    name: typeof set.name === 'string' ? set.name : `set ${index + 1}`,
    values: asRecord(set.vars ?? set.variables),
  }));
  return [...sets, ...combinations(asRecord(file.matrix))].map(({ name, values }) => {
    const filled = withValues(template, values);
    return { variant: name, ...scenarioOf(isRecord(filled) ? filled : template, file) };
  });
}

function combinations(matrix: JsonRecord): readonly { readonly name: string; readonly values: JsonRecord }[] {
  const dimensions = Object.entries(asRecord(matrix.dimensions)).sort(([a], [b]) => (a < b ? -1 : 1));
  if (dimensions.length === 0) return [];
  let rows: JsonRecord[] = [{}];
  for (const [name, values] of dimensions) {
    const options = Array.isArray(values) ? values : [values];
    rows = rows.flatMap((row) => options.map((value) => ({ ...row, [name]: value })));
  }
  const limited = typeof matrix.limit === 'number' ? rows.slice(0, matrix.limit) : rows;
  return limited.map((values) => ({
    name: Object.entries(values)
      .map(([key, value]) => `${key}=${String(value)}`)
      .join(', '),
    values,
  }));
}

/** Replaces `{{name}}` with its value in every text of a template. */
function withValues(value: Json, values: JsonRecord): Json {
  if (typeof value === 'string') {
    return value.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name: string) =>
      Object.hasOwn(values, name) ? String(values[name]) : whole,
    );
  }
  if (Array.isArray(value)) return value.map((item) => withValues(item, values));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withValues(item, values)]));
}

function openPlaceholders(scenario: AgentScenario, { start, end }: JsonNode): Problem[] {
  if (scenario.variant === undefined) return [];
  const [placeholder] = JSON.stringify(scenario.turns).match(/\{\{[^}]*\}\}/) ?? [];
  if (placeholder === undefined) return [];
  const message = t('{0} has no value in {1}', placeholder, scenario.variant);
  const span = { start, end: Math.min(start + 1, end) };
  return [{ severity: 'error', message, fix: t('Add it to the variables, or to the dimensions of the matrix.'), span }];
}

function scenarioOf(scenario: JsonRecord, file: JsonRecord): AgentScenario {
  const text = (key: string): string | undefined => {
    const value = scenario[key] ?? file[key];
    return typeof value === 'string' ? value : undefined;
  };
  const systemPrompt = text('system_prompt');
  const tape = text('tape');
  const assertions = text('assertions');
  return {
    agentId: text('agent_id') ?? '',
    systemPrompt,
    tools: Array.isArray(scenario.tools)
      ? scenario.tools.filter((tool): tool is string => typeof tool === 'string')
      : [],
    turns: asRecords(scenario.turns).map((turn) => ({
      user: typeof turn.user === 'string' ? turn.user : '',
      expectations: [...asRecords(turn.expect), ...asRecords(turn.expectations)].map(expectationOf),
    })),
    toolResults: asRecord(scenario.tool_results ?? file.tool_results),
    tape,
    assertions,
  };
}

function expectationOf(item: JsonRecord): TurnExpectation {
  const text = (key: 'name' | 'text' | 'pattern'): { [P in typeof key]?: string } => {
    const value = item[key];
    return typeof value === 'string' ? { [key]: value } : {};
  };
  const kind = typeof item.kind === 'string' ? item.kind : '';
  const args = item.arguments === undefined ? {} : { arguments: item.arguments };
  return { kind, ...text('name'), ...text('text'), ...text('pattern'), ...args };
}

/** Checks an expectation of a turn. `expected` and `found` are phrases. */
export function judgeExpectation(
  { kind, name = '', arguments: args, text = '', pattern = '' }: TurnExpectation,
  { response, toolCalls }: TurnResult,
): { readonly passed: boolean; readonly expected: string; readonly found: string } {
  const called = t('called {0}', toolCalls.map((call) => call.name).join(', ') || t('no tool'));
  const responded = `responded: ${response}`;
  switch (kind) {
    case 'call_tool':
      return {
        passed: toolCalls.some((call) => call.name === name),
        expected: t('a call of {0}', name),
        found: called,
      };
    case 'call_tool_with': {
      const inputs = toolCalls.filter((call) => call.name === name).map(({ input }) => input);
      const found =
        inputs.length === 0 ? called : t('called it with {0}', inputs.map((one) => JSON.stringify(one)).join(', '));
      const passed = inputs.some((input) => jsonEqual(input, args));
      return { passed, expected: t('a call of {0} with {1}', name, JSON.stringify(args)), found };
    }
    case 'not_call_any_tool':
      return { passed: toolCalls.length === 0, expected: t('no tool call'), found: called };
    case 'respond_containing':
      return {
        passed: response.includes(text),
        expected: t('a response containing {0}', JSON.stringify(text)),
        found: responded,
      };
    case 'respond_exact':
      return { passed: response === text, expected: t('exactly {0}', JSON.stringify(text)), found: responded };
    case 'respond_matching_regex': {
      const expression = compilePattern(pattern, 'rust');
      const expected = t('a response matching /{0}/', pattern);
      if (isRefused(expression))
        return { passed: false, expected, found: t('an invalid pattern: {0}', expression.reason) };
      return { passed: expression.test(response), expected, found: responded };
    }
    default:
      return { passed: false, expected: kind, found: t('an expectation of an unknown kind') };
  }
}
