import assert from 'node:assert/strict';
import { connect, type Served, serve } from '../../../../src/contracts/contract';
import type { NamedChange, ReviewDecision } from '../../../../src/contracts/engine/review';
import { type ReviewState, reviewPage } from '../../../../src/contracts/pages/reviewPanel';
import type { Decision } from '../../../../src/core/review/decisions';
import { ReviewSession } from '../../../../webview-ui/review/session/reviewSession';
import { channelPair } from '../channelPair';
import { changesNamed, reviewState } from '../reviewFixtures';

/** A session on a host that decides as the engine would, or fails with `refusal`. */
class Rig {
  readonly asked: [Decision | 'undo' | 'stage', readonly string[], string][] = [];
  readonly went: string[] = [];
  /** The interactions that were to be shown in the transcript. */
  readonly shown: number[] = [];
  readonly reasons: (string | undefined)[] = [];
  /** The reviews that follow, in order. */
  others: Partial<ReviewState>[] = [];
  refusal: string | undefined;
  /** The changes that can only be decided together. */
  group: readonly string[] = [];
  onDecided: (() => void) | undefined;
  /** What an undo does before the host responds to it. */
  undoing: (() => Promise<void>) | undefined;
  readonly session: ReviewSession;
  readonly #host: Served<typeof reviewPage>;

  constructor(
    public state: ReviewState,
    selected?: string,
  ) {
    const [here, there] = channelPair();
    this.#host = serve(reviewPage, here, {
      decide: (decision) => this.#decide(decision),
      sameChanges: async () => [{ path: 'a.json', title: 'Model', before: 'a', after: 'b' }],
      decideSame: async ({ verdict }) => {
        this.asked.push([verdict, ['same'], '']);
        return [];
      },
      undo: async () => {
        this.asked.push(['undo', [], '']);
        await this.undoing?.();
      },
      stage: async () => void this.asked.push(['stage', [], '']),
      stageAll: async () => true,
      openSourceControl: async () => undefined,
      openDiff: async () => Promise.reject(new Error('this change is gone')),
      openTranscript: async ({ interaction }) => void this.shown.push(interaction),
      texts: async ({ id }) => ({ before: `${id} before, at length`, after: `${id} after, at length` }),
      go: async ({ to }) => {
        this.went.push(to);
        const next = this.others.shift();
        if (next !== undefined) this.change(next);
        return next !== undefined;
      },
    });
    this.#host.patch({ review: this.state });
    this.session = new ReviewSession(connect(reviewPage, there), selected);
  }

  change(part: Partial<ReviewState>): void {
    this.state = { ...this.state, ...part };
    this.#host.patch({ review: this.state });
  }

  async #decide({ verdict, changes: named, stamp, reason }: ReviewDecision): Promise<readonly NamedChange[]> {
    this.reasons.push(reason);
    this.asked.push([verdict, named, stamp]);
    if (this.refusal !== undefined) throw new Error(this.refusal);
    const { changes } = this.state;
    const belonging = named.some((id) => this.group.includes(id)) ? this.group.filter((id) => !named.includes(id)) : [];
    const ids = [...named, ...belonging];
    const left = changes.filter(({ id }) => !ids.includes(id));
    const marked = changes.map((each) => (ids.includes(each.id) ? { ...each, decision: 'rejected' as const } : each));
    this.change({ changes: verdict === 'accepted' ? left : marked });
    this.onDecided?.();
    return changes.filter(({ id }) => belonging.includes(id));
  }
}

