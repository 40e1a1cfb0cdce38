import { createParser } from 'eventsource-parser';
import { isRecord, type Json, type JsonRecord } from '../../core/json/json';
import type { ChatResponse } from '../../core/model/message';
import { readArguments, readContent, readUsage, toolCallId } from './chatWire';

interface PartialCall {
  id: Json | undefined;
  name: string;
  arguments: string;
}

/** Assembles a streamed response from its chunks, fed as text as they arrive; events may be split anywhere. */
export class ChatStream {
  readonly #onEvent: (data: string) => Json;
  readonly #parser = createParser({ onEvent: ({ data }) => this.#take(data) });
  #content: string | null = null;
  readonly #calls: PartialCall[] = [];
  readonly #callAt = new Map<number, PartialCall>();
  #usage: ReturnType<typeof readUsage> = {};
  #finishReason: string | undefined;
  #done = false;

  /** `onEvent` turns the data of an event into JSON, or throws the error of the response. */
  constructor(onEvent: (data: string) => Json) {
    this.#onEvent = onEvent;
  }

  /** The provider has sent its end mark; anything after it is ignored. */
  get done(): boolean {
    return this.#done;
  }

  /** The response is complete: some servers end the connection without an end mark. */
  get complete(): boolean {
    return this.#done || this.#finishReason !== undefined;
  }

  feed(text: string): void {
    this.#parser.feed(text);
  }

  response(): ChatResponse {
    return {
      content: this.#content,
      toolCalls: this.#calls.map(({ id, name, arguments: args }, index) => ({
        id: toolCallId(id, index),
        name,
        arguments: readArguments(args),
      })),
      ...this.#usage,
      finishReason: this.#finishReason,
    };
  }

  #take(data: string): void {
    if (this.#done) return;
    if (data.trim() === '[DONE]') {
      this.#done = true;
      return;
    }
    const event = this.#onEvent(data);
    if (!isRecord(event)) return;
    this.#usage = { ...this.#usage, ...readUsage(event) };
    const choice = Array.isArray(event.choices) ? event.choices[0] : undefined;
    if (!isRecord(choice)) return;
    if (typeof choice.finish_reason === 'string') this.#finishReason = choice.finish_reason;
    if (isRecord(choice.delta)) this.#merge(choice.delta);
  }

  #merge(delta: JsonRecord): void {
    const text = readContent(delta.content) ?? readContent(delta.refusal);
    if (text !== null) this.#content = (this.#content ?? '') + text;
    if (Array.isArray(delta.tool_calls)) for (const call of delta.tool_calls.filter(isRecord)) this.#mergeCall(call);
  }

  #mergeCall(part: JsonRecord): void {
    const call = this.#callOf(part);
    const wanted = isRecord(part.function) ? part.function : {};
    if (part.id) call.id = part.id;
    if (typeof wanted.name === 'string' && wanted.name !== call.name) call.name += wanted.name;
    if (typeof wanted.arguments === 'string') call.arguments += wanted.arguments;
  }

  /** Parts belong together by index. Servers that leave it out, or at 0, begin another call with another id. */
  #callOf({ id, index }: JsonRecord): PartialCall {
    const key = typeof index === 'number' ? index : 0;
    const call = this.#callAt.get(key);
    if (call !== undefined && !(id && call.id && call.id !== id)) return call;
    const begun: PartialCall = { id: undefined, name: '', arguments: '' };
    this.#calls.push(begun);
    this.#callAt.set(key, begun);
    return begun;
  }
}
