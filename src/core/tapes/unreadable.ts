import type { TapeFormat } from './format';

/** The format of files whose content is not read: it reports the reason as their only problem. */
export const UNREADABLE = {
  id: 'unreadable',
  label: 'Unreadable file',
  family: 'unreadable',
  extensions: [],
  looksLike: ({ unreadable }) => unreadable !== undefined,
  read: ({ unreadable = 'it is too large' }) => ({
    format: 'unreadable',
    interactions: [],
    problems: [
      {
        severity: 'error',
        message: `the file was not read: ${unreadable}`,
        fix: 'Restore it from version control, record it again, or split it into smaller tapes.',
        span: { start: 0, end: 0 },
      },
    ],
  }),
  notWritableReason: 'Its content was not read.',
} satisfies TapeFormat;
