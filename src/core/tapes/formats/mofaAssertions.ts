import type { JsonNode } from '../../json/jsonDocument';
import { jsonValue } from '../../json/jsonDocument';
import { startsAsJson } from '../../json/startsAsJson';
import { compactJson } from '../../wire/compactJson';
import { listOf, recordOf, textOf, without } from '../../wire/fields';
import { NodeReader, TEXT } from '../nodeReader';
import type { Interaction, Tape } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { TapeFormat } from '../tapeFormat';
import { readTextDocument } from './textDocument';

/** MoFA's semantic assertions (mofa-org/mofa, pull request 1608): a list of what an answer must be like. They record nothing. */
export const mofaAssertionsFormat = {
  id: 'mofa-assertions',
  label: 'MoFA semantic assertions',
  looksLike,
  read,
  notWritten: 'It says what an answer must be like, and has no place for one that was recorded.',
} satisfies TapeFormat;

const KINDS = ['contains_all_facts', 'excludes_content', 'matches_intent', 'similar_to', 'matches_pattern'];
const IN_YAML = new RegExp(`^-[ \\t]+kind[ \\t]*:[ \\t]*["']?(?:${KINDS.join('|')})\\b`, 'm');
const IN_JSON = new RegExp(`^\\s*\\[\\s*\\{[^{}]*"kind"\\s*:\\s*"(?:${KINDS.join('|')})"`);

function looksLike({ text }: TapeFile): boolean {
  return startsAsJson(text) ? IN_JSON.test(text.slice(0, 65_536)) : IN_YAML.test(text);
}

function read({ text }: TapeFile): Tape {
  const document = readTextDocument(text);
  const reader = new NodeReader();
  const [root] = document.roots;
  const items = root?.type === 'array' ? root.items : [];
  return {
    format: 'mofa-assertions',
    interactions: items.map((node, index) => readAssertion(node, index, reader)),
    problems: document.problems.length > 0 ? document.problems : reader.problems,
  };
}

function readAssertion(node: JsonNode, index: number, reader: NodeReader): Interaction {
  const source = { start: node.start, end: node.end };
  const record = reader.record(node, 'an assertion');
  if (record === undefined) return { index, kind: 'script', source };
  const kind = reader.required(record, 'kind', TEXT, `There are ${KINDS.join(', ')}.`) ?? '';
  return { index, kind: 'script', summary: inWords(kind, node), source };
}

function inWords(kind: string, node: JsonNode): string {
  const assertion = recordOf(jsonValue(node));
  const list = (key: string): string =>
    listOf(assertion[key])
      .map((item) => textOf(item) ?? compactJson(item))
      .join(', ');
  switch (kind) {
    case 'contains_all_facts':
      return `contains all of: ${list('facts')}`;
    case 'excludes_content':
      return `contains none of: ${list('banned')}`;
    case 'matches_intent':
      return `intent: ${listOf(assertion.intents)
        .map((intent) => textOf(recordOf(intent).name) ?? '')
        .join(', ')}`;
    case 'similar_to':
      return `similar to: ${textOf(assertion.reference) ?? ''}`;
    case 'matches_pattern':
      return `matches /${textOf(assertion.pattern) ?? ''}/`;
    default:
      return `${kind} ${compactJson(without(assertion, 'kind'))}`;
  }
}
