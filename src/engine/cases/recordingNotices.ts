import type { RecordingEstimate } from '../../contracts/engine/recordingCosts';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { ListedCase } from '../../core/cases/caseKind';
import { describeReplacedTape, replacedTape } from '../../core/cases/replacedTape';
import { describeSharing, type TapeUser } from '../../core/cases/sharedTapes';
import type { RetakeCost } from '../../core/model/run';
import { formatDatedCost, formatRetakeCost } from '../../core/prices/formatRetakeCost';
import { sumCosts } from '../../core/prices/retakeCostSums';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { decodeTapeFile } from '../../core/tapes/tapeFile';
import { plural } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import { unlessUnreadable } from '../errors/systemError';
import { fileStatus } from '../files/fileStatus';
import { fromRoot } from '../files/projectPaths';
import { readBytes } from '../files/readFile';
import { sharedTapesIn } from '../project/caseTapes';
import { estimateRecording } from './estimateRecording';
import { recordedTape } from './recordedTape';
import type { RunCaseOptions } from './runCase';

/** Says what recordings of cases replace. Each project is searched for other users of its tapes once. */
export class RecordingNotices {
  readonly #shared = new Map<string, Promise<ReadonlyMap<string, readonly TapeUser[]>>>();
  readonly #estimates: RecordingEstimate[] = [];
  #isLess = false;

  /** @param from The `--from` of the recording, which replaces the end of the tape whatever the case says about misses. */
  constructor(
    private readonly from: RunCaseOptions['from'],
    private readonly cases: number,
  ) {}

  /**
   * What a recording of a case replaces or changes, and the other cases that use it; empty for a new tape, for one that stays as
   * it is, and for a case that cannot be read, which its run reports.
   */
  async of(root: string, casePath: string): Promise<readonly string[]> {
    const found = await recordedTape(casePath);
    const kept = this.from === undefined ? found?.listed.onMiss : undefined;
    if (found === undefined || kept === 'passthrough') return [];
    const { tape } = found;
    const replaced = await describeFile(tape);
    const estimate = await this.#estimate(root, casePath, kept);
    if (replaced === undefined) return estimate?.rate === undefined ? [] : [t('a first recording: {0}', estimate.rate)];
    const users = (await this.#sharedIn(root)).get(tape) ?? [];
    const { path } = parseCaseAddress(casePath);
    const self = users.find(({ file }) => file === path);
    const price = estimate?.cost === undefined ? '' : `; ${this.#most(kept)}${this.#costText(estimate.cost)}`;
    const notice =
      kept === 'record'
        ? t('adds to {0}: {1}{2}', fromRoot(root, tape), replaced, price)
        : t('replaces {0}: {1}{2}', fromRoot(root, tape), replaced, price);
    return self === undefined ? [notice] : [notice, t('warning: {0}', describeSharing(tape, self, users).message)];
  }

  /** What several recordings cost together, estimated from their tapes; undefined if there is none. */
  get total(): string | undefined {
    const costs = this.#estimates.flatMap(({ cost }) => cost ?? []);
    if (this.cases === 1 || costs.every(({ calls }) => calls === 0)) return undefined;
    const unknown = this.#estimates.filter(({ cost }) => cost === undefined).length;
    const rest = unknown === 0 ? '' : t(', and {0}, whose cost is unknown', plural(unknown, 'first recording'));
    return `${this.#most()}${formatDatedCost(sumCosts(costs))}${rest}`;
  }

  /** The date of the prices is printed once. */
  #costText(cost: RetakeCost): string {
    return this.cases === 1 ? formatDatedCost(cost) : formatRetakeCost(cost);
  }

  async #estimate(root: string, casePath: string, kept: ListedCase['onMiss']): Promise<RecordingEstimate | undefined> {
    const from = typeof this.from === 'number' ? { from: this.from } : {};
    const estimate = await estimateRecording(root, casePath, from);
    if (estimate !== undefined) this.#estimates.push(estimate);
    this.#isLess ||= kept === 'record';
    return estimate;
  }

  /** A recording from a drift on, or of what is missing, makes fewer calls than the tape has. */
  #most(kept?: ListedCase['onMiss']): string {
    const isLess = this.from === 'drift' || (kept === undefined ? this.#isLess : kept === 'record');
    return isLess ? t('at most ') : '';
  }

  #sharedIn(root: string): Promise<ReadonlyMap<string, readonly TapeUser[]>> {
    const known = this.#shared.get(root) ?? sharedTapesIn(root);
    this.#shared.set(root, known);
    return known;
  }
}

async function describeFile(path: string): Promise<string | undefined> {
  const bytes = await unlessUnreadable(readBytes(path, FILE_LIMITS.tape));
  if (bytes === undefined) return undefined;
  const replaced = replacedTape(decodeTapeFile(path, bytes));
  const changedAt = (await unlessUnreadable(fileStatus(path)))?.modifiedMs;
  return replaced === undefined ? t('not a tape') : describeReplacedTape(replaced, changedAt, Date.now());
}
