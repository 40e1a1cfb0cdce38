import { MATCH_MODES, ON_DRIFT } from '../../model/case';
import { message } from '../../text/l10n';
import { count, flag, list, own, type TableSchema, table, text } from '../../toml/tableSchema';

/** A provider: `[llm.provider]` of a case, and `[provider]` of `tapedeck.toml`. */
export const PROVIDER = table(
  message('The provider that Re-record uses. Replay never sends a request.'),
  {
    kind: text(
      message(
        'The API of the provider. `practice` is built in, offline and free; `vscode_lm` is a model of the editor.',
      ),
      {
        enum: ['open_ai_compatible', 'ollama', 'practice', 'vscode_lm'],
      },
    ),
    base_url: text(message('The base URL, such as "https://api.openai.com/v1". Required for open_ai_compatible.')),
    model: text(message('The model to use.')),
    api_key_env: text(
      message('The environment variable that holds the key. The key itself is never written to a file.'),
      {
        default: 'OPENAI_API_KEY',
      },
    ),
    stream: flag(own(message('Request streamed responses.')), false),
    timeout_ms: count(own(message('The time to wait for data from the provider, in milliseconds.')), 1, 60_000),
    seed: count(own(message('Selects the responses of the practice provider.')), 0),
  },
  ['kind'],
);

/** How requests are matched: in `[llm.replay]` of a case, and in `[replay]` and `[proxy]` of `tapedeck.toml`. */
export const MATCHING: Readonly<Record<string, TableSchema>> = {
  match: text(
    message(
      "What counts as recorded: the next recording of the endpoint (the default), any equal one, any whose content the request has, or the one with the format's key.",
    ),
    { enum: MATCH_MODES },
  ),
  mask: list(
    text(
      message('Parts of a request that may differ: a preset such as `uuid`, or a path such as /messages/0/content.'),
    ),
  ),
  on_drift: text(
    message(
      'What happens when a request is not as recorded: it fails, or it is served the nearest recording and reported.',
    ),
    { enum: ON_DRIFT, default: 'fail' },
  ),
};

export const PASSED_VARIABLES = list(
  text(
    own(
      message(
        'A variable of your environment that the command gets besides PATH, HOME and the like; in a replay, a stand-in for a secret one.',
      ),
    ),
  ),
);
