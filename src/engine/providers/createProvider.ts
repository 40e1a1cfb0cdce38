import type { Case, ProviderSpec } from '../../core/model/case';
import type { Words } from '../../core/text/notice';
import type { NetworkPolicy } from '../network/policy';
import type { Recorder } from '../recording/recorder';
import { ChatCompletionsProvider } from './chatCompletions';
import type { ChatProvider } from './chatProvider';
import { type AskEditor, EditorModelProvider } from './editorModel';
import { resolveEndpoint } from './endpoint';
import { PracticeProvider } from './practice';
import { ScriptedProvider } from './scripted';

interface LiveOptions {
  readonly network: NetworkPolicy;
  readonly recorder: Recorder;
  /** Chooses the phrasing of the practice provider, unless the case has a seed. */
  readonly seed: number;
  /** Called before the wait that precedes another attempt, with one line for the user. */
  onRetry?(notice: Words): void;
  /** Sends a request to a model of the editor, where the engine runs in one. */
  readonly askEditor?: AskEditor;
}

/** The provider that plays the case's `[llm] steps` or `responses`; a case without them has an empty script. */
export function createScripted(testCase: Case): ChatProvider {
  return new ScriptedProvider(testCase.llm.script ?? []);
}

/**
 * The provider for a model, or for the practice model. Rejects with a `ProviderError` when its settings are incomplete, and
 * with a `UserError` for a key that may not go to it.
 */
export async function createLive(
  spec: ProviderSpec,
  { network, recorder, seed, onRetry, askEditor }: LiveOptions,
): Promise<ChatProvider> {
  if (spec.kind === 'vscode_lm') return new EditorModelProvider(network, askEditor, spec.model);
  if (spec.kind === 'practice') return new PracticeProvider(spec.seed ?? seed);
  return new ChatCompletionsProvider(await resolveEndpoint(spec, network.keys), network, recorder, onRetry);
}
