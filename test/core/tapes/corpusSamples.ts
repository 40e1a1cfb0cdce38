import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Interaction } from '../../../src/core/model/interaction';
import { decodeTapeFile, type TapeFile } from '../../../src/core/tapes/tapeFile';

/** A file of the corpus, with its row of INDEX.tsv. */
export interface Sample {
  readonly path: string;
  /** The index' own name for the format. */
  readonly kind: string;
  /** Absent where the index has none. */
  readonly interactions: number | undefined;
  readonly file: TapeFile;
}

/** The files of the corpus, or those of some of the index' formats. */
export function readSamples(corpus: string, isWanted: (kind: string) => boolean = () => true): Sample[] {
  const [, ...lines] = readFileSync(join(corpus, 'INDEX.tsv'), 'utf8').trimEnd().split('\n');
  return lines.flatMap((line) => {
    const [path = '', , , , kind = '', , , count = ''] = line.split('\t');
    if (!isWanted(kind)) return [];
    const interactions = /^\d+$/.test(count) ? Number(count) : undefined;
    return [{ path, kind, interactions, file: decodeTapeFile(path, readFileSync(join(corpus, path))) }];
  });
}

/** Whether an interaction has a response with content. */
export function isAnswered({ response }: Interaction): boolean {
  return (
    response !== undefined &&
    (Boolean(response.content) ||
      response.toolCalls.length > 0 ||
      Boolean(response.error) ||
      Boolean(response.parts?.length))
  );
}
