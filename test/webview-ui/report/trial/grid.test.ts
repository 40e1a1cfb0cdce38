import * as assert from 'node:assert/strict';
import { MEASURES, percent, rangeText, sampleLine } from '../../../../webview-ui/report/trial/measures';
import { nextOrder, orderedCases } from '../../../../webview-ui/report/trial/order';
import { totalsOf } from '../../../../webview-ui/report/trial/totals';
import { cellOf, trialOf } from '../../../ui/trialPageStates';

const TRIAL = trialOf(12, 3, 5);
const [, MODEL = ''] = TRIAL.models;

describe('the order of the cases of a trial', () => {
  const names = (order: Parameters<typeof orderedCases>[1], shown: Parameters<typeof orderedCases>[2] = 'all') =>
    orderedCases(TRIAL, order, shown).map(({ name }) => name);

  it('is that of the trial at first', () => {
    assert.deepEqual(
      names(undefined),
      TRIAL.cases.map(({ name }) => name),
    );
  });

  it('is that of the names, with their numbers counted', () => {
    const sorted = names({ isDescending: false });
    assert.ok(sorted.indexOf('refund_question') < sorted.indexOf('refund_question_6'));
    assert.ok(sorted.indexOf('order_status_7') < sorted.indexOf('shipping_abroad_9'));
    assert.deepEqual(names({ isDescending: true }), [...sorted].reverse());
  });

  it('is that of what the cells of a model show, with cases without a value last, whichever way', () => {
    const [first] = TRIAL.cells.filter(({ model }) => model === MODEL);
    const cells = TRIAL.cells.map((cell) => (cell === first ? cellOf(cell.casePath, cell.model, []) : cell));
    for (const isDescending of [true, false]) {
      const sorted = orderedCases({ ...TRIAL, cells }, { model: MODEL, isDescending }, 'durationMs');
      const medians = sorted.map(
        ({ casePath }) =>
          cells.find((cell) => cell.casePath === casePath && cell.model === MODEL)?.summary.durationMs?.median,
      );
      assert.equal(medians.pop(), undefined);
      assert.equal(sorted.at(-1)?.casePath, first?.casePath);
      const turn = isDescending ? -1 : 1;
      assert.deepEqual(
        medians,
        [...medians].sort((left = 0, right = 0) => turn * (left - right)),
      );
    }
  });

  it('starts with the worst, and turns around when it is chosen again', () => {
    assert.deepEqual(nextOrder(undefined, MODEL, 'all'), { model: MODEL, isDescending: false });
    assert.deepEqual(nextOrder(undefined, MODEL, 'dollars'), { model: MODEL, isDescending: true });
    assert.deepEqual(nextOrder({ model: MODEL, isDescending: false }, MODEL, 'all'), {
      model: MODEL,
      isDescending: true,
    });
    assert.deepEqual(nextOrder({ model: MODEL, isDescending: true }, undefined, 'all'), { isDescending: false });
  });
});

describe('the totals of a model', () => {
  it('count every sample once', () => {
    const [totals] = totalsOf(TRIAL);
    const samples = TRIAL.cells.filter(({ model }) => model === TRIAL.models[0]).flatMap((cell) => cell.samples);
    assert.equal(totals?.of, 60);
    assert.equal(totals?.passed, samples.filter(({ verdict }) => verdict === 'passed').length);
    let dollars = 0;
    for (const sample of samples) dollars += sample.dollars ?? 0;
    assert.ok(Math.abs((totals?.sums.dollars ?? 0) - dollars) < 1e-9);
  });

  it('have no sum where a sample that was judged has no value: it would be too small', () => {
    const sample = { sample: 1, verdict: 'passed', durationMs: 5 } as const;
    const priced = { ...sample, dollars: 1 };
    const error = { ...sample, verdict: 'error' as const };
    const of = (samples: Parameters<typeof cellOf>[2]) =>
      totalsOf({ ...trialOf(1, 1, 2), cells: [cellOf('a.toml', 'gpt-4o-mini', samples)] })[0];
    assert.equal(of([priced, sample])?.sums.dollars, undefined);
    assert.equal(of([priced, error])?.sums.dollars, 1);
    assert.deepEqual(of([]), { model: 'gpt-4o-mini', passed: 0, errors: 0, of: 0, sums: {} });
    assert.equal(of([error])?.medianMs, undefined);
  });
});

describe('a measure', () => {
  const [changes, , dollars] = MEASURES;

  it('tells its spread only where that tells more than the median', () => {
    assert.ok(changes && dollars);
    assert.equal(rangeText(changes, { median: 2, low: 1, high: 3 }), '1–3');
    assert.equal(rangeText(changes, { median: 2, low: 2, high: 2 }), undefined);
    assert.equal(rangeText(dollars, { median: 0.01, low: 0.0100001, high: 0.01 }), undefined);
    assert.equal(changes.text(1.5), '1.5 changes');
    assert.equal(changes.text(0), 'no changes');
  });

  it('of a sample is in one line', () => {
    const tokens = { prompt: 1000, completion: 204 };
    const sample = { sample: 1, verdict: 'passed', changes: 1, tokens, dollars: 0.013, durationMs: 1204 } as const;
    assert.equal(sampleLine(sample), '1 change · 1,204 tokens · $0.013 · 1.2 s');
  });

  it('is all or nothing only where it is', () => {
    assert.deepEqual([0, 0.001, 0.5, 0.999, 1].map(percent), ['0%', '1%', '50%', '99%', '100%']);
  });
});
