import type { ProviderSpec } from '../../model/case';
import { count, flag, needed, own, table, text, type Value } from '../../schema/schema';
import { message, t } from '../../text/l10n';

/** A provider: `[llm.provider]` of a case, and `[provider]` of `tapedeck.toml`. */
export const PROVIDER = table(
  message('The provider that Re-record uses. Replay never sends a request.'),
  {
    kind: needed(
      text(
        message(
          'The API of the provider. `practice` is built in, offline and free; `vscode_lm` is a model of the editor.',
        ),
        {
          enum: ['open_ai_compatible', 'ollama', 'practice', 'vscode_lm'],
          refusal: message('unsupported llm provider kind: {0}'),
        },
      ),
    ),
    base_url: text(message('The base URL, such as "https://api.openai.com/v1". Required for open_ai_compatible.'), {
      check: (url) =>
        /^https?:\/\/[^/]/.test(url)
          ? undefined
          : { message: t('`base_url` is not an http(s) address: {0}', url), fix: t('Use base_url = "https://…/v1".') },
    }),
    model: text(message('The model to use.'), { names: 'model' }),
    api_key_env: text(
      message('The environment variable that holds the key. The key itself is never written to a file.'),
      { otherwise: 'OPENAI_API_KEY' },
    ),
    stream: own(flag(message('Request streamed responses.'), { default: false })),
    // A provider that sends nothing for a minute is considered unreachable.
    timeout_ms: own(
      count(message('The time to wait for data from the provider, in milliseconds.'), 1, { default: 60_000 }),
    ),
    seed: own(count(message('Selects the responses of the practice provider.'), 0)),
  },
  {
    check: ({ kind, base_url: url }) =>
      kind === 'open_ai_compatible' && url === undefined
        ? { message: t('open_ai_compatible needs `base_url`'), fix: t('Add base_url = "https://…/v1".') }
        : undefined,
  },
);

export function providerSpec(provider: Value<typeof PROVIDER>): ProviderSpec {
  const { kind, base_url: baseUrl, model, api_key_env: apiKeyEnv, stream, timeout_ms: timeoutMs, seed } = provider;
  return {
    kind,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(model !== undefined && { model }),
    ...(apiKeyEnv !== undefined && { apiKeyEnv }),
    stream,
    timeoutMs,
    ...(seed !== undefined && { seed }),
  };
}
