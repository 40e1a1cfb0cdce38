import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { Trial, TrialCase, TrialCell, TrialSample } from '../../core/model/trial';
import { LAST_TRIAL_PATH } from '../../core/project/layout';
import type { ProjectConfig } from '../../core/project/projectConfig';
import { readStoredTrial, type StoredTrial } from '../../core/trials/storedSample';
import { summarise, trialOf } from '../../core/trials/summary';
import { UserError } from '../errors/userError';
import { OwnState } from '../project/ownState';
import { projectConfig } from '../project/projectConfig';
import { loadTape } from '../recording/readTape';
import { readKept, referenceOf, sampleOf } from './readSample';
import { type OpenedTrialCase, openTrialCase, placesOf, type TrialPlace } from './trialCases';

/** A trial with the current state of its cases. */
export interface OpenedTrial {
  readonly root: string;
  readonly models: readonly string[];
  readonly samples: number;
  readonly config: ProjectConfig;
  readonly cases: readonly OpenedTrialCase[];
  /** By case, model and sample. */
  readonly places: readonly TrialPlace[];
}

export async function openTrial(
  root: string,
  { casePaths, models: asked, samples }: StoredTrial,
): Promise<OpenedTrial> {
  const config = await projectConfig(root);
  const cases: OpenedTrialCase[] = [];
  for (const casePath of new Set(casePaths)) cases.push(await openTrialCase(root, casePath, config));
  const models = [...new Set(asked)];
  const places = cases.flatMap((one) => models.flatMap((model) => placesOf(root, one, model, samples)));
  return { root, models, samples, config, cases, places };
}

/** What the last trial of a project was about; undefined if there was none. */
export async function lastTrial(root: string): Promise<StoredTrial | undefined> {
  const text = await new OwnState(root).readText(LAST_TRIAL_PATH, FILE_LIMITS.config);
  return text === undefined ? undefined : readStoredTrial(text);
}

/** The trial as far as it is recorded, with the samples that could not begin. */
export async function readTrial(
  opened: OpenedTrial,
  unkept: ReadonlyMap<TrialPlace, TrialSample> = new Map(),
): Promise<Trial> {
  const { models, samples, cases, places } = opened;
  const cells: TrialCell[] = [];
  for (const one of cases) cells.push(...(await cellsOf(opened, one, unkept)));
  const found = cells.reduce((sum, cell) => sum + cell.samples.length, 0) - unkept.size;
  const described = await Promise.all(cases.map(describeCase));
  return trialOf({ models, samples, cases: described, cells, isComplete: found === places.length });
}

async function describeCase({
  casePath,
  name,
  tapePath,
  refusal,
  said,
  isInvalid,
  recording,
  samples,
}: OpenedTrialCase): Promise<TrialCase> {
  const tapeModel = recording && (await recordedModel(recording.tapePath, recording.ownModel));
  return {
    casePath,
    name,
    tapePath,
    tapeModel,
    ...(samples > 1 && { sampled: samples }),
    refusal,
    ...(said && { said }),
    ...(isInvalid && { isInvalid }),
  };
}

async function cellsOf(
  { root, config, models, places }: OpenedTrial,
  trialCase: OpenedTrialCase,
  unkept: ReadonlyMap<TrialPlace, TrialSample>,
): Promise<readonly TrialCell[]> {
  const reference = await referenceOf(root, trialCase);
  const own = places.filter((place) => place.trialCase === trialCase);
  const cells: TrialCell[] = [];
  for (const model of models) {
    const samples: TrialSample[] = [];
    for (const place of own.filter((one) => one.model === model)) {
      const kept = await readKept(root, place);
      const sample = kept ? await sampleOf(root, place, kept, reference, config.prices) : unkept.get(place);
      if (sample !== undefined) samples.push(sample);
    }
    cells.push({ casePath: trialCase.casePath, model, samples, summary: summarise(samples), needed: trialCase.needed });
  }
  return cells;
}

async function recordedModel(tapePath: string, ownModel: string | undefined): Promise<string | undefined> {
  const tape = await loadTapeIfWhole(tapePath);
  if (tape === undefined) return undefined;
  const calls = tape.interactions.filter(({ kind }) => kind === 'llm');
  return calls.find(({ request }) => request?.model !== undefined)?.request?.model ?? ownModel;
}

/** Undefined if there is no tape that can be read as a whole. */
export async function loadTapeIfWhole(path: string) {
  try {
    return (await loadTape(path)).tape;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
