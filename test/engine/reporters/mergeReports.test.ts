import assert from 'node:assert/strict';
import { MARKDOWN_TITLE, NOTHING_CHANGED } from '../../../src/engine/reporters/checkReport';
import { junitDocument } from '../../../src/engine/reporters/junitXml';
import { missingShards, type PartReport, readReport } from '../../../src/engine/reporters/mergeReports';
import { shardMark } from '../../../src/engine/reporters/shardMark';

const RUN = {
  ok: false,
  summary: { total: 1, passed: 0, failed: 1, cancelled: 0, durationMs: 3 },
  results: [{ casePath: 'a.toml', status: 'failed', failures: [{ kind: 'case', message: 'no' }], later: 1 }],
};
const CHECK = { ok: false, matches: false, files: [{ path: 'a.tape.json', changes: [{ decision: 'open' }] }] };
const SAMPLE = { sample: 1, verdict: 'passed', durationMs: 2 };
const CELL = { casePath: 'a.toml', model: 'm', samples: [SAMPLE], summary: { passed: 1, errors: 0, of: 1 }, needed: 1 };
const TRIAL = {
  models: ['m'],
  samples: 1,
  isComplete: true,
  cases: [{ casePath: 'a.toml', name: 'a' }],
  cells: [CELL],
};
const PAGE = { samples: 1, missed: 0, totals: [{ model: 'm', passed: 1, errors: 0, of: 1, nanoDollars: 5 }] };

const kindOf = (report: unknown): string | undefined => readReport(JSON.stringify(report))?.kind;
const page = (data: unknown): string =>
  `### Tapedeck trial: 1 case\n\n<!-- tapedeck-trial ${JSON.stringify(data)} -->\n`;

const withoutShard = ({ shard: _, ...part }: Partial<PartReport> = {}) => part;

describe('a printed report', () => {
  it('is recognised by what is joined of it, of an earlier or a later version too', () => {
    assert.deepEqual([RUN, CHECK, TRIAL].map(kindOf), ['run', 'check', 'trial']);
    assert.equal(kindOf({ ...RUN, summary: {} }), 'run');
    assert.equal(kindOf({ ...CHECK, files: [{ path: 'a', changes: [{ title: 'undecided' }] }] }), 'check');
    assert.equal(readReport(page(PAGE))?.kind, 'trialMarkdown');
  });

  it('says which shard it is of, so that a missing one is told', () => {
    const missing = (...reports: readonly unknown[]) =>
      missingShards(reports.flatMap((report) => readReport(JSON.stringify(report)) ?? [])).map(
        ({ index, count }) => `${index}/${count}`,
      );
    const shard = (index: number, count = 3) => ({ shard: { index, count } });
    for (const report of [RUN, CHECK, TRIAL]) {
      assert.deepEqual(missing({ ...report, ...shard(1) }, { ...report, ...shard(3) }), ['2/3']);
      assert.deepEqual(missing({ ...report, ...shard(2) }, { ...report, ...shard(1) }, { ...report, ...shard(3) }), []);
      assert.deepEqual(missing({ ...report, ...shard(1, 1) }), []);
      assert.deepEqual(missing({ ...report, ...shard(1, 2) }, { ...report, ...shard(1) }), ['2/2', '2/3', '3/3']);
      assert.deepEqual(missing(report, report), []);
    }
  });

  it('says so at its end where it is JUnit or Markdown', () => {
    const suite = junitDocument('tapedeck', { tests: 0, failures: 0, errors: 0, skipped: 0, time: '0.000' }, []);
    for (const report of [
      suite,
      page(PAGE),
      NOTHING_CHANGED,
      `${MARKDOWN_TITLE}1 open\n`,
      '### Tapedeck run: 0 cases: 0 passed\n',
    ]) {
      const marked = [1, 3].map((index) => readReport(report + shardMark({ index, count: 3 })) ?? assert.fail(report));
      assert.deepEqual(missingShards(marked), [{ index: 2, count: 3 }], report);
      const { shard, ...part } = marked[0] ?? assert.fail();
      assert.deepEqual([part, shard], [withoutShard(readReport(report)), { index: 1, count: 3 }]);
    }
    const inside = `${MARKDOWN_TITLE}1 open\n\n#### a\n${shardMark({ index: 1, count: 9 })}\nmore\n`;
    assert.equal(readReport(inside)?.shard, undefined, 'what a report quotes is no mark');
  });

  const others: Readonly<Record<string, unknown>> = {
    'a result without a path': { ...RUN, results: [{ ...RUN.results[0], casePath: undefined }] },
    'a result whose failures are text': { ...RUN, results: [{ ...RUN.results[0], failures: ['no'] }] },
    'a result whose failure has no kind': { ...RUN, results: [{ ...RUN.results[0], failures: [{ message: 'no' }] }] },
    'a run without totals': { ...RUN, summary: null },
    'a run whose duration is text': { ...RUN, summary: { durationMs: '3' } },
    'results that are no list': { ...RUN, results: { a: RUN.results[0] } },
    'files that are paths': { ...CHECK, files: ['a.tape.json'] },
    'changes that are a number': { ...CHECK, files: [{ path: 'a.tape.json', changes: 1 }] },
    'files of another command': { files: CHECK.files },
    'a trial of models that are numbers': { ...TRIAL, models: [1] },
    'a cell without a summary': { ...TRIAL, cells: [{ ...CELL, summary: [] }] },
    'a sample without a duration': { ...TRIAL, cells: [{ ...CELL, samples: [{ ...SAMPLE, durationMs: null }] }] },
  };
  for (const [what, report] of Object.entries(others))
    it(`is none with ${what}`, () => assert.equal(kindOf(report), undefined));

  it('is none where the data of a page is damaged', () => {
    const [total] = PAGE.totals;
    const pages = [
      { ...PAGE, samples: '1' },
      { ...PAGE, missed: -1 },
      { ...PAGE, totals: [{ ...total, passed: null }] },
      { ...PAGE, totals: [{ ...total, nanoDollars: '5' }] },
      { ...PAGE, totals: [[total]] },
      null,
    ];
    for (const data of pages) assert.equal(readReport(page(data)), undefined, JSON.stringify(data));
    assert.equal(readReport(page(PAGE).replace('-->', '')), undefined);
  });
});
