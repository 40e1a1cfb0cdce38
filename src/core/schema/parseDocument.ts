import { accepts } from './accepts';
import type { Schema } from './schema';

/** The value of a JSON document, if it is what a schema asks for; undefined for one that is damaged, of another version, or none. */
export function parseDocument<T>(schema: Schema<T>, text: string): T | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return accepts(schema, value) ? value : undefined;
  } catch {
    return undefined;
  }
}
