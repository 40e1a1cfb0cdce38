import { isRecord, type JsonRecord } from '../../json/json';
import { findSchemaMismatch } from '../../json/schema/findSchemaMismatch';
import { copyWrittenNumber } from '../../json/writtenNumbers';
import type {
  Assertion,
  Case,
  LlmSpec,
  Sampling,
  ScriptStep,
  ToolResult,
  ToolSource,
  ToolSpec,
} from '../../model/case';
import { type NamedValue, namedValues } from '../../schema/named';
import type { Path } from '../../schema/schema';
import { unknownKeys } from '../../schema/unknownKeys';
import { closestWord } from '../../text/closestWord';
import { currentInstead, t } from '../../text/l10n';
import type { ParseResult, Problem } from '../../text/source';
import { readToml, type TomlDocument } from '../../toml/readToml';
import { hasValue, readDocument, unknownKeyProblem } from '../../toml/tomlPlace';
import { assertionsOf, idleAssertions } from './assertions';
import { type AssertTable, CASE, type LlmTable, type ToolTable } from './caseSchema';
import { agentSpec } from './externalAgent';
import { caseRules } from './normalise';
import { providerSpec } from './provider';
import { replaySpec } from './replaySpec';

/**
 * Reads a case. There is a value only if there are no errors. Problems have the place where to fix them, errors first; what
 * has no effect, and tools that are not declared, are reported and do not prevent a case from being read.
 */
export function readCase(text: string): ParseResult<Case> {
  if (currentInstead() !== undefined) return readNewCase(text);
  const known = lastRead.get(text);
  if (known !== undefined) return known;
  const result = readNewCase(text);
  if (text.length > LARGEST_KEPT) return result;
  const [oldest = ''] = lastRead.keys();
  if (lastRead.size >= MOST_KEPT) lastRead.delete(oldest);
  lastRead.set(text, result);
  return result;
}

/** Cached: a run reads its case several times, to list it, to note its dependencies, and to run it. */
const lastRead = new Map<string, ParseResult<Case>>();
const MOST_KEPT = 16;
const LARGEST_KEPT = 64 * 1024;

function readNewCase(text: string): ParseResult<Case> {
  const { value: document, problems: syntax } = readToml(text);
  if (document === undefined) return { value: undefined, problems: syntax };
  const problems: Problem[] = [];
  const table = readDocument(CASE, document, problems);
  if (!hasValue(document, 'prompt') && !hasValue(document, 'input')) problems.push(noPrompt());
  const unread = unreadKeys(document);
  if (problems.length > 0) return { value: undefined, problems: [...problems, ...unread] };
  const { name, prompt, input, tags = [], agent, tools = [], assert } = table;
  const sampling = assert && samplingOf(assert, document);
  const value: Case = {
    name,
    nameSpan: document.span(['name']),
    prompt: prompt ?? input ?? '',
    tags,
    agent: agentSpec(agent),
    bootstrapFiles: table.bootstrap_files ?? [],
    tools: tools.map(toolSpec),
    llm: llmSpec(table.llm, document),
    assertions: readAssertions(document, assert, table.expected_text),
    ...(sampling && { sampling }),
    ...(assert?.semantic !== undefined && { semantic: assert.semantic }),
    ...(table.normalise && { normalise: caseRules(table.normalise) }),
  };
  const idle = idleProblems(document, assert, table.expected_text);
  return { value, problems: [...unread, ...idle, ...findToolProblems(document, value)] };
}

function noPrompt(): Problem {
  return {
    severity: 'error',
    message: t('test case must define either `prompt` or `input`'),
    fix: t('Add prompt = "the prompt for the agent".'),
    code: 'missing:prompt',
    span: { start: 0, end: 0 },
  };
}

/**
 * Keys of a case that nobody reads, and assertions that are never checked. MoFA ignores both, so they are not errors, but most
 * are misspellings, and a case without its assertions passes.
 */
