import { asList, asRecord, asString, omitUndefined } from '../../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../../json/json';
import type { JsonLine } from '../../../json/jsonLines';
import { member, readJson } from '../../../json/readJson';
import type { ChatRequest, RequestDigests } from '../../../model/message';
import { message, t } from '../../../text/l10n';
import type { Problem } from '../../../text/source';
import type { Splice } from '../../../text/splice';
import { readResponseJson } from '../../../wire/read/readExchange';
import type { EditOutcome, TapeTextEdit } from '../../format';
import type { InteractionContent, InteractionReading } from '../../lazyTape';
import { any } from '../../marks';
import type { TapeFile } from '../../tapeFile';
import { writeSubset } from '../../writableFormat';
import { refuseUnencodable } from '../shared/editHttpTape';
import { jsonLinesFormat } from '../shared/jsonLinesFormat';
import { responseTextSplices } from '../shared/responseText';
import { digestReynRequest, reynKeyOf } from './keys';
import { escapedBreaks, readLinesOfPython, readReynLines } from './lines';
import { entryKind, stackingProblems } from './stacking';
import { WRITABLE_ENTRIES, writeReyn } from './write';

/**
 * Reyn's fixtures (tya5/reyn, `src/reyn/dev/testing/replay.py`): a line for each completion, embedding or captured
 * environment. Only the digests of a request and the beginning of its last message are stored.
 */
export const reynFormat = jsonLinesFormat({
  id: 'reyn',
  label: 'Reyn fixture',
  family: 'conversation',
  files: ['jsonl'],
  marks: any(
    ['key', 'model', any('prompt_preview', 'response')],
    ['kind', 'name', 'value', /"kind"\s*:\s*"environment"/],
  ),
  firstLines: 5,
  lines: readLinesOfPython,
  readBy: 'Reyn',
  entry: readLine,
  check: stackingProblems,
  ...writeSubset(WRITABLE_ENTRIES, writeReyn),
  unmappedFields: ({ text }) =>
    readReynLines(text).lines.map(({ value }) => UNMAPPED_MEMBERS.filter((key) => value[key] !== undefined)),
  requestKey: reynKeyOf,
  digestRequest: digestReynRequest,
  editText: (file, edit) => refuseUnencodable(file, editLine(file, edit)),
  finalise: ({ text }) => escapedBreaks(text),
  finaliseTitle: message('Escape the characters at which Python ends a line'),
  recordedByTests: { howTo: 'REYN_LLM_RECORD=1 pytest' },
  asCase: { tag: 'reyn', folder: 'fixtures', extension: 'jsonl' },
  tested: { recorder: 'reyn', orphans: 'by-mark' },
});

/** The fields by which Reyn finds a completion, and those for which it refuses it. */
const UNMAPPED_MEMBERS = ['key', 'preconditions'];

function readLine(line: JsonLine): InteractionReading {
  return { content: readEntry(line.value), problems: missingMembers(line) };
}

function readEntry(value: JsonRecord): InteractionContent {
  const kind = entryKind(value);
  if (kind === 'environment') return readEnvironment(value);
  const reading = isRecord(value.response) ? readResponseJson(value.response) : undefined;
  const response = reading?.response ?? unreadResponse(value.response);
  return omitUndefined({
    kind: kind === 'embedding' ? ('embedding' as const) : ('llm' as const),
    api: reading?.api,
    request: readRequest(value),
    response,
    summary: reading?.kind === 'http' ? undefined : reading?.summary,
    id: asString(value.key),
  });
}

function unreadResponse(response: Json | undefined): InteractionContent['response'] {
  if (response === undefined) return undefined;
  return { content: null, parts: [{ type: 'unknown', raw: response }], toolCalls: [] };
}

function readEnvironment(value: JsonRecord): InteractionContent {
  const servers = Object.values(asRecord(value.value));
  const tools = servers.reduce<number>((sum, list) => sum + asList(list).length, 0);
  const name = asString(value.name);
  const counts = `${servers.length} ${servers.length === 1 ? 'server' : 'servers'}, ${tools} ${tools === 1 ? 'tool' : 'tools'}`;
  const summary = name === 'mcp_catalog' ? `${name}: ${counts}` : name;
  return omitUndefined({ kind: 'environment' as const, summary, id: name });
}

/** The known part of the request: the beginning of its last message, and the names of the tools. */
function readRequest(entry: JsonRecord): ChatRequest {
  const { model, prompt_preview: preview } = entry;
  const components = asRecord(entry.key_components);
  const [role = 'unknown'] = (asString(asList(components.messages).at(-1)) ?? 'unknown').split(':');
  const isEmbedding = entryKind(entry) === 'embedding';
  const choice = asString(components.tool_choice);
  const params: JsonRecord = choice ? { tool_choice: choice } : {};
  return omitUndefined({
    model: asString(model),
    messages: [{ role: isEmbedding ? 'user' : role, content: asString(preview) ?? null, toolCalls: [] }],
    tools: Object.keys(asRecord(components.tools)).map((name) => ({ name })),
    params,
    partial: 'preview' as const,
    digests: isRecord(entry.key_components) ? readDigests(entry.key_components) : undefined,
  });
}

function readDigests({ model, tool_choice: choice, messages, tools }: JsonRecord): RequestDigests {
  const digests = Object.entries(asRecord(tools)).flatMap(([name, digest]) =>
    typeof digest === 'string' ? [[name, digest] as const] : [],
  );
  return {
    model: asString(model) ?? '',
    toolChoice: asString(choice) ?? '',
    messages: asList(messages).flatMap((digest) => asString(digest) ?? []),
    tools: Object.fromEntries(digests),
  };
}

/** The reason why Reyn skips an entry. */
function missingMembers({ value, source: { start } }: JsonLine): Problem[] {
  const needed = entryKind(value) === 'environment' ? ['name', 'value'] : ['key', 'response'];
  const span = { start, end: start + 1 };
  const missing = needed.filter((name) => !(name in value));
  return missing.map((key) => {
    const message = t('missing field `{0}`; Reyn silently skips this line', key);
    return { severity: 'error', message, fix: t('Record it again, or remove the line.'), span };
  });
}

/** The key depends only on the request, so it stays the same with a new response. */
function editLine({ text }: TapeFile, { interaction, text: newText }: TapeTextEdit): EditOutcome {
  const line = readReynLines(text).lines[interaction];
  const entry = line && readEntry(line.value);
  if (line === undefined || entry?.kind !== 'llm')
    return { refused: t('This entry is not a completion; only completions have a text to change.') };
  const content = entry.response?.content ?? null;
  if (content === null) return { refused: t('The response of this completion is not a text.') };
  const { start, end } = line.source;
  const source = text.slice(start, end);
  const response = member(readJson(source).value, 'response');
  const splices = response && responseTextSplices(source, response, { api: entry.api, content, text: newText });
  if (splices === undefined)
    return {
      refused: t('The text of this response is not stored in a single place. Change the line in the text editor.'),
    };
  return { splices: splices.map((splice) => shiftSplice(splice, start)), dependents: [] };
}

/** Moves a splice to its place in the file, and escapes the characters at which Python would end the line. */
function shiftSplice({ start, end, text }: Splice, by: number): Splice {
  const escaped = text.replace(
    /[\x85\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return { start: start + by, end: end + by, text: escaped };
}
