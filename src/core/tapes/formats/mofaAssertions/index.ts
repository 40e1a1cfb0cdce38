import { asList, asRecord, asString, omitKeys } from '../../../json/fields';
import { compactJson } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { looksLikeJson } from '../../../json/jsonOutline';
import { NodeReader, STRING } from '../../../json/nodeReader';
import { jsonValue } from '../../../json/readJson';
import type { Interaction } from '../../../model/interaction';
import type { Tape } from '../../../model/tape';
import { readTextDocument } from '../../../syntax/textDocument';
import { message, t } from '../../../text/l10n';
import { composePattern } from '../../../text/pattern';
import type { TapeFormat } from '../../format';
import { unreadDocuments } from '../../notRead';
import { type TapeFile, textParts } from '../../tapeFile';

/**
 * MoFA's semantic assertions (mofa-org/mofa, pull request 1608): a list of requirements on a response. They record
 * nothing.
 */
export const mofaAssertionsFormat = {
  id: 'mofa-assertions',
  label: 'MoFA semantic assertions',
  family: 'script',
  extensions: ['yaml', 'yml', 'json'],
  looksLike,
  read,
  notWritableReason: message('It lists requirements on a response, and has no place for a recorded one.'),
} satisfies TapeFormat;

const KINDS = ['contains_all_facts', 'excludes_content', 'matches_intent', 'similar_to', 'matches_pattern'];
const IN_YAML = composePattern(`^-[ \\t]+["']?kind["']?[ \\t]*:[ \\t]*["']?(?:${KINDS.join('|')})\\b`, 'm');
const IN_JSON = composePattern(`^\\s*\\[\\s*\\{[^{}]*"kind"\\s*:\\s*"(?:${KINDS.join('|')})"`);

function looksLike(file: TapeFile): boolean {
  const text = textParts(file);
  return looksLikeJson(text) ? IN_JSON.test(text.slice(0, 65_536)) : text.includes('kind') && IN_YAML.test(file.text);
}

function read(file: TapeFile): Tape {
  const text = textParts(file);
  const document = readTextDocument(text);
  const reader = new NodeReader();
  const [root] = document.roots;
  const items = root?.type === 'array' ? root.items : [];
  return {
    format: 'mofa-assertions',
    interactions: items.map((node, index) => readAssertion(node, index, reader)),
    problems:
      document.problems.length > 0 ? document.problems : [...unreadDocuments(document.roots), ...reader.problems],
  };
}

function readAssertion(node: JsonNode, index: number, reader: NodeReader): Interaction {
  const source = { start: node.start, end: node.end };
  const record = reader.record(node, t('an assertion'));
  if (record === undefined) return { index, kind: 'script', source };
  const kind = reader.required(record, 'kind', STRING, t('Use one of {0}.', KINDS.join(', '))) ?? '';
  return { index, kind: 'script', summary: describeAssertion(kind, node), source };
}

function describeAssertion(kind: string, node: JsonNode): string {
  const assertion = asRecord(jsonValue(node));
  const list = (key: string): string =>
    asList(assertion[key])
      .map((item) => asString(item) ?? compactJson(item))
      .join(', ');
  switch (kind) {
    case 'contains_all_facts':
      return `contains all of: ${list('facts')}`;
    case 'excludes_content':
      return `contains none of: ${list('banned')}`;
    case 'matches_intent':
      return `intent: ${asList(assertion.intents)
        .map((intent) => asString(asRecord(intent).name) ?? '')
        .join(', ')}`;
    case 'similar_to':
      return `similar to: ${asString(assertion.reference) ?? ''}`;
    case 'matches_pattern':
      return `matches /${asString(assertion.pattern) ?? ''}/`;
    default:
      return `${kind} ${compactJson(omitKeys(assertion, 'kind'))}`;
  }
}
