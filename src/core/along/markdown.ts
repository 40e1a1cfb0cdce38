import { roleName } from '../transcript/roleName';
import type { InteractionBody, TranscriptEntry, TranscriptToolCall } from '../transcript/transcript';

/** An interaction as markdown, to paste into an issue or a chat. */
export function interactionMarkdown({ index, entries }: InteractionBody, model: string | undefined): string {
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
  const answer = result === undefined ? '' : `\n\nResult:\n\n${fenced(result)}`;
  return `Tool call \`${name}\`:\n\n${fenced(args)}${answer}`;
}

/** In a fence that is longer than any within the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
