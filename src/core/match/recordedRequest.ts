import type { ChatRequest, Interaction, Tape } from '../tapes/tape';
import type { TapeFormat } from '../tapes/tapeFormat';
import { comparableChat } from './chatComparable';
import { type ComparableRequest, comparableExchange } from './comparable';
import type { Signature } from './signature';

/** A request as a tape has it. */
export interface RecordedRequest {
  /** Of its interaction. */
  readonly index: number;
  /** Reads what was asked as it went over the wire; absent where the tape does not have that. */
  wire?(): ComparableRequest;
  /** Reads what was asked by its meaning; absent where the tape keeps no more than digests. */
  chat?(): ComparableRequest;
  /** The format's own key. */
  readonly key?: string;
  /** From an index file, where there is one: then nothing has to be read before it is looked at. */
  readonly signature?: Signature;
}

/** The requests of a tape that an agent can make: calls of models, embeddings, and what else went over HTTP. */
export function recordedRequests({ interactions }: Tape, format: Pick<TapeFormat, 'stored'>): RecordedRequest[] {
  return interactions.flatMap((interaction) => recordedRequest(interaction, format) ?? []);
}

const ASKED: readonly string[] = ['llm', 'embedding', 'http'] satisfies readonly Interaction['kind'][];

function recordedRequest(
  interaction: Interaction,
  { stored }: Pick<TapeFormat, 'stored'>,
): RecordedRequest | undefined {
  const { index, kind, http, request, id } = interaction;
  if (!ASKED.includes(kind)) return undefined;
  return {
    index,
    ...(http && { wire: () => comparableExchange(http) }),
    ...(request && isWhole(request) && { chat: () => comparableChat(request, stored) }),
    ...(id !== undefined && { key: id }),
  };
}

function isWhole({ partial }: ChatRequest): boolean {
  return partial === undefined;
}
