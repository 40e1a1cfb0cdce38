import { asRecord } from '../../json/fields';
import { isRecord, type Json } from '../../json/json';

/** A message that may be a piece of what is said in several: its text, and all else. */
interface Piece {
  readonly text: string;
  readonly others: Json;
}

/**
 * The piece that a client says. It says most things whole, and one after the other they are no text; what it dictates, it does in pieces,
 * and so it does where a message is nothing but a text.
 */
export function pieceIn(said: Json | undefined): Piece | undefined {
  if (!isRecord(said)) return undefined;
  const { event_id: _, ...message } = said;
  const [[name, only] = [], ...more] = Object.entries(message);
  if (name !== undefined && more.length === 0 && typeof only === 'string') return { text: only, others: name };
  const wrapper = ['realtimeInput', 'realtime_input'].find((one) => isRecord(message[one]));
  const found = textIn(message) ?? textIn(asRecord(message[wrapper ?? '']));
  return (
    found && {
      text: found.text,
      others: wrapper === undefined ? found.others : { ...message, [wrapper]: found.others },
    }
  );
}

function textIn(members: { readonly [name: string]: Json }): Piece | undefined {
  const name = ['text', 'delta', 'transcript'].find((one) => typeof members[one] === 'string');
  return name === undefined ? undefined : { text: String(members[name]), others: { ...members, [name]: '' } };
}
