import { join } from 'node:path';
import type { ReviewSubject } from '../../contracts/engine/review';
import type { Decision } from '../../core/review/decisions';
import { mergeRuns } from '../../core/review/merge/mergeRuns';
import { wholeFileChange } from '../../core/review/recordedFile';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { type CaseFiles, caseFiles } from '../project/caseFiles';
import { createRecorders } from '../recording/openRecorder';
import type { RecordedContent } from '../recording/recordedContent';
import { writeRecorded } from '../recording/writeRecorded';
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
    const write = (): Promise<void> => writeRecorded(this.root, this.#files.baseline, content);
    // A first run and the file that it becomes are one decision.
    const file = baseline === undefined ? [wholeFileChange('baseline', undefined, bytesOf(content)).id] : [];
    return { decided: [...ids, ...file], write };
  }
}

function bytesOf({ bytes }: RecordedContent): Uint8Array {
  return typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
}
