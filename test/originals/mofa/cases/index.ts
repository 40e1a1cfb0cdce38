import { Random } from '../../../soak/random';
import type { MofaCase } from '../mofaCase';
import { assertionCases } from './assertions';
import { baselineCases } from './baselines';
import { fieldCases } from './fields';
import { flagCases } from './flags';
import { randomCase } from './random';
import { recordingCases } from './recording';
import { tapeCases } from './tapes';

/** `count` cases: those that each aspect lists, and random ones of the seed for the rest. */
export function mofaCases(seed: number, count: number): readonly MofaCase[] {
  const listed = [
    ...flagCases(),
    ...fieldCases(),
    ...assertionCases(),
    ...tapeCases(),
    ...recordingCases(),
    ...baselineCases(),
  ];
  if (listed.length > count) throw new Error(`${listed.length} cases are listed, and only ${count} asked for`);
  const random = new Random(seed);
  return [...listed, ...Array.from({ length: count - listed.length }, (_, index) => randomCase(random, index))];
}
