import { readJson } from '../../json/jsonDocument';
import { jsonOutline } from '../../json/jsonOutline';
import type { Problem } from '../../text/source';
import type { Interaction, Tape } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { TapeFormat } from '../tapeFormat';
import { readCall } from './checkagentCall';
import { editCassette, finaliseCassette } from './checkagentEdit';
import { integrityProblems } from './checkagentIntegrity';
import { migrateCassette } from './checkagentMigrate';
import { type Cassette, CassetteReader, SCHEMA_VERSION } from './checkagentModel';
import { writeCassette } from './checkagentWrite';
import { encodingProblems } from './encodingProblems';
import { ifItFits } from './jsonHttpEdit';

/** CheckAgent cassettes, schema versions 0 and 1 (xydac/checkagent 2, `src/checkagent/replay`). */
export const checkagentFormat = {
  id: 'checkagent',
  label: 'CheckAgent cassette',
  looksLike,
  read,
  serialise: writeCassette,
  edit: (file, edit) => ifItFits(file, editCassette(file, edit)),
  finalise: finaliseCassette,
  migrate: ({ text }) => {
    const { value, problems } = readJson(text);
    return value === undefined || problems.length > 0 ? undefined : migrateCassette(value);
  },
} satisfies TapeFormat;

/** A cassette tells by its meta block, or by its first interaction. */
const TELLING = ['schema_version', 'content_hash', 'checkagent_version', 'test_id'];

function looksLike({ text }: TapeFile): boolean {
  const outline = jsonOutline(text);
  const block = ['meta', '_meta'].find((key) => outline.has(key));
  if (block === undefined || !outline.has('interactions')) return false;
  if (TELLING.some((key) => outline.has(`${block}.${key}`))) return true;
  return outline.has('interactions[].request.kind') && outline.has('interactions[].response');
}

function read(file: TapeFile): Tape {
  const { text, path } = file;
  const { value: root, problems: syntax } = readJson(text);
  if (root === undefined) return { format: 'checkagent', interactions: [], problems: syntax };
  const reader = new CassetteReader();
  const cassette = reader.cassette(root);
  const { meta } = cassette;
  return {
    format: 'checkagent',
    ...(meta.testId === '' ? {} : { name: meta.testId }),
    version: `${meta.schemaVersion}`,
    interactions: interactionsOf(cassette),
    problems:
      syntax.length > 0 ? syntax : [...encodingProblems(file, 'CheckAgent'), ...reader.problems, ...integrity()],
  };

  function integrity(): Problem[] {
    const isSound = reader.problems.length === 0 && meta.schemaVersion >= SCHEMA_VERSION;
    const name = path.split('/').at(-1) || 'this file';
    return root === undefined ? [] : integrityProblems(root, cassette, name, isSound);
  }
}

function interactionsOf({ calls, meta }: Cassette): Interaction[] {
  return calls.map((call, index) =>
    // A placeholder keeps the indexes of the others.
    call === undefined ? { index, kind: 'llm', source: { start: 0, end: 0 } } : readCall(call, index, meta.recordedAt),
  );
}
