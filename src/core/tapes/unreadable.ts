import { message, t } from '../text/l10n';
import { conflictIn } from '../text/mergeConflict';
import type { Problem } from '../text/source';
import type { TapeFormat } from './format';
import { type TapeFile, textParts } from './tapeFile';

/** The format of files whose content is not read: it reports the reason as their only problem. */
export const UNREADABLE = {
  id: 'unreadable',
  label: 'Unreadable file',
  family: 'unreadable',
  extensions: [],
  looksLike: ({ unreadable }) => unreadable !== undefined,
  read: (file) => ({ format: 'unreadable', interactions: [], problems: [whyUnread(file)] }),
  notWritableReason: message('Its content was not read.'),
} satisfies TapeFormat;

function whyUnread(file: TapeFile): Problem {
  return conflictProblem(file) ?? tooLarge(file.unreadable ?? t('it is too large'));
}

/** The problem of a file with two versions in it, at the first line that says so; undefined if there is none. */
export function conflictProblem(file: TapeFile): Problem | undefined {
  const span = conflictIn(textParts(file));
  return (
    span && {
      severity: 'error',
      message: t('the file has an unresolved merge conflict'),
      fix: t(
        'Choose one version wherever there are lines of `<<<<<<<` and `>>>>>>>`, and remove these lines; or take one version of the whole file with `git checkout --ours` or `--theirs`.',
      ),
      span,
    }
  );
}

function tooLarge(reason: string): Problem {
  return {
    severity: 'error',
    message: t('the file was not read: {0}', reason),
    fix: t('Restore it from version control, record it again, or split it into smaller tapes.'),
    span: { start: 0, end: 0 },
  };
}
