import { join } from 'node:path';
import type { AdoptedCase, AdoptedTrial, AdoptTrialParams } from '../../contracts/engine/trials';
import { readCase } from '../../core/cases/toml/readCase';
import type { Case } from '../../core/model/case';
import type { TrialSample } from '../../core/model/trial';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { t } from '../../core/text/l10n';
import { says } from '../../core/text/notice';
import { applySplices } from '../../core/text/splice';
import { setTomlKey, tomlString } from '../../core/toml/editToml';
import { chooseSamples } from '../../core/trials/chooseSample';
import { MODEL_VARIABLE } from '../../core/trials/recordingKey';
import { failuresOf } from '../cases/judgeExecution';
import { runCase } from '../cases/runCase';
import { failuresText, failureText } from '../errors/failures';
import { UserError } from '../errors/userError';
import { startedByUser } from '../execution/runnableCase';
import { pathExists } from '../files/fileStatus';
import { fromRoot } from '../files/projectPaths';
import { inTheirLanguage } from '../language';
import type { NetworkPolicy } from '../network/policy';
import { adoptRecording } from '../recording/adoptRecording';
import { claimTape } from '../recording/claimTape';
import { createRecorders } from '../recording/openRecorder';
import { lastTrial, openTrial, readTrial } from './openTrial';
import type { OpenedTrialCase, TrialRecording } from './trialCases';

/**
 * Makes recordings of a model the tapes of cases, writes the model into the cases that name one, and replays them, so that
 * reviews have the new tapes and runs. A case that does not replay from its new tape is left unchanged.
 */
export async function adoptTrial({ root, model, casePaths }: AdoptTrialParams, call: AdoptCall): Promise<AdoptedTrial> {
  const last = await lastTrial(root);
  const opened = await openTrial(root, { casePaths, models: [model], samples: last?.samples ?? 1 });
  const { cells } = await readTrial(opened);
  const adopted: AdoptedCase[] = [];
  const refused: { casePath: string; reason: string }[] = [];
  for (const trialCase of opened.cases) {
    const { casePath, refusal, said = refusal } = trialCase;
    const samples = cells.find((cell) => cell.casePath === casePath)?.samples ?? [];
    try {
      const chosen = chooseSamples(samples, trialCase.samples, trialCase.needed);
      if (trialCase.recording === undefined)
        throw new UserError(() => (said === undefined ? t('it cannot be recorded') : says(said)));
      if (chosen === undefined) throw new UserError(() => nothingToAdopt(samples, trialCase, model));
      adopted.push(await adoptSample({ ...call, root, model, trialCase, recording: trialCase.recording, chosen }));
    } catch (error) {
      refused.push({ casePath, reason: inTheirLanguage(() => failuresText(failuresOf(error))) });
    }
  }
  return { adopted, refused };
}

function nothingToAdopt(samples: readonly TrialSample[], { samples: count }: OpenedTrialCase, model: string): string {
  if (samples.length === 0) return t('there is no recording of it with {0}', model);
  const passed = samples.filter(({ verdict }) => verdict === 'passed').length;
  if (count === 1) return t('none of its {0} recordings with {1} passed', samples.length, model);
  return t(
    '{0} of its {1} recordings with {2} passed, which is not enough for a case of {3} samples',
    passed,
    samples.length,
    model,
    count,
  );
}

interface AdoptCall {
  readonly signal: AbortSignal;
  /** For replays. */
  readonly network: NetworkPolicy;
}

interface Adoption extends AdoptCall {
  readonly root: string;
  readonly model: string;
  readonly trialCase: OpenedTrialCase;
  readonly recording: TrialRecording;
  readonly chosen: readonly TrialSample[];
}

async function adoptSample(adoption: Adoption): Promise<AdoptedCase> {
  const { root, trialCase, recording, chosen, model } = adoption;
  const { tapePath } = recording;
  const after = textWithModel(recording.text, model);
  const { path } = parseCaseAddress(trialCase.address);
  const caseFile = after === undefined ? undefined : { path, before: recording.text, after };
  const from = chosen.flatMap((sample) => (sample.tapePath === undefined ? [] : [join(root, sample.tapePath)]));
  const recorder = await createRecorders(process.env)(root);
  const release = await claimTape({ root, tapePath }, () => undefined);
  try {
    const putBack = await adoptRecording({ root, tapePath, from, caseFile, recorder, caseName: trialCase.name });
    const problem = await replayProblem(adoption);
    if (problem !== undefined) {
      await putBack();
      // The last run of the case is one of its own tape again.
      if (pathExists(tapePath)) await replayProblem(adoption);
      throw problem;
    }
  } finally {
    await release();
  }
  const { casePath } = trialCase;
  const adopted = { casePath, tapePath: fromRoot(root, tapePath), samples: chosen.map(({ sample }) => sample) };
  return { ...adopted, ...(caseFile && { wroteModel: true }) };
}

/** Replays the case, so that reviews show this run. Returns why it does not replay from the new tape; undefined if it does. */
async function replayProblem({ root, signal, network, trialCase, model }: Adoption): Promise<UserError | undefined> {
  const recorders = createRecorders(process.env);
  const { failures } = await runCase(trialCase.address, {
    root,
    signal,
    recorders,
    network,
    mode: 'replay',
    permitStart: startedByUser,
  });
  const problem = failures.find(({ kind }) => kind !== 'assertion' && kind !== 'difference');
  if (problem === undefined) return undefined;
  const fix = () =>
    trialCase.recording?.plan.starts === undefined
      ? t('Re-record it with this model instead.')
      : t('Have its agent read the model from TAPEDECK_MODEL, or change its own to {0} and re-record.', model);
  return new UserError(
    () => t('it does not replay from the recording, so its tape was restored: {0}', failureText(problem, 'message')),
    fix,
  );
}

/** The key of a case that names its model. */
interface ModelPlace {
  readonly table: readonly string[];
  readonly key: string;
  modelOf(testCase: Case): string | undefined;
}

const OF_PROVIDER: ModelPlace = {
  table: ['llm', 'provider'],
  key: 'model',
  modelOf: ({ llm }) => llm.provider?.model,
};

const OF_OWN_AGENT: ModelPlace = {
  table: ['agent', 'env'],
  key: MODEL_VARIABLE,
  modelOf: ({ agent: { external } }) =>
    external?.kind === 'program' ? external.environment[MODEL_VARIABLE] : undefined,
};

/**
 * The text of a case with this model: that of its provider, or TAPEDECK_MODEL for the user's own program. Undefined if it already has
 * this model, or does not choose one. Throws a `UserError` if the text cannot be changed.
 */
function textWithModel(text: string, model: string): string | undefined {
  const testCase = readCase(text).value;
  if (testCase === undefined) return undefined;
  const place = placeIn(testCase);
  if (place === undefined || place.modelOf(testCase) === model) return undefined;
  const { table, key, modelOf } = place;
  const changed = applySplices(text, [setTomlKey(text, table, key, tomlString(model))]);
  const read = readCase(changed).value;
  if (read !== undefined && modelOf(read) === model) return changed;
  throw new UserError(
    () => t('the model’s name cannot be changed in the case'),
    () => t('Set {0} to {1}, and adopt again.', [...table, key].join('.'), model),
  );
}

/** Undefined for a provider of `tapedeck.toml`, the practice model, a service, and cases that are not TOML. */
function placeIn({ agent, llm }: Case): ModelPlace | undefined {
  if (agent.external !== undefined) return agent.external.kind === 'program' ? OF_OWN_AGENT : undefined;
  return llm.provider === undefined || llm.provider.kind === 'practice' ? undefined : OF_PROVIDER;
}
