import { readFile } from 'node:fs/promises';
import { mofaFormat } from '../../core/tapes/formats/mofa';
import { readTape } from '../../core/tapes/readTape';
import type { ChatResponse, Tape } from '../../core/tapes/tape';
import { textFile } from '../../core/tapes/tapeFile';
import { LineIndex } from '../../core/text/source';
import { hasCode } from '../recording/fileErrors';
import { type ChatProvider, ProviderError } from './chatProvider';

/** Answers with the interactions of a tape, in order, whatever is asked: MoFA's replay does not compare requests. */
export class ReplayProvider implements ChatProvider {
  readonly label: string;
  readonly #path: string;
  readonly #tape: Tape;
  readonly #strict: boolean;
  #next = 0;

  /** Beyond the end, `strict` fails where MoFA repeats the last interaction for ever. */
  constructor(path: string, tape: Tape, strict: boolean) {
    this.label = `tape ${path}`;
    this.#path = path;
    this.#tape = tape;
    this.#strict = strict;
  }

  async chat(_request: unknown, signal: AbortSignal): Promise<ChatResponse> {
    signal.throwIfAborted();
    const { interactions } = this.#tape;
    const last = interactions.length - 1;
    if (last < 0) throw new ProviderError('replay', 'tape has no interactions', `Re-record ${this.#path}.`);
    if (this.#next > last && this.#strict) {
      throw new ProviderError(
        'replay',
        `replay exhausted after ${interactions.length} ${interactions.length === 1 ? 'interaction' : 'interactions'}`,
        `The agent now asks more often than when ${this.#path} was recorded: re-record it.`,
      );
    }
    const { response } = interactions[Math.min(this.#next, last)] ?? {};
    this.#next += 1;
    if (response === undefined || response.error !== undefined) throw this.#noResponse(response?.error);
    return response;
  }

  #noResponse(error = 'nothing was recorded'): ProviderError {
    const message = `interaction ${this.#next} of the tape has no response: ${error}`;
    return new ProviderError('replay', message, `Re-record ${this.#path}.`);
  }
}

/** Reads a tape for a replay. Rejects with a `ProviderError` in MoFA's words when that cannot be done. */
export async function readTapeFile(path: string): Promise<Tape> {
  const text = await readText(path);
  const tape = readTape(textFile(text)) ?? mofaFormat.read(textFile(text));
  const problem = tape.problems.find(({ severity }) => severity === 'error');
  if (problem === undefined) return tape;
  const { line, column } = new LineIndex(text).position(problem.span.start);
  throw new ProviderError(
    'case',
    `failed to parse tape JSON: ${problem.message} at line ${line} column ${column}`,
    `${path}:${line}:${column}: ${problem.fix ?? 'Repair the tape, or re-record it.'}`,
  );
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const missing = hasCode(error, 'ENOENT', 'ENOTDIR');
    throw new ProviderError(
      missing ? 'replay' : 'case',
      `failed to read tape file: ${inRustsWords(error)}`,
      missing ? `Record ${path} first, or correct the path in [llm].` : `Check ${path} and the path in [llm].`,
    );
  }
}

/** MoFA prints what Rust says, and its output lines are to stay the same. */
function inRustsWords(error: unknown): string {
  if (hasCode(error, 'ENOENT')) return 'No such file or directory (os error 2)';
  if (hasCode(error, 'EACCES')) return 'Permission denied (os error 13)';
  if (hasCode(error, 'ENOTDIR')) return 'Not a directory (os error 20)';
  if (hasCode(error, 'EISDIR')) return 'Is a directory (os error 21)';
  return error instanceof Error ? error.message : String(error);
}