describe('ReviewSession', () => {
  const changes = changesNamed('status', 'output', 'tools');

  async function opened(part: Partial<ReviewState> = {}, selected?: string): Promise<Rig> {
    const rig = new Rig(reviewState({ changes, ...part }), selected);
    const shown = new Promise<void>((resolve) => rig.session.onChange(({ state }) => state && resolve()));
    rig.session.open();
    await shown;
    return rig;
  }

  it('opens with the first open change, or with the one that was remembered', async () => {
    assert.equal((await opened()).session.view.selected, 'status');
    assert.equal((await opened({}, 'tools')).session.view.selected, 'tools');
    assert.equal((await opened({}, 'gone')).session.view.selected, 'status');
  });

  it('says what was decided as well, because it belongs to the change', async () => {
    const rig = await opened();
    rig.group = ['status', 'tools'];
    await rig.session.decide('rejected');
    assert.equal(
      rig.session.view.announcement,
      'Rejected: Status, Tools. They belong together: the file cannot be written with only some of them. 1 change left, next: Output.',
    );
    await rig.session.decide('accepted');
    assert.equal(rig.session.view.announcement, 'Accepted: Output. Nothing left to review.');
  });

  it('accepts change after change to the end', async () => {
    const { session, asked } = await opened();
    for (let decision = 0; decision < 3; decision++) await session.decide('accepted');
    assert.deepEqual(
      asked.map(([, ids]) => ids),
      [['status'], ['output'], ['tools']],
    );
    assert.equal(session.view.selected, undefined);
    assert.equal(session.view.announcement, 'Accepted: Tools. Nothing left to review.');
    await session.decide('accepted');
    assert.equal(asked.length, 3);
  });

  it('goes round to what was skipped', async () => {
    const { session, asked } = await opened();
    session.step(1);
    await session.decide('rejected');
    await session.decide('rejected');
    assert.equal(session.view.selected, 'status');
    await session.decide('accepted');
    assert.deepEqual(
      asked.map(([, ids]) => ids[0]),
      ['output', 'tools', 'status'],
    );
    assert.equal(session.view.selected, undefined);
  });

  it('makes one decision after the other, and shows each at once', async () => {
    const { session, asked } = await opened();
    const decided = [session.decide('rejected'), session.decide('rejected')];
    assert.equal(session.view.selected, 'tools');
    assert.deepEqual(
      session.view.state?.changes.map(({ decision }) => decision),
      ['rejected', 'rejected', 'open'],
    );
    await Promise.all([...decided, session.decideAll('accepted')]);
    assert.deepEqual(asked, [
      ['rejected', ['status'], 'run-2'],
      ['rejected', ['output'], 'run-2'],
      ['accepted', ['tools'], 'run-2'],
    ]);
  });

  it('decides with what its own decisions have made of the file, and not with what others have', async () => {
    const rig = await opened();
    rig.onDecided = () => rig.change({ stamp: 'run-2, decided' });
    const decided = [rig.session.decide('rejected'), rig.session.decide('rejected')];
    await Promise.all(decided);
    assert.deepEqual(
      rig.asked.map(([, , stamp]) => stamp),
      ['run-2', 'run-2, decided'],
    );
  });

  it('says why a decision failed, stays, and can try again', async () => {
    const rig = await opened();
    rig.refusal = 'refund.toml has run again';
    await rig.session.decide('accepted');
    const { error, busy, selected } = rig.session.view;
    assert.deepEqual(
      { error, busy, selected },
      { error: 'refund.toml has run again', busy: false, selected: 'status' },
    );
    rig.refusal = undefined;
    await rig.session.decide('accepted');
    assert.equal(rig.session.view.error, undefined);
    assert.equal(rig.session.view.selected, 'output');
  });

  it('decides nothing where one can only look', async () => {
    const { session, asked } = await opened({ canDecide: false });
    await session.decide('accepted');
    await session.decideAll('accepted');
    assert.deepEqual(asked, []);
  });

  it('takes decisions back and stages, where one can decide, and says so', async () => {
    const { session, asked } = await opened();
    await session.undo();
    assert.match(session.view.announcement, /undone/);
    await session.stage();
    assert.match(session.view.announcement, /staged/);
    assert.deepEqual(
      asked.map(([what]) => what),
      ['undo', 'stage'],
    );
    const looking = await opened({ canDecide: false });
    await looking.session.undo();
    await looking.session.stage();
    assert.deepEqual(looking.asked, []);
  });

  it('can decide about what an undo brings back as soon as that is shown', async () => {
    const rig = await opened({ changes: changesNamed('output') });
    let respond = (): void => undefined;
    rig.undoing = async () => {
      rig.change({ stamp: 'run-1', changes });
      await new Promise<void>((resolve) => {
        respond = resolve;
      });
    };
    const shown = new Promise<void>((resolve) =>
      rig.session.onChange(({ state }) => state?.stamp === 'run-1' && resolve()),
    );
    const undone = rig.session.undo();
    const decided = new Promise<void>((resolve) =>
      rig.session.inTurn(() => rig.session.decideAll('rejected').then(resolve)),
    );
    await shown;
    assert.equal(rig.asked.length, 1, 'decides on nothing that is about to change');
    respond();
    await Promise.all([undone, decided]);
    assert.deepEqual(rig.asked, [
      ['undo', [], ''],
      ['rejected', ['status', 'output', 'tools'], 'run-1'],
    ]);
    assert.equal(rig.session.view.busy, false);
  });

  it('undoes a decision that is still being made', async () => {
    const { session, asked } = await opened();
    await Promise.all([session.decide('accepted'), session.undo()]);
    assert.deepEqual(
      asked.map(([what]) => what),
      ['accepted', 'undo'],
    );
    assert.match(session.view.announcement, /undone/);
  });

  it('names the run that was on the screen, not one that is on its way', async () => {
    const rig = await opened();
    rig.change({ stamp: 'run-3' });
    await rig.session.decide('accepted');
    assert.equal(rig.asked[0]?.[2], 'run-2');
  });

  it('leads to the interaction of a change of a tape, and of a run to none', async () => {
    const placed = changes.map((change) => ({ ...change, place: { ...change.place, after: 4 } }));
    const run = await opened({ changes: placed });
    await run.session.openTranscript();
    assert.deepEqual(run.shown, []);
    const tape = await opened({ kind: 'tape', changes: placed });
    await tape.session.openTranscript();
    assert.deepEqual(tape.shown, [4]);
  });

  it('says why the diff editor did not open', async () => {
    const { session } = await opened();
    await session.openDiff();
    assert.equal(session.view.error, 'this change is gone');
    session.dismissError();
    assert.equal(session.view.error, undefined);
  });

  describe('among others', () => {
    const queue = { position: 1, total: 2, othersOpen: 1 };
    const other = {
      caseUri: 'other',
      stamp: 'other',
      changes: changesNamed('model', 'answer'),
      queue: { ...queue, position: 2 },
    };

    it('goes on to the next one behind the last change, and back before the first', async () => {
      const rig = await opened({ queue }, 'tools');
      rig.others = [other, { ...rig.state }];
      await rig.session.step(1);
      assert.deepEqual([rig.session.view.state?.caseUri, rig.session.view.selected], ['other', 'model']);
      await rig.session.step(-1);
      assert.deepEqual(rig.went, ['next', 'previous']);
      assert.equal(rig.session.view.selected, 'tools', 'back to where it left');
    });

    it('goes on to what is open when the last change is decided', async () => {
      const rig = await opened({ queue, changes: changesNamed('output') });
      rig.others = [other];
      await rig.session.decide('accepted');
      assert.deepEqual([rig.went, rig.session.view.selected], [['open'], 'model']);
    });

    it('can decide about the next one as soon as that is shown', async () => {
      const rig = await opened({ queue, changes: changesNamed('output') });
      rig.others = [other];
      const busy: boolean[] = [];
      rig.session.onChange((view) => view.state?.caseUri === 'other' && busy.push(view.busy));
      await rig.session.decide('accepted');
      assert.ok(busy.length > 0);
      assert.ok(busy.every((one) => !one));
      assert.equal(rig.session.view.announcement, 'Accepted: Output. Next: refund_question.');
    });

    it('ends where nothing else is open', async () => {
      const rig = await opened({ queue: { ...queue, othersOpen: 0 }, changes: changesNamed('output') });
      await rig.session.decide('accepted');
      assert.deepEqual([rig.went, rig.session.view.selected], [[], undefined]);
    });
  });

  it('fetches texts that were left for later when their change is looked at', async () => {
    const deferred = changes.map((change) => ({ ...change, before: '', after: '', deferred: { preview: 'x' } }));
    const { session } = await opened({ changes: deferred });
    session.select('output');
    await new Promise((settle) => setTimeout(settle, 20));
    assert.equal(session.view.texts.get('output')?.after, 'output after, at length');
    assert.equal(session.view.texts.has('tools'), false);
  });

  it('puts a file back in which only noise differs', async () => {
    const { session, asked } = await opened({ kind: 'tape', changes: [], hidden: changesNamed('id') });
    await session.decide('accepted');
    await session.decide('rejected');
    assert.deepEqual(asked, [['rejected', [], 'run-2']]);
  });

  it('lists one group after the other, and decides what is listed', async () => {
    const [status, output] = changesNamed('status', 'output');
    assert.ok(status && output);
    const { session, asked } = await opened({
      changes: [{ ...status, subject: 'usage', weight: 'accounting' }, output],
    });
    session.nextGroup();
    assert.equal(session.view.selected, 'output');
    session.nextGroup();
    assert.equal(session.view.selected, 'status');
    await session.decideAll('rejected');
    assert.deepEqual(asked[0]?.[1], ['status']);
    session.nextGroup();
    assert.equal(session.view.filter.group, undefined);
  });

  it('keeps what was looked at, and what was noted for a decision', async () => {
    const rig = await opened();
    rig.session.select('output');
    rig.session.note(' because ');
    assert.deepEqual([...rig.session.view.viewed], ['status']);
    rig.session.toggleViewed();
    rig.session.toggleViewed();
    assert.deepEqual([...rig.session.view.viewed], ['status']);
    await rig.session.decide('rejected');
    assert.deepEqual(rig.reasons, ['because']);
  });

  it('notifies its listeners until they unsubscribe', async () => {
    const { session } = await opened();
    const seen: (string | undefined)[] = [];
    const leave = session.onChange(({ selected }) => seen.push(selected));
    session.step(1);
    leave();
    session.step(1);
    assert.deepEqual(seen, ['output']);
  });
});
