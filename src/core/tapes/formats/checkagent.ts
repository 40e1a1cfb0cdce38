import { type JsonNode, member, readJson } from '../../json/jsonDocument';
import { jsonOutline } from '../../json/jsonOutline';
import { once } from '../../text/once';
import type { Problem } from '../../text/source';
import { jsonWeight } from '../jsonWeight';
import { type InteractionReading, LazyInteraction, LazyTape } from '../lazyTape';
import { LIST } from '../nodeReader';
import type { Tape } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { TapeFormat } from '../tapeFormat';
import { readCall } from './checkagentCall';
import { editCassette, finaliseCassette } from './checkagentEdit';
import { interactionId } from './checkagentHash';
import { integrityProblems } from './checkagentIntegrity';
import { migrateCassette } from './checkagentMigrate';
import { type Cassette, type CassetteCall, CassetteReader, SCHEMA_VERSION } from './checkagentModel';
import { CALLS, writeCassette } from './checkagentWrite';
import { encodingProblems } from './encodingProblems';
import { writing } from './holdings';
import { ifItFits } from './jsonHttpEdit';

/** CheckAgent cassettes, schema versions 0 and 1 (xydac/checkagent 2, `src/checkagent/replay`). */
export const checkagentFormat = {
  id: 'checkagent',
  label: 'CheckAgent cassette',
  syntax: 'json',
  looksLike,
  read,
  ...writing(CALLS, writeCassette),
  extras,
  keyOf,
  edit: (file, edit) => ifItFits(file, editCassette(file, edit)),
  finalise: finaliseCassette,
  finaliseTitle: 'Recompute the hashes, ids and counts',
  migrate: ({ text }) => {
    const { value, problems } = readJson(text);
    return value === undefined || problems.length > 0 ? undefined : migrateCassette(value);
  },
} satisfies TapeFormat;

/** The id of a call that an SDK of OpenAI makes. The model is no part of a recorded body: it stands beside it. */
function keyOf(body: JsonNode, kind: 'llm' | 'embedding'): string | undefined {
  if (body.type !== 'object') return undefined;
  const asked = { ...body, members: body.members.filter(({ key }) => key !== 'model') };
  return interactionId(kind === 'embedding' ? 'embeddings.create' : 'chat.completions.create', asked);
}

/** Of a call as it was checked. */
const CALL_BYTES = 600;

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
  const { value: root, problems: syntax } = readJson(file.text);
  if (root === undefined) return { format: 'checkagent', interactions: [], problems: syntax };
  const { schemaVersion, recordedAt, testId } = new CassetteReader().meta(root);
  const checked = once(() => check(file, root));
  const items = LIST.read(member(root, 'interactions') ?? root) ?? [];
  const interactions = items.map(
    (node, index) => new LazyInteraction(index, node, () => readingOf(checked().cassette.calls[index], recordedAt)),
  );
  const name = testId === '' ? undefined : testId;
  const weight = (jsonWeight(root) ?? 0) + items.length * CALL_BYTES;
  return new LazyTape({ format: 'checkagent', name, version: `${schemaVersion}`, interactions, weight }, () =>
    syntax.length > 0 ? syntax : checked().problems,
  );
}

/** What a test put beside its calls. */
function extras({ text }: TapeFile): string[][] {
  const { value: root } = readJson(text);
  const calls = member(root, 'interactions');
  return (calls?.type === 'array' ? calls.items : []).map((call) => {
    const metadata = member(call, 'metadata');
    return metadata?.type === 'object' && metadata.members.length > 0 ? ['metadata'] : [];
  });
}

/** The whole cassette by its schema. Its hash and its ids are worked out anew. */
function check(file: TapeFile, root: JsonNode): { readonly cassette: Cassette; readonly problems: readonly Problem[] } {
  const reader = new CassetteReader();
  const cassette = reader.cassette(root);
  const isSound = reader.problems.length === 0 && cassette.meta.schemaVersion >= SCHEMA_VERSION;
  const name = file.path.split('/').at(-1) || 'this file';
  const integrity = integrityProblems(root, cassette, name, isSound);
  return { cassette, problems: [...encodingProblems(file, 'CheckAgent'), ...reader.problems, ...integrity] };
}

/** A placeholder keeps the indexes of the others. */
function readingOf(call: CassetteCall | undefined, recordedAt: string): InteractionReading {
  return { content: call === undefined ? { kind: 'llm' } : readCall(call, recordedAt), problems: [] };
}
