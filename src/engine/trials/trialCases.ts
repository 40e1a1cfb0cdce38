import { dirname, join, resolve } from 'node:path';
import { type CaseKind, type ListedCase, recordedByTests } from '../../core/cases/caseKind';
import { caseKindOf } from '../../core/cases/registry';
import { readCase } from '../../core/cases/toml/readCase';
import type { Case } from '../../core/model/case';
import type { Failure } from '../../core/model/run';
import type { TrialCase } from '../../core/model/trial';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { trialCellFolder } from '../../core/project/layout';
import type { ProjectConfig } from '../../core/project/projectConfig';
import { message, t } from '../../core/text/l10n';
import { noticeBeside } from '../../core/text/notice';
import { type RecordingInputs, recordedContent, recordingKey } from '../../core/trials/recordingKey';
import { failuresOf } from '../cases/judgeExecution';
import { openCase } from '../cases/openCase';
import { readRunInputs } from '../cases/runRecord';
import { failuresText } from '../errors/failures';
import type { PlannedRun } from '../execution/runnableCase';
import { pathOfUser } from '../files/pathOfUser';
import { fromRoot, withSlashes } from '../files/projectPaths';
import { caseFiles } from '../project/caseFiles';

/** A case of a trial. */
export interface OpenedTrialCase extends TrialCase {
  /** Absolute. */
  readonly address: string;
  /** Absolute. */
  readonly baselinePath: string;
  /** The part of the samples that has to pass. */
  readonly needed: number;
  /** How many of them a replay of the case takes from its tape. */
  readonly samples: number;
  /** What is recorded; absent if the case cannot be. */
  readonly recording?: TrialRecording;
}

export interface TrialRecording {
  readonly plan: PlannedRun;
  /** The file of the case. */
  readonly text: string;
  /** Absolute. */
  readonly tapePath: string;
  /** The model that the case is recorded with. */
  readonly ownModel: string | undefined;
  readonly inputs: RecordingInputs;
  /** The number of runs on the tape: a sample of a trial is one. */
  readonly sampled: number;
}

/** Opens a case for a trial. One that cannot be recorded has a `refusal`. */
export async function openTrialCase(root: string, casePath: string, config: ProjectConfig): Promise<OpenedTrialCase> {
  const address = resolve(root, casePath);
  const { name: path, baseline } = caseFiles(root, address);
  const unknown = { casePath: path, name: path, address, baselinePath: baseline, needed: 1, samples: 1 };
  const opened = await orFailures(openCase(address, path));
  if (Array.isArray(opened)) return { ...unknown, ...refusedFor(() => failuresText(opened)), isInvalid: true };
  const { name, file } = opened;
  const written = tomlCase(file.text, address);
  const { passRate: needed = 1, samples = 1 } = written?.sampling ?? {};
  const known = { ...unknown, needed, samples };
  const { kind, listed } = listCase(file.text, address);
  const refusal = refusedFor(() => refusalOf(kind, listCase(file.text, address).listed) ?? '');
  if (refusal !== undefined) return { ...known, name, ...refusal };
  const plan = await orFailures(opened.plan('record', root));
  if (Array.isArray(plan)) return { ...known, name, ...refusedFor(() => failuresText(plan)) };
  if (plan.mode !== 'record' || listed?.recordedTape === undefined)
    return { ...known, name, ...refusedFor(() => t(SCRIPTED)) };
  const tapePath = pathOfUser(dirname(parseCaseAddress(address).path), listed.recordedTape);
  const content = written === undefined ? [file.text, parseCaseAddress(address).id ?? null] : recordedContent(written);
  const inputs = { content, ...(await inputsOf(root, address, listed, config)) };
  const recording = { plan, text: file.text, tapePath, ownModel: inputs.provider?.model, inputs, sampled: samples };
  return { ...known, name, tapePath: fromRoot(root, tapePath), recording };
}

/** What is opened, or why it cannot be. */
async function orFailures<T extends object>(opening: Promise<T>): Promise<T | Failure[]> {
  try {
    return await opening;
  } catch (error) {
    return [...failuresOf(error)];
  }
}

function refusedFor(words: () => string): Pick<TrialCase, 'refusal' | 'said'> | undefined {
  const refusal = words();
  if (refusal === '') return undefined;
  const said = noticeBeside(words);
  return { refusal, ...(said && { said }) };
}

const SCRIPTED = message('its responses are in the case, so no model is called');

function listCase(text: string, address: string): { readonly kind?: CaseKind; readonly listed?: ListedCase } {
  const { path, id } = parseCaseAddress(address);
  const kind = caseKindOf(text, withSlashes(path));
  const listed = kind?.list(text, withSlashes(path)).cases.find((one) => one.id === id);
  return { kind, listed };
}

/** The kinds of cases that Tapedeck records with a model of its choice. */
const KINDS: readonly string[] = ['toml', 'mofa-agent-scenario', 'mofa-golden'];

function refusalOf(kind: CaseKind | undefined, listed: ListedCase | undefined): string | undefined {
  if (kind === undefined || KINDS.includes(kind.id)) return listed?.lacks;
  if (recordedByTests(kind) !== undefined) return t('it is recorded by the test that uses it');
  return t('Tapedeck does not record a {0} with another model', kind.label);
}

/** The case in a TOML file. */
function tomlCase(text: string, address: string): Case | undefined {
  return /\.toml$/i.test(parseCaseAddress(address).path) ? readCase(text).value : undefined;
}

/** What a recording depends on besides the case itself. */
async function inputsOf(root: string, address: string, { provider, ownAgent }: ListedCase, config: ProjectConfig) {
  const own = fromRoot(root, parseCaseAddress(address).path);
  const { files } = await readRunInputs(root, address);
  const read = files.filter(({ role, path }) => role === 'agent' || (role === 'case' && path !== own));
  return {
    provider: provider ?? config.provider,
    files: read.map(({ path, content }) => ({ path, sha256: content?.sha256 ?? '' })),
    upstreams: ownAgent === undefined ? null : { ...config.proxy.upstreams },
  };
}

/** One recording of a trial, existing or not. */
export interface TrialPlace {
  readonly trialCase: OpenedTrialCase;
  readonly recording: TrialRecording;
  readonly model: string;
  /** From 1. */
  readonly sample: number;
  /** Absolute; of this sample alone. */
  readonly folder: string;
}

/** The places of the samples of a case with a model; none if it cannot be recorded. */
export function placesOf(
  root: string,
  trialCase: OpenedTrialCase,
  model: string,
  samples: number,
): readonly TrialPlace[] {
  const { recording, casePath } = trialCase;
  if (recording === undefined) return [];
  const cell = join(root, trialCellFolder(casePath, model, recordingKey(recording.inputs, model)));
  return Array.from({ length: samples }, (_, index) => {
    const sample = index + 1;
    return { trialCase, recording, model, sample, folder: join(cell, `sample-${sample}`) };
  });
}
