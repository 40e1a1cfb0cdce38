import assert from 'node:assert/strict';
import type { ReviewedChange } from '../../../../src/contracts/engine/review';
import {
  decidedIds,
  neighbouringChange,
  nextPending,
  nextSelection,
} from '../../../../webview-ui/review/session/reviewView';
import { changesNamed, reviewState } from '../reviewFixtures';

describe('reviewModel', () => {
  const changes = changesNamed('status', 'output', 'tools');
  const [status, output, tools] = changes as [ReviewedChange, ReviewedChange, ReviewedChange];
  const rejected = (change: ReviewedChange): ReviewedChange => ({ ...change, decision: 'rejected' });

  describe('neighbour', () => {
    it('goes forward and back', () => {
      assert.equal(neighbouringChange(changes, 'status', 1), 'output');
      assert.equal(neighbouringChange(changes, 'tools', -1), 'output');
    });
    it('goes round', () => {
      assert.equal(neighbouringChange(changes, 'tools', 1), 'status');
      assert.equal(neighbouringChange(changes, 'status', -1), 'tools');
    });
    it('begins at an end when nothing is selected', () => {
      assert.equal(neighbouringChange(changes, undefined, 1), 'status');
      assert.equal(neighbouringChange(changes, undefined, -1), 'tools');
    });
    it('finds nothing in nothing', () => assert.equal(neighbouringChange([], 'status', 1), undefined));
  });

  describe('nextPending', () => {
    it('takes the open one at the place itself', () => assert.equal(nextPending(changes, 1), 'output'));
    it('goes round over what is decided', () =>
      assert.equal(nextPending([status, output, rejected(tools)], 2), 'status'));
    it('ends when all is decided', () => assert.equal(nextPending(changes.map(rejected), 0), undefined));
  });

  describe('followUp', () => {
    it('begins with the first open change', () =>
      assert.equal(nextSelection([], [rejected(status), output], undefined), 'output'));
    it('stays with a change that is still open', () =>
      assert.equal(nextSelection(changes, changes, 'output'), 'output'));
    it('goes on from an accepted change, which is gone', () => {
      assert.equal(nextSelection(changes, [status, tools], 'output'), 'tools');
    });
    it('goes on from a change that has just been rejected', () => {
      assert.equal(nextSelection(changes, [status, rejected(output), tools], 'output'), 'tools');
    });
    it('goes back to what was skipped', () => {
      assert.equal(nextSelection(changes, [status, output], 'tools'), 'status');
    });
    it('stays with a rejected change that is being looked at', () => {
      const now = [status, rejected(output), tools];
      assert.equal(nextSelection(now, now, 'output'), 'output');
    });
    it('has nowhere to go after the last one', () => {
      assert.equal(nextSelection([output], [], 'output'), undefined);
      assert.equal(nextSelection([output], [rejected(output)], 'output'), undefined);
    });
    it('returns to work when a new run brings changes', () =>
      assert.equal(nextSelection([], changes, undefined), 'status'));
  });

  describe('decidedIds', () => {
    it('is the one change', () => assert.deepEqual(decidedIds(reviewState({ changes }), 'output'), ['output']));
    it('is everything in a first run, which becomes the baseline as a whole', () => {
      const state = reviewState({ changes, hasBaseline: false });
      assert.deepEqual(decidedIds(state, 'output'), ['status', 'output', 'tools']);
    });
  });
});
