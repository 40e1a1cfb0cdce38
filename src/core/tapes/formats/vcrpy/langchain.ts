import type { JsonNode } from '../../../json/jsonNode';
import { member } from '../../../json/readJson';
import type { Tape } from '../../../model/tape';
import { t } from '../../../text/l10n';
import type { Problem } from '../../../text/source';
import { readYaml } from '../../../yaml/readYaml';
import { firstKey, skipPrologue } from '../../../yaml/yamlOutline';
import type { EditOutcome, ListEdit, TapeFormat } from '../../format';
import { withProblems } from '../../lazyTape';
import { emptyInteraction, indentedLike } from '../../lists/emptyInteraction';
import { type InteractionList, yamlBlockList } from '../../lists/interactionList';
import { listSplices } from '../../lists/listEdits';
import type { TapeFile } from '../../tapeFile';
import { HTTP_EXCHANGES, writeSubset } from '../../writableFormat';
import { httpEditMembers } from '../shared/editHttpTape';
import type { HttpLayout } from '../shared/httpTape';
import { outlineOf } from '../shared/marks';
import {
  arrayNode,
  editYamlHttpTape,
  followYamlHttpTape,
  objectNode,
  readYamlHttpTape,
  type YamlHttpFormat,
} from '../shared/yamlHttpTape';
import { VCRPY_EXCHANGE } from './read';
import { writeLangchain } from './write';

/**
 * Cassettes of LangChain's standard tests (langchain-ai/langchain, `langchain_tests/conftest.py`): vcrpy's records,
 * with all requests in one list and all responses in another, in YAML that is usually gzipped.
 */
export const langchainGzFormat = {
  id: 'langchain-gz',
  label: 'LangChain cassette',
  family: 'http',
  extensions: ['yaml.gz', 'yaml'],
  syntax: 'text',
  looksLike,
  read,
  ...writeSubset(HTTP_EXCHANGES, writeLangchain),
  editList: (file, edit) => editLangchainList(file, read(file), edit),
  ...httpEditMembers((file, edit) => editYamlHttpTape(format, file, edit)),
  followingEdits: (file, changes) => followYamlHttpTape(format, file, changes),
} satisfies TapeFormat;

const layout: HttpLayout = {
  ...VCRPY_EXCHANGE,
  id: 'langchain-gz',
  at: { ...VCRPY_EXCHANGE.at, entries: '' },
};

const format: YamlHttpFormat = {
  layout,
  writer: { step: 2, width: 80, plainness: 'ascii', binaryColumns: 76 },
  shape: ([root]) => root && pairedShape(root),
};

const EMPTY = /^(["']?)requests\1: *\[\]\s*(["']?)responses\2: *\[\]\s*$/;

function looksLike({ text }: TapeFile): boolean {
  if (firstKey(text) !== 'requests') return false;
  if (EMPTY.test(skipPrologue(text))) return true;
  const paths = outlineOf(text);
  return paths.has('requests[].uri') && paths.has('responses');
}

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

function read(file: TapeFile): Tape {
  const tape = readYamlHttpTape(format, file);
  return withProblems(tape, () => unequal(file.text, tape));
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
function editLangchainList({ text }: TapeFile, { interactions }: Tape, edit: ListEdit): EditOutcome {
  const own = interactions[edit.interaction];
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

function listsIn(text: string): readonly InteractionList[] {
  const [root] = readYaml(text).value ?? [];
  return ['requests', 'responses'].flatMap((name) => {
    const list = member(root, name);
    return (list?.type === 'array' ? yamlBlockList(text, list) : undefined) ?? [];
  });
}
