import { none } from '../../marks';
import { jsonLinesFormat } from '../shared/jsonLinesFormat';
import { readTranscript } from './transcript';

/**
 * Transcripts of Claude Code (`~/.claude/projects`): one message per line, each with the `parentUuid` of the previous
 * one, so that a file is a tree. A response of the API may be split over several lines with the same `message.id`.
 */
export const claudeCodeFormat = jsonLinesFormat({
  id: 'claude-code',
  label: 'Claude Code transcript',
  family: 'session',
  files: ['jsonl'],
  // Qwen Code has its lines from outside.
  marks: ['parentUuid', 'sessionId', none('message.parts', 'systemPayload')],
  firstLines: 20,
  session: readTranscript,
});

export { claudeStreamFormat } from './stream';
