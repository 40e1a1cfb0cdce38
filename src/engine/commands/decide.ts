import type { NamedChange } from '../../contracts/engine/review';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import { formatJsonPath } from '../../core/json/jsonPath';
import type { Change } from '../../core/model/change';
import { baselinePath } from '../../core/project/layout';
import type { Decision } from '../../core/review/decisions';
import { UserError } from '../errors/userError';
import { findRoot } from '../project/findRoot';
import { DecisionReport } from '../reporters/decisionReport';
import { Reviews } from '../review/decide';
import { editsOf, placesOf, type Recording, recordingStamp, reviewsOf } from '../review/recording';
import type { SubjectReview } from '../review/subject';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, command, flag, JSON_OUTPUT, text, texts, UsageError } from './command';
import { type DecisionTarget, fileSubject, requireRecording, targetsOf } from './decisionTargets';

/** The options that both commands have. */
const OPTIONS = {
  change: texts('ID', 'Only this change, by its id in `check --json` or `diff --json`'),
  field: texts('NAME', 'Only changes in this field, such as output_text or tool_calls[0]'),
  reason: text('TEXT', 'The reason, kept with the decision'),
  json: JSON_OUTPUT,
};
type Given = Arguments<typeof OPTIONS>;

const EXITS = `  --json  {ok, files: [{path, outcome: "accepted" | "rejected" | "restored" | "staged" | "unchanged" | "pending", changes: [{id, title}]}]}

Exit codes: 0 decided, or nothing to decide; 2 a case has not been run, there is no such change, or a file cannot
be read or has changed in the meantime.`;

const PATHS = 'A PATH is a case, its artifact or baseline, a tape, or a folder of cases.';

const ACCEPT_OPTIONS = {
  ...OPTIONS,
  stage: flag('Also stage the file; without a PATH, stage every file whose changes are all accepted'),
};

export const acceptCommand = command({
  usage: '[PATH…] [--change ID]… [--field NAME]… [--reason TEXT] [--stage]',
  about: 'Accept changes: those of the last run go into the baseline; those of a tape or baseline stay in the file',
  options: ACCEPT_OPTIONS,
  details: `${PATHS}\n\n${EXITS}`,
  examples: [
    'tapedeck accept cases/refund.toml',
    'tapedeck accept tapes/refund.tape.json --stage',
    'tapedeck accept --stage',
  ],
  run: (args, terminal) => {
    const { stage } = args.options;
    if (stage && args.positionals.length === 0) return stageAccepted(args, terminal);
    return decide('accepted', args, terminal, { stage });
  },
});

const REJECT_OPTIONS = {
  ...OPTIONS,
  again: flag('In all files, remove rejected changes that have reappeared'),
};

export const rejectCommand = command({
  usage: 'PATH… [--change ID]… [--field NAME]… [--reason TEXT] | --again',
  about:
    'Reject changes: those of the last run stay out of the baseline; those of a tape or baseline are removed from it',
  options: REJECT_OPTIONS,
  details: `${PATHS} Rejecting a change restores the content of the last commit. The previous
file is kept in .tapedeck/takes/.\n\n${EXITS}`,
  examples: ['tapedeck reject cases/refund.toml', 'tapedeck reject tapes/refund.tape.json --reason "wrong model"'],
  run: (args, terminal) => {
    if (args.options.again && args.positionals.length === 0) return reapplyRejections(args, terminal);
    return decide('rejected', args, terminal, { stage: false });
  },
});

/** The changes to decide on; without ids and fields, all of them. */
interface Selection {
  readonly ids: readonly string[];
  readonly fields: readonly string[];
}

interface DecideOptions extends Selection {
  readonly reason?: string;
  readonly stage: boolean;
}

async function decide(
  verdict: Decision,
  args: Given,
  terminal: Terminal,
  { stage }: Pick<DecideOptions, 'stage'>,
): Promise<number> {
  if (args.positionals.length === 0) throw new UsageError('name a case, its artifact, a tape, or a folder of cases');
  const { reason } = args.options;
  const options: DecideOptions = {
    ids: args.options.change,
    fields: args.options.field,
    stage,
    reason,
  };
  const targets = (await Promise.all(args.positionals.map((path) => targetsOf(path, terminal)))).flat();
  const report = new DecisionReport(args.options.json, terminal);
  const decider = new TargetDecider(verdict, options, report);
  if (isSelective(options)) requireKnown(await decider.changes(targets), options);
  for (const target of targets) {
    const found = await decider.decide(target);
    if (!found && target.named !== undefined) {
      await requireRecording(target.path, target.named);
      report.nothing(target, verdict);
    }
  }
  report.end();
  return EXIT_CODES.ok;
}

