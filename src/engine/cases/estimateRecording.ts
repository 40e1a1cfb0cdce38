import type { RecordingCostsApi, RecordingEstimate } from '../../contracts/engine/recordingCosts';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { ListedCase } from '../../core/cases/caseKind';
import type { RetakeCost } from '../../core/model/run';
import { type CalledProvider, type RetakeOptions, rateText, retakeCost } from '../../core/prices/retakeCost';
import type { ProjectConfig } from '../../core/project/projectConfig';
import { readTape } from '../../core/tapes/readTape';
import { decodeTapeFile } from '../../core/tapes/tapeFile';
import { unlessUnreadable } from '../errors/systemError';
import { readBytesIfThere } from '../files/readFile';
import { KeyRing } from '../network/keyRing';
import { validConfig } from '../project/projectConfig';
import { recordedTape } from './recordedTape';

export const recordingCostsApi: RecordingCostsApi = {
  recordingCosts: async ({ root, casePaths, from }) => {
    const estimates = await Promise.all(casePaths.map((path) => estimateRecording(root, path, { from })));
    return estimates.filter((estimate) => estimate !== undefined);
  },
  tapeCost: async ({ root, tapePath }) => (await estimateTape(root, tapePath)) ?? null,
};

interface EstimateOptions {
  /** The first interaction that is recorded, from 0; earlier ones are kept. */
  readonly from?: number | undefined;
  /** Called in place of the provider of the case and the project, as in a trial. */
  readonly provider?: CalledProvider | undefined;
}

/** Estimates what a recording of a case costs, from the tape that it replaces. Undefined for a case that records none. */
export async function estimateRecording(
  root: string,
  casePath: string,
  { from, provider: other }: EstimateOptions = {},
): Promise<RecordingEstimate | undefined> {
  const found = await recordedTape(casePath);
  if (found === undefined) return undefined;
  const config = await validConfig(root);
  const provider = called(root, other ?? calledBy(found.listed, config));
  const cost = await costOfTape(found.tape, { from, provider, prices: config.prices });
  const rate = cost === undefined && provider ? rateText(provider, config.prices) : undefined;
  return { casePath, cost, rate };
}

/** Estimates what it costs to record a tape again, of an agent that chooses its models itself. */
export async function estimateTape(root: string, tapePath: string): Promise<RetakeCost | undefined> {
  return costOfTape(tapePath, { prices: (await validConfig(root)).prices });
}

async function costOfTape(path: string, options: RetakeOptions): Promise<RetakeCost | undefined> {
  const bytes = await unlessUnreadable(readBytesIfThere(path, FILE_LIMITS.tape));
  const tape = bytes && readTape(decodeTapeFile(path, bytes));
  return tape && retakeCost(tape.interactions, options);
}

/** The user's own agent chooses its models itself. */
function calledBy(listed: ListedCase, config: ProjectConfig): CalledProvider | undefined {
  if (listed.ownAgent !== undefined || listed.asks !== undefined) return undefined;
  return listed.provider ?? config.provider;
}

function called(root: string, provider: CalledProvider | undefined): CalledProvider | undefined {
  if (provider?.kind !== 'ollama' || provider.model !== undefined) return provider;
  const model = KeyRing.of(root, (name) => process.env[name]).setting('OLLAMA_MODEL');
  return { kind: provider.kind, ...(model && { model }) };
}
