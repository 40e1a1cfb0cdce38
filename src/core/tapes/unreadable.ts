import { message, t } from '../text/l10n';
import type { TapeFormat } from './format';

/** The format of files whose content is not read: it reports the reason as their only problem. */
export const UNREADABLE = {
  id: 'unreadable',
  label: 'Unreadable file',
  family: 'unreadable',
  extensions: [],
  looksLike: ({ unreadable }) => unreadable !== undefined,
  read: ({ unreadable = t('it is too large') }) => ({
    format: 'unreadable',
    interactions: [],
    problems: [
      {
        severity: 'error',
        message: t('the file was not read: {0}', unreadable),
        fix: t('Restore it from version control, record it again, or split it into smaller tapes.'),
        span: { start: 0, end: 0 },
      },
    ],
  }),
  notWritableReason: message('Its content was not read.'),
} satisfies TapeFormat;
