import { createHash } from 'node:crypto';
import { placeText } from '../../core/export/changesText';
import { differenceLine } from '../../core/match/driftLine';
import type { Change, ChangeWeight } from '../../core/model/change';
import { escapeLine } from '../../core/text/escapeInvisible';

/** A file with pending changes. */
export interface AnnotatedFile {
  /** From the top of the repository, with `/`. */
  readonly path: string;
  /** In the order of the review, with lines from 1. */
  readonly pending: readonly { readonly change: Change; readonly line: number }[];
}

/** What changed, in one line: `Response · interaction 2: rains → snows`. */
export function annotationText({ title, place, kind, before, after }: Change): string {
  const what = title + placeText(place);
  return escapeLine(kind === 'moved' || before === after ? what : differenceLine(what, before, after));
}

const GITLAB_SEVERITIES: Readonly<Record<ChangeWeight, 'major' | 'minor' | 'info'>> = {
  behaviour: 'major',
  context: 'minor',
  accounting: 'info',
};

/**
 * A Code Quality report of GitLab, which shows each change in the merge request, at its line: a JSON array of `{description,
 * check_name, fingerprint, severity, location: {path, lines: {begin}}}`, as GitLab documents it for custom tools. A
 * fingerprint stays as it is while the change does.
 */
export function gitlabReport(files: readonly AnnotatedFile[]): string {
  const issues = files.flatMap(({ path, pending }) =>
    pending.map(({ change, line }) => ({
      description: annotationText(change),
      check_name: `tapedeck/${change.subject.replaceAll(' ', '-')}`,
      fingerprint: createHash('sha256').update(`${path}\n${change.id}`).digest('hex'),
      severity: GITLAB_SEVERITIES[change.weight],
      location: { path, lines: { begin: line } },
    })),
  );
  return `${JSON.stringify(issues, undefined, 2)}\n`;
}

const RDJSON_SEVERITIES: Readonly<Record<ChangeWeight, 'ERROR' | 'WARNING' | 'INFO'>> = {
  behaviour: 'ERROR',
  context: 'WARNING',
  accounting: 'INFO',
};

/** A report for reviewdog, in its Diagnostic Format (`-f=rdjson`), which comments on GitHub, GitLab, Bitbucket, and Gerrit. */
export function rdjsonReport(files: readonly AnnotatedFile[]): string {
  const diagnostics = files.flatMap(({ path, pending }) =>
    pending.map(({ change, line }) => ({
      message: annotationText(change),
      location: { path, range: { start: { line } } },
      severity: RDJSON_SEVERITIES[change.weight],
      code: { value: change.subject },
    })),
  );
  return `${JSON.stringify({ source: { name: 'tapedeck' }, diagnostics }, undefined, 2)}\n`;
}
