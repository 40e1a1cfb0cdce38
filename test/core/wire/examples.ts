import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Json, JsonRecord } from '../../../src/core/json/json';
import type { ProtocolId } from '../../../src/core/model/interaction';

/** What the tests of all protocols need of each. `examples.ts` in its folder exports it. */
export interface ProtocolExamples {
  readonly id: ProtocolId;
  /** A call. */
  readonly url: string;
  readonly body: JsonRecord;
  /** Members that its body has anyway where they are absent. */
  readonly silent: readonly JsonRecord[];
  /** Members that say something. */
  readonly telling: readonly JsonRecord[];
  /** A response that reports 100 tokens of the prompt, 40 of them cached, and 50 of completion, 20 of them reasoning. */
  readonly usage: Json;
}

export async function examplesOf(id: ProtocolId): Promise<ProtocolExamples> {
  for (const folder of readdirSync(import.meta.dirname)) {
    const path = join(import.meta.dirname, folder, 'examples.ts');
    if (!existsSync(path)) continue;
    const { examples } = (await import(pathToFileURL(path).href)) as { readonly examples: ProtocolExamples };
    if (examples.id === id) return examples;
  }
  return assert.fail(`${id} needs its examples`);
}
