import type { Json, JsonRecord } from '../../json/json';
import type {
  AgentSpec,
  Assertion,
  AssertionKind,
  BootstrapFile,
  Case,
  LlmSpec,
  ProviderKind,
  ProviderSpec,
  ScriptStep,
  ToolSpec,
} from '../../model/case';
import { compilePattern, isRefused } from '../../text/compilePattern';
import { t } from '../../text/l10n';
import type { ParseResult, Problem, Span } from '../../text/source';
import { readToml, type TomlPath } from '../../toml/readToml';
import { TableReader } from '../../toml/tableReader';
import { findUnreadKeys } from './caseSchema';
import { readClock, readExternalAgent } from './externalAgent';
import { findIdleAssertions } from './idleAssertions';
import { readReplaySpec } from './replaySpec';
import { readSampling } from './sampling';
import { findToolProblems } from './toolProblems';
import { readToolResults } from './toolResults';

export const DEFAULT_MAX_ITERATIONS = 10;
export const DEFAULT_TOOL_TIMEOUT_MS = 30_000;
/** A provider that sends nothing for a minute is considered unreachable. */
const DEFAULT_PROVIDER_TIMEOUT_MS = 60_000;

const PROVIDER_KINDS: readonly ProviderKind[] = ['open_ai_compatible', 'ollama', 'practice', 'vscode_lm'];

/**
 * Reads a case. There is a value only if there are no errors. Problems have the place where to fix them, errors first; what
 * has no effect, and tools that are not declared, are reported and do not prevent a case from being read.
 */
export function readCase(text: string): ParseResult<Case> {
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
  const root = new TableReader(document, problems);
  const value: Case = {
    name: root.requiredText('name'),
    nameSpan: root.has('name') ? root.span('name') : { start: 0, end: 0 },
    prompt: readPrompt(root),
    tags: root.texts('tags'),
    agent: readAgent(root.table('agent')),
    bootstrapFiles: root.tables('bootstrap_files').map((file) => readBootstrapFile(file)),
    tools: root.tables('tools').map(readTool),
    llm: readLlm(root),
    assertions: readAssertions(root),
    ...optional('sampling', readSampling(root)),
    ...optional('semantic', root.table('assert')?.text('semantic')),
  };
  const unread = findUnreadKeys(document);
  if (problems.length > 0) return { value: undefined, problems: [...problems, ...unread] };
  return { value, problems: [...unread, ...findIdleAssertions(document), ...findToolProblems(document, value)] };
}

function readPrompt(root: TableReader): string {
  const prompt = root.text('prompt');
  const input = root.text('input');
  if (!root.has('prompt') && !root.has('input')) {
    root.report(
      t('test case must define either `prompt` or `input`'),
      t('Add prompt = "the prompt for the agent".'),
      undefined,
      'missing:prompt',
    );
  }
  return prompt ?? input ?? '';
}

function readAgent(agent: TableReader | undefined): AgentSpec {
  return {
    ...optional('name', agent?.text('name')),
    ...optional('description', agent?.text('description')),
    ...optional('system', agent?.text('system')),
    maxIterations: agent?.count('max_iterations', 1) ?? DEFAULT_MAX_ITERATIONS,
    toolTimeoutMs: agent?.count('tool_timeout_ms', 1) ?? DEFAULT_TOOL_TIMEOUT_MS,
    ...optional('external', agent && readExternalAgent(agent)),
    ...optional('clock', agent && readClock(agent)),
  };
}

function readBootstrapFile(file: TableReader): BootstrapFile {
  const path = file.requiredText('path');
  if (leavesFolder(path)) {
    file.report(
      t("bootstrap file `{0}` is outside the run's workspace", path),
      t('Use a relative path without "..".'),
      'path',
    );
  }
  return { path, content: file.requiredText('content') };
}

function leavesFolder(path: string): boolean {
  return /^([/\\]|[A-Za-z]:)/.test(path) || path.split(/[/\\]/).includes('..');
}

function readTool(tool: TableReader): ToolSpec {
  const spec = {
    name: tool.requiredText('name'),
    description: tool.requiredText('description'),
    schema: tool.json('schema') ?? { type: 'object' },
    result: tool.json('result') ?? null,
    delayMs: tool.count('delay_ms', 0) ?? 0,
    ...readToolResults(tool),
  };
  tool.copyWrittenNumber('result', spec, 'result');
  return spec;
}

function readLlm(root: TableReader): LlmSpec {
  const llm = root.table('llm');
  if (llm === undefined) return {};
  const provider = llm.table('provider');
  const inline = readInlineResponses(llm);
  const spec: LlmSpec = {
    // MoFA's order is steps, tape, responses; steps beside a tape are a conflict, so beside a tape there is no script.
    ...optional('script', llm.has('tape') || inline.length === 0 ? undefined : inline),
    ...optional('tape', llm.text('tape')),
    ...optional('recordTape', llm.text('record_tape')),
    ...optional('tapeSpan', spanOfTape(llm)),
    ...optional('provider', provider && readProvider(provider)),
    ...optional('replay', llm.has('replay') ? readReplaySpec(llm.table('replay')) : undefined),
  };
  reportConflicts(llm, spec, inline.length > 0);
  return spec;
}

function spanOfTape(llm: TableReader): Span | undefined {
  const key = ['record_tape', 'tape'].find((name) => llm.has(name));
  return key === undefined ? undefined : llm.span(key);
}

