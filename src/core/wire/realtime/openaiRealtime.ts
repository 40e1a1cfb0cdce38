import { asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../json/fields';
import { compactJson, type Json, type JsonRecord } from '../../json/json';
import type { Chunk } from '../../model/http';
import type { ChatRequest, ChatResponse, Message } from '../../model/message';
import type { Span } from '../../text/source';
import { readInput, readOutput } from '../openaiResponses/read';
import { responseError } from '../shared/errors';
import { readOpenaiTools } from '../shared/openaiTools';
import { usageFromCounts } from '../shared/usage';
import type { RealtimeSession, SocketEvent, Turn } from './session';

interface Item {
  /** Known once the server has named it. */
  id: string | undefined;
  json: JsonRecord;
}

interface OpenTurn {
  readonly request: ChatRequest;
  readonly chunks: Chunk[];
  readonly items: JsonRecord[];
  text: string;
}

/** OpenAI's Realtime protocol, which Azure and xAI speak as well. */
export class OpenaiRealtimeSession implements RealtimeSession {
  readonly turns: Turn[] = [];
  #session: JsonRecord = {};
  readonly #items: Item[] = [];
  #open: OpenTurn | undefined;
  /** Frames since the last turn. */
  #since: Span | undefined;
  #hasInput = false;

  take({ direction, data, source }: SocketEvent): void {
    this.#since = { start: this.#since?.start ?? source.start, end: source.end };
    if (direction === 'sent') this.#sent(data);
    else this.#received(data);
  }

  close(reason?: string): void {
    if (this.#open === undefined && !this.#hasInput) return;
    const request = this.#open?.request ?? this.#request();
    const response = this.#open && this.#unfinished(this.#open);
    const error = reason && { content: null, toolCalls: [], ...response, error: reason };
    this.#add(request, error || response);
  }

  #sent(event: JsonRecord): void {
    if (event.type === 'session.update') this.#session = { ...this.#session, ...asRecord(event.session) };
    if (event.type === 'conversation.item.create') this.#items.push({ id: undefined, json: asRecord(event.item) });
    this.#hasInput ||= event.type === 'response.create' || event.type === 'conversation.item.create';
  }

  #received(event: JsonRecord): void {
    const type = asString(event.type) ?? '';
    this.#open?.chunks.push({ event: type, data: compactJson(event) });
    if (type.startsWith('session.')) this.#session = { ...this.#session, ...asRecord(event.session) };
    else if (/^conversation\.item\.(?:created|added)$/.test(type)) this.#named(asRecord(event.item));
    else if (type.endsWith('input_audio_transcription.completed')) this.#heard(event);
    else if (type === 'response.created') this.#begin(event);
    else if (type === 'response.output_item.done') this.#open?.items.push(asRecord(event.item));
    else if (/^response\.(?:output_)?(?:text|audio_transcript)\.delta$/.test(type)) this.#grow(event);
    else if (type === 'response.done') this.#end(asRecord(event.response));
    else if (type === 'error') this.#failed(event);
  }

  /** The server repeats the items of the client, and turns audio into messages. */
  #named(item: JsonRecord): void {
    if (item.role === 'assistant' || item.type === 'function_call') return;
    const id = asString(item.id);
    if (this.#items.some((known) => known.id !== undefined && known.id === id)) return;
    const unnamed = this.#items.find((known) => known.id === undefined);
    if (unnamed === undefined) this.#items.push({ id, json: item });
    else unnamed.id = id;
  }

  #heard({ item_id: id, transcript }: JsonRecord): void {
    const item = this.#items.find((known) => known.id !== undefined && known.id === id);
    if (item === undefined || typeof transcript !== 'string') return;
    item.json = { type: 'message', role: 'user', content: [{ type: 'input_text', text: transcript }] };
  }

  #begin(event: JsonRecord): void {
    if (this.#open !== undefined) this.#add(this.#open.request, this.#unfinished(this.#open));
    const chunks = [{ event: 'response.created', data: compactJson(event) }];
    this.#open = { request: this.#request(), chunks, items: [], text: '' };
  }

  #grow({ delta }: JsonRecord): void {
    if (this.#open !== undefined) this.#open.text += asString(delta) ?? '';
  }

  #end(response: JsonRecord): void {
    const open = this.#open ?? { request: this.#request(), chunks: [], items: [], text: '' };
    const output = asRecords(response.output);
    this.#items.push(...output.map((json) => ({ id: asString(json.id) ?? '', json })));
    const message = readOutput(output.map(withTranscript));
    const status = asString(response.status);
    const details = asRecord(response.status_details);
    const result = omitUndefined({
      ...message,
      model: asString(this.#session.model),
      usage: readUsage(asRecord(response.usage)),
      finishReason: asString(details.reason) ?? status,
      error: responseError(details) ?? (status === 'failed' ? 'the response failed' : undefined),
      chunks: open.chunks,
    });
    this.#add(open.request, result);
  }

  #failed(event: JsonRecord): void {
    const error = responseError(event) ?? 'unknown error';
    const before = this.#open && this.#unfinished(this.#open);
    this.#add(this.#open?.request ?? this.#request(), { content: null, toolCalls: [], ...before, error });
  }

  /** The part of a response before it was cut off. */
  #unfinished({ items, text, chunks }: OpenTurn): ChatResponse {
    const message =
      items.length > 0 ? readOutput(items.map(withTranscript)) : { content: text === '' ? null : text, toolCalls: [] };
    return omitUndefined({ ...message, model: asString(this.#session.model), chunks });
  }

  #request(): ChatRequest {
    const { model, instructions, tools } = this.#session;
    const items = this.#items.slice();
    // Transcripts of audio arrive during the response, so the messages are read at the end.
    const messages = (): Message[] => [
      ...(isBlank(instructions) ? [] : [{ role: 'system', content: asString(instructions) ?? '', toolCalls: [] }]),
      ...readInput(items.map(({ json }) => withTranscript(json))),
    ];
    const params = omitKeys(this.#session, 'model', 'instructions', 'tools', 'id', 'object', 'type', 'expires_at');
    return {
      ...omitUndefined({ model: asString(model), tools: readOpenaiTools(tools), params }),
      get messages() {
        return messages();
      },
    };
  }

  #add(request: ChatRequest, response: ChatResponse | undefined): void {
    const source = this.#since ?? { start: 0, end: 0 };
    this.turns.push(omitUndefined({ kind: 'llm' as const, request, response, source }));
    this.#open = undefined;
    this.#since = undefined;
    this.#hasInput = false;
  }
}

/** Speech is represented by its transcript: recordings keep no more than the beginning of the audio. */
function withTranscript(item: JsonRecord): JsonRecord {
  const content = asRecords(item.content).map((part): Json => {
    if (typeof part.transcript === 'string') return { type: 'text', text: part.transcript };
    return part.type === 'input_audio'
      ? { type: 'input_audio', input_audio: { data: asString(part.audio) ?? '' } }
      : part;
  });
  return Array.isArray(item.content) ? { ...item, content } : item;
}

function readUsage(usage: JsonRecord): ChatResponse['usage'] {
  return usageFromCounts({
    prompt: usage.input_tokens,
    completion: usage.output_tokens,
    total: usage.total_tokens,
    cached: asRecord(usage.input_token_details).cached_tokens,
  });
}