function unreadKeys(document: TomlDocument): readonly Problem[] {
  return unknownKeys(CASE, document.root).map((unknown) => {
    const { key, table } = unknown;
    const problem = unknownKeyProblem(document, unknown);
    return table[0] === 'assert' && table.length === 1
      ? { ...problem, severity: 'warning', message: t('there is no assertion `{0}`, so it is never checked', key) }
      : problem;
  });
}

function toolSpec(tool: ToolTable): ToolSpec {
  const { results, match, delay_ms: delayMs } = tool;
  const source = sourceOf(tool);
  const spec: ToolSpec = {
    name: tool.name,
    description: tool.description,
    schema: tool.schema ?? { type: 'object' },
    result: tool.result ?? null,
    delayMs,
    ...(results && { results: results.map(toolResult) }),
    ...(match && { match }),
    ...(source && { source }),
  };
  copyWrittenNumber(tool, 'result', spec, 'result');
  return spec;
}

function toolResult(table: NonNullable<ToolTable['results']>[number]): ToolResult {
  const { arguments: args = {}, error } = table;
  if (error !== undefined) return { arguments: args, error };
  const result = { arguments: args, output: table.result ?? null };
  copyWrittenNumber(table, 'result', result, 'output');
  return result;
}

function sourceOf({ name, mcp, command, pass_env: passedVariables = [] }: ToolTable): ToolSource | undefined {
  if (mcp !== undefined) return { kind: 'mcp', config: mcp.config, server: mcp.server, tool: mcp.tool ?? name };
  return command && { kind: 'command', command, passedVariables };
}

function llmSpec(llm: LlmTable | undefined, document: TomlDocument): LlmSpec {
  if (llm === undefined) return {};
  const { tape, record_tape: recordTape, provider, replay } = llm;
  const script = scriptOf(llm);
  const tapeKey = recordTape === undefined ? 'tape' : 'record_tape';
  return {
    // MoFA's order is steps, tape, responses; steps beside a tape are a conflict, so beside a tape there is no script.
    ...(tape === undefined && script.length > 0 && { script }),
    ...(tape !== undefined && { tape }),
    ...(recordTape !== undefined && { recordTape }),
    ...((recordTape ?? tape) !== undefined && { tapeSpan: document.span(['llm', tapeKey]) }),
    ...(provider && { provider: providerSpec(provider) }),
    ...(replay && { replay: replaySpec(replay) }),
  };
}

/** Steps take precedence over responses, as in MoFA. */
function scriptOf({ steps = [], responses = [] }: LlmTable): readonly ScriptStep[] {
  if (steps.length === 0) return responses.map((content) => ({ type: 'text', content }));
  return steps.map(({ type, content, tool = '', arguments: args = {} }) =>
    type === 'text'
      ? { type, content: content ?? '' }
      : { type, tool, arguments: args, ...(content !== undefined && { content }) },
  );
}

function samplingOf({ samples, pass_rate: passRate }: AssertTable, document: TomlDocument): Sampling | undefined {
  if (samples === undefined && passRate === undefined) return undefined;
  const key = passRate === undefined ? 'samples' : 'pass_rate';
  return { samples: samples ?? 1, passRate: passRate ?? 1, span: document.span(['assert', key]) };
}

function readAssertions(
  document: TomlDocument,
  assert: AssertTable | undefined,
  shorthand: string | undefined,
): readonly Assertion[] {
  const found = assertionsOf(assert ?? {}).map(({ kind, expected, path }) => ({
    kind,
    expected,
    span: document.span(['assert', ...path]),
  }));
  if (shorthand === undefined || assert?.contains !== undefined) return found;
  return [{ kind: 'contains', expected: shorthand, span: document.span(['expected_text']) }, ...found];
}