/** `accept` or `reject` with its options, target by target. */
class TargetDecider {
  readonly #reviews = new Reviews();

  constructor(
    private readonly verdict: Decision,
    private readonly options: DecideOptions,
    private readonly report: DecisionReport,
  ) {}

  /** All changes of the targets, decided or not. */
  async changes(targets: readonly DecisionTarget[]): Promise<readonly Change[]> {
    const changes: Change[] = [];
    for (const { root, run, file } of targets) {
      const ofRun = run && (await this.#reviews.open({ root, subject: run }));
      const subject = ofRun === undefined ? file : fileSubject(baselinePath(ofRun.path));
      const ofFile = await this.#reviews.open({ root, subject });
      changes.push(...(ofRun?.changes ?? []), ...(ofFile?.changes ?? []));
    }
    return changes;
  }

  /** False when there is neither a run nor a changed file. */
  async decide(target: DecisionTarget): Promise<boolean> {
    const recording = await this.#recording(target);
    if (recording !== undefined) return this.#decideRecording(target, recording);
    const run = await this.#decideRun(target);
    // A rejected run leaves its baseline unchanged, so the file has no change from it.
    const file = run === 'decided' && this.verdict === 'rejected' ? 'absent' : await this.#decideFile(target, run);
    const outcomes = [run, file];
    const found = outcomes.some((outcome) => outcome !== 'absent');
    if (found && !outcomes.includes('decided')) this.report.nothing(target, this.verdict);
    return found;
  }

  /** The tape with the result of its case that a path names, by any of them. */
  async #recording({ root, run, file }: DecisionTarget): Promise<Recording | undefined> {
    const ofRun = run && (await this.#reviews.recording({ root, subject: run }));
    return ofRun ?? this.#reviews.recording({ root, subject: file });
  }

  /** A tape and what its recording has changed in the result of its case are one decision. */
  async #decideRecording(target: DecisionTarget, recording: Recording): Promise<boolean> {
    const { root, named } = target;
    const { verdict, options } = this;
    const reviews = reviewsOf(recording);
    // Accepted changes of a file can still be rejected: where they are named, or nothing else is left.
    const isPending = reviews.some(({ pending }) => pending.length > 0);
    const isAgain = verdict === 'rejected' && (isSelective(options) || (named !== undefined && !isPending));
    const chosenIn = (review: SubjectReview): readonly Change[] =>
      selectChanges(
        isAgain || (verdict === 'accepted' && review.kind === 'run') ? review.changes : review.pending,
        options,
      );
    const ids = new Set(reviews.flatMap(chosenIn).map(({ id }) => id));
    if (ids.size > 0) await this.#carryOutRecording(root, recording, ids);
    else this.report.nothing(target, verdict);
    if (options.stage) {
      for (const { kind, path } of reviews.filter((review) => review.kind !== 'run')) {
        await this.#reviews.stage({ root, subject: { kind, path } });
        this.report.file({ root, path, outcome: 'staged' });
      }
    }
    return true;
  }

