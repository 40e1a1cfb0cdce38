import assert from 'node:assert/strict';
import type { ReviewedChange } from '../../../../src/contracts/engine/review';
import { amount, delta } from '../../../../src/core/review/measureText';
import { gistOf } from '../../../../webview-ui/review/diff/changeGist';
import { changeRows } from '../../../../webview-ui/review/list/changeRows';
import {
  countGroups,
  filterChanges,
  groupOf,
  NO_FILTER,
  nextGroup,
} from '../../../../webview-ui/review/session/changeFilter';
import { changesOfInteraction } from '../../../../webview-ui/review/session/reviewView';
import { PLAIN } from '../reviewFixtures';

const change = (id: string, part: Partial<ReviewedChange> = {}): ReviewedChange => ({
  ...PLAIN,
  id,
  title: id,
  before: `${id} before`,
  after: `${id} after`,
  language: 'plaintext',
  decision: 'open',
  ...part,
});
const at = (before: number | undefined, after: number | undefined): Pick<ReviewedChange, 'place'> => ({
  place: { ...(before !== undefined && { before }), ...(after !== undefined && { after }), path: [] },
});

describe('the list of changes', () => {
  const changes = [
    change('head'),
    change('a', at(0, 0)),
    change('b', at(0, 0)),
    change('c', at(1, 2)),
    change('d', at(2, undefined)),
    change('e', at(undefined, 3)),
  ];

  it('has a heading above each interaction, and none for what is in no interaction', () => {
    assert.deepEqual(
      changeRows(changes).map((row) => (row.type === 'change' ? row.change.id : `# ${row.title}`)),
      [
        'head',
        '# Interaction 1',
        'a',
        'b',
        '# Interaction 3 (was 2)',
        'c',
        '# Was interaction 3',
        'd',
        '# Interaction 4',
        'e',
      ],
    );
  });

  it('says where something was that moved', () => {
    const moved = change('m', { kind: 'moved', before: 'x', after: 'x', ...at(2, 4) });
    assert.equal(gistOf(moved).preview, 'Moved from 3 to 5, unchanged');
    assert.equal(gistOf({ ...moved, place: { path: [] } }).preview, 'Moved, unchanged');
  });

  it('knows what belongs to an interaction', () => {
    const [head, a] = changes;
    assert.ok(head && a);
    assert.deepEqual(changesOfInteraction(changes, a), ['a', 'b']);
    assert.deepEqual(changesOfInteraction(changes, head), ['head']);
  });
});

describe('the filter of changes', () => {
  const answer = change('answer', { title: 'Answer' });
  const tool = change('tool', { subject: 'arguments', title: 'Arguments of refund' });
  const model = change('model', { subject: 'model', weight: 'context' });
  const tokens = change('tokens', { subject: 'usage', weight: 'accounting' });
  const added = change('added', { subject: 'interaction', kind: 'added' });
  const all = [answer, tool, model, tokens, added];
  const found = (text: string, texts = new Map()) =>
    filterChanges(all, { text, group: undefined }, texts).map(({ id }) => id);

  it('knows what a change is about', () => {
    assert.deepEqual(all.map(groupOf), ['Responses', 'Tools', 'Context', 'Numbers', 'Interactions']);
    assert.deepEqual(countGroups([answer, answer, tokens]), [
      ['Responses', 2],
      ['Numbers', 1],
    ]);
  });

  it('goes from group to group, and then to all', () => {
    assert.equal(nextGroup(all, undefined), 'Responses');
    assert.equal(nextGroup(all, 'Responses'), 'Tools');
    assert.equal(nextGroup(all, 'Numbers'), undefined);
  });

  it('finds titles and texts, in any case', () => {
    assert.deepEqual(found(' REFUND'), ['tool']);
    assert.deepEqual(found('tokens after'), ['tokens']);
    assert.deepEqual(found('nowhere'), []);
    assert.equal(filterChanges(all, NO_FILTER, new Map()), all);
  });

  it('finds texts that came later', () => {
    const later = change('later', { before: '', after: '', deferred: { preview: 'the beginning' } });
    const search = (text: string) =>
      filterChanges([later], { text, group: undefined }, new Map([['later', { before: 'far', after: 'away' }]])).length;
    assert.deepEqual([search('beginning'), search('away'), search('nearby')], [1, 1, 0]);
  });
});

describe('the numbers of a review', () => {
  it('are written as people read them', () => {
    assert.equal(amount('cost', 0.001342), '$0.0013');
    assert.equal(amount('cost', 12.5), '$12.50');
    assert.equal(amount('latency', 420), '420 ms');
    assert.equal(amount('latency', 12_345), '12.3 s');
    assert.equal(amount('tokens in', 12_400), '12,400');
  });

  it('say how much more or less they are', () => {
    assert.equal(delta({ name: 'interactions', before: 12, after: 14 }), '+2');
    assert.equal(delta({ name: 'latency', before: 1000, after: 750 }), '−25%');
    assert.equal(delta({ name: 'cost', before: 1, after: 1.001 }), '+<1%');
    assert.equal(delta({ name: 'tokens in', before: 10, after: 500 }), '×50');
    assert.equal(delta({ name: 'cost', before: 1, after: 1 }), '');
    assert.equal(delta({ name: 'cost', after: 1 }), 'new');
    assert.equal(delta({ name: 'cost', before: 1 }), 'gone');
  });
});
