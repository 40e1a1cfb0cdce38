import type { JsonNode } from '../../../json/jsonNode';
import { member } from '../../../json/readJson';
import type { Tape } from '../../../model/tape';
import { t } from '../../../text/l10n';
import type { Problem } from '../../../text/source';
import { applySplices } from '../../../text/splice';
import { readYaml } from '../../../yaml/readYaml';
import { skipPrologue } from '../../../yaml/yamlOutline';
import type { EditOutcome, ListEdit } from '../../format';
import { emptyInteraction } from '../../interactionList/emptyInteraction';
import { type InteractionList, yamlBlockList } from '../../interactionList/interactionList';
import { indentedLike } from '../../interactionList/itemText';
import { insertItems, listSplices } from '../../interactionList/listEdits';
import type { TapeFile } from '../../tapeFile';
import { httpFormat } from '../shared/httpFormat';
import { arrayNode, objectNode } from '../shared/shape';
import { VCRPY_EXCHANGE } from './read';
import { writeLangchain } from './write';

/**
 * Cassettes of LangChain's standard tests (langchain-ai/langchain, `langchain_tests/conftest.py`): vcrpy's records,
 * with all requests in one list and all responses in another, in YAML that is usually gzipped.
 */
export const langchainGzFormat = httpFormat({
  ...VCRPY_EXCHANGE,
  id: 'langchain-gz',
  label: 'LangChain cassette',
  files: ['yaml.gz', 'yaml'],
  syntax: 'text',
  begins: ['requests'],
  marks: ['requests[].uri', 'responses'],
  isEmpty: (text) => EMPTY.test(skipPrologue(text)),
  shape: ([root]) => root && pairedShape(root),
  at: { ...VCRPY_EXCHANGE.at, entries: '' },
  problems: ({ text }, tape) => unequal(text, tape),
  yaml: { step: 2, width: 80, plainness: 'ascii', binaryColumns: 76 },
  editList,
  appendText,
  write: writeLangchain,
});

const EMPTY = /^(["']?)requests\1: *\[\]\s*(["']?)responses\2: *\[\]\s*$/;

function itemsAt(root: JsonNode, key: string): readonly JsonNode[] {
  const list = member(root, key);
  return list?.type === 'array' ? list.items : [];
}

/** The span of an interaction is its request: the response is further down. */
function pairedShape(root: JsonNode): JsonNode {
  const responses = itemsAt(root, 'responses');
  const entries = itemsAt(root, 'requests').map((request, index) =>
    objectNode({ request, response: responses[index] }, request),
  );
  return arrayNode(entries, root);
}

function unequal(text: string, { interactions }: Tape): Problem[] {
  const last = interactions.at(-1);
  const alone = interactions.find(({ http }) => http !== undefined && http.status === undefined);
  if (last === undefined || alone === undefined) return [];
  return [
    {
      severity: 'error',
      message: t('interaction {0} has no response: there are more requests than responses', alone.index + 1),
      fix: t('Restore the file from version control, or record it again.'),
      span: { start: alone.source.start, end: Math.min(alone.source.start + 1, text.length) },
    },
  ];
}

/** Requests and responses are two lists, so an edit of an item changes both. */
function editList(file: TapeFile, edit: ListEdit): EditOutcome {
  const { text } = file;
  const own = langchainGzFormat.read(file).interactions[edit.interaction];
  const empty = own && emptyInteraction(own);
  const added = empty === undefined ? '' : writeLangchain('', [empty]);
  const news = listsIn(added).map(({ blocks: [block] }) => block && added.slice(block.start, block.end));
  const lists = listsIn(text);
  const splices = lists.map((list, at) => {
    const block = list.blocks[edit.interaction];
    const like = block === undefined ? '' : text.slice(block.start, block.end);
    return listSplices(text, list, edit.interaction, edit, indentedLike(like, news[at] ?? ''));
  });
  if (lists.length !== 2 || splices.includes(undefined))
    return { refused: t('One of the two lists has no item at this position, so the request has no response.') };
  return { splices: splices.flatMap((some) => some ?? []), dependents: [] };
}

function appendText(text: string, written: string, added: number): string | undefined {
  const fresh = listsIn(written);
  const splices = listsIn(text).map((list, at) => {
    const last = list.blocks.length - 1;
    const { start, end } = list.blocks[last] ?? { start: 0, end: 0 };
    const items = fresh[at]?.blocks.slice(-added).map((item) => written.slice(item.start, item.end)) ?? [];
    return insertItems(
      text,
      list,
      last,
      items.map((item) => indentedLike(text.slice(start, end), item)),
    );
  });
  return applySplices(
    text,
    splices.flatMap((some) => some ?? []),
  );
}

function listsIn(text: string): readonly InteractionList[] {
  const [root] = readYaml(text).value ?? [];
  return ['requests', 'responses'].flatMap((name) => {
    const list = member(root, name);
    return (list?.type === 'array' ? yamlBlockList(text, list) : undefined) ?? [];
  });
}
