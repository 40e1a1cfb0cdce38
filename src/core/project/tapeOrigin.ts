import { ageText } from '../text/age';
import type { ListedTape } from './listTape';

/** The model and the age of a tape, if it records them: `gpt-4o`, `3 months ago`. */
export function originWords(
  { model, recordedAt }: Pick<ListedTape, 'model' | 'recordedAt'>,
  now: number,
): readonly string[] {
  return [...(model === undefined ? [] : [model]), ...(recordedAt === undefined ? [] : [ageText(now - recordedAt)])];
}
