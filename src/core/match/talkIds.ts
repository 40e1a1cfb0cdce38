import { isRecord, type Json } from '../json/json';
import type { TalkMessage } from '../wire/realtime/talk';

/** Where messages name what a client may have made up. A voice or an agent has an id too, which it has not. */
const ID =
  /(?:^|\/)(?:item\/id|(?:call|client_event|context|event|generation|item|message|previous_item|request|response|turn)_id)$/;

/** The ids that a client makes anew in each run, with those that it had made when it was recorded. */
export class TalkIds {
  /** By what is sent now. */
  readonly #recorded = new Map<string, string>();

  /** Learns from two messages that are to be the same. What the server has named is no name of the client's. */
  learn(recorded: Json, sent: Json, isOfServer: (id: string) => boolean, path = ''): void {
    if (typeof recorded === 'string' && typeof sent === 'string') {
      if (recorded !== sent && ID.test(path) && !this.#recorded.has(sent) && !isOfServer(recorded))
        this.#recorded.set(sent, recorded);
    } else if (Array.isArray(recorded) && Array.isArray(sent)) {
      recorded.forEach((item, index) => void this.learn(item, sent[index] ?? null, isOfServer, path));
    } else if (isRecord(recorded) && isRecord(sent)) {
      for (const [name, value] of Object.entries(recorded))
        this.learn(value, sent[name] ?? null, isOfServer, `${path}/${name}`);
    }
  }

  /** A message of the client, with the ids of the recording. */
  recordedIn(sent: Json, path = ''): Json {
    if (this.#recorded.size === 0) return sent;
    if (typeof sent === 'string') return ID.test(path) ? (this.#recorded.get(sent) ?? sent) : sent;
    if (Array.isArray(sent)) return sent.map((item) => this.recordedIn(item, path));
    if (!isRecord(sent)) return sent;
    return Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [name, this.recordedIn(value, `${path}/${name}`)]),
    );
  }

  /** A message of the server, with the ids of the client. */
  sentIn(message: TalkMessage): TalkMessage {
    if (message.base64) return message;
    let { data } = message;
    for (const [sent, recorded] of this.#recorded)
      data = data.replaceAll(JSON.stringify(recorded), () => JSON.stringify(sent));
    return data === message.data ? message : { ...message, data };
  }
}
