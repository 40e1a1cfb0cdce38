import type { Failure, RunResult } from '../../core/model/run';
import { escapeInvisible } from '../../core/text/escapeInvisible';
import { quantity } from '../terminal/visibleText';
import type { RunTotals } from './jsonDocuments';
import { firstLine, type MarkdownSection, markdownText, readSections } from './markdownText';
import { type Reporter, runTotals } from './reporter';
import { runResultJson } from './runResultJson';

const TITLE = '### Tapedeck run: ';

/** What a Markdown report of runs holds. */
export interface RunMarkdown {
  readonly totals: RunTotals;
  /** Of the cases that did not pass. */
  readonly sections: readonly MarkdownSection[];
}

/** A summary for a pull request: how many cases passed, and why the others did not. `rootOf` is the root of a case's project. */
export function markdownReporter(print: (text: string) => void, rootOf: (casePath: string) => string): Reporter {
  return {
    finished: () => undefined,
    done(results) {
      const failed = results.filter(({ status }) => status === 'failed');
      const sections = failed.map((result) => sectionOf(runResultJson(result, rootOf(result.casePath))));
      print(runMarkdown({ totals: runTotals(results), sections }));
    },
  };
}

export function runMarkdown({ totals, sections }: RunMarkdown): string {
  return `${[TITLE + totalsText(totals), ...sections.map(({ text }) => text)].join('\n\n')}\n`;
}

function totalsText({ total, passed, failed, cancelled }: RunTotals): string {
  const others = [...(failed > 0 ? [`${failed} failed`] : []), ...(cancelled > 0 ? [`${cancelled} cancelled`] : [])];
  return `${quantity(total, 'case')}: ${[`${passed} passed`, ...others].join(', ')}`;
}

/** The most failures of one case in a summary. */
const MOST_ROWS = 20;
/** In characters. */
const MESSAGE_LENGTH = 200;

function sectionOf({ casePath, failures }: RunResult): MarkdownSection {
  const rows = failures.slice(0, MOST_ROWS).map(rowOf);
  const more = failures.length - rows.length;
  const lines = [
    `#### ${markdownText(casePath)}`,
    '',
    '| failure | message | what to do |',
    '|---|---|---|',
    ...rows,
    ...(more > 0 ? ['', `… and ${more} more`] : []),
  ];
  return { key: casePath, text: lines.join('\n') };
}

function rowOf({ kind, message, fix = '', line }: Failure): string {
  const said = line === undefined ? message : `${message}: ${line}`;
  const cells = [kind, ...[said, fix].map((text) => firstLine(escapeInvisible(text), MESSAGE_LENGTH))];
  return `| ${cells.map(markdownText).join(' | ')} |`;
}

/** Reads what `run --reporter markdown` has printed; undefined for other text. */
export function readRunMarkdown(text: string): RunMarkdown | undefined {
  if (!text.startsWith(TITLE)) return undefined;
  const { head, sections } = readSections(text);
  const count = (pattern: RegExp): number => Number(pattern.exec(head)?.[1] ?? 0);
  const totals = {
    total: count(/: (\d+) cases?:/),
    passed: count(/ (\d+) passed/),
    failed: count(/, (\d+) failed/),
    cancelled: count(/, (\d+) cancelled/),
  };
  return { totals, sections };
}
