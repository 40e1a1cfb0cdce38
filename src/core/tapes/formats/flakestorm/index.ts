import type { Json } from '../../../json/json';
import type { JsonNode, JsonObjectNode } from '../../../json/jsonNode';
import { hasTopLevelKeys, topLevelKeys } from '../../../json/jsonOutline';
import { member } from '../../../json/readJson';
import type { Interaction } from '../../../model/interaction';
import type { Tape } from '../../../model/tape';
import { replaceText, textMember } from '../../../syntax/replaceText';
import { hasMembers, memberNames, readTextDocument, type TextDocument } from '../../../syntax/textDocument';
import { t } from '../../../text/l10n';
import type { Problem } from '../../../text/source';
import type { EditOutcome, TapeFormat, TapeTextEdit } from '../../format';
import { type TapeFile, textParts } from '../../tapeFile';
import { writeSubset } from '../../writableFormat';
import { refuseUnencodable } from '../shared/editHttpTape';
import { readSession } from './read';
import { FlakestormSessionReader } from './session';
import { WRITABLE_SESSION, writeSession } from './write';

/** Replay sessions of flakestorm 2.0 (flakestorm/flakestorm, `core/config.py`), in YAML or JSON. */
export const flakestormFormat = {
  id: 'flakestorm',
  label: 'Flakestorm replay session',
  family: 'script',
  extensions: ['yaml', 'yml', 'json'],
  looksLike,
  read,
  ...writeSubset(WRITABLE_SESSION, writeSession),
  editText: (file, edit) => refuseUnencodable(file, editSession(file, edit)),
  emptyItem,
  unmappedFields: extras,
} satisfies TapeFormat;

/** The fields that only a session has beside its `id` and `input`. */
const DISTINCTIVE_KEYS = ['tool_responses', 'contract', 'expected_failure', 'captured_at'];

/** All fields of a session, and Tapedeck's own. A file with an `id` and an `input` and only these is one as well. */
const SESSION_KEYS: ReadonlySet<string> = new Set([
  ...DISTINCTIVE_KEYS,
  ...['id', 'name', 'source', 'input', 'context', 'file', 'tape'],
]);

function looksLike(file: TapeFile): boolean {
  const text = textParts(file);
  if (hasMembers(text, 'agent')) return false;
  if (!hasMembers(text, 'id', 'input')) return isListOfSessions(file);
  if (DISTINCTIVE_KEYS.some((key) => hasMembers(text, key))) return true;
  return memberNames(text).every((key) => SESSION_KEYS.has(key));
}

/** Several sessions in one file: a list, or the part of a configuration with a list. */
function isListOfSessions(file: TapeFile): boolean {
  const text = textParts(file);
  const head = text.slice(0, 4096);
  if (/^\uFEFF?\s*\[/.test(head)) {
    if (!text.includes('input')) return false;
    const keys = new Set(topLevelKeys(text, text.indexOf('{')));
    return keys.has('id') && keys.has('input') && DISTINCTIVE_KEYS.some((key) => keys.has(key));
  }
  const isTold = (): boolean => DISTINCTIVE_KEYS.some((key) => text.includes(key));
  if (/^\uFEFF?\s*\{/.test(head)) return ['sessions', 'replays'].some((key) => hasTopLevelKeys(text, key)) && isTold();
  return (
    text.includes('input') &&
    isTold() &&
    /^(?:(?:sessions|replays)[ \t]*:|- (?:id|name|input)[ \t]*:)/m.test(file.text) &&
    /^[ -]+input[ \t]*:/m.test(file.text)
  );
}

function read(file: TapeFile): Tape {
  const document = readTextDocument(textParts(file));
  const reader = new FlakestormSessionReader(file.text, document.syntax);
  const nodes = sessionNodes(document);
  const interactions: Interaction[] = [];
  const names: string[] = [];
  for (const node of nodes) {
    const session = reader.session(node);
    names.push(session.name ?? session.id);
    interactions.push(...readSession(session, interactions.length));
  }
  const problems = document.problems.length > 0 ? document.problems : [...reader.problems, ...countProblems(document)];
  const [name] = names;
  return { format: 'flakestorm', ...(name && names.length === 1 ? { name } : {}), interactions, problems };
}

/** The sessions of a file, wherever they are in it. */
function sessionNodes({ roots }: TextDocument): JsonObjectNode[] {
  return roots.flatMap((root) => {
    const list =
      root.type === 'array' ? root : (member(member(root, 'replays'), 'sessions') ?? member(root, 'sessions'));
    return listedSessions(list) ?? (root.type === 'object' ? [root] : []);
  });
}

function listedSessions(node: JsonNode | undefined): JsonObjectNode[] | undefined {
  return node?.type === 'array'
    ? node.items.filter((item): item is JsonObjectNode => item.type === 'object')
    : undefined;
}

function countProblems({ roots }: TextDocument): Problem[] {
  const [root, second] = roots;
  if (second === undefined && root?.type !== 'array') return [];
  const { start = 0 } = second ?? root ?? {};
  const message = t('flakestorm reads one session a file');
  const fix = t('Put each session into a file of its own, or list them under `replays: sessions:` in flakestorm.yaml.');
  return [{ severity: 'warning', message, fix, span: { start, end: start + 1 } }];
}

/** The requirements on the agent. */
function extras({ text }: TapeFile): string[][] {
  const document = readTextDocument(text);
  const reader = new FlakestormSessionReader(text, document.syntax);
  return sessionNodes(document).flatMap((node) => {
    const { contract, expectedFailure, toolResponses } = reader.session(node);
    const own = [...(contract === 'default' ? [] : ['contract']), ...(expectedFailure ? ['expected_failure'] : [])];
    return [own, ...toolResponses.map(() => [])];
  });
}

function editSession({ text }: TapeFile, { interaction, text: newText }: TapeTextEdit): EditOutcome {
  const document = readTextDocument(text);
  const reader = new FlakestormSessionReader(text, document.syntax);
  const nodes = sessionNodes(document).flatMap((node) => {
    const session = reader.session(node);
    return [undefined, ...session.toolResponses.map((tool) => tool.node)];
  });
  const node = nodes[interaction];
  if (node === undefined)
    return { refused: t('A replay session records no response of the agent, only those of its tools.') };
  const member = textMember(node, 'response');
  if (member === undefined)
    return { refused: t('The response of this tool is not a text. Change it in the text editor.') };
  const splice = replaceText(text, document.syntax, member, newText);
  return splice === undefined
    ? { refused: t('The new text cannot be written in this place. Change it in the text editor.') }
    : { splices: [splice], dependents: [] };
}

/** Replaces the response of a tool. Flakestorm reads one session per file. */
function emptyItem(file: TapeFile, interaction: number): Json | undefined {
  const { kind, request } = read(file).interactions[interaction] ?? {};
  const [call] = request?.messages.flatMap(({ toolCalls }) => toolCalls) ?? [];
  return kind === 'tool' && call !== undefined ? { tool: call.name, response: '' } : undefined;
}