/** Reports assertions that are read and can never fail. */
function idleProblems(
  document: TomlDocument,
  assert: AssertTable | undefined,
  shorthand: string | undefined,
): readonly Problem[] {
  const { contains } = assert ?? {};
  const isReplaced = shorthand !== undefined && contains !== undefined && contains !== shorthand;
  const idle = idleAssertions(assert ?? {}).map(
    ({ kind, value }): Problem => ({
      severity: 'warning',
      message: t('`{0}` is {1}, so it never fails', kind, value === false ? 'false' : 'empty'),
      fix: t('Fill it in, or remove it.'),
      span: document.keySpan(['assert', kind]),
    }),
  );
  return isReplaced ? [replacedShorthand(document), ...idle] : idle;
}

function replacedShorthand(document: TomlDocument): Problem {
  return {
    severity: 'warning',
    message: t('`expected_text` is never checked, because `contains` under [assert] takes precedence'),
    fix: t('Remove one of them.'),
    code: 'remove:expected_text',
    span: document.keySpan(['expected_text']),
  };
}

/**
 * Reports tools that a case names and does not declare, and arguments that do not fit a tool. The user's own agent brings its
 * own tools, of which a case knows nothing.
 */
function findToolProblems(document: TomlDocument, { agent, tools }: Case): readonly Problem[] {
  if (agent.external !== undefined) return [];
  const declared = tools.map(({ name }) => name);
  const unknown = namedTools(document).filter(({ text }) => !declared.includes(text));
  return [
    ...unknown.map(({ text, path }) => undeclared(document, path, text, declared)),
    ...[...scriptedCalls(document), ...resultsOf(tools)].flatMap(({ name, path, value }): readonly Problem[] => {
      const tool = tools.find((one) => one.name === name);
      const { schema } = tool ?? {};
      const mismatch = isRecord(schema) ? findSchemaMismatch(schema, value) : undefined;
      if (mismatch === undefined) return [];
      const message = t('the arguments do not match the schema of `{0}`: {1}', name, mismatch);
      const fix = t('Correct the arguments, or the schema under [[tools]].');
      return [{ severity: 'warning', message, fix, span: document.span(path) }];
    }),
  ];
}

function undeclared(document: TomlDocument, path: Path, name: string, declared: readonly string[]): Problem {
  const close = closestWord(name, declared);
  return {
    severity: 'warning',
    message: t('the tool `{0}` is not declared under [[tools]]', name),
    fix: close === undefined ? t('Declare it, or correct the name.') : t('Change it to `{0}`.', close),
    ...(close !== undefined && { code: `value:${close}` }),
    span: document.span(path),
  };
}

/** Every place where a case names a tool. A name that is still to be written is none. */
function namedTools({ root }: TomlDocument): readonly NamedValue[] {
  return namedValues(CASE, root, 'tool').filter(({ text, path }) => text !== '' && !isTextStep(root, path));
}

/** A step that is a text has no call, whatever else it says. */
function isTextStep(root: JsonRecord, [llm, steps, index]: Path): boolean {
  if (llm !== 'llm' || steps !== 'steps') return false;
  const script = isRecord(root.llm) && Array.isArray(root.llm.steps) ? root.llm.steps : [];
  const step = script[Number(index)];
  return !isRecord(step) || step.type !== 'tool_call';
}

/** A call may have more arguments than a result where a part of them is enough. */
function resultsOf(tools: Case['tools']) {
  return tools.flatMap(({ name, match, results = [] }, tool) =>
    match === 'subset'
      ? []
      : results.map((result, index) => ({
          name,
          value: result.arguments,
          path: ['tools', tool, 'results', index, 'arguments'],
        })),
  );
}

function scriptedCalls({ root: { llm } }: TomlDocument) {
  const steps = isRecord(llm) && Array.isArray(llm.steps) ? llm.steps : [];
  return steps.flatMap((step, index) => {
    if (!isRecord(step) || step.type !== 'tool_call' || typeof step.tool !== 'string') return [];
    return [{ name: step.tool, value: step.arguments ?? {}, path: ['llm', 'steps', index, 'arguments'] }];
  });
}
