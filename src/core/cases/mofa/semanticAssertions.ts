import { jaccardSimilarity } from '../../diff/similarity';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import { jsonValue } from '../../json/readJson';
import { readTextDocument } from '../../syntax/textDocument';
import { formatById } from '../../tapes/registry';
import { tapeFileFromText } from '../../tapes/tapeFile';
import { compilePattern, isRefused } from '../../text/compilePattern';
import { message, t } from '../../text/l10n';
import type { ParseResult } from '../../text/source';
import { baseName, type CaseKind, fileStem } from '../caseKind';

const format = formatById('mofa-assertions');

/** Semantic assertions, which are applied to the response of a case that names their file. */
export const mofaAssertionsKind: CaseKind = {
  id: 'mofa-assertions',
  label: format.label,
  looksLike: (text) => format.looksLike(tapeFileFromText(text)),
  list(text, path) {
    const { value, problems } = readSemanticAssertions(text);
    if (value === undefined) return { cases: [], problems };
    const file = baseName(path);
    const lacks = t(
      'these assertions have no response to check; name them in a case: semantic = "{0}" under [assert], or assertions: {0} in an agent scenario',
      file,
    );
    const listed = { name: fileStem(path), span: { start: 0, end: 0 }, tapes: [], words: [], tags: ['mofa'], lacks };
    return { cases: [listed], problems };
  },
};

/** A requirement for a response (mofa-org/mofa, pull request 1608). */
type SemanticAssertion =
  | { readonly kind: 'contains_all_facts'; readonly facts: readonly string[] }
  | { readonly kind: 'excludes_content'; readonly banned: readonly string[] }
  | { readonly kind: 'matches_intent'; readonly intents: readonly Intent[]; readonly requireAll: boolean }
  | { readonly kind: 'similar_to'; readonly reference: string; readonly threshold: number }
  | { readonly kind: 'matches_pattern'; readonly name: string; readonly pattern: string };

interface Intent {
  readonly name: string;
  readonly indicators: readonly string[];
}

export function readSemanticAssertions(text: string): ParseResult<readonly SemanticAssertion[]> {
  const { problems } = format.read(tapeFileFromText(text));
  const [root] = readTextDocument(text).roots;
  if (root?.type !== 'array' || problems.length > 0) return { value: undefined, problems };
  const items = root.items.map((node) => ({ node, item: assertionOf(jsonValue(node)) }));
  const unknown = items.filter(({ item }) => item === undefined).map(({ node }) => node);
  if (unknown.length === 0) return { value: items.flatMap(({ item }) => item ?? []), problems };
  const wrong = unknown.map(({ start, end }) => ({
    severity: 'error' as const,
    message: t('unknown kind of assertion'),
    fix: t('Use contains_all_facts, excludes_content, matches_intent, similar_to or matches_pattern.'),
    span: { start, end },
  }));
  return { value: undefined, problems: wrong };
}

function assertionOf(value: Json): SemanticAssertion | undefined {
  if (!isRecord(value)) return undefined;
  const text = (key: string): string => (typeof value[key] === 'string' ? value[key] : '');
  switch (value.kind) {
    case 'contains_all_facts':
      return { kind: value.kind, facts: textsOf(value.facts) };
    case 'excludes_content':
      return { kind: value.kind, banned: textsOf(value.banned) };
    case 'matches_intent':
      return { kind: value.kind, intents: intentsOf(value), requireAll: value.require_all === true };
    case 'similar_to': {
      const threshold = typeof value.threshold === 'number' ? value.threshold : 0.5;
      return { kind: value.kind, reference: text('reference'), threshold };
    }
    case 'matches_pattern':
      return { kind: value.kind, name: text('name'), pattern: text('pattern') };
    default:
      return undefined;
  }
}

function intentsOf({ intents }: JsonRecord): readonly Intent[] {
  const items = Array.isArray(intents) ? intents.filter(isRecord) : [];
  return items.map((item) => ({
    name: typeof item.name === 'string' ? item.name : '',
    indicators: textsOf(item.indicators),
  }));
}

function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** The method of `similar_to`: the share of words that two texts have in common, as in MoFA without an embedding model. */
const OVERLAP_METHOD = message('local method: share of common words');

export function judgeSemantic(
  assertion: SemanticAssertion,
  response: string,
): { readonly passed: boolean; readonly details: string } {
  const text = response.toLowerCase();
  const has = (part: string): boolean => text.includes(part.toLowerCase());
  switch (assertion.kind) {
    case 'contains_all_facts': {
      const missing = assertion.facts.filter((fact) => !has(fact));
      return {
        passed: missing.length === 0,
        details: missing.length === 0 ? t('all facts are present') : t('missing: {0}', missing.join(', ')),
      };
    }
    case 'excludes_content': {
      const found = assertion.banned.filter(has);
      return {
        passed: found.length === 0,
        details: found.length === 0 ? t('no banned content') : t('found: {0}', found.join(', ')),
      };
    }
    case 'matches_intent': {
      const matched = assertion.intents.filter(({ indicators }) => indicators.some(has)).map(({ name }) => name);
      const wanted = assertion.requireAll ? assertion.intents.length : 1;
      return { passed: matched.length >= wanted, details: t('intents found: {0}', matched.join(', ') || t('none')) };
    }
    case 'similar_to': {
      const found = jaccardSimilarity(assertion.reference, response);
      const details = t('similarity {0} of {1} ({2})', found.toFixed(2), assertion.threshold, t(OVERLAP_METHOD));
      return { passed: found >= assertion.threshold, details };
    }
    case 'matches_pattern': {
      const expression = compilePattern(assertion.pattern, 'rust');
      if (isRefused(expression)) return { passed: false, details: t('invalid pattern: {0}', expression.reason) };
      const passed = expression.test(response);
      return {
        passed,
        details: passed ? t('matches /{0}/', assertion.pattern) : t('does not match /{0}/', assertion.pattern),
      };
    }
  }
}
