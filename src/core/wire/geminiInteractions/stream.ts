import { asRecord, asString, isBlank } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type { StreamEvent } from '../protocol';

/** Joins the events of a streamed interaction. */
export function joinInteractionEvents(events: readonly StreamEvent[]): JsonRecord {
  const interaction = new Map<string, Json>();
  const steps = new Map<Json, StepBuilder>();
  for (const { json } of events) {
    for (const [key, value] of Object.entries(asRecord(json.interaction)))
      if (!isBlank(value)) interaction.set(key, value);
    const start = asRecord(json.step ?? json.content);
    const delta = asRecord(json.delta);
    if (isBlank(start) && isBlank(delta)) continue;
    const index = json.index ?? 0;
    const step = steps.get(index) ?? new StepBuilder();
    steps.set(index, step);
    step.start(start);
    step.add(delta);
  }
  const whole = Object.fromEntries(interaction);
  return isBlank(whole.steps) ? { ...whole, steps: [...steps.values()].map((step) => step.build()) } : whole;
}

class StepBuilder {
  #step: JsonRecord = {};
  #text: string | undefined;
  #arguments: string | undefined;
  #summary = '';
  readonly #others = new Map<string, Json>();

  start(step: JsonRecord): void {
    this.#step = { ...this.#step, ...step };
  }

  add(delta: JsonRecord): void {
    for (const [key, value] of Object.entries(delta)) {
      if (key === 'text' && typeof value === 'string') this.#text = (this.#text ?? '') + value;
      // Arguments come as pieces of JSON text, or as an object.
      else if (key === 'arguments' && typeof value === 'string') this.#arguments = (this.#arguments ?? '') + value;
      else if (key === 'content' && delta.type === 'thought_summary')
        this.#summary += asString(asRecord(value).text) ?? '';
      else if (key !== 'type' && !isBlank(value)) this.#others.set(key, value);
    }
  }

  build(): JsonRecord {
    const { type = 'model_output', content } = this.#step;
    const others = Object.fromEntries(this.#others);
    const isContent = type === 'model_output' || type === 'text';
    const text = this.#text === undefined ? [] : [{ type: 'text', text: this.#text, ...(isContent ? others : {}) }];
    return {
      type,
      ...this.#step,
      ...(isContent && text.length > 0 ? {} : others),
      ...(this.#arguments === undefined ? {} : { arguments: this.#arguments }),
      ...(this.#summary === '' ? {} : { summary: this.#summary }),
      ...(isContent && !isRecord(content)
        ? { type: 'model_output', content: [...(Array.isArray(content) ? content : []), ...text] }
        : {}),
    };
  }
}
