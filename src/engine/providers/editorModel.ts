import type { ChatParams } from '../../contracts/engine/engine';
import type { ChatRequest, ChatResponse } from '../../core/model/message';
import { t } from '../../core/text/l10n';
import { ProviderError } from '../errors/runErrors';
import type { NetworkPolicy } from '../network/policy';
import type { ChatProvider } from './chatProvider';

/** Sends a request to a language model of the editor that the engine runs in. Rejects when the editor or its user refuses. */
export type AskEditor = (params: ChatParams, signal: AbortSignal) => Promise<ChatResponse>;

/** A model that the user already has in the editor: no key, and the editor asks for consent. */
export class EditorModelProvider implements ChatProvider {
  readonly label: string;
  readonly model?: string;

  constructor(
    private readonly network: NetworkPolicy,
    private readonly ask: AskEditor | undefined,
    model: string | undefined,
  ) {
    if (model !== undefined) this.model = model;
    this.label = `vscode_lm ${model ?? "the editor's first model"}`;
  }

  async chat({ messages, tools }: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    this.network.requireRecording('editor-model', this.label);
    if (this.ask === undefined) {
      const fix = () => t('Record it in the editor, or use another provider.');
      throw new ProviderError(
        'provider',
        () => t('vscode_lm uses a model of VS Code, which the command line does not have'),
        fix,
      );
    }
    try {
      return await this.ask({ model: this.model, messages, tools }, signal);
    } catch (error) {
      signal.throwIfAborted();
      const message = error instanceof Error ? error.message : String(error);
      throw new ProviderError('provider', message, () =>
        t('Allow Tapedeck to use the model, or use another provider.'),
      );
    }
  }
}
