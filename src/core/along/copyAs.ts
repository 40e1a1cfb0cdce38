import { prettyJson } from '../json/json';
import { interactionJson } from '../tapes/interactionJson';
import type { TapeFile } from '../tapes/tapeFile';
import { openTranscript } from '../transcript/transcriptReader';
import type { CopyKind } from './copyKind';
import { interactionCurl } from './curl';
import { NO_INK } from './ink';
import { interactionMarkdown } from './markdown';
import { interactionCase } from './tomlCase';
import { sectionText } from './transcriptText';

/** An interaction to take along; undefined where there is none, or where it does not have what is wanted. */
export function copyInteraction(file: TapeFile, index: number, kind: CopyKind): string | undefined {
  const reader = openTranscript(file);
  const interaction = reader?.tape.interactions[index];
  if (reader === undefined || interaction === undefined) return undefined;
  switch (kind) {
    case 'curl':
      return interactionCurl(interaction);
    case 'json':
      return `${prettyJson(interactionJson(interaction))}\n`;
    case 'case':
      return interactionCase(
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
    ? interactionMarkdown(body, reader.summaries[index]?.model)
    : sectionText(body, reader.length, NO_INK);
}
