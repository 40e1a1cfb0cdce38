import { asList, asRecord, asString, isBlank, omitUndefined } from '../../json/fields';
import { compactJson, type Json, type JsonRecord } from '../../json/json';
import type { Chunk } from '../../model/http';
import type { ChatRequest, ChatResponse, Message } from '../../model/message';
import type { Span } from '../../text/source';
import { gemini } from '../gemini/index';
import { camelOrSnake } from '../gemini/parts';
import type { RealtimeSession, SocketEvent, Turn } from './session';

/** A spoken message; its transcript comes later. */
interface SpokenInput {
  text: string;
  mime: string | undefined;
}

/** Gemini's Live protocol. A turn ends with `turnComplete`, or when the client responds to the model's calls. */
export class GeminiLiveSession implements RealtimeSession {
  readonly turns: Turn[] = [];
  #setup: ChatRequest = { messages: [], tools: [], params: {} };
  readonly #history: (Message | SpokenInput)[] = [];
  #heard: SpokenInput | undefined;
  #hasInput = false;
  #parts: Json[] = [];
  #transcript = '';
  #chunks: Chunk[] = [];
  #usage: Json | undefined;
  #since: Span | undefined;

  take({ direction, data, source }: SocketEvent): void {
    if (direction === 'sent' && this.#isResponding && !this.#isSound(data)) this.#end();
    this.#since = { start: this.#since?.start ?? source.start, end: source.end };
    if (direction === 'sent') this.#sent(data);
    else this.#received(data);
  }

  close(reason?: string): void {
    if (this.#isResponding || this.#hasInput) this.#end(reason);
  }

  get #isResponding(): boolean {
    return this.#parts.length > 0 || this.#transcript !== '';
  }

  /** Audio continues while the model speaks. */
  #isSound(frame: JsonRecord): boolean {
    return camelOrSnake(frame, 'realtimeInput') !== undefined;
  }

  #sent(frame: JsonRecord): void {
    const setup = asRecord(frame.setup);
    if (frame.setup !== undefined) this.#setup = gemini.readRequest({ ...setup, contents: [] });
    const content = asRecord(camelOrSnake(frame, 'clientContent'));
    this.#say(asList(content.turns));
    const tools = asRecord(camelOrSnake(frame, 'toolResponse'));
    const results = asList(camelOrSnake(tools, 'functionResponses'));
    if (results.length > 0)
      this.#say([{ role: 'user', parts: results.map((functionResponse) => ({ functionResponse })) }]);
    const live = asRecord(camelOrSnake(frame, 'realtimeInput'));
    if (typeof live.text === 'string') this.#say([{ role: 'user', parts: [{ text: live.text }] }]);
    if (live.audio !== undefined) this.#hear(asString(camelOrSnake(asRecord(live.audio), 'mimeType')));
  }

  #say(contents: readonly Json[]): void {
    if (contents.length === 0) return;
    this.#history.push(...gemini.readRequest({ contents }).messages);
    this.#hasInput = true;
  }

  #hear(mime: string | undefined): SpokenInput {
    if (this.#heard === undefined) {
      this.#heard = { text: '', mime };
      this.#history.push(this.#heard);
      this.#hasInput = true;
    }
    return this.#heard;
  }

  #received(frame: JsonRecord): void {
    const content = asRecord(frame.serverContent);
    const heard = asString(asRecord(content.inputTranscription).text);
    if (heard !== undefined) this.#hear(undefined).text += heard;
    this.#parts.push(...asList(asRecord(content.modelTurn).parts));
    this.#transcript += asString(asRecord(content.outputTranscription).text) ?? '';
    const calls = asList(asRecord(frame.toolCall).functionCalls);
    this.#parts.push(...calls.map((functionCall) => ({ functionCall })));
    this.#usage = frame.usageMetadata ?? this.#usage;
    if (this.#hasInput || this.#isResponding) {
      const [event = ''] = Object.keys(frame);
      this.#chunks.push({ event, data: compactJson(frame) });
    }
    const isOver = content.turnComplete === true;
    if (isOver && (this.#hasInput || this.#isResponding)) this.#end();
  }

  #end(error?: string): void {
    const response = this.#response(error);
    const request = this.#request();
    const source = this.#since ?? { start: 0, end: 0 };
    this.turns.push(omitUndefined({ kind: 'llm' as const, api: 'gemini' as const, request, response, source }));
    if (response !== undefined) {
      const { content, parts, toolCalls } = response;
      this.#history.push({ role: 'assistant', content, parts, toolCalls });
    }
    this.#parts = [];
    this.#transcript = '';
    this.#chunks = [];
    this.#usage = undefined;
    this.#heard = undefined;
    this.#hasInput = false;
    this.#since = undefined;
  }

  #response(error: string | undefined): ChatResponse | undefined {
    if (!this.#isResponding && error === undefined) return undefined;
    const spoken = this.#transcript !== '';
    // Speech is represented by its transcript: recordings keep no more than the beginning of the audio.
    const kept = this.#parts.filter((part) => !spoken || camelOrSnake(asRecord(part), 'inlineData') === undefined);
    const parts = [...kept, ...(spoken ? [{ text: this.#transcript }] : [])];
    const response = gemini.readResponse(
      omitUndefined({ candidates: [{ content: { role: 'model', parts } }], usageMetadata: liveUsage(this.#usage) }),
    );
    return omitUndefined({ ...response, error: error ?? response.error, chunks: this.#chunks });
  }

  #request(): ChatRequest {
    const { messages: system, ...setup } = this.#setup;
    const history = this.#history.slice();
    return {
      ...setup,
      get messages() {
        return [...system, ...history.map(spokenMessage)];
      },
    };
  }
}

function spokenMessage(entry: Message | SpokenInput): Message {
  if ('role' in entry) return entry;
  if (entry.text !== '') return { role: 'user', content: entry.text.trim(), toolCalls: [] };
  const audio = omitUndefined({ type: 'audio' as const, mime: entry.mime });
  return { role: 'user', content: null, parts: [audio], toolCalls: [] };
}

/** The candidate of `generateContent`, made of a Live response. */
function liveUsage(usage: Json | undefined): Json | undefined {
  if (isBlank(usage)) return undefined;
  const counts = asRecord(usage);
  return omitUndefined({ candidatesTokenCount: counts.responseTokenCount, ...counts });
}
