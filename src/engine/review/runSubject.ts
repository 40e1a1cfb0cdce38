import { join } from 'node:path';
import type { ReviewSubject } from '../../contracts/engine/review';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { readArtifact } from '../../core/cases/artifactFile';
import type { Normaliser } from '../../core/review/compare/normaliser';
import { reviewRun } from '../../core/review/compare/reviewRun';
import type { Decision } from '../../core/review/decisions';
import { mergeRuns } from '../../core/review/merge/mergeRuns';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { fromRoot } from '../files/projectPaths';
import { readBytesIfThere } from '../files/readFile';
import { type CaseFiles, caseFiles } from '../project/caseFiles';
import { createRecorders } from '../recording/openRecorder';
import type { RecordedContent } from '../recording/recordedContent';
import { writeRecorded } from '../recording/writeRecorded';
import { sidesOf } from './changedReviews';
import { changesBetween } from './fileReview';
import { ReviewRules } from './reviewRules';
import { notRunError, openRunReview, type RunReview } from './runReview';
import type { SeenFile } from './stamp';
import type { DecidableSubject, Effect, SubjectReview } from './subject';

/** The last run of a case: accepted changes go into the baseline, rejected ones only into the decision file. */
export class RunSubject implements DecidableSubject {
  readonly #files: CaseFiles;

  constructor(
    readonly root: string,
    readonly subject: ReviewSubject,
  ) {
    this.#files = caseFiles(root, join(root, subject.path));
  }

  get decisionFile(): string {
    return this.#files.decision;
  }

  get reviewedFile(): string {
    return this.#files.baseline;
  }

  open(): Promise<RunReview | undefined> {
    return openRunReview(this.root, join(this.root, this.subject.path));
  }

  missing(): UserError {
    return notRunError(this.subject.path);
  }

  seen({ sides }: SubjectReview): readonly SeenFile[] {
    return [
      { path: this.#files.baseline, content: sides.before },
      { path: this.#files.artifact, content: sides.after },
    ];
  }

  async prepare(review: RunReview, verdict: Decision, ids: readonly string[]): Promise<Effect> {
    if (verdict === 'rejected') return { decided: ids };
    const { artifact, baseline, comparison, error } = review;
    if (error !== undefined)
      throw new UserError(`${this.subject.path}: ${error}`, t('Mend that, and run the case again.'));
    const accepted = baseline === undefined ? artifact : mergeRuns(baseline, artifact, comparison, new Set(ids));
    const recorder = await createRecorders(process.env)(this.root);
    const content = recorder.baseline(accepted);
    const normaliser = await (await ReviewRules.of(this.root)).ofCase(this.subject.path);
    const written = readArtifact(new TextDecoder().decode(bytesOf(content))).value ?? accepted;
    return {
      decided: ids,
      alike: await this.#changesOfBaseline(bytesOf(content), normaliser),
      left: reviewRun(written, artifact, normaliser).changes.map(({ id }) => id),
      write: () => writeRecorded(this.root, this.#files.baseline, content),
    };
  }

  /** What the baseline then has that it did not have before, against the last commit: a run and its baseline are one decision. */
  async #changesOfBaseline(written: Uint8Array, normaliser: Normaliser): Promise<readonly string[]> {
    const path = fromRoot(this.root, this.#files.baseline);
    const current = await readBytesIfThere(this.#files.baseline, FILE_LIMITS.artifact);
    const sides = await sidesOf(this.root, path);
    const committed = sides === undefined ? current : sides.before;
    const changes = (after: Uint8Array | undefined): readonly string[] =>
      changesBetween(path, { before: committed, after }, normaliser);
    const known = changes(current);
    return changes(written).filter((id) => !known.includes(id));
  }
}

function bytesOf({ bytes }: RecordedContent): Uint8Array {
  return typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
}
