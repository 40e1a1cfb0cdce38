import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { forkBasePath, isForkBasePath, JOURNAL_FOLDER } from '../../core/project/layout';
import { redactValue } from '../../core/secrets/redactTape';
import { applyTapeEdits } from '../../core/tapes/edits/editTape';
import type { TapeResponseEdit } from '../../core/tapes/format';
import { encodeTapeFile } from '../../core/tapes/tapeFile';
import { t } from '../../core/text/l10n';
import { applySplices } from '../../core/text/splice';
import { UserError } from '../errors/userError';
import { fromRoot } from '../files/projectPaths';
import { OwnState } from '../project/ownState';
import { readJournal } from './journalLines';
import type { StoredTape } from './readTape';
import { copiedContent } from './recordedContent';
import { removeRecordings, writeRecorded } from './writeRecorded';

/**
 * Copies a tape for a fork, with edits of a response, into a folder of its own under `.tapedeck/forks/`. Rejects with a
 * `UserError` where an edit is impossible.
 */
export async function writeForkBase(
  root: string,
  { path, file }: StoredTape,
  edits: readonly TapeResponseEdit[],
): Promise<string> {
  const edited = applyTapeEdits(file, edits, redactValue);
  if ('refused' in edited)
    throw new UserError(`${fromRoot(root, path)}: ${edited.refused}`, () => t('Fork without editing this part.'));
  const base = join(root, forkBasePath(randomBytes(6).toString('hex'), basename(path)));
  const content = copiedContent(encodeTapeFile(file, applySplices(file.text, edited.splices)));
  await writeRecorded(root, base, content, { durable: false });
  return base;
}

/** Removes such a copy. Any other file, such as the forked tape itself, stays. */
export async function removeForkBase(root: string, base: string): Promise<void> {
  if (isForkBasePath(fromRoot(root, base))) await removeRecordings(root, dirname(base));
}

/** The same, unless a recording that could not be saved is continued from it. */
export async function releaseForkBase(root: string, base: string): Promise<void> {
  const state = new OwnState(root);
  for (const name of await state.files(JOURNAL_FOLDER)) {
    const path = `${JOURNAL_FOLDER}/${name}`;
    const text = name.endsWith('.jsonl') ? await state.readText(path, FILE_LIMITS.tape) : undefined;
    if (text !== undefined && readJournal(text)?.head.base === fromRoot(root, base)) return;
  }
  await removeForkBase(root, base);
}
