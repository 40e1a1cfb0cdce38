import { type JsonNode, member } from '../../json/jsonDocument';
import type { Problem } from '../../text/source';
import type { Tape } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { TapeFormat } from '../tapeFormat';
import { EXCHANGES, writing } from './holdings';
import { httpEdits } from './httpEdits';
import type { HttpLayout } from './jsonHttp';
import { editLangchainList } from './langchainList';
import { VCRPY_EXCHANGE } from './vcrpyTree';
import { writeLangchain } from './vcrpyWrite';
import {
  editYamlHttpTape,
  followYamlHttpTape,
  listOf,
  objectOf,
  outlineOf,
  readYamlHttpTape,
  withProblems,
  type YamlHttpFormat,
} from './yamlHttp';

/**
 * Cassettes of LangChain's standard tests (langchain-ai/langchain, `langchain_tests/conftest.py`): vcrpy's records, but
 * all requests in one list and all responses in another, as YAML that is gzipped as a rule.
 */
export const langchainGzFormat = {
  id: 'langchain-gz',
  label: 'LangChain cassette',
  syntax: 'text',
  looksLike,
  read,
  ...writing(EXCHANGES, writeLangchain),
  editList: (file, edit) => editLangchainList(file, read(file), edit),
  ...httpEdits((file, edit) => editYamlHttpTape(format, file, edit)),
  follow: (file, changes) => followYamlHttpTape(format, file, changes),
} satisfies TapeFormat;

const layout: HttpLayout = {
  ...VCRPY_EXCHANGE,
  format: 'langchain-gz',
  entries: [],
};

const format: YamlHttpFormat = {
  layout,
  writer: { step: 2, width: 80, plainness: 'ascii', binaryColumns: 76 },
  shape: ([root]) => root && pairs(root),
};

function looksLike({ text }: TapeFile): boolean {
  if (!/^(?:---[^\n]*\n)?requests:/.test(text.slice(0, 256))) return false;
  const paths = outlineOf(text);
  return paths.has('requests[].uri') && paths.has('responses');
}

function itemsAt(root: JsonNode, key: string): readonly JsonNode[] {
  const list = member(root, key);
  return list?.type === 'array' ? list.items : [];
}

/** An interaction stands at its request: its response is further down. */
function pairs(root: JsonNode): JsonNode {
  const responses = itemsAt(root, 'responses');
  const entries = itemsAt(root, 'requests').map((request, index) =>
    objectOf({ request, response: responses[index] }, request),
  );
  return listOf(entries, root);
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
      message: `interaction ${alone.index + 1} has no response: there are more requests than responses`,
      fix: 'Restore the file from version control, or record it again.',
      span: { start: alone.source.start, end: Math.min(alone.source.start + 1, text.length) },
    },
  ];
}
