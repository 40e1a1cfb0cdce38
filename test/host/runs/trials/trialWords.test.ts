import assert from 'node:assert/strict';
import type { Trial, TrialSample } from '../../../../src/core/model/trial';
import { distinctModels } from '../../../../src/host/runs/trials/modelGroups';
import { againLines, planLines, previewAdoption } from '../../../../src/host/runs/trials/trialWords';
import { cellOf } from '../../../ui/trialPageStates';

const sample = (at: number, verdict: TrialSample['verdict'], part: Partial<TrialSample> = {}): TrialSample => ({
  sample: at,
  verdict,
  durationMs: 1,
  ...(verdict !== 'error' && { tapePath: `sample-${at}/a.tape.json` }),
  ...part,
});

const TRIAL: Trial = {
  models: ['small', 'large'],
  samples: 3,
  isComplete: true,
  cases: [
    { casePath: 'a.toml', name: 'a', tapePath: 'a.tape.json' },
    { casePath: 'b.toml', name: 'b', tapePath: 'b.tape.json' },
    { casePath: 'c.toml', name: 'c', refusal: 'its responses are in the case' },
  ],
  cells: [
    cellOf('a.toml', 'small', [
      sample(1, 'failed', { dollars: 0.1 }),
      sample(2, 'passed', { dollars: 0.2, changes: 3 }),
      sample(3, 'passed', { dollars: 0.3, changes: 1 }),
    ]),
    cellOf('a.toml', 'large', [sample(1, 'passed'), sample(2, 'error')]),
    cellOf('b.toml', 'small', [sample(1, 'failed', { dollars: 0.1 })]),
    cellOf('b.toml', 'large', []),
    cellOf('c.toml', 'small', []),
    cellOf('c.toml', 'large', []),
  ],
};

describe('what is said before a trial', () => {
  it('is what each model records, what that costs, and what is kept', () => {
    const perModel = [
      { model: 'gpt-5-mini', samples: 4, calls: 8, dollars: 0.02 },
      { model: 'mine', samples: 4, calls: 8 },
      { model: 'kept', samples: 0, calls: 0 },
      { model: 'first', samples: 1, calls: 0 },
    ];
    const lines = planLines({ samples: 13, kept: 4, perModel, notices: [] });
    assert.deepEqual(
      lines.map((line) => line.replace(/\d{4}-\d\d-\d\d/, 'DAY')),
      [
        'gpt-5-mini: 4 samples, 8 live calls, about $0.02.',
        'mine: 4 samples, 8 live calls.',
        'first: 1 sample, whose cost is unknown.',
        'Prices are list prices of DAY.',
        '4 of 13 samples were recorded before and are kept.',
      ],
    );
  });

  it('is, for another time, what the samples have cost, or which ended in an error', () => {
    assert.deepEqual(againLines(TRIAL, 'errors'), ['large: 1 sample that ended in an error.']);
    assert.deepEqual(againLines(TRIAL, 'all'), [
      'small: 4 samples, which cost $0.70 last time.',
      'large: 2 samples, whose price is unknown.',
    ]);
  });
});

describe('what adopting a model would do', () => {
  it('names the sample that becomes the tape of each case, and why others keep theirs', () => {
    assert.deepEqual(previewAdoption(TRIAL, 'small'), {
      casePaths: ['a.toml'],
      taken: ['a.tape.json will be replaced by sample 3 of 3, which passed.'],
      left: ['b: no sample passed.', 'c: its responses are in the case.'],
    });
    assert.deepEqual(previewAdoption(TRIAL, 'large').left, [
      'b: it is not recorded.',
      'c: its responses are in the case.',
    ]);
  });
});

describe('the models that are offered', () => {
  it('are each there once, with what any group says of them', () => {
    const groups = distinctModels([
      { label: 'Last', models: [{ label: 'a', picked: true }] },
      { label: 'Cases', models: [{ label: 'a' }] },
      {
        label: 'Prices',
        models: [
          { label: 'a', description: '$1' },
          { label: 'b', description: '$2' },
        ],
      },
    ]);
    assert.deepEqual(groups, [
      { label: 'Last', models: [{ label: 'a', picked: true, description: '$1' }] },
      { label: 'Prices', models: [{ label: 'b', description: '$2' }] },
    ]);
  });
});
