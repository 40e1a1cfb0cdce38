import { readDocuments } from '../tapes/documents';
import { detectFormat } from '../tapes/readTape';
import { type TapeFile, tapeFileFromText } from '../tapes/tapeFile';
import { message, t } from '../text/l10n';
import type { Finding } from './finding';
import { isLfsPointer } from './lfsPointer';
import { findRemains } from './malformed';

const GZIP = '\u001f\u008b';

/** Reports a file whose content is elsewhere or lost. */
export function missingContent({ text, gzipHeader, unreadable }: TapeFile): Finding | undefined {
  if (unreadable !== undefined) return atStart('unreadable', t('the file was not read: {0}', unreadable), t(RESTORE));
  if (isLfsPointer(text)) {
    return atStart(
      'lfs-pointer',
      t('this is a Git LFS pointer: the tape itself has not been fetched'),
      t('Run: git lfs pull'),
    );
  }
  if (text.trim() === '') return atStart('empty', t('the file is empty'), t(RESTORE));
  if (text.startsWith(GZIP) && gzipHeader === undefined) {
    return atStart('gzip', t('the gzip data is damaged or truncated'), t(RESTORE));
  }
  return undefined;
}

const ZIP = 'PK\u0003\u0004';
const EMBED = message('Make a whole archive of it: `tapedeck convert IN OUT.har`.');
const RESTORE = message('Restore it from version control, or record the tape again.');

/** What is wrong with a file that no format recognises; none if it is not a damaged tape, but another file. */
export function findDamage(file: TapeFile): readonly Finding[] {
  const missing = missingContent(file);
  if (missing !== undefined) return [missing];
  if (/\.har\.zip$/i.test(file.path) && file.text.startsWith(ZIP))
    return [atStart('format', t('this is an HTTP archive in a zip, which is not read'), t(EMBED))];
  if (isTapeInUtf16(file))
    return [
      atStart(
        'format',
        t('the file is UTF-16: recorders read UTF-8 only'),
        t('Save it as UTF-8, or restore it from version control.'),
      ),
    ];
  const { syntax, problems } = readDocuments(file);
  const broken = syntax === 'other' ? [] : problems.map((problem): Finding => ({ ...problem, rule: 'syntax' }));
  return broken.length > 0 ? broken : findRemains(file.text);
}

/** As Windows PowerShell writes what a command prints. */
function isTapeInUtf16({ path, bytes, gzipHeader }: TapeFile): boolean {
  const encoding = gzipHeader === undefined ? UTF_16.get(`${bytes[0]} ${bytes[1]}`) : undefined;
  if (encoding === undefined) return false;
  return detectFormat(tapeFileFromText(new TextDecoder(encoding).decode(bytes), path)) !== undefined;
}

/** By the byte order mark. */
const UTF_16: ReadonlyMap<string, string> = new Map([
  ['255 254', 'utf-16le'],
  ['254 255', 'utf-16be'],
]);

function atStart(rule: Finding['rule'], message: string, fix: string): Finding {
  return { severity: 'error', rule, message, fix, span: { start: 0, end: 0 } };
}
