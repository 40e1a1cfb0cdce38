import { Random } from '../../../soak/random';
import type { MofaCase } from '../mofaCase';
import { assertionCases } from './assertions';
import { baselineCases } from './baselines';
import { fieldCases } from './fields';
import { flagCases } from './flags';
import { randomCase } from './random';
import { recordingCases } from './recording';
import { tapeCases } from './tapes';

/** The cases that each aspect lists, and `more` at random. */
export function mofaCases(seed: number, more: number): readonly MofaCase[] {
  const random = new Random(seed);
  return [
    ...flagCases(),
    ...fieldCases(),
    ...assertionCases(),
    ...tapeCases(),
    ...recordingCases(),
    ...baselineCases(),
    ...Array.from({ length: more }, (_, index) => randomCase(random, index)),
  ];
}
