import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import fc from 'fast-check';
import type { Change } from '../../../src/core/model/change';
import { Reviews } from '../../../src/engine/review/decide';
import type { TestProject } from '../../harness/builtEngine';
import { git, inRepository } from '../../harness/repository';
import { PROTOCOLS } from '../../soak/edits/protocols.mjs';
import { HTTP_FORMATS } from '../../soak/edits/tapeWriters.mjs';

/** How many sequences are tried; 2,000 of them take some half an hour. */
const RUNS = Number(process.env.TAPEDECK_SEQUENCES ?? 12);

const CALLS = ['bread and butter', 'the harbour at night', 'a train to Oslo', 'winter coats'];
const ANSWERS = ['crisp and golden', 'quiet under lamps', 'late by an hour', 'heavy but warm'];
const FIELDS = ['said', 'temperature'] as const;
/** The versions of the parts of a tape, a call's answer and its temperature after each other. */
type Versions = readonly number[];
const PARTS = CALLS.length * FIELDS.length;

/** What is done: parts are named by their places, of which those that are pending count. */
type Step =
  | { readonly does: 'accept' | 'reject'; readonly parts: readonly number[] }
  | { readonly does: 'edit' | 'record'; readonly versions: Versions }
  | { readonly does: 'undo' | 'rename' | 'commit' | 'branch' | 'discard' };

const versions = fc.array(fc.constantFrom(0, 0, 0, 1, 2), { minLength: PARTS, maxLength: PARTS });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('accept' as const), parts: fc.uniqueArray(fc.nat(PARTS)) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('reject' as const), parts: fc.uniqueArray(fc.nat(PARTS)) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('edit' as const, 'record' as const), versions }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'undo' as const,
        'undo' as const,
        'rename' as const,
        'commit' as const,
        'branch' as const,
        'discard' as const,
      ),
    }),
  },
);

function exchangesOf(all: Versions) {
  return CALLS.map((about, call) => {
    const [said = 0, temperature = 0] = all.slice(call * FIELDS.length);
    const exchange = PROTOCOLS.openai.call({
      system: 'You help.',
      asked: `Please tell me all that you know about ${about}`,
      given: undefined,
      said: `What is known of ${about}, as it was written in edition ${'ABC'[said]}${call}: ${ANSWERS[call]}`,
    });
    PROTOCOLS.openai.temperature(exchange, (10 * call + temperature) / 100);
    return exchange;
  });
}

type Verdict = 'accepted' | 'rejected';

/** What a file, its last commit, and its decisions have to be. */
interface State {
  readonly path: string;
  /** The name of the file in the last commit. */
  readonly committed: string;
  /** Its name before the last commit that changed it, if that renamed it. */
  readonly renamedFrom?: string | undefined;
  readonly base: Versions;
  readonly file: Versions;
  /** By the part and both its versions, each with the name that the file had. */
  readonly decided: ReadonlyMap<string, { readonly verdict: Verdict; readonly under: string }>;
  /** What each decision that can be undone was made on, and what it left. */
  readonly done: readonly { readonly before: State; readonly after: State }[];
}

const keyOf = ({ base, file }: State, part: number) => `${part}: ${base[part]} → ${file[part]}`;

/** What was decided about a part as it is. Under an earlier name, that counts until a commit changes more than the name. */
function verdictOf(state: State, part: number): Verdict | undefined {
  const decision = state.decided.get(keyOf(state, part));
  const names = [state.path, state.committed, state.renamedFrom];
  return decision && names.includes(decision.under) ? decision.verdict : undefined;
}

const differing = ({ base, file }: State) => file.flatMap((version, part) => (version === base[part] ? [] : [part]));

function withDecision(state: State, parts: readonly number[], verdict: Verdict): State {
  const decided = new Map([
    ...state.decided,
    ...parts.map((part) => [keyOf(state, part), { verdict, under: state.path }] as const),
  ]);
  const file = verdict === 'accepted' ? state.file : restored(state, (part) => parts.includes(part));
  // What is decided as it was already has no effect that could be undone.
  const isSame = (part: number): boolean => {
    const known = state.decided.get(keyOf(state, part));
    return known?.verdict === verdict && known.under === state.path;
  };
  if (verdict === 'accepted' && parts.every(isSame)) return state;
  const after = { ...state, decided, file };
  return { ...after, done: [...state.done, { before: state, after }] };
}

function restored({ base, file }: State, isRestored: (part: number) => boolean): Versions {
  return file.map((version, part) => (isRestored(part) ? (base[part] ?? 0) : version));
}

function partOf({ place: { before, after }, subject }: Change): number {
  return (before ?? after ?? 0) * FIELDS.length + (subject === 'parameter' ? 1 : 0);
}

/** A project with one tape, and the state that it should have. */
class Desk {
  readonly #reviews = new Reviews();
  #commits = 0;

  constructor(
    private readonly project: TestProject,
    private readonly format: keyof typeof HTTP_FORMATS,
    private state: State,
  ) {}

