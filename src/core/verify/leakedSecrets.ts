import { stringNodes } from '../json/jsonNode';
import type { Interaction } from '../model/interaction';
import type { Tape } from '../model/tape';
import { findSecrets } from '../secrets/findSecrets';
import { unpackString } from '../secrets/packedString';
import type { SecretFinding } from '../secrets/secretHit';
import { type DocumentRoot, readDocuments } from '../tapes/documents';
import { readTape } from '../tapes/readTape';
import type { TapeFile } from '../tapes/tapeFile';
import type { Span } from '../text/source';
import type { Finding } from './finding';

const FIX =
  'Revoke it, then replace it with REDACTED on the tape: everyone with access to the repository has the secret.';

/**
 * The secrets in a tape, at their place, at the base64 or compressed string that contains them, or in a binary file at
 * their interaction.
 */
export function findLeakedSecrets({ text }: TapeFile, tape: Tape, roots: readonly DocumentRoot[]): Finding[] {
  if (!isBinary(text)) return [...findSecrets(text).map((secret) => leak(secret, secret)), ...packedSecrets(roots)];
  return tape.interactions.flatMap((interaction) => {
    const found = findSecrets(interactionText(interaction));
    return found.map((secret) => leak(secret, interaction.source, ` in interaction ${interaction.index + 1}`));
  });
}

function packedSecrets(roots: readonly DocumentRoot[]): Finding[] {
  return roots.flatMap(({ node, offset }) =>
    [...stringNodes(node)].flatMap(({ value, start, end }) => {
      const text = unpackString(value)?.text;
      const place = { start: start + offset, end: end + offset };
      return text === undefined ? [] : findSecrets(text).map((secret) => leak(secret, place, ' in encoded data here'));
    }),
  );
}

function isBinary(text: string): boolean {
  return text.slice(0, 65_536).includes('\0');
}

/** The content of an interaction as one text. */
function interactionText({ request, response }: Interaction): string {
  return JSON.stringify([request, response], (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
}

function leak({ rule, what, excerpt }: SecretFinding, { start, end }: Span, where = ''): Finding {
  const message = `${what} is recorded${where === '' ? ' here' : where}: ${excerpt}`;
  return { severity: 'error', rule: `secret/${rule}`, message, fix: FIX, span: { start, end } };
}

/** The secrets in a file; none if it is not a tape. */
export function findTapeSecrets(file: TapeFile): readonly Finding[] {
  const tape = readTape(file);
  return tape === undefined ? [] : findLeakedSecrets(file, tape, readDocuments(file).roots);
}
