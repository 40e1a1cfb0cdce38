import { asRecord, asString } from '../../../json/fields';
import type { JsonRecord } from '../../../json/json';
import { JsonLine, type JsonLinesReading, readJsonLines } from '../../../json/jsonLines';
import { parseJson } from '../../../json/readJson';
import type { TextParts } from '../../../text/textParts';
import { any, none } from '../../marks';
import { jsonLinesFormat } from '../shared/jsonLinesFormat';
import { readTranscript } from './transcript';

/**
 * What `claude -p --output-format stream-json` prints, and the Agent SDK reads: the messages of a session, one per line, without the
 * tree of a transcript. claude-agent-cassette keeps them with the direction, and what the SDK wrote as text.
 */
export const claudeStreamFormat = jsonLinesFormat({
  id: 'claude-stream',
  label: 'Claude Code stream',
  family: 'session',
  files: ['jsonl', 'ndjson'],
  marks: [
    none('parentUuid', 'sessionId'),
    any(['dir', any('frame.type', 'data')], ['type', 'session_id', any('subtype', 'message.role', 'event')]),
  ],
  firstLines: 20,
  lines: frames,
  session: readTranscript,
});

function frames(text: TextParts): JsonLinesReading {
  const { lines, problems } = readJsonLines(text);
  return { lines: lines.map((line) => JsonLine.inside(text, line, frameOf)), problems };
}

/** What a line of claude-agent-cassette holds; any other line is the frame. */
function frameOf(line: JsonRecord): JsonRecord {
  if (line.dir === undefined) return line;
  return asRecord(line.frame ?? parseJson(asString(line.data) ?? ''));
}
