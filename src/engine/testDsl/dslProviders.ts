import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { ScriptStep } from '../../core/model/case';
import type { ChatResponse } from '../../core/model/message';
import { responseOf } from '../../core/testDsl/dslCase';
import { type TapeInteraction, tapeDocument } from '../../core/testDsl/dslDocument';
import { SerdeError } from '../../core/testDsl/serde';
import { readSerdeJson } from '../../core/testDsl/serdeJson';
import { LineIndex } from '../../core/text/source';
import { utf8Text } from '../../core/text/utf8Text';
import { ProviderError } from '../errors/runErrors';
import { isSystemError, systemReason } from '../errors/systemError';
import { readBytes } from '../files/readFile';
import type { ChatProvider } from '../providers/chatProvider';

/** The response of MoFA's mock beyond the end of its script. */
const STOCK_RESPONSE: ChatResponse = { content: 'This is a mock response.', toolCalls: [] };

/** Plays the steps of a case, and a stock response from then on. */
export class DslScript implements ChatProvider {
  readonly label = 'script';
  readonly #steps: readonly ScriptStep[];
  #next = 0;

  constructor(steps: readonly ScriptStep[]) {
    this.#steps = steps;
  }

  async chat(): Promise<ChatResponse> {
    const step = this.#steps[this.#next];
    if (step === undefined) return STOCK_RESPONSE;
    this.#next += 1;
    if (step.type === 'text') return { content: step.content, toolCalls: [] };
    const call = { id: `call_${this.#next}`, name: step.tool, arguments: step.arguments };
    return { content: step.content ?? null, toolCalls: [call] };
  }
}

/** Plays the interactions of a tape by their position, and the last one for ever. */
export class DslReplay implements ChatProvider {
  readonly label: string;
  readonly #interactions: readonly TapeInteraction[];
  #next = 0;

  private constructor(path: string, interactions: readonly TapeInteraction[]) {
    this.label = `tape ${path}`;
    this.#interactions = interactions;
  }

  /** Reads a tape. Rejects with a `ProviderError` in MoFA's words where MoFA refuses it. */
  static async open(path: string): Promise<DslReplay> {
    const { interactions } = await readTape(path);
    if (interactions.length > 0) return new DslReplay(path, interactions);
    throw new ProviderError('replay', 'tape has no interactions', `Record ${path} again.`);
  }

  async chat(): Promise<ChatResponse> {
    const interaction = this.#interactions[Math.min(this.#next, this.#interactions.length - 1)];
    if (interaction === undefined) throw new Error('a replay has at least one interaction');
    this.#next += 1;
    return responseOf(interaction);
  }
}

async function readTape(path: string) {
  const unreadable = (reason: string) =>
    new ProviderError(
      'replay',
      `failed to read tape file: ${reason}`,
      `Record ${path}, or correct its path in the case.`,
    );
  const bytes = await readBytes(path, FILE_LIMITS.tape).catch((error: unknown) => {
    throw isSystemError(error) ? unreadable(systemReason(error)) : error;
  });
  const text = utf8Text(bytes);
  if (text === undefined) throw unreadable('it is not UTF-8');
  try {
    return readSerdeJson(text, tapeDocument);
  } catch (error) {
    if (!(error instanceof SerdeError)) throw error;
    const { line, column } = new LineIndex(text).position(error.span.start);
    const message = `failed to parse tape JSON: ${error.message} at line ${line} column ${column}`;
    throw new ProviderError('case', message, `${path}:${line}:${column}: repair the tape, or record it again.`);
  }
}
