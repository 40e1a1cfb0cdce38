import { join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { omitUndefined } from '../../core/json/fields';
import type { Artifact } from '../../core/model/artifact';
import type { Interaction } from '../../core/model/interaction';
import type { TrialSample, TrialTokens } from '../../core/model/trial';
import { addUsage, type Usage } from '../../core/model/usage';
import { costOfCall } from '../../core/prices/cost';
import type { PriceTable } from '../../core/prices/priceTable';
import { compareRuns } from '../../core/review/compare/compareRuns';
import { compareTapes } from '../../core/review/compare/compareTapes';
import type { Normaliser } from '../../core/review/compare/normaliser';
import {
  readStoredSample,
  type SampleCall,
  type StoredComparison,
  type StoredSample,
} from '../../core/trials/storedSample';
import { UserError } from '../errors/userError';
import { pathExists } from '../files/fileStatus';
import { fromRoot } from '../files/projectPaths';
import { digestIfThere } from '../files/readFile';
import { OwnState } from '../project/ownState';
import { loadTape } from '../recording/readTape';
import { readStoredArtifact } from '../review/baseline';
import { ReviewRules } from '../review/reviewRules';
import { sha256 } from '../review/stamp';
import type { OpenedTrialCase, TrialPlace } from './trialCases';

/** The files of a sample, in its folder. */
export const RESULT = 'result.json';
export const ARTIFACT = 'artifact.json';

/** The sample in a folder; undefined if it has yet to be recorded. */
export async function readKept(root: string, { folder }: TrialPlace): Promise<StoredSample | undefined> {
  const text = await new OwnState(root).readText(fromRoot(root, join(folder, RESULT)), FILE_LIMITS.config);
  return text === undefined ? undefined : readStoredSample(text);
}

/** The reference for the samples of a case: its baseline, or else its tape, compared by the rules of the case. */
export interface Reference {
  readonly kind: 'baseline' | 'tape';
  /** Absolute. */
  readonly path: string;
  /** Of the content, and of the rules. */
  readonly digest: string;
  readonly normaliser: Normaliser;
}

/** Undefined for a case without either. */
export async function referenceOf(
  root: string,
  { baselinePath, recording, address }: OpenedTrialCase,
): Promise<Reference | undefined> {
  const hasBaseline = pathExists(baselinePath);
  const path = hasBaseline ? baselinePath : recording?.tapePath;
  const content = path && (await digestIfThere(path, FILE_LIMITS.tape));
  if (path === undefined || content === undefined) return undefined;
  const normaliser = await (await ReviewRules.of(root)).ofCase(fromRoot(root, address));
  const digest = sha256([content, JSON.stringify(normaliser.rules)].join('\0'));
  return { kind: hasBaseline ? 'baseline' : 'tape', path, digest, normaliser };
}

/** The comparison of a sample; undefined if the sample has nothing to compare, or the reference cannot be read. */
export async function compareSample(
  reference: Reference | undefined,
  { folder, tape, verdict }: Pick<StoredSample, 'tape' | 'verdict'> & { readonly folder: string },
): Promise<StoredComparison | undefined> {
  if (reference === undefined || verdict === 'error') return undefined;
  const changes = await (reference.kind === 'baseline'
    ? changesOfRun(reference, join(folder, ARTIFACT))
    : changesOfTape(reference, tape && join(folder, tape)));
  return changes === undefined ? undefined : { of: reference.digest, changes };
}

async function changesOfRun({ path, normaliser }: Reference, artifactPath: string): Promise<number | undefined> {
  const [before, after] = [await artifactAt(path), await artifactAt(artifactPath)];
  return before && after && compareRuns(before, after, normaliser).changes.length;
}

async function artifactAt(path: string): Promise<Artifact | undefined> {
  const stored = await readStoredArtifact(path, path);
  return stored.type === 'artifact' ? stored.artifact : undefined;
}

async function changesOfTape(
  { path, normaliser }: Reference,
  tapePath: string | undefined,
): Promise<number | undefined> {
  if (tapePath === undefined) return undefined;
  try {
    const [before, after] = [await loadTape(path), await loadTape(tapePath)];
    return compareTapes(before.tape, after.tape, normaliser).changes.length;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** The calls of models on a tape. */
export function callsOn(interactions: readonly Interaction[]): readonly SampleCall[] {
  const calls = interactions.filter(({ kind }) => kind === 'llm' || kind === 'embedding');
  return calls.map(({ request, response, http }) =>
    omitUndefined({
      model: response?.model ?? request?.model,
      usage: response?.usage,
      reportedCost: response?.reportedCost,
      url: http?.url,
    }),
  );
}

/** A kept sample for reports and the editor, compared with the current case. */
export async function sampleOf(
  root: string,
  { folder, sample, model, recording }: TrialPlace,
  kept: StoredSample,
  reference: Reference | undefined,
  prices: PriceTable | undefined,
): Promise<TrialSample> {
  const { verdict, failure, said, failureKind, durationMs, tape, calls } = kept;
  const compared =
    kept.compared?.of === reference?.digest ? kept.compared : await compareSample(reference, { ...kept, folder });
  const tapePath = tape && fromRoot(root, join(folder, tape));
  const artifactPath = fromRoot(root, join(folder, ARTIFACT));
  const after = reference?.kind === 'tape' ? tapePath : artifactPath;
  const isFree = recording.inputs.provider?.kind === 'practice' && calls.length > 0;
  const dollars = isFree ? 0 : costOfCalls(calls, model, prices);
  const tokens = tokensOf(calls.flatMap(({ usage }) => usage ?? []));
  return {
    sample,
    verdict,
    failure,
    ...(said && { said }),
    ...(failureKind && { failureKind }),
    ...(compared && { changes: compared.changes }),
    ...(compared &&
      reference &&
      after !== undefined && { compared: { before: fromRoot(root, reference.path), after } }),
    tokens,
    dollars,
    durationMs,
    tapePath,
    artifactPath,
  };
}

function tokensOf(usages: readonly Usage[]): TrialTokens | undefined {
  if (usages.length === 0) return undefined;
  const { promptTokens: prompt, completionTokens: completion, cachedTokens: cached = 0 } = usages.reduce(addUsage);
  return { prompt, completion, ...(cached > 0 && { cached }) };
}

/** The cost of all calls together; undefined if that of one is unknown. */
function costOfCalls(calls: readonly SampleCall[], asked: string, prices: PriceTable | undefined): number | undefined {
  const costs = calls.map(({ url, ...response }) =>
    costOfCall({ response: omitUndefined(response), http: url === undefined ? undefined : { url } }, prices, asked),
  );
  const known = costs.filter((cost) => cost !== undefined);
  return known.length === costs.length && known.length > 0 ? known.reduce((sum, cost) => sum + cost, 0) : undefined;
}
