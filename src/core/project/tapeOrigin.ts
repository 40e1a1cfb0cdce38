import { ageWords } from '../text/age';
import type { ListedTape } from './listTape';

/** How old a tape is, and of which model, as far as it says so: `gpt-4o`, `3 months`. */
export function originWords(
  { model, recordedAt }: Pick<ListedTape, 'model' | 'recordedAt'>,
  now: number,
): readonly string[] {
  return [...(model === undefined ? [] : [model]), ...(recordedAt === undefined ? [] : [ageWords(now - recordedAt)])];
}
