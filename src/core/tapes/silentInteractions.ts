import type { Interaction } from '../model/interaction';
import type { TapeFamily } from '../model/tape';
import type { Problem } from '../text/source';
import type { TapeFormat } from './format';
import { isMute, saysSomething, withProblems } from './lazyTape';
import { unreadRecords } from './notRead';
import { textParts } from './tapeFile';
import { unreadInFile } from './unreadInFile';

/**
 * Wraps a format so that its tapes have a problem where a request or a response says nothing, or no interaction was read at all, although
 * there are texts in the record, or in the file, which were not read: it is of another program, or of a version that is not known.
 */
export function withSilentInteractions(format: TapeFormat): TapeFormat {
  return {
    ...format,
    read: (file) => {
      const tape = format.read(file);
      const unread = (): Problem[] => {
        const silent = tape.interactions.filter((one) => isMute(one) || isUnasked(format.family, one));
        const records = silent.map((one) => ({ place: one.source, read: textsRead(one) }));
        const text = textParts(file);
        const isBlank = tape.interactions.length === 0 && !mayBeBlank(format);
        const found = unreadRecords(format.id, text, isBlank ? [{ place: { start: 0, end: text.length } }] : records);
        return found.length > 0 || (format.family === 'http' && format.serialise !== undefined)
          ? found
          : unreadInFile(format, tape, text);
      };
      // What is HTTP is never silent.
      return withProblems(tape, unread, () => []);
    },
  };
}

/** A script may be a configuration, which only declares. The log of a session, or of Inspect, may have just a head, and tells of its records. */
function mayBeBlank({ family, id }: TapeFormat): boolean {
  return family === 'script' || family === 'session' || id === 'inspect';
}

/**
 * Whether nothing was read of a request, in formats whose records have what was asked. A session has it in records of their own, and
 * scripts and responses that were kept alone may have none.
 */
function isUnasked(family: TapeFamily, { kind, http, request }: Interaction): boolean {
  if (kind !== 'llm' || http !== undefined) return false;
  const isStored = family === 'conversation' || (family === 'frames' && request !== undefined);
  return isStored && !(request?.messages ?? []).some(saysSomething);
}

/** All texts that were read of an interaction, one after the other. */
function textsRead({ request, response, declared, summary }: Interaction): string {
  const texts: string[] = [];
  const { chunks: _, ...said } = response ?? {};
  collectTexts([request, said, declared, summary], texts);
  return texts.join('\n');
}

function collectTexts(value: unknown, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) collectTexts(inner, texts);
}
