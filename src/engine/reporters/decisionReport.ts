import { resolve } from 'node:path';
import type { NamedChange } from '../../contracts/engine/review';
import type { Decision } from '../../core/review/decisions';
import { escapeLine } from '../../core/text/escapeInvisible';
import { projectPath, shownPath } from '../files/projectPaths';
import type { Terminal } from '../terminal/terminal';
import { quantity } from '../terminal/visibleText';
import { jsonDocument } from './jsonDocument';
import type { DecisionDocument } from './jsonDocuments';

type Outcome = DecisionDocument['files'][number]['outcome'];

/** A file of the project at `root`; `path` is from there, or absolute. */
interface ReportedFile {
  readonly root: string;
  readonly path: string;
}

interface DecidedFile extends ReportedFile {
  readonly outcome: Outcome;
  readonly changes: readonly NamedChange[];
  /** The changes that were decided as well, because the file cannot be written with only some of them. */
  readonly belonging: readonly NamedChange[];
  /** The baseline that now holds the changes of a run. */
  readonly into?: string | undefined;
}

const VERBS = { accepted: 'accept', rejected: 'reject' } as const satisfies Record<Decision, string>;

/** What `accept` and `reject` did, file by file: as lines when it happens, or as one document at the end. */
export class DecisionReport {
  readonly #files: DecisionDocument['files'][number][] = [];

  constructor(
    private readonly isJson: boolean,
    private readonly terminal: Terminal,
  ) {}

  decided({ root, path, outcome, changes, belonging, into }: DecidedFile): void {
    const what = this.terminal.paint.bold(titles(changes) || 'first run');
    const place = into === undefined ? '' : ` into ${this.#shown({ root, path: into })}`;
    const more =
      belonging.length === 0
        ? ''
        : `; ${titles(belonging)} as well, because the file cannot be written with only some of these changes`;
    this.#add({ root, path }, outcome, `${what} ${outcome}${place}${more}`, [...changes, ...belonging]);
  }

  file({ root, path, outcome }: ReportedFile & { readonly outcome: Outcome }): void {
    this.#add({ root, path }, outcome, outcome);
  }

  pending(file: ReportedFile, changes: number): void {
    this.#add(file, 'pending', this.terminal.paint.dim(`not staged: ${quantity(changes, 'change')} pending`));
  }

  nothing(file: ReportedFile, verdict: Decision): void {
    this.#add(file, 'unchanged', this.terminal.paint.dim(`nothing to ${VERBS[verdict]}`));
  }

  /** `sum` is the last line, for people. */
  end(sum?: string): void {
    if (this.isJson) this.terminal.print(jsonDocument<DecisionDocument>(true, { files: this.#files }));
    else if (sum !== undefined) this.terminal.print(`${sum}\n`);
  }

  #add(file: ReportedFile, outcome: Outcome, text: string, changes: readonly NamedChange[] = []): void {
    const { root, path } = file;
    if (!this.isJson) this.terminal.print(`${this.#shown(file)}: ${text}\n`);
    const absolute = resolve(root, path);
    this.#files.push({
      path: projectPath(root, absolute),
      outcome,
      changes: changes.map(({ id, title }) => ({ id, title })),
    });
  }

  #shown({ root, path }: ReportedFile): string {
    return shownPath(this.terminal.cwd, resolve(root, path));
  }
}

function titles(changes: readonly NamedChange[]): string {
  const distinct = [...new Set(changes.map(({ title }) => title))];
  return distinct.length <= 5 ? distinct.map(escapeLine).join(', ') : quantity(changes.length, 'change');
}
