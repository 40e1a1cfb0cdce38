import type { Case, ProviderSpec } from '../../core/model/case';
import { loadTapeForReplay } from '../recording/readTape';
import { ChatCompletionsProvider } from './chatCompletions';
import type { ChatProvider } from './chatProvider';
import { type AskEditor, EditorModelProvider } from './editorModel';
import { resolveEndpoint } from './endpoint';
import { PracticeProvider } from './practice';
import { ReplayProvider } from './replay';
import { ScriptedProvider } from './scripted';

export interface StrictOption {
  /** False: beyond the end, what MoFA does. True: the run fails. */
  readonly strict: boolean;
}

export interface LiveOptions {
  env(name: string): string | undefined;
  /** Chooses the answers of the practice provider, unless the case gives a seed. */
  readonly seed: number;
  /** Called before the wait that precedes another attempt; one line for the user. */
  onRetry?(notice: string): void;
  /** Asks a model of the editor, where the engine runs in one. */
  readonly askEditor?: AskEditor;
}

/** The provider that plays the case's `[llm] steps` or `responses`; a case without them has an empty script. */
export function createScripted(testCase: Case, { strict }: StrictOption): ChatProvider {
  return new ScriptedProvider(testCase.llm.script ?? [], strict);
}

/** The provider that answers from a tape. Rejects with a `ProviderError` when the tape cannot be read. */
export async function createReplay(tapePath: string, { strict }: StrictOption): Promise<ChatProvider> {
  return new ReplayProvider(await loadTapeForReplay(tapePath), { strict });
}

/** The provider that asks a model, or the practice model. Throws a `ProviderError` when its settings are not complete. */
export function createLive(spec: ProviderSpec, { env, seed, onRetry, askEditor }: LiveOptions): ChatProvider {
  if (spec.kind === 'vscode_lm') return new EditorModelProvider(askEditor, spec.model);
  if (spec.kind === 'practice') return new PracticeProvider(spec.seed ?? seed);
  return new ChatCompletionsProvider(resolveEndpoint(spec, env), onRetry);
}
