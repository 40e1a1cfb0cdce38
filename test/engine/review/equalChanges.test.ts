import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import fc from 'fast-check';
import type { ChangeKind } from '../../../src/core/model/change';
import type { Interaction, RecordedInteraction } from '../../../src/core/model/interaction';
import type { Decision } from '../../../src/core/review/decisions';
import { formatById } from '../../../src/core/tapes/registry';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { keepTake } from '../../../src/engine/recording/takes';
import { Reviews } from '../../../src/engine/review/decide';
import type { SubjectReview } from '../../../src/engine/review/subject';
import { say, turn } from '../../core/review/recordings';
import { inProject, type TestProject } from '../../harness/builtEngine';
import { inRepository } from '../../harness/repository';

const QUESTIONS = {
  hello: 'Say hello to the visitor',
  bread: 'Describe how yeast makes bread dough rise',
  sky: 'Look out of the window: what can be said about the sky',
  forecast: 'Which weather did the papers forecast for our trip',
} as const;

/** The calls of a tape: the same is asked several times, and all answers about the weather are the same. */
type Call = 'hello' | 'bread' | `${'sky' | 'forecast'}: ${'sunny' | 'rainy'}`;
const SUBJECTS = ['sky', 'forecast'] as const;

function interactionOf(call: Call): RecordedInteraction {
  const [question, weather] = call.split(': ') as [keyof typeof QUESTIONS, string | undefined];
  const answer = weather === undefined ? `An answer to: ${QUESTIONS[question]}` : `It is ${weather} there`;
  return turn([say('user', QUESTIONS[question])], answer);
}

function callOf({ request, response }: Interaction): Call {
  const asked = request?.messages[0]?.content;
  const [question] = Object.entries(QUESTIONS).find(([, text]) => text === asked) ?? assert.fail(`who asked ${asked}?`);
  const weather = /sunny|rainy/.exec(response?.content ?? '')?.[0];
  return (weather === undefined ? question : `${question}: ${weather}`) as Call;
}

/** What becomes of a call in the later take, and how many equal ones are added after it. */
interface Fate {
  readonly about: (typeof SUBJECTS)[number];
  readonly becomes: 'kept' | 'edited' | 'removed';
  readonly added: number;
}

const fate = fc.record<Fate>({
  about: fc.constantFrom(...SUBJECTS),
  becomes: fc.constantFrom('kept', 'edited', 'edited', 'removed'),
  added: fc.constantFrom(0, 0, 0, 1, 2),
});
const isChanged = (all: readonly Fate[]) => all.some(({ becomes, added }) => becomes !== 'kept' || added > 0);
const fates = fc.array(fate, { minLength: 2, maxLength: 5 }).filter(isChanged);
const edits = fc
  .array(
    fc.record<Fate>({
      about: fc.constantFrom(...SUBJECTS),
      becomes: fc.constantFrom('kept', 'edited', 'edited'),
      added: fc.constant(0),
    }),
    {
      minLength: 2,
      maxLength: 5,
    },
  )
  .filter(isChanged);

const earlierTake = (all: readonly Fate[]): Call[] => ['hello', ...all.map(({ about }): Call => `${about}: sunny`)];
const laterTake = (all: readonly Fate[]): Call[] => [
  'hello',
  ...all.flatMap(({ about, becomes, added }): Call[] => [
    ...(becomes === 'removed' ? [] : [`${about}: ${becomes === 'edited' ? 'rainy' : 'sunny'}` as const]),
    ...Array.from({ length: added }, () => 'bread' as const),
  ]),
];

/** A change that the first review shows, and what was decided about it. */
interface Shown {
  readonly kind: ChangeKind;
  /** Where it is in the earlier take; of an added call, where the one is that it follows. */
  readonly at: number;
  state: 'open' | Decision;
}

