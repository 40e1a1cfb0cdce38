import { MATCH_MODES, ON_DRIFT } from '../../model/case';
import { count, flag, list, type TableSchema, table, text } from '../../toml/tableSchema';

/** Describes a key that MoFA does not have. */
export const own = (about: string): string => `${about} Tapedeck only.`;

/** A provider: `[llm.provider]` of a case, and `[provider]` of `tapedeck.toml`. */
export const PROVIDER = table(
  'The provider that Re-record uses. Replay never sends a request.',
  {
    kind: text(
      'The API of the provider. `practice` is built in, offline and free; `vscode_lm` is a model of the editor.',
      {
        enum: ['open_ai_compatible', 'ollama', 'practice', 'vscode_lm'],
      },
    ),
    base_url: text('The base URL, such as "https://api.openai.com/v1". Required for open_ai_compatible.'),
    model: text('The model to use.'),
    api_key_env: text('The environment variable that holds the key. The key itself is never written to a file.', {
      default: 'OPENAI_API_KEY',
    }),
    stream: flag(own('Request streamed responses.'), false),
    timeout_ms: count(own('The time to wait for data from the provider, in milliseconds.'), 1, 60_000),
    seed: count(own('Selects the responses of the practice provider.'), 0),
  },
  ['kind'],
);

/** How requests are matched: in `[llm.replay]` of a case, and in `[replay]` and `[proxy]` of `tapedeck.toml`. */
export const MATCHING: Readonly<Record<string, TableSchema>> = {
  match: text(
    "What counts as recorded: the next recording of the endpoint (the default), any equal one, any whose content the request has, or the one with the format's key.",
    { enum: MATCH_MODES },
  ),
  mask: list(
    text('Parts of a request that may differ: a preset such as `uuid`, or a path such as /messages/0/content.'),
  ),
  on_drift: text(
    'What happens when a request is not as recorded: it fails, or it is served the nearest recording and reported.',
    { enum: ON_DRIFT, default: 'fail' },
  ),
};

export const PASSED_VARIABLES = list(
  text(
    own(
      'A variable of your environment that the command gets besides PATH, HOME and the like; in a replay, a stand-in for a secret one.',
    ),
  ),
);
