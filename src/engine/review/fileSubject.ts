import { join } from 'node:path';
import type { ReviewSubject } from '../../contracts/engine/review';
import type { Change } from '../../core/model/change';
import type { Decision } from '../../core/review/decisions';
import { mergeFile } from '../../core/review/recordedFile';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { requireInProject } from '../files/projectPaths';
import { removeInProject } from '../files/writeFile';
import { Repository } from '../git/repository';
import { copiedContent } from '../recording/recordedContent';
import { keepTake } from '../recording/takes';
import { writeRecorded } from '../recording/writeRecorded';
import { changedReview, sidesOf } from './changedReviews';
import { decisionFileOf } from './decisionFile';
import { takeId } from './replacedTakes';
import { ReviewRules } from './reviewRules';
import { changedSinceReview, type ReviewSides, type SeenFile, seenOf } from './stamp';
import type { DecidableSubject, Effect, SubjectReview } from './subject';

/**
 * A tape or baseline that differs from the last commit, or from the take it replaced. It already contains accepted
 * changes; rejected ones are taken out of it and of git's index. Where none is left, it is byte for byte the earlier file,
 * or removed with it. The rejected content is kept with the takes.
 */
export class FileSubject implements DecidableSubject {
  readonly decisionFile: string;
  readonly reviewedFile: string;

  constructor(
    readonly root: string,
    readonly subject: ReviewSubject,
  ) {
    this.decisionFile = decisionFileOf(root, subject);
    this.reviewedFile = join(root, subject.path);
  }

  async open(): Promise<SubjectReview | undefined> {
    return changedReview(this.root, this.subject.path);
  }

  missing(): UserError {
    return changedSinceReview(this.subject.path);
  }

  seen({ sides }: SubjectReview): readonly SeenFile[] {
    return [{ path: this.reviewedFile, content: sides.after }];
  }

  async prepare(review: SubjectReview, verdict: Decision, ids: readonly string[]): Promise<Effect> {
    if (verdict === 'accepted') return { decided: ids };
    const place = await this.#placeInGit();
    if (place !== undefined) await place.repository.requireStageable(place.path);
    const sides = await this.#bytesOf(review);
    const { after } = sides;
    const bytes = await this.#without(sides, review.changes, ids);
    // Without a repository, the tape must not be compared with the rejected take again.
    const take = place === undefined && after ? [takeId(after)] : [];
    const write = async (): Promise<void> => {
      await this.#replace(bytes);
      if (place !== undefined)
        await place.repository.unstage({ path: place.path, ...(after && { read: async () => after }) });
    };
    return { decided: [...ids, ...take], write };
  }

  async #placeInGit() {
    const repository = await Repository.of(this.root);
    if (repository === undefined) return undefined;
    return { repository, path: await repository.pathOf(this.root, this.subject.path) };
  }

  async #bytesOf({ sides }: SubjectReview): Promise<ReviewSides> {
    const { path } = this.subject;
    const bytes = (await sidesOf(this.root, path)) ?? {};
    const { before, after } = seenOf(bytes);
    if (before?.digest === sides.before?.digest && after?.digest === sides.after?.digest) return bytes;
    throw changedSinceReview(path);
  }

  /** The file without these changes; undefined if it is to be removed. */
  async #without(
    { before, after }: ReviewSides,
    changes: readonly Change[],
    ids: readonly string[],
  ): Promise<Uint8Array | undefined> {
    // A file that is new, gone, or of another kind is one change.
    if (before === undefined || after === undefined) return before;
    if (changes.some(({ subject }) => subject === 'file')) return before;
    const { path } = this.subject;
    const accepted = new Set(changes.map(({ id }) => id).filter((id) => !ids.includes(id)));
    const normaliser = await (await ReviewRules.of(this.root)).of(path);
    const merged = mergeFile(path, before, after, accepted, normaliser);
    if ('bytes' in merged) return merged.bytes;
    throw new UserError(`${path}: ${merged.refused}`, t('Decide on these changes together.'));
  }

  async #replace(bytes: Uint8Array | undefined): Promise<void> {
    const { root, reviewedFile } = this;
    await requireInProject(root, reviewedFile);
    await keepTake({ root, tapePath: reviewedFile });
    if (bytes === undefined) await removeInProject(root, reviewedFile);
    else await writeRecorded(root, reviewedFile, copiedContent(bytes));
  }
}
