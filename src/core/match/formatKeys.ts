import type { JsonNode } from '../json/jsonDocument';
import { readJson } from '../json/jsonDocument';
import { toNode } from '../json/toNode';
import { writeRequestBody } from '../tapes/recordedExchange';
import type { TapeFormat } from '../tapes/tapeFormat';
import { wirePath } from '../wire/wirePath';
import type { RecordedRequest } from './recordedRequest';
import { append, type Queues } from './recordings';
import { type AgentRequest, chatOf, isChat } from './requestForms';

/** The recordings of a tape by its format's own keys. */
export class FormatKeys {
  readonly #queues: Queues = new Map();
  readonly #keyOf: NonNullable<TapeFormat['keyOf']>;

  constructor(recorded: readonly RecordedRequest[], keyOf: NonNullable<TapeFormat['keyOf']>) {
    this.#keyOf = keyOf;
    for (const [at, { key }] of recorded.entries()) if (key !== undefined) append(this.#queues, key, at);
  }

  find(request: AgentRequest): readonly number[] {
    const body = chatBody(request);
    const key = body && this.#keyOf(body, isEmbedding(request) ? 'embedding' : 'llm');
    return (key === undefined ? undefined : this.#queues.get(key)) ?? [];
  }
}

function isEmbedding(request: AgentRequest): boolean {
  return !isChat(request) && /\/embeddings\/?$/.test(wirePath(request.url));
}

/** The request as a body of Chat Completions: as it came where it is one, since keys are made of every character of it. */
export function chatBody(request: AgentRequest): JsonNode | undefined {
  if (!isChat(request) && /\/(?:chat\/completions|embeddings)\/?$/.test(wirePath(request.url)))
    return readJson(new TextDecoder().decode(request.body)).value;
  const chat = chatOf(request);
  return chat && toNode(writeRequestBody(chat));
}