/** The changes of the first review with their places: a call that is added follows one that both takes have. */
function shownIn({ changes }: SubjectReview, before: readonly Call[], after: readonly Call[]): Shown[] {
  const places = new Set(changes.flatMap(({ kind, place }) => (kind === 'removed' ? [place.before] : [])));
  const kept = before.map((_, at) => at).filter((at) => !places.has(at));
  const added = new Set(changes.flatMap(({ kind, place }) => (kind === 'added' ? [place.after] : [])));
  let last = -1;
  const origins = after.map((_, at) => {
    if (!added.has(at)) last = kept.shift() ?? -1;
    return last;
  });
  return changes.map(({ kind, place }) => {
    const at = kind === 'added' ? origins[place.after ?? 0] : place.before;
    return { kind, at: at ?? -1, state: 'open' };
  });
}

const FORMATS = { mofa: 'a.tape.json', tapedeck: 'a.tape.jsonl' } as const;
type Format = keyof typeof FORMATS;
/** How many sequences are tried of each kind, and a quarter where each step asks git. */
const RUNS = Number(process.env.TAPEDECK_SEQUENCES ?? 16);

const tapeOf = (format: Format, calls: readonly Call[]): string =>
  formatById(format).serialise?.('case', calls.map(interactionOf)) ?? '';

/** A tape that is reviewed, and what it has to be. */
class Sequence {
  readonly #reviews = new Reviews();
  readonly #undo: Shown['state'][][] = [];
  readonly #before: readonly Call[];
  readonly #after: readonly Call[];
  #shown: readonly Shown[] = [];

  constructor(
    private readonly project: TestProject,
    private readonly format: Format,
    fates: readonly Fate[],
  ) {
    this.#before = earlierTake(fates);
    this.#after = laterTake(fates);
  }

