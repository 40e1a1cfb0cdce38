import { type Json, jsonEqual } from '../json/json';
import { pieceIn } from '../wire/realtime/piece';

/** What stands on a tape where a secret was, at the end of a text. */
const HIDDEN = /\[redacted(?::[\w-]+)?\]$/;

/**
 * Whether a client says a piece of a text as it was recorded, as far as the recording tells: where a secret was spread over pieces, the
 * first of them has what hides it, and the others have the rest of their texts. No piece alone shows that there is a secret in it.
 * `before`: the client's messages on the tape so far.
 */
export function isHiddenPiece(before: readonly Json[], recorded: Json, sent: Json): boolean {
  const [known, said] = [pieceIn(recorded), pieceIn(sent)];
  if (known === undefined || said === undefined || !jsonEqual(known.others, said.others)) return false;
  const shown = known.text.replace(HIDDEN, '');
  const begins = shown !== known.text;
  if (!goesOn(before)) return begins && said.text.startsWith(shown);
  return begins ? said.text.includes(shown) : said.text.endsWith(shown);
}

/** Whether the last of these began with a secret, or had nothing but the middle of one. */
function goesOn(before: readonly Json[]): boolean {
  const last = [...before].reverse().find((one) => pieceIn(one)?.text !== '');
  return HIDDEN.test(pieceIn(last)?.text ?? '');
}
