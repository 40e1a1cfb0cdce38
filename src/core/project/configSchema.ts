import { PASSED_VARIABLES } from '../cases/toml/externalAgent';
import { checkPattern, NORMALISE } from '../cases/toml/normalise';
import { PROVIDER } from '../cases/toml/provider';
import { MATCHING } from '../cases/toml/replaySpec';
import { amount, flag, list, named, needed, table, text, withoutOwn } from '../schema/schema';
import { LAYOUT } from '../tapes/layoutSchema';
import { message } from '../text/l10n';

/** US dollars for a million tokens: `"my-model" = { input = 0.5, output = 1.5, cached_input = 0.05, cache_write = 0.6 }`. */
const PRICE = table(message('The prices of a model, in US dollars per million tokens.'), {
  input: needed(amount(message('The price of input tokens, in US dollars per million.'))),
  output: needed(amount(message('The price of output tokens, in US dollars per million.'))),
  cached_input: amount(message("The price of input that is read from the provider's cache; that of input if absent.")),
  cache_write: amount(message("The price of input that is written to the provider's cache; that of input if absent.")),
});

/** The TOML of `tapedeck.toml`. */
export const CONFIG = withoutOwn(
  table(message('The settings of a project. Every part is optional.'), {
    provider: {
      ...PROVIDER,
      description: message('The provider that Re-record uses for cases that do not set one. Replays send no requests.'),
    },
    replay: table(
      message(
        'How requests are matched with recordings, unless a case or a command sets its own rule. Masks are combined.',
      ),
      MATCHING,
    ),
    agent: table(message('Your own agents.'), { pass_env: PASSED_VARIABLES }),
    proxy: table(message('How `exec`, `serve`, and cases with your own agent record and replay.'), {
      format: text(message('The format of new tapes of your own agents, if their name does not say it.'), {
        names: 'format',
        otherwise: 'tapedeck',
      }),
      ...MATCHING,
      record: list(
        text(
          message(
            'A host whose requests are recorded, such as api.example.com or *.example.com. The default is every host. Telemetry of SDKs is recorded only if its host is listed here; on the host of a model, only with its path: api.openai.com/v1/traces.',
          ),
        ),
      ),
      ignore: list(
        text(
          message(
            'A host whose requests are passed on unread in a recording, and refused in a replay, such as *.sentry.io.',
          ),
        ),
      ),
      upstream: named(
        message(
          'Base URLs of APIs, by name, where your environment names none; also of hosts. You confirm that a key may go there.',
        ),
        text(message('The base URL of this API.')),
      ),
    }),
    tapes: table(message('The recordings of a project.'), { layout: list(LAYOUT) }),
    redact: table(message('What must not be recorded.'), {
      patterns: list(
        text(
          message(
            'A regular expression for text that must stay out of tapes, artifacts, baselines, reports, and what agents read.',
          ),
          { check: checkPattern },
        ),
      ),
    }),
    normalise: table(
      message('What counts as noise in a review. By default, that is every preset but `date`.'),
      NORMALISE,
    ),
    verify: table(message('Additional checks of `verify`.'), {
      cache_prefix: flag(message('Whether to report requests that break the prefix the provider could have cached.'), {
        default: false,
      }),
      exempt: list(
        table(message('A tape that may break a rule. It is still listed, with the reason.'), {
          rule: needed(
            text(message('The rule that the tape may break.'), {
              enum: ['cache-prefix'],
              refusal: message('this rule has no exemptions: {0}'),
            }),
          ),
          tape: needed(text(message('The path of a tape or of a folder of tapes, relative to the project root.'))),
          reason: needed(text(message('Why the tape may break it. The reason is listed with it.'))),
        }),
      ),
    }),
    prices: named(
      message('Prices of models in US dollars per million tokens, which take precedence over the list prices.'),
      PRICE,
    ),
  }),
);