  get #subject() {
    return { root: this.project.root, subject: { kind: 'tape', path: FORMATS[this.format] } } as const;
  }

  async record(): Promise<void> {
    await this.#replaceTape();
    this.#shown = shownIn(await this.#review(), this.#before, this.#after);
  }

  async decide(pick: number, verdict: Decision): Promise<void> {
    const review = await this.#reviews.open(this.#subject);
    const change = review?.changes[pick % review.changes.length];
    if (review === undefined || change === undefined) return;
    const shown = this.#find(review, change.id);
    this.#undo.push(this.#shown.map(({ state }) => state));
    shown.state = verdict;
    const params = { ...this.#subject, verdict, changes: [change.id], stamp: review.stamp };
    assert.deepEqual(await this.#reviews.decide(params), [], 'each is decided alone');
  }

  async undo(): Promise<void> {
    const states = this.#undo.pop();
    if (states === undefined) return;
    await this.#reviews.undo(this.#subject);
    for (const [index, shown] of this.#shown.entries()) shown.state = states[index] ?? 'open';
  }

  /** The file is what was decided, each decision holds, and nothing of what is left has been rejected. */
  async check(): Promise<void> {
    assert.deepEqual(this.#inOrder(await this.#calls()), this.#inOrder(this.decided()));
    assert.deepEqual(await this.#reviews.reapplyRejections(this.project.root), []);
    const { changes = [], decisions = {} } = (await this.#reviews.open(this.#subject)) ?? {};
    const states = changes.map(({ id, kind }) => `${kind} ${decisions[id]?.verdict ?? 'open'}`);
    const expected = this.#shown.filter(({ state }) => state !== 'rejected');
    assert.deepEqual(states.sort(), expected.map(({ kind, state }) => `${kind} ${state}`).sort());
  }

  /** The same take once more: what was rejected is taken out of it, and nothing else. */
  async recordAgain(): Promise<Call[]> {
    await this.#replaceTape();
    await this.#reviews.reapplyRejections(this.project.root);
    return this.#calls();
  }

  /** As a recording does: a take that is kept may be the same file. */
  async #replaceTape(): Promise<void> {
    await rm(this.project.path(FORMATS[this.format]));
    await this.project.write(FORMATS[this.format], tapeOf(this.format, this.#after));
  }

  async #calls(): Promise<Call[]> {
    const text = await this.project.read(FORMATS[this.format]);
    const calls = formatById(this.format).read(tapeFileFromText(text)).interactions.map(callOf);
    assert.equal(text, tapeOf(this.format, calls), 'the file is as a recording would have written it');
    return calls;
  }

  /** Which of several equal calls is gone is a guess, and another one once others are restored: then only what there is counts. */
  #inOrder(calls: readonly Call[]): readonly Call[] {
    return this.#shown.every(({ kind }) => kind === 'edited') ? calls : [...calls].sort();
  }

  async #review(): Promise<SubjectReview> {
    return (await this.#reviews.open(this.#subject)) ?? assert.fail('there is no review');
  }

  /** The calls with the changes that were not rejected. */
  decided(): Call[] {
    return this.#before.flatMap((call, at): Call[] => {
      const kinds = this.#shown.filter((one) => one.at === at && one.state !== 'rejected').map(({ kind }) => kind);
      const now = kinds.includes('edited') ? (call.replace('sunny', 'rainy') as Call) : call;
      const added = kinds.filter((kind) => kind === 'added').map((): Call => 'bread');
      return kinds.includes('removed') ? added : [now, ...added];
    });
  }

  /** A change of a later review in the first one: by its place or, where places became others, by its number among its like. */
  #find({ changes }: SubjectReview, id: string): Shown {
    const nameOf = (kind: ChangeKind, at: number | undefined) =>
      kind === 'added' ? kind : `${kind} ${this.#before[at ?? 0]}`;
    const name = changes.map(({ id: one, kind, place }) => (one === id ? nameOf(kind, place.before) : '')).join('');
    const alike = changes.filter(({ kind, place }) => nameOf(kind, place.before) === name);
    const left = this.#shown.filter(({ kind, at, state }) => nameOf(kind, at) === name && state !== 'rejected');
    const atPlaces = alike.map(({ place }) => left.find(({ at }) => at === place.before));
    const known = atPlaces.includes(undefined) ? left : atPlaces;
    return known[alike.findIndex((one) => one.id === id)] ?? assert.fail();
  }
}

type Act = Decision | 'undo';
type Steps = readonly (readonly [pick: number, act: Act])[];
const stepsOf = (...acts: readonly Act[]): fc.Arbitrary<Steps> =>
  fc.array(fc.tuple(fc.nat(20), fc.constantFrom(...acts)), { minLength: 1, maxLength: 8 });
const decisions = stepsOf('accepted', 'rejected', 'rejected');
const formats = fc.constantFrom<Format>('mofa', 'tapedeck');

async function carryOut(sequence: Sequence, steps: Steps): Promise<void> {
  await sequence.record();
  for (const [pick, act] of steps) {
    if (act === 'undo') await sequence.undo();
    else await sequence.decide(pick, act);
    await sequence.check();
  }
}

/** A tape that replaced another one, in a project without a repository. */
function withTake(format: Format, all: readonly Fate[], test: (sequence: Sequence) => Promise<void>): Promise<void> {
  return inProject({ 'tapedeck.toml': '', [FORMATS[format]]: tapeOf(format, earlierTake(all)) }, async (project) => {
    await keepTake({ root: project.root, tapePath: project.path(FORMATS[format]) });
    await test(new Sequence(project, format, all));
  });
}

describe('equal changes', function () {
  this.timeout(300_000);

  it('are decided one by one, and each decision holds for the next recording', async () => {
    await fc.assert(
      fc.asyncProperty(edits, decisions, formats, (all, steps, format) =>
        withTake(format, all, async (sequence) => {
          await carryOut(sequence, steps);
          assert.deepEqual(await sequence.recordAgain(), sequence.decided());
          await sequence.check();
        }),
      ),
      { numRuns: RUNS },
    );
  });

  it('are decided one by one among equal interactions that are new or gone', async () => {
    await fc.assert(
      fc.asyncProperty(fates, decisions, formats, (all, steps, format) =>
        withTake(format, all, (sequence) => carryOut(sequence, steps)),
      ),
      { numRuns: RUNS },
    );
  });

  it('are undone one by one, against the last commit', async () => {
    await fc.assert(
      fc.asyncProperty(fates, stepsOf('accepted', 'rejected', 'rejected', 'undo'), formats, (all, steps, format) =>
        inRepository({ [FORMATS[format]]: tapeOf(format, earlierTake(all)) }, (project) =>
          carryOut(new Sequence(project, format, all), steps),
        ),
      ),
      { numRuns: RUNS / 4 },
    );
  });
});
