import { posix } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { CaseListing } from '../../core/cases/caseKind';
import { caseKindOf } from '../../core/cases/registry';
import { changesText } from '../../core/export/changesText';
import { interactionJson } from '../../core/export/interactionJson';
import { prettyJson } from '../../core/json/json';
import { copyWrittenNumbers } from '../../core/json/writtenNumbers';
import type { RunResult } from '../../core/model/run';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { shellWord } from '../../core/text/shellWord';
import { findCases } from '../cases/findCases';
import { runCase } from '../cases/runCase';
import { UserError } from '../errors/userError';
import type { CaseStart } from '../execution/runnableCase';
import { unconfined } from '../files/confinement';
import { fromRoot, resolveInProject, withSlashes } from '../files/projectPaths';
import { readText } from '../files/readFile';
import { confirmedTargets } from '../network/confirmations';
import { KeyRing } from '../network/keyRing';
import { NetworkPolicy } from '../network/policy';
import { projectConfig } from '../project/projectConfig';
import { hideChanges } from '../recording/hideChanges';
import { readRecordedFile } from '../recording/recordedFile';
import type { Recorder } from '../recording/recorder';
import { caseText } from '../reporters/caseText';
import { notRunError, openRunReview } from '../review/runReview';
import { createPaint } from '../terminal/paint';
import { requireAllowed } from './agentCases';

/** How many cases are listed at once: more would not fit into the context of a model. */
const PAGE = 200;

/** The cases of a project as JSON: `[{case, name, kind, tape, lastRun, changes}]`, and `{more, from}` at the end of a page. */
export async function listCases(root: string, recorder: Recorder, from = 0): Promise<string> {
  const { casePaths } = await findCases([root], () => root);
  const end = from + PAGE;
  const cases = await Promise.all(casePaths.slice(from, end).map((path) => describeCase(root, path)));
  const rest = casePaths.length > end ? [{ more: casePaths.length - end, from: end }] : [];
  return prettyJson(recorder.value([...cases, ...rest]));
}

async function describeCase(root: string, casePath: string): Promise<unknown> {
  const address = fromRoot(root, casePath);
  const { path, id } = parseCaseAddress(casePath);
  const text = await readText(path, FILE_LIMITS.case);
  const kind = caseKindOf(text, withSlashes(path));
  const { cases, problems }: CaseListing = kind?.list(text, withSlashes(path)) ?? { cases: [], problems: [] };
  const listed = cases.find((one) => one.id === id);
  if (listed === undefined) return { case: address, problem: problems[0]?.message };
  const [tape] = listed.tapes;
  const review = await openRunReview(root, casePath);
  return {
    case: address,
    name: listed.name,
    kind: kind?.label,
    tape: tape === undefined ? null : posix.join(posix.dirname(address), tape),
    lastRun: review?.artifact.status ?? null,
    changes: review?.baseline === undefined ? null : review.changes.map(({ title }) => title),
  };
}

/** Replays a case; returns the report that `tapedeck run` prints. */
export async function replayCase(
  root: string,
  named: string,
  recorder: Recorder,
  signal: AbortSignal,
): Promise<string> {
  return resultText(root, await replayInProject(root, named, recorder, signal));
}

/** Replays a case; returns the requests that no longer match their recordings, or that all did. */
export async function explainCaseDrift(
  root: string,
  named: string,
  recorder: Recorder,
  signal: AbortSignal,
): Promise<string> {
  const result = await replayInProject(root, named, recorder, signal);
  const misses = result.failures.filter(({ kind }) => kind === 'replay');
  if (misses.length > 0) return resultText(root, { ...result, failures: misses });
  const passed = (result.interactions ?? []).filter(({ verdict }) => verdict === 'differs');
  if (passed.length > 0) {
    const explained = passed.map(({ number = 0, explanation = '' }) => `request ${number + 1}: ${explanation}`);
    return `${named}: drifts passed, because of on_drift = "warn".\n${explained.join('\n')}`;
  }
  return `${named}: every request had a recording (${result.compared}).\n${resultText(root, result)}`;
}

async function replayInProject(
  root: string,
  named: string,
  recorder: Recorder,
  signal: AbortSignal,
): Promise<RunResult> {
  const recorders = async (): Promise<Recorder> => recorder;
  let refusal: unknown;
  const permitStart = async (start: CaseStart): Promise<void> => {
    try {
      await requireAllowed(root, start);
    } catch (error) {
      refusal = error;
      throw error;
    }
  };
  const casePath = await resolveInProject(root, named);
  const network = await ownAgentsOnly(root);
  const result = await runCase(casePath, { root, recorders, mode: 'replay', signal, network, permitStart });
  if (refusal !== undefined) throw refusal;
  return result;
}

/** Without keys. Only an agent that the user has allowed can be called, and only where its host may be. */
async function ownAgentsOnly(root: string): Promise<NetworkPolicy> {
  const targets = await unconfined(() => confirmedTargets(root));
  return NetworkPolicy.for(
    'replay',
    KeyRing.confirmed(() => undefined, targets),
  );
}

function resultText(root: string, result: RunResult): string {
  return caseText(result, { cwd: root, paint: createPaint(false), columns: undefined });
}

/** An interaction as `tapedeck inspect --json` prints it. */
export async function readInteraction(root: string, named: string, index: number, recorder: Recorder): Promise<string> {
  const recorded = await readRecordedFile(await resolveInProject(root, named), root);
  if (recorded.kind !== 'tape') throw new UserError(`${named} is an artifact, not a tape`);
  const { interactions } = recorded.tape;
  const interaction = interactions[index];
  if (interaction === undefined) {
    throw new UserError(
      `${named} has ${interactions.length} interactions, counted from 0: there is no interaction ${index}`,
    );
  }
  return prettyJson(
    recorder.value(withoutLongTexts(interactionJson(interaction, (await projectConfig(root)).prices), recorder)),
  );
}

/** In UTF-16 units: more than a model gets of a whole interaction. */
const LONGEST_TEXT = 60_000;

/** The value with only the beginnings of its long texts; the same object where it has none. */
function withoutLongTexts(value: unknown, recorder: Recorder): unknown {
  if (typeof value === 'string')
    return value.length <= LONGEST_TEXT ? value : `${recorder.beginning(value, LONGEST_TEXT)}…`;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(
    ([key, member]) => [key, member, withoutLongTexts(member, recorder)] as const,
  );
  if (members.every(([, before, after]) => before === after)) return value;
  const copy = Array.isArray(value)
    ? members.map(([, , after]) => after)
    : Object.fromEntries(members.map(([key, , after]) => [key, after]));
  copyWrittenNumbers(value, copy);
  return copy;
}

/** The changes that accepting the last run of a case would make to its baseline. Changes nothing. */
export async function proposeAcceptance(
  root: string,
  named: string,
  reason: string,
  recorder: Recorder,
): Promise<string> {
  const casePath = await resolveInProject(root, named);
  const review = await openRunReview(root, casePath);
  if (review === undefined) throw notRunError(named);
  if (review.error !== undefined) return `${named}: ${recorder.text(review.error)}`;
  if (review.changes.length === 0) return `${named}: the last run matches its baseline; there is nothing to accept.`;
  const path = fromRoot(root, casePath);
  return [
    `Proposed: accept the last run of ${path} as its baseline.`,
    `Reason given: ${reason}`,
    '',
    changesText(hideChanges(review, recorder), createPaint(false)),
    `Nothing has been accepted. A person decides, in the review of ${path} or with: tapedeck accept ${shellWord(path)}`,
  ].join('\n');
}
