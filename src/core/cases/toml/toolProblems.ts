import { isRecord, type JsonRecord } from '../../json/json';
import { findSchemaMismatch } from '../../json/schema/findSchemaMismatch';
import type { Case } from '../../model/case';
import { type NamedValue, namedValues } from '../../schema/named';
import type { Path } from '../../schema/schema';
import { closestWord } from '../../text/closestWord';
import { t } from '../../text/l10n';
import type { Problem } from '../../text/source';
import type { TomlDocument } from '../../toml/readToml';
import { CASE } from './caseSchema';

/**
 * Reports tools that a case names and does not declare, and arguments that do not fit a tool. The user's own agent brings its
 * own tools, of which a case knows nothing.
 */
export function findToolProblems(document: TomlDocument, { agent, tools }: Case): readonly Problem[] {
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
