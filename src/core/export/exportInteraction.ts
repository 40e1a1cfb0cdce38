import { prettyJson } from '../json/json';
import type { TapeFile } from '../tapes/tapeFile';
import { PLAIN_STYLE } from '../text/textStyle';
import { roleName } from '../transcript/roleName';
import type { InteractionBody, TranscriptEntry, TranscriptToolCall } from '../transcript/transcript';
import { openTranscript } from '../transcript/transcriptReader';
import { interactionToCurl } from './curl';
import { interactionJson } from './interactionJson';
import { interactionToCase } from './scriptedCase';
import { sectionText } from './transcriptText';

/** The form in which an interaction is copied. */
export type ExportKind = 'text' | 'markdown' | 'curl' | 'json' | 'case';

/** Exports an interaction; undefined if there is none, or if it lacks what the form needs. */
export function exportInteraction(file: TapeFile, index: number, kind: ExportKind): string | undefined {
  const reader = openTranscript(file);
  const interaction = reader?.tape.interactions[index];
  if (reader === undefined || interaction === undefined) return undefined;
  switch (kind) {
    case 'curl':
      return interactionToCurl(interaction);
    case 'json':
      return `${prettyJson(interactionJson(interaction))}\n`;
    case 'case':
      return interactionToCase(
        `${reader.name || 'interaction'}_${index + 1}`,
        interaction,
        reader.tape.interactions[index + 1]?.request?.messages ?? [],
      );
    default:
  }
  while (reader.advance());
  const body = reader.body(index);
  if (body === undefined) return undefined;
  return kind === 'markdown'
    ? interactionToMarkdown(body, reader.summaries[index]?.model)
    : sectionText(body, reader.length, PLAIN_STYLE);
}

/** An interaction as markdown, to paste into an issue or a chat. */
export function interactionToMarkdown({ index, entries }: InteractionBody, model: string | undefined): string {
  const title = `## Interaction ${index + 1}${model === undefined ? '' : ` (${model})`}`;
  return [title, ...entries.map(entryText)].join('\n\n');
}

function entryText({ role, text, toolCalls, error }: TranscriptEntry): string {
  return [
    `### ${roleName(role)}`,
    ...(text === '' ? [] : [text]),
    ...toolCalls.map(callText),
    ...(error === undefined ? [] : [`Error: ${error}`]),
  ].join('\n\n');
}

function callText({ name, arguments: args, result }: TranscriptToolCall): string {
  const resultText = result === undefined ? '' : `\n\nResult:\n\n${fenced(result)}`;
  return `Tool call \`${name}\`:\n\n${fenced(args)}${resultText}`;
}

/** Puts a text in a code fence longer than any within it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
