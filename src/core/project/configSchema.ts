import { PASSED_VARIABLES } from '../cases/toml/externalAgent';
import { PROVIDER } from '../cases/toml/provider';
import { MATCHING } from '../cases/toml/replaySpec';
import { MASK_PRESETS } from '../match/masks';
import { amount, flag, list, named, needed, type Refusal, table, text, withoutOwn } from '../schema/schema';
import { compilePattern, isRefused } from '../text/compilePattern';
import { message, t } from '../text/l10n';

/** US dollars for a million tokens: `"my-model" = { input = 0.5, output = 1.5, cached_input = 0.05, cache_write = 0.6 }`. */
const PRICE = table(message('The prices of a model, in US dollars per million tokens.'), {
  input: needed(amount(message('The price of input tokens, in US dollars per million.'))),
  output: needed(amount(message('The price of output tokens, in US dollars per million.'))),
  cached_input: amount(message("The price of input that is read from the provider's cache; that of input if absent.")),
  cache_write: amount(message("The price of input that is written to the provider's cache; that of input if absent.")),
});

const PATTERN = table(message('Text that a review ignores in this project, such as a build number.'), {
  name: needed(text(message('The name that is shown in place of the text.'))),
  pattern: needed(text(message('A regular expression in the syntax of JavaScript.'), { check: checkPattern })),
});

function checkPattern(source: string): Refusal | undefined {
  const compiled = compilePattern(source, 'javascript');
  if (!isRefused(compiled)) return undefined;
  const refusal = compiled.isUnsupported
    ? t('Tapedeck does not support this regular expression: {0} has {1}', source, compiled.reason)
    : t('invalid regular expression: {0}', source);
  return { message: refusal, fix: t('Correct it.') };
}

/** The TOML of `tapedeck.toml`. */
export const CONFIG = withoutOwn(
  table(message('The settings of a project. Every part is optional.'), {
    provider: {
      ...PROVIDER,
      description: message('The provider that Re-record uses for cases without one. Replay never sends a request.'),
    },
    replay: table(
      message('How requests are matched with recordings, unless a case or a command has its own rule. Masks add up.'),
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
            'A host whose requests are recorded, such as api.example.com or *.example.com. The default is every host. The telemetry of SDKs is recorded only where its host is named, on the host of a model with its path: api.openai.com/v1/traces.',
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
    normalise: table(message('What counts as noise in a review.'), {
      presets: list(
        text(message('A preset of values that are equal whatever they are. The default is all but `date`.'), {
          enum: MASK_PRESETS.map(({ name }) => name),
          refusal: message('unknown preset: {0}'),
        }),
      ),
      ignore: list(text(message('A path that is ignored, such as request.params.user; `*` stands for any one key.'))),
      usage_tolerance: amount(message('The part by which token counts may differ: 0.1 for 10%.')),
      timing_tolerance: amount(
        message('The part by which durations may differ: 0.5 for 50%. Without it, a duration is never a change.'),
      ),
      patterns: list(PATTERN),
    }),
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
