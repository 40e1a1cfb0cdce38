import type { SecretSearch } from '../secrets/secretSearch';
import { type SecretLeft, secretsInFile, secretsInTape, secretsLeft } from '../secrets/secretsLeft';
import type { ReadTape } from '../secrets/tapeTexts';
import type { TapeFile } from '../tapes/tapeFile';
import { message, t } from '../text/l10n';
import type { Finding } from './finding';

const FIX = message(
  'Revoke it, then replace it with REDACTED on the tape: everyone with access to the repository has the secret.',
);

/**
 * The secrets in a tape, at their place, at the encoded string that contains them, or at their interaction. `search` knows
 * the values and patterns of a project; without it, secrets are known by their shapes and names.
 */
export function findLeakedSecrets(read: ReadTape, search?: SecretSearch): Finding[] {
  return secretsInTape(read, search).map(leak);
}

/** The secrets in a file; none if it is not a tape. */
export function findTapeSecrets(file: TapeFile, search?: SecretSearch): readonly Finding[] {
  return secretsLeft(file, search).map(leak);
}

/** The secrets in a file that no format knows. */
export function findFileSecrets(file: TapeFile, search?: SecretSearch): readonly Finding[] {
  return secretsInFile(file, search).map(leak);
}

function leak({ rule, what, excerpt, start, end, where, interaction }: SecretLeft): Finding {
  const message = t(PLACES[where], t(what), excerpt, (interaction ?? 0) + 1);
  return { severity: 'error', rule: `secret/${rule}`, message, fix: t(FIX), span: { start, end } };
}

const PLACES: Readonly<Record<SecretLeft['where'], string>> = {
  text: message('{0} is recorded here: {1}'),
  encoded: message('{0} is recorded in encoded data here: {1}'),
  stream: message('{0} is recorded in the pieces of a stream here: {1}'),
  interaction: message('{0} is recorded in interaction {2}: {1}'),
};
