import type { JsonNode } from '../../../json/jsonNode';
import { jsonOutline } from '../../../json/jsonOutline';
import { ARRAY } from '../../../json/nodeReader';
import { member, readJson } from '../../../json/readJson';
import type { Tape } from '../../../model/tape';
import { message, t } from '../../../text/l10n';
import { lazy } from '../../../text/memo';
import type { Problem } from '../../../text/source';
import type { TapeFormat } from '../../format';
import { type InteractionReading, jsonTreeBytes, LazyInteraction, LazyTape } from '../../lazyTape';
import { encodingProblems, type TapeFile, textParts } from '../../tapeFile';
import { writeSubset } from '../../writableFormat';
import { refuseUnencodable } from '../shared/editHttpTape';
import { type Cassette, type CassetteCall, CassetteReader, SCHEMA_VERSION } from './cassette';
import { editCassette, finaliseCassette } from './edit';
import { cassettePath, contentHash, interactionId } from './hash';
import { integrityProblems } from './integrity';
import { migrateCassette } from './migrate';
import { readCall } from './read';
import { WRITABLE_CALLS, writeCassette } from './write';

/** CheckAgent cassettes, schema versions 0 and 1 (xydac/checkagent 2, `src/checkagent/replay`). */
export const checkagentFormat = {
  id: 'checkagent',
  label: 'CheckAgent cassette',
  family: 'conversation',
  extensions: ['json'],
  syntax: 'json',
  looksLike,
  read,
  ...writeSubset(WRITABLE_CALLS, writeCassette),
  unmappedFields: extras,
  requestKey: keyOf,
  editText: (file, edit) => refuseUnencodable(file, editCassette(file, edit)),
  finalise: finaliseCassette,
  finaliseTitle: message('Recompute the hashes, ids and counts'),
  pathInFolder: contentAddress,
  migrate: ({ text }) => {
    const { value, problems } = readJson(text);
    return value === undefined || problems.length > 0 ? undefined : migrateCassette(value);
  },
  recordedByTests: { howTo: message('pytest; CheckAgent records if there is no cassette') },
  asCase: { tag: 'checkagent', folder: 'cassettes', extension: 'json', caseName: withoutTestFile },
  tested: { recorder: 'checkagent', orphans: 'by-folder' },
} satisfies TapeFormat;

/** The id of a call by OpenAI's SDK. A recorded body leaves the model out: it is stored beside the body. */
function keyOf(body: JsonNode, kind: 'llm' | 'embedding'): string | undefined {
  if (body.type !== 'object') return undefined;
  const withoutModel = { ...body, members: body.members.filter(({ key }) => key !== 'model') };
  return interactionId(kind === 'embedding' ? 'embeddings.create' : 'chat.completions.create', withoutModel);
}

/** The content of a call that was validated. */
const BYTES_PER_CALL = 600;

/** A cassette is recognised by its meta block, or by its first interaction. */
const DISTINCTIVE_KEYS = ['schema_version', 'content_hash', 'checkagent_version', 'test_id'];

/** A cassette is named after its test; the file of the test is shown beside it. */
function withoutTestFile(name: string): string {
  return name.replace(/^.*\.py::/, '');
}

function looksLike(file: TapeFile): boolean {
  const text = textParts(file);
  const outline = jsonOutline(text);
  const named = ['meta', '_meta'].flatMap((block) => DISTINCTIVE_KEYS.filter((key) => outline.has(`${block}.${key}`)));
  // CheckAgent also reads a file in which one of the two is missing.
  if (outline.has('interactions') ? named.length > 0 : named.length > 1) return true;
  return outline.has('interactions[].request.kind') && outline.has('interactions[].response');
}

/** `Cassette.cassette_path` of the current cassette. */
function contentAddress({ text }: TapeFile): string {
  const { value: root } = readJson(text);
  if (root === undefined) return cassettePath('', contentHash([]));
  const { meta, calls } = new CassetteReader().cassette(root);
  return cassettePath(meta.testId, contentHash(calls.flatMap((call) => call ?? [])));
}

function read(file: TapeFile): Tape {
  const { value: root, problems: syntax } = readJson(textParts(file));
  if (root === undefined) return { format: 'checkagent', interactions: [], problems: syntax };
  const { schemaVersion, recordedAt, testId } = new CassetteReader().meta(root);
  const checked = lazy(() => checkCassette(file, root));
  const items = ARRAY.read(member(root, 'interactions') ?? root) ?? [];
  const interactions = items.map(
    (node, index) =>
      new LazyInteraction(index, node, () => readInteraction(checked().cassette.calls[index], recordedAt)),
  );
  const name = testId === '' ? undefined : testId;
  const weight = (jsonTreeBytes(root) ?? 0) + items.length * BYTES_PER_CALL;
  return new LazyTape({ format: 'checkagent', name, version: `${schemaVersion}`, interactions, weight }, () =>
    syntax.length > 0 ? syntax : checked().problems,
  );
}

/** The metadata that a test added to its calls. */
function extras({ text }: TapeFile): string[][] {
  const { value: root } = readJson(text);
  const calls = member(root, 'interactions');
  return (calls?.type === 'array' ? calls.items : []).map((call) => {
    const metadata = member(call, 'metadata');
    return metadata?.type === 'object' && metadata.members.length > 0 ? ['metadata'] : [];
  });
}

/** A whole cassette by its schema, with its hash and ids computed again. */
function checkCassette(
  file: TapeFile,
  root: JsonNode,
): { readonly cassette: Cassette; readonly problems: readonly Problem[] } {
  const reader = new CassetteReader();
  const cassette = reader.cassette(root);
  const isSound = reader.problems.length === 0 && cassette.meta.schemaVersion >= SCHEMA_VERSION;
  const name = file.path.split('/').at(-1) || t('this file');
  const integrity = integrityProblems(root, cassette, name, isSound);
  return { cassette, problems: [...encodingProblems(file, 'CheckAgent'), ...reader.problems, ...integrity] };
}

/** The placeholder keeps the indexes of the other interactions. */
function readInteraction(call: CassetteCall | undefined, recordedAt: string): InteractionReading {
  return { content: call === undefined ? { kind: 'llm' } : readCall(call, recordedAt), problems: [] };
}
