import type { Trial, TrialCell } from '../../core/model/trial';
import { formatDollars } from '../../core/prices/formatDollars';
import { parseDocument } from '../../core/schema/parseDocument';
import { amount, count, list, optional, shape, text, type Value } from '../../core/schema/schema';
import { plural } from '../../core/text/counts';
import { isReached } from '../../core/trials/summary';
import { type MarkdownSection, markdownText, readSections } from './markdownText';
import { percent, recordable, summaryWords } from './trialReport';

const MARKDOWN_TOTALS = shape({
  model: text(),
  passed: count(),
  errors: count(),
  of: count(),
  /** In billionths of a US dollar, whose sums are exact; absent where the cost of one sample is unknown. */
  nanoDollars: optional(amount()),
});
export type MarkdownTotals = Value<typeof MARKDOWN_TOTALS>;

/** The data of a Markdown report, in its first lines, for `merge`. */
const MARKDOWN_TRIAL = shape({
  samples: count(),
  /** How many cells miss the pass rate of their cases. */
  missed: count(),
  totals: list(MARKDOWN_TOTALS),
});
type MarkdownTrial = Value<typeof MARKDOWN_TRIAL>;

export interface TrialMarkdownPart {
  readonly data: MarkdownTrial;
  readonly sections: readonly MarkdownSection[];
}

const TRIAL_TITLE = '### Tapedeck trial: ';
const DATA = '<!-- tapedeck-trial ';

/** A summary for a pull request. Recorded text is escaped, so that it cannot become markup. */
export function trialMarkdown(trial: Trial): string {
  const cells = recordable(trial);
  const paths = [...new Set(cells.map(({ casePath }) => casePath))];
  const sections = paths.map((path) =>
    caseSection(
      path,
      cells.filter(({ casePath }) => casePath === path),
    ),
  );
  const totals = trial.models.map((model) =>
    markdownTotals(
      model,
      cells.filter((cell) => cell.model === model),
    ),
  );
  const missed = cells.filter((cell) => !isReached(cell)).length;
  return markdownTrial({ samples: trial.samples, missed, totals }, sections);
}

function markdownTotals(model: string, cells: readonly TrialCell[]): MarkdownTotals {
  const sum = (numberOf: (cell: TrialCell) => number): number => cells.reduce((all, cell) => all + numberOf(cell), 0);
  const samples = cells.flatMap((cell) => cell.samples).filter(({ tapePath }) => tapePath !== undefined);
  const isKnown = samples.every(({ dollars }) => dollars !== undefined);
  return {
    model,
    passed: sum(({ summary }) => summary.passed),
    errors: sum(({ summary }) => summary.errors),
    of: sum(({ summary }) => summary.of),
    ...(isKnown && {
      nanoDollars: sum(({ samples }) => Math.round(samples.reduce((all, { dollars = 0 }) => all + dollars * 1e9, 0))),
    }),
  };
}

export function markdownTrial(trial: MarkdownTrial, sections: readonly string[]): string {
  const { samples, totals } = trial;
  const title = [plural(sections.length, 'case'), plural(totals.length, 'model'), plural(samples, 'sample')].join(
    ' × ',
  );
  const rows = totals.map(({ model, passed, errors, of, nanoDollars }) => {
    const rate = of === 0 ? '-' : percent(passed / of);
    return `| ${markdownText(model)} | ${passed} of ${of} | ${rate} | ${errors} | ${nanoDollars === undefined ? '-' : formatDollars(nanoDollars / 1e9)} |`;
  });
  const table = ['| model | passed | pass rate | errors | cost |', '|---|---|---|---|---|', ...rows];
  // Without a `>`, nothing ends the comment early.
  const data = `${DATA}${JSON.stringify(trial).replaceAll('>', '\\u003e')} -->`;
  return `${[`${TRIAL_TITLE}${title}`, data, table.join('\n'), ...sections].join('\n\n')}\n`;
}

function caseSection(path: string, cells: readonly TrialCell[]): string {
  const rows = cells.map(
    ({ model, summary }) => `| ${[model, ...summaryWords(summary)].map(markdownText).join(' | ')} |`,
  );
  const head = ['| model | passed | changes | tokens | cost | latency |', '|---|---|---|---|---|---|'];
  return [`#### ${markdownText(path)}`, '', ...head, ...rows].join('\n');
}

/** Reads what `trial --reporter markdown` has printed; undefined for other text. */
export function readTrialMarkdown(printed: string): TrialMarkdownPart | undefined {
  if (!printed.startsWith(TRIAL_TITLE)) return undefined;
  const { head, sections } = readSections(printed);
  const [, line = ''] = head.split('\n\n');
  if (!line.startsWith(DATA) || !line.endsWith(' -->')) return undefined;
  const data = parseDocument(MARKDOWN_TRIAL, line.slice(DATA.length, -' -->'.length));
  return data && { data, sections };
}
