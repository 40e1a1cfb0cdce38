import { asRecord } from '../../../json/fields';
import type { JsonNode } from '../../../json/jsonNode';
import { jsonOutline } from '../../../json/jsonOutline';
import { ARRAY, NodeReader, OBJECT } from '../../../json/nodeReader';
import { exactValue, member, readJson } from '../../../json/readJson';
import { t } from '../../../text/l10n';
import type { TextParts } from '../../../text/textParts';
import type { InteractionContent } from '../../lazyTape';
import type { TapeFile } from '../../tapeFile';
import { writeSubset } from '../../writableFormat';
import { documentFormat, entriesOf } from '../shared/documentFormat';
import { editAimock } from './edit';
import { POSITIONS, readFixture } from './read';
import { WRITABLE_FIXTURES, writeAimock } from './write';

/**
 * Fixtures of aimock, formerly llmock (CopilotKit/aimock, `src/types.ts`): rules with the response to each request that
 * matches, scripted or recorded. Its configuration files, which only name or declare mocks, are tapes without
 * interactions.
 */
export const aimockFormat = documentFormat({
  id: 'aimock',
  label: 'aimock fixtures',
  family: 'script',
  tested: { recorder: 'aimock' },
  files: ['json'],
  holdsRules: true,
  servesAgain: true,
  syntax: 'json',
  marks: 'fixtures[].match',
  isEmpty: (text) => (jsonOutline(text).has('fixtures[]') ? EMPTY.test(text.slice(0, 1024)) : isConfiguration(text)),
  reader: () => new NodeReader(),
  document(reader, root, { path }) {
    const fixtures = member(root, 'fixtures');
    const items = fixtures && reader.read(fixtures, 'fixtures', ARRAY, t('Use "fixtures": [ … ].'));
    const at = recordedAt(path);
    return { entries: entriesOf(items ?? [], (node) => ({ place: node, read: (own) => readItem(own, node, at) })) };
  },
  // The other services of a configuration.
  isBeside: (name) => CONFIGURATION_SECTIONS.has(name),
  ...writeSubset(WRITABLE_FIXTURES, writeAimock),
  unmappedFields: extras,
  editText: editAimock,
});

const EMPTY = /^\s*\{\s*"fixtures"\s*:\s*\[\s*\]\s*\}\s*$/;

/** The parts of a configuration (`src/config-loader.ts`) that only aimock has. */
const CONFIGURATION_SECTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['llm', ['fixtures', 'record', 'chaos', 'latency', 'chunkSize', 'replaySpeed', 'logLevel']],
  ['mcp', ['tools', 'resources', 'prompts']],
  ['a2a', ['agents']],
  ['agui', ['fixtures']],
  ['vector', ['collections']],
]);
const CONFIGURATION_SETTINGS = ['$schema', 'auth', 'services', 'metrics', 'strict', 'port', 'host'];
/** Configurations are written by hand. */
const MAX_CONFIGURATION_LENGTH = 1024 * 1024;

function isConfiguration(text: TextParts): boolean {
  const head = /^\s*\{\s*"([$\w]+)"/.exec(text.slice(0, 256))?.[1];
  if (head === undefined || text.length > MAX_CONFIGURATION_LENGTH) return false;
  if (!CONFIGURATION_SECTIONS.has(head) && !CONFIGURATION_SETTINGS.includes(head)) return false;
  const { value: root, problems } = readJson(text);
  if (root?.type !== 'object' || problems.length > 0) return false;
  const keys = root.members.map(({ key }) => key);
  const parts = keys.filter((key) =>
    CONFIGURATION_SECTIONS.get(key)?.some((name) => member(member(root, key), name) !== undefined),
  );
  return (
    parts.length > 0 && keys.every((key) => CONFIGURATION_SECTIONS.has(key) || CONFIGURATION_SETTINGS.includes(key))
  );
}

function readItem(reader: NodeReader, node: JsonNode, at: string | undefined): InteractionContent {
  // The placeholder keeps the indexes of the other fixtures.
  if (reader.record(node, t('a fixture')) === undefined) return { kind: 'llm' };
  reader.required(node, 'match', OBJECT, t('Use "match": {} for a fixture that matches every request.'));
  reader.required(node, 'response', OBJECT, t('Use "response": { "content": … }.'));
  return readFixture(asRecord(exactValue(node)), at);
}

/** The conditions on the context of a request, and the delays and faults that are injected. */
const OWN_FIELDS = ['latency', 'chunkSize', 'truncateAfterChunks', 'disconnectAfterMs', 'replaySpeed', 'chaos'];

function extras({ text }: TapeFile): string[][] {
  const fixtures = member(readJson(text).value, 'fixtures');
  return (fixtures?.type === 'array' ? fixtures.items : []).map((fixture) => [
    ...POSITIONS.filter((name) => name !== 'endpoint' && member(member(fixture, 'match'), name) !== undefined).map(
      (name) => `match.${name}`,
    ),
    ...OWN_FIELDS.filter((name) => member(fixture, name) !== undefined),
  ]);
}

/** The recorder has the time in its file names: `openai-2026-05-01T10-11-12-123Z-0a1b2c3d.json`. */
function recordedAt(path: string): string | undefined {
  const [, date, hours, minutes, seconds, fraction = ''] =
    /-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)(?:-(\d+))?Z(?:-[0-9a-f]+)?\.json$/.exec(path) ?? [];
  return date === undefined ? undefined : `${date}T${hours}:${minutes}:${seconds}${fraction && `.${fraction}`}Z`;
}
