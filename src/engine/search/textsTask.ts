import type { FormatId } from '../../core/model/tape';
import { findTexts, type TextHit } from '../../core/search/findTexts';
import { formatById } from '../../core/tapes/registry';
import { isSystemError } from '../errors/systemError';
import type { Read, ReadingTask } from '../readers/reading';
import { Recorder, type SecretSources } from '../recording/recorder';
import { openTape, type ProjectFile } from './factsTask';

/** A tape that may hold the texts that are searched for. */
export interface CandidateTape extends ProjectFile {
  readonly format: FormatId;
  readonly isPlain: boolean;
  readonly hasSecrets: boolean;
  /** The interactions that are looked at, from 0. */
  readonly candidates: readonly number[];
}

interface WantedTexts {
  readonly texts: readonly string[];
  /** The most interactions of a tape. */
  readonly most: number;
}

export interface TextsSetup extends WantedTexts {
  readonly secrets: SecretSources;
}

/** How far a secret may reach, in UTF-16 units: on tapes with one; elsewhere, only short ones are in doubt. */
const [FAR, NEAR] = [2 ** 15, 2 ** 10];

/** Finds texts on tapes, in a thread. */
export const textsTask: ReadingTask<TextsSetup, CandidateTape, readonly TextHit[]> = {
  name: 'texts',
  open: ({ secrets, ...wanted }) => textsReader(new Recorder(secrets), wanted),
};

/** The same in this thread. */
export function textsReader(recorder: Recorder, wanted: WantedTexts): Read<CandidateTape, readonly TextHit[]> {
  const hide = (text: string): string => recorder.text(text);
  return async (tape) => {
    const { format, candidates, isPlain, hasSecrets } = tape;
    const search = { ...wanted, candidates, isPlain, hide, around: hasSecrets ? FAR : NEAR };
    try {
      return findTexts(await openTape(tape), formatById(format), search);
    } catch (error) {
      // It was removed in the meantime.
      if (isSystemError(error)) return [];
      throw error;
    }
  };
}