/** Reports combinations on which MoFA fails. A provider beside a tape is Tapedeck's addition, for re-recording. */
function reportConflicts(llm: TableReader, spec: LlmSpec, hasInline: boolean): void {
  if (llm.has('tape') && llm.has('steps')) {
    llm.report(
      t('`tape` cannot be combined with `steps`'),
      t('Keep one of them: steps are a script, a tape is a recording.'),
      'tape',
      'tape-and-steps',
    );
  }
  if (llm.has('provider')) {
    if (hasInline) {
      const message = t('provider-backed llm cannot be combined with inline responses, steps, or replay tape');
      llm.report(message, t('Remove [llm.provider], or the inline responses.'), 'provider', 'provider-and-script');
    } else if (spec.recordTape === undefined && spec.tape === undefined) {
      llm.report(
        t('provider-backed llm requires record_tape'),
        t('Add record_tape = "NAME.tape.json" under [llm].'),
        'provider',
        'no-tape',
      );
    }
  }
}

/** Steps take precedence over responses, as in MoFA. */
function readInlineResponses(llm: TableReader): readonly ScriptStep[] {
  const steps = llm.tables('steps').map(readStep);
  const responses = llm.texts('responses').map((content): ScriptStep => ({ type: 'text', content }));
  return steps.length > 0 ? steps : responses;
}

function readStep(step: TableReader): ScriptStep {
  const type = step.requiredChoice('type', ['text', 'tool_call'], t('unknown step type'));
  const content = step.text('content');
  if (type !== 'tool_call') return { type: 'text', content: content ?? '' };
  const tool = step.requiredText('tool');
  return { type, tool, arguments: step.json('arguments') ?? {}, ...optional('content', content) };
}

/** Reads a provider table, of a case or of `tapedeck.toml`. */
export function readProvider(provider: TableReader): ProviderSpec {
  const kind = provider.requiredChoice('kind', PROVIDER_KINDS, t('unsupported llm provider kind')) ?? 'practice';
  const baseUrl = provider.text('base_url');
  if (kind === 'open_ai_compatible' && baseUrl === undefined) {
    provider.report(t('open_ai_compatible needs `base_url`'), t('Add base_url = "https://…/v1".'));
  }
  if (baseUrl !== undefined && !/^https?:\/\/[^/]/.test(baseUrl)) {
    provider.report(
      t('`base_url` is not an http(s) address: {0}', baseUrl),
      t('Use base_url = "https://…/v1".'),
      'base_url',
    );
  }
  return {
    kind,
    ...optional('baseUrl', baseUrl),
    ...optional('model', provider.text('model')),
    ...optional('apiKeyEnv', provider.text('api_key_env')),
    stream: provider.flag('stream') ?? false,
    timeoutMs: provider.count('timeout_ms', 1) ?? DEFAULT_PROVIDER_TIMEOUT_MS,
    ...optional('seed', provider.count('seed', 0)),
  };
}

function readAssertions(root: TableReader): readonly Assertion[] {
  const assert = root.table('assert');
  const found: Assertion[] = [];
  const add = (kind: AssertionKind, expected: Json | undefined, ...place: TomlPath): void => {
    if (expected !== undefined) found.push({ kind, expected, span: root.span(...place) });
  };
  const shorthand = root.text('expected_text');
  if (assert?.has('contains')) add('contains', assert.text('contains'), 'assert', 'contains');
  else add('contains', shorthand, 'expected_text');
  if (assert === undefined) return found;
  add('tool_called', assert.text('tool_called'), 'assert', 'tool_called');
  add('not_contains', assert.text('not_contains'), 'assert', 'not_contains');
  add('matches', readPattern(assert), 'assert', 'matches');
  add('json_schema', assert.object('json_schema'), 'assert', 'json_schema');
  add('max_ms', assert.count('max_ms', 1), 'assert', 'max_ms');
  add('max_tokens', assert.count('max_tokens', 1), 'assert', 'max_tokens');
  if (assert.has('tool_order')) add('tool_order', assert.texts('tool_order'), 'assert', 'tool_order');
  for (const [index, one] of assert.tables('tool_args').entries())
    add('tool_args', readExpectedArguments(one), 'assert', 'tool_args', index);
  if (assert.has('tool_not_called'))
    add('tool_not_called', assert.texts('tool_not_called'), 'assert', 'tool_not_called');
  add('max_calls', assert.count('max_calls', 1), 'assert', 'max_calls');
  add('max_cost', assert.amount('max_cost'), 'assert', 'max_cost');
  for (const kind of ['no_errors', 'each_tool_result_used'] as const)
    if (assert.flag(kind) === true) add(kind, true, 'assert', kind);
  return found;
}

function readExpectedArguments(one: TableReader): JsonRecord {
  return {
    tool: one.requiredText('tool'),
    ...optional('call', one.count('call', 1)),
    ...optional('arguments', one.object('arguments')),
    ...optional('schema', one.object('schema')),
  };
}

function readPattern(assert: TableReader): string | undefined {
  const pattern = assert.text('matches');
  const expression = pattern === undefined ? undefined : compilePattern(pattern, 'rust');
  if (expression !== undefined && isRefused(expression))
    assert.report(
      t('`matches` is not a valid regular expression: {0}', expression.reason),
      t('Correct the pattern.'),
      'matches',
    );
  return pattern;
}

/** `{ [key]: value }`, or `{}` for undefined, so that an absent property is absent. */
function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, V>);
}
