import type { Failure, RunResult } from '../../../core/model/run';
import { plural } from '../../../core/text/counts';
import { escapeInvisible, indentLines } from '../../../core/text/escapeInvisible';
import { joinedByCommas } from '../../../core/text/joinedByCommas';
import { t } from '../../../core/text/l10n';
import { ansiStyle } from '../../../core/text/textStyle';

const { bold, cyan, dim, green, red, yellow } = ansiStyle();

/** The output of one case, as far as it waits for its turn. */
interface Block<Item> {
  readonly item: Item;
  readonly waiting: string[];
  isFinished: boolean;
}

/**
 * The output of a test run. Cases run beside each other, and the output of each stays together: that of the first one is shown
 * as it comes, that of the others follows when it has ended.
 */
export class TestOutput<Item> {
  readonly #append: (text: string, item: Item | undefined) => void;
  readonly #blocks = new Map<string, Block<Item>>();
  readonly #results: RunResult[] = [];
  readonly #started = performance.now();

  /** @param append Takes text with the line ends of a terminal. */
  constructor(append: (text: string, item: Item | undefined) => void) {
    this.#append = append;
  }

  started(casePath: string, item: Item, name: string): void {
    this.#blocks.set(casePath, { item, waiting: [], isFinished: false });
    this.#add(casePath, bold(oneLine(name)));
  }

  interaction(casePath: string, index: number, summary: string): void {
    this.#add(casePath, `  ${dim(String(index + 1).padStart(2))}  ${oneLine(summary)}`);
  }

  finished(casePath: string, result: RunResult): void {
    this.#results.push(result);
    this.#add(casePath, `  ${verdict(result)}  ${dim(`${duration(result.durationMs)} · ${oneLine(result.compared)}`)}`);
    for (const failure of result.failures) this.#add(casePath, indentLines(failureText(failure), '    '));
    const block = this.#blocks.get(casePath);
    if (block !== undefined) block.isFinished = true;
    this.#showFinished();
  }

  /** Shows what is still waiting, and the sum of several cases. */
  end(): void {
    for (const [casePath, block] of this.#blocks) {
      this.#flush(block);
      this.#blocks.delete(casePath);
    }
    if (this.#results.length > 1) this.#append(`\r\n${this.#sum()}\r\n`, undefined);
  }

  #add(casePath: string, text: string): void {
    const block = this.#blocks.get(casePath);
    if (block === undefined) return;
    block.waiting.push(`${text}\n`.replaceAll('\n', '\r\n'));
    const [front] = this.#blocks.values();
    if (front === block) this.#flush(block);
  }

  #flush({ waiting, item }: Block<Item>): void {
    if (waiting.length > 0) this.#append(waiting.splice(0).join(''), item);
  }

  #showFinished(): void {
    for (const [casePath, block] of this.#blocks) {
      this.#flush(block);
      if (!block.isFinished) return;
      this.#blocks.delete(casePath);
    }
  }

  #sum(): string {
    const count = (wanted: RunResult['status']): number =>
      this.#results.filter(({ status }) => status === wanted).length;
    const parts = [
      ...(count('passed') > 0 ? [green(t('{0} passed', count('passed')))] : []),
      ...(count('failed') > 0 ? [red(t('{0} failed', count('failed')))] : []),
      ...(count('cancelled') > 0 ? [yellow(t('{0} cancelled', count('cancelled')))] : []),
    ];
    const took = dim(t('in {0}', duration(performance.now() - this.#started)));
    return `${t('{0}: {1}', bold(plural(this.#results.length, 'case')), joinedByCommas(parts))} ${took}`;
  }
}

function verdict({ status }: RunResult): string {
  if (status === 'passed') return green(t('✓ passed'));
  return status === 'failed' ? red(t('✗ failed')) : yellow(t('– cancelled'));
}

function failureText({ message, fix }: Failure): string {
  const what = red(escapeInvisible(message));
  return fix === undefined ? what : `${what}\n${cyan(escapeInvisible(fix))}`;
}

function oneLine(text: string): string {
  return escapeInvisible(text).replaceAll('\n', ' ');
}

function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