  async #carryOutRecording(root: string, recording: Recording, ids: ReadonlySet<string>): Promise<void> {
    const { verdict, options } = this;
    const { kind, path } = recording.tape;
    const belonging = await this.#reviews.decide({
      root,
      subject: { kind, path },
      verdict,
      changes: [...ids],
      stamp: recordingStamp(recording),
      reason: options.reason,
    });
    const chosen = editsOf(recording).filter((edit) => placesOf(edit).some(({ change }) => ids.has(change.id)));
    for (const review of reviewsOf(recording)) {
      const changes = chosen.flatMap(placesOf).flatMap((place) => (place.review === review ? [place.change] : []));
      if (changes.length === 0) continue;
      const isRun = review.kind === 'run';
      this.report.decided({
        root,
        path: review.path,
        outcome: verdict === 'accepted' ? 'accepted' : isRun ? 'rejected' : 'restored',
        changes,
        belonging: review === recording.tape ? belonging : [],
        into: isRun && verdict === 'accepted' ? baselinePath(review.path) : undefined,
      });
    }
  }

  async #decideRun({ root, run }: DecisionTarget): Promise<Outcome> {
    const review = run && (await this.#reviews.open({ root, subject: run }));
    if (review === undefined) return 'absent';
    const { verdict } = this;
    const chosen = selectChanges(verdict === 'accepted' ? review.changes : review.pending, this.options);
    // The first run becomes the baseline, even where there is nothing to compare.
    const isFirst = verdict === 'accepted' && review.sides.before === undefined && review.error === undefined;
    if (chosen.length === 0 && !isFirst) return 'unchanged';
    const belonging = await this.#carryOut(root, review, chosen);
    const into = verdict === 'accepted' ? baselinePath(review.path) : undefined;
    this.report.decided({ root, path: review.path, outcome: verdict, changes: chosen, belonging, into });
    return 'decided';
  }

  async #decideFile({ root, run, file, named }: DecisionTarget, ofRun: Outcome): Promise<Outcome> {
    const subject = ofRun === 'absent' || run === undefined ? file : fileSubject(baselinePath(run.path));
    const review = await this.#reviews.open({ root, subject });
    if (review === undefined) return 'absent';
    const { path, changes, pending, stamp } = review;
    // The file contains accepted changes, so they can still be rejected: where they are named, or nothing else is left.
    const isAgain = isSelective(this.options) || (named !== undefined && path === file.path && pending.length === 0);
    const chosen = selectChanges(this.verdict === 'rejected' && isAgain ? changes : pending, this.options);
    if (chosen.length > 0) {
      const belonging = await this.#carryOut(root, review, chosen);
      const outcome = this.verdict === 'accepted' ? 'accepted' : 'restored';
      this.report.decided({ root, path, outcome, changes: chosen, belonging });
    }
    if (this.options.stage) {
      await this.#reviews.stage({ root, subject, stamp });
      this.report.file({ root, path, outcome: 'staged' });
    }
    return chosen.length > 0 ? 'decided' : 'unchanged';
  }

  async #carryOut(
    root: string,
    { kind, path, stamp }: SubjectReview,
    chosen: readonly Change[],
  ): Promise<readonly NamedChange[]> {
    const { reason } = this.options;
    return this.#reviews.decide({
      root,
      subject: { kind, path },
      verdict: this.verdict,
      changes: chosen.map(({ id }) => id),
      stamp,
      reason,
    });
  }
}

/** `absent`: there was nothing to review. */
type Outcome = 'absent' | 'unchanged' | 'decided';

async function stageAccepted(args: Given, terminal: Terminal): Promise<number> {
  const root = findRoot(terminal.cwd, terminal.cwd);
  const report = new DecisionReport(args.options.json, terminal);
  const { staged, pending } = await new Reviews().stage({ root });
  for (const path of staged) report.file({ root, path, outcome: 'staged' });
  for (const { path, changes } of pending) report.pending({ root, path }, changes);
  report.end(staged.length === 0 ? 'nothing to stage' : undefined);
  return EXIT_CODES.ok;
}

async function reapplyRejections(args: Given, terminal: Terminal): Promise<number> {
  const root = findRoot(terminal.cwd, terminal.cwd);
  const report = new DecisionReport(args.options.json, terminal);
  const restored = await new Reviews().reapplyRejections(root);
  for (const path of restored) report.file({ root, path, outcome: 'restored' });
  report.end(restored.length === 0 ? 'no rejected changes have reappeared' : undefined);
  return EXIT_CODES.ok;
}

function isSelective({ ids, fields }: Selection): boolean {
  return ids.length + fields.length > 0;
}

function selectChanges(changes: readonly Change[], selection: Selection): readonly Change[] {
  if (!isSelective(selection)) return changes;
  const { ids, fields } = selection;
  return changes.filter((change) => ids.includes(change.id) || fields.some((field) => isInField(field, change)));
}

/** Throws a `UserError` for an id or field that belongs to none of the changes. */
function requireKnown(changes: readonly Change[], { ids, fields }: Selection): void {
  const id = ids.find((one) => !changes.some((change) => change.id === one));
  if (id !== undefined) throw new UserError(`there is no change ${id}`, 'To list the ids, run: tapedeck check --json');
  const field = fields.find((one) => !changes.some((change) => isInField(one, change)));
  if (field === undefined) return;
  const places = [...new Set(changes.map(({ place }) => formatJsonPath(place.path)).filter((place) => place !== ''))];
  const known = places.slice(0, 10).join(', ');
  throw new UserError(
    `there are no changes in the field ${field}`,
    known === '' ? 'Leave out --field.' : `Changes are in: ${known}`,
  );
}

function isInField(field: string, { place }: Change): boolean {
  const path = formatJsonPath(place.path);
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
}