  async take(step: Step): Promise<void> {
    if (step.does === 'accept' || step.does === 'reject') await this.#decide(step.does, step.parts);
    else if (step.does === 'edit') await this.#write(step.versions);
    else if (step.does === 'record') await this.#record(step.versions);
    else if (step.does === 'undo') await this.#undo();
    else if (step.does === 'rename') await this.#rename();
    else if (step.does === 'branch') git(this.project, 'switch', '-qc', `branch-${this.#commits++}`);
    else if (step.does === 'discard') await this.#write(this.state.base);
    else this.#commit();
  }

  async check(): Promise<void> {
    const { path, base, file } = this.state;
    const { read } = HTTP_FORMATS[this.format];
    assert.deepEqual(read(await this.project.read(path)), JSON.parse(JSON.stringify(exchangesOf(file))), 'the file');
    const shown = await this.#open();
    assert.deepEqual(
      (shown?.changes ?? []).map((change) => [partOf(change), shown?.decisions[change.id]?.verdict]).sort(),
      differing(this.state)
        .map((part) => [part, verdictOf(this.state, part)])
        .sort(),
      `what is shown of ${base} → ${file}: ${(shown?.changes ?? []).map(({ title }) => title)}`,
    );
    assert.deepEqual(
      (shown?.pending ?? []).map(partOf).sort(),
      differing(this.state)
        .filter((part) => verdictOf(this.state, part) !== 'accepted')
        .sort(),
      'what is asked',
    );
  }

  async #decide(verb: 'accept' | 'reject', wanted: readonly number[]): Promise<void> {
    const { root } = this.project;
    const review = await this.#open();
    const parts = differing(this.state).filter((part) => wanted.includes(part));
    if (review === undefined || parts.length === 0) return;
    const verdict = verb === 'accept' ? 'accepted' : 'rejected';
    const changes = review.changes.filter((change) => parts.includes(partOf(change))).map(({ id }) => id);
    const { subject, stamp } = { subject: { kind: review.kind, path: review.path }, stamp: review.stamp };
    const belonging = await this.#reviews.decide({ root, subject, verdict, changes, stamp });
    assert.deepEqual(belonging, [], 'each is decided alone');
    this.state = withDecision(this.state, parts, verdict);
  }

  async #write(file: Versions): Promise<void> {
    await this.project.write(this.state.path, HTTP_FORMATS[this.format].write(exchangesOf(file)));
    this.state = { ...this.state, file };
  }

  async #record(file: Versions): Promise<void> {
    await this.#write(file);
    await this.#reviews.reapplyRejections(this.project.root);
    const { state } = this;
    const rejected = differing(state).filter((part) => verdictOf(state, part) === 'rejected');
    this.state = { ...state, file: restored(state, (part) => rejected.includes(part)) };
  }

  async #undo(): Promise<void> {
    const { root } = this.project;
    const last = this.state.done.at(-1);
    const undo = this.#reviews.undo({ root, subject: { kind: 'tape', path: this.state.path } });
    const isUndoable =
      last !== undefined && String(last.after.file) === String(this.state.file) && last.after.path === this.state.path;
    if (!isUndoable) return assert.rejects(undo);
    await undo;
    const { file, decided, done } = last.before;
    this.state = { ...this.state, file, decided, done };
  }

  async #rename(): Promise<void> {
    const path = this.state.path.replace('tapes/', 'tapes/renamed-');
    if (path.includes('renamed-renamed-')) return;
    await rename(this.project.path(this.state.path), this.project.path(path));
    this.state = { ...this.state, path, done: [] };
  }

  #commit(): void {
    git(this.project, 'add', '-A');
    git(this.project, 'commit', '-q', '--allow-empty', '-m', 'another');
    const { path, committed, renamedFrom, base, file } = this.state;
    const isSame = String(base) === String(file);
    const earlier = path === committed ? (isSame ? renamedFrom : undefined) : committed;
    this.state = { ...this.state, base: file, committed: path, renamedFrom: earlier };
  }

  #open() {
    return this.#reviews.open({ root: this.project.root, subject: { kind: 'tape', path: this.state.path } });
  }
}

const FORMATS = ['tapedeck', 'har', 'vcrpy', 'go-vcr', 'ruby-vcr', 'httprr', 'mastra', 'opencode'] as const;

describe('decisions in any order, between edits, recordings, renames, commits, and branches', function () {
  this.timeout(0);

  it('leave the file exactly as was decided, and nothing that was decided is asked again', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...FORMATS),
        versions,
        fc.array(step, { minLength: 3, maxLength: 9 }),
        async (format, file, steps) => {
          const path = `tapes/${HTTP_FORMATS[format].path}`;
          const base = new Array<number>(PARTS).fill(0);
          await inRepository({ [path]: HTTP_FORMATS[format].write(exchangesOf(base)) }, async (project) => {
            const desk = new Desk(project, format, {
              path,
              committed: path,
              base,
              file: base,
              decided: new Map(),
              done: [],
            });
            await desk.take({ does: 'edit', versions: file });
            await desk.check();
            for (const one of steps) {
              await desk.take(one);
              await desk.check();
            }
          });
        },
      ),
      { numRuns: RUNS },
    );
  });
});
