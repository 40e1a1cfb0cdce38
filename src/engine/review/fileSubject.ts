import { join } from 'node:path';
import type { ReviewSubject } from '../../contracts/engine/review';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { Change } from '../../core/model/change';
import type { Normaliser } from '../../core/review/compare/normaliser';
import type { Decision } from '../../core/review/decisions';
import type { FileMerge } from '../../core/review/merge/mergeTapes';
import { mergeFile, withGroups } from '../../core/review/recordedFile';
import { UserError } from '../errors/userError';
import { requireInProject } from '../files/projectPaths';
import { readBytesIfThere } from '../files/readFile';
import { removeInProject } from '../files/writeFile';
import { Repository } from '../git/repository';
import { copiedContent } from '../recording/recordedContent';
import { keepTake } from '../recording/takes';
import { writeRecorded } from '../recording/writeRecorded';
import { changedReview, sidesOf } from './changedReviews';
import { decisionFileOf } from './decisionFile';
import { changesBetween, conflictOf } from './fileReview';
import { takeId } from './replacedTakes';
import { ReviewRules } from './reviewRules';
import { changedSinceReview, type ReviewSides, type SeenFile, seenOf } from './stamp';
import type { DecidableSubject, Effect, SubjectReview } from './subject';

/** Accepting changes one after the other asks for the groups of the same review again. */
let lastGroups: { readonly stamp: string; readonly groups: FileMerge['groups'] } | undefined;

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
    if (verdict === 'accepted') {
      await this.#requireMerged();
      return { decided: await this.#withGroups(review, ids) };
    }
    const place = await this.#placeInGit();
    if (place !== undefined) await place.repository.requireStageable(place.path);
    const sides = await this.#bytesOf(review);
    const { before, after } = sides;
    const { rejected, bytes } = await this.#without(review, sides, ids);
    const remaining = { ...(before && { before }), ...(bytes && { after: bytes }) };
    const left = changesBetween(this.subject.path, remaining, await this.#normaliser());
    // Without a repository, the tape must not be compared with the rejected take again.
    const take = place === undefined && after ? [takeId(after)] : [];
    const write = async (): Promise<void> => {
      await this.#replace(bytes);
      if (place !== undefined)
        await place.repository.unstage({ path: place.path, ...(after && { read: async () => after }) });
    };
    return { decided: rejected, alike: take, left, write };
  }

  /** Nobody can have judged a file with two versions in it. */
  async #requireMerged(): Promise<void> {
    const { path } = this.subject;
    const bytes = await readBytesIfThere(this.reviewedFile, FILE_LIMITS.tape);
    const conflict = bytes && conflictOf(path, bytes);
    if (conflict !== undefined) throw new UserError(`${path}: ${conflict.message}`, conflict.fix);
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

  /** The changes with those that belong to them, where not all others are accepted already. */
  async #withGroups(review: SubjectReview, ids: readonly string[]): Promise<readonly string[]> {
    const isAccepted = ({ id }: Change): boolean => review.decisions[id]?.verdict === 'accepted';
    if (review.changes.every((change) => ids.includes(change.id) || isAccepted(change))) return ids;
    lastGroups =
      lastGroups?.stamp === review.stamp ? lastGroups : { stamp: review.stamp, groups: await this.#groups(review) };
    return [...withGroups(ids, lastGroups.groups)];
  }

  async #groups(review: SubjectReview): Promise<FileMerge['groups']> {
    return (await this.#merge(review, await this.#bytesOf(review)))?.groups ?? [review.changes.map(({ id }) => id)];
  }

  /** Undefined for a file that is new, gone, or of another kind, so that it can only be decided as a whole. */
  async #merge({ changes }: SubjectReview, { before, after }: ReviewSides): Promise<FileMerge | undefined> {
    if (before === undefined || after === undefined || changes.some(({ subject }) => subject === 'file'))
      return undefined;
    return mergeFile(this.subject.path, before, after, await this.#normaliser());
  }

  /** The file without these changes, and without those that belong to them. Its bytes are undefined if it is to be removed. */
  async #without(
    review: SubjectReview,
    sides: ReviewSides,
    ids: readonly string[],
  ): Promise<{ readonly rejected: readonly string[]; readonly bytes: Uint8Array | undefined }> {
    const all = review.changes.map(({ id }) => id);
    const merge = await this.#merge(review, sides);
    const rejected = withGroups(ids, merge?.groups ?? [all]);
    const merged = merge?.take(new Set(all.filter((id) => !rejected.has(id))));
    if (merged !== undefined && 'bytes' in merged) return { rejected: [...rejected], bytes: merged.bytes };
    // The file cannot be written without these alone.
    return { rejected: all, bytes: sides.before };
  }

  async #normaliser(): Promise<Normaliser> {
    return (await ReviewRules.of(this.root)).of(this.subject.path);
  }

  async #replace(bytes: Uint8Array | undefined): Promise<void> {
    const { root, reviewedFile } = this;
    await requireInProject(root, reviewedFile);
    await keepTake({ root, tapePath: reviewedFile });
    if (bytes === undefined) await removeInProject(root, reviewedFile);
    else await writeRecorded(root, reviewedFile, copiedContent(bytes));
  }
}
