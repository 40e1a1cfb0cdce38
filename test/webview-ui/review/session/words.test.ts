import assert from 'node:assert/strict';
import { describeOutcome, emptyState, headline, sideNames, summary } from '../../../../webview-ui/review/session/words';
import { changesNamed, reviewState } from '../reviewFixtures';

describe('the words of a review', () => {
  const changes = changesNamed('status', 'output');
  const rejected = changes.map((change) => ({ ...change, decision: 'rejected' as const }));
  const [first, second] = changes;
  const sameDay = new Date(2026, 10, 21, 23, 0).getTime();

  it('counts what is open', () => {
    assert.equal(headline(reviewState({ changes })), '2 changes in refund_question');
    assert.equal(headline(reviewState({ changes: changes.slice(1) })), '1 change in refund_question');
  });

  it('only names the case when nothing is', () => {
    assert.equal(headline(reviewState({ changes: rejected })), 'refund_question');
    assert.equal(headline(reviewState()), 'refund_question');
  });

  it('calls a first run a first run', () => {
    const state = reviewState({ changes, hasBaseline: false });
    assert.equal(headline(state), 'First run of refund_question');
    assert.equal(summary(state, sameDay, 'en-GB'), 'Replay from 22:14, no baseline yet');
  });

  it('names the run by its mode and its time of today', () => {
    assert.equal(summary(reviewState({ changes }), sameDay, 'en-GB'), 'Replay from 22:14, compared with the baseline');
    const recorded = summary(reviewState({ changes, mode: 'record' }), sameDay, 'en-GB');
    assert.equal(recorded, 'Re-recording from 22:14, compared with the baseline');
  });

  it('adds the date of another day', () => {
    const later = new Date(2026, 10, 23).getTime();
    assert.match(summary(reviewState({ changes }), later, 'en-GB'), /Replay from 21 Nov 2026(,| at) 22:14/);
  });

  it('counts what was rejected', () => {
    const [one] = rejected;
    assert.ok(one && second);
    const state = reviewState({ changes: [one, second] });
    assert.equal(summary(state, sameDay, 'en-GB'), 'Replay from 22:14, compared with the baseline · 1 rejected');
  });

  it('announces a decision and what is next', () => {
    assert.ok(first && second);
    const accepted = {
      verdict: 'accepted',
      titles: ['Status'],
      belonging: [],
      left: [second],
      selected: 'output',
    } as const;
    assert.equal(describeOutcome(accepted), 'Accepted: Status. 1 change left, next: Output.');
    const last = { verdict: 'rejected', titles: ['Output'], belonging: [], left: [], selected: undefined } as const;
    assert.equal(describeOutcome(last), 'Rejected: Output. Nothing left to review.');
    assert.equal(describeOutcome({ ...last, elsewhere: reviewState() }), 'Rejected: Output. Next: refund_question.');
    assert.match(describeOutcome({ ...last, titles: ['a', 'b', 'c', 'd'] }), /^Rejected: 4 changes\./);
  });

  it('ends with what a rejection means', () => {
    assert.equal(emptyState(reviewState()).text, 'The last run matches its baseline.');
    assert.match(emptyState(reviewState({ changes: rejected })).text, /does not include the 2 changes you rejected/);
  });

  it('ends a file with what is left to do', () => {
    assert.equal(emptyState(reviewState({ kind: 'tape' })).text, 'The file is unchanged.');
    assert.match(
      emptyState(reviewState({ kind: 'tape', changes: rejected })).text,
      /All changes in this file are decided/,
    );
    const [noise] = changes;
    assert.ok(noise);
    const { title, text } = emptyState(reviewState({ kind: 'tape', hidden: [noise] }));
    assert.equal(title, 'No changes to review');
    assert.match(text, /^1 difference ignored by rules/);
  });

  it('names what a file is compared with', () => {
    const accepted = changes.map((change) => ({ ...change, decision: 'accepted' as const }));
    assert.equal(
      summary(reviewState({ kind: 'tape', against: 'commit', changes: accepted }), sameDay),
      'Compared with the last commit · 2 accepted',
    );
    const beside = reviewState({ kind: 'tape', against: 'take', changes });
    assert.equal(summary(beside, sameDay), 'Compared with the previous take');
  });

  it('names both sides of a comparison, and says when they say the same', () => {
    const compared = { before: 'a.tape.json in 3f2a1c9', after: 'a.tape.json', isCurrent: true };
    const state = reviewState({ kind: 'tape', against: 'chosen', compared, canDecide: false });
    assert.equal(summary(state, sameDay), 'a.tape.json, compared with a.tape.json in 3f2a1c9');
    assert.equal(sideNames(state).onlyBefore, 'Only in a.tape.json in 3f2a1c9');
    assert.deepEqual(emptyState(state), { title: 'No differences', text: 'The two tapes say the same.' });
    const [noise] = changes;
    assert.ok(noise);
    assert.match(emptyState({ ...state, hidden: [noise] }).text, /^1 difference ignored by rules/);
  });
});
