import { MATCHING, PASSED_VARIABLES, PROVIDER } from '../cases/toml/sharedSchema';
import { MASK_PRESETS } from '../match/masks';
import { amount, flag, list, namedMembers, type TableSchema, table, text } from '../toml/tableSchema';

const PRICE = table(
  'The prices of a model, in US dollars per million tokens.',
  {
    input: amount('The price of input tokens, in US dollars per million.'),
    output: amount('The price of output tokens, in US dollars per million.'),
    cached_input: amount("The price of input that is read from the provider's cache; that of input if absent."),
    cache_write: amount("The price of input that is written to the provider's cache; that of input if absent."),
  },
  ['input', 'output'],
);

const PATTERN = table(
  'Text that a review ignores in this project, such as a build number.',
  {
    name: text('The name that is shown in place of the text.'),
    pattern: text('A regular expression in the syntax of JavaScript.'),
  },
  ['name', 'pattern'],
);

/** The TOML of `tapedeck.toml`, as `readConfig` reads it. */
export const CONFIG_SCHEMA: TableSchema = table('The settings of a project. Every part is optional.', {
  provider: ofProject({
    ...PROVIDER,
    description: 'The provider that Re-record uses for cases without one. Replay never sends a request.',
  }),
  replay: table(
    'How requests are matched with recordings, where a case or a command has no rule of its own. Masks add up.',
    MATCHING,
  ),
  agent: ofProject(table('Your own agents.', { pass_env: PASSED_VARIABLES })),
  proxy: table('How `exec`, `serve`, and cases with your own agent record and replay.', {
    format: text('The format of new tapes of your own agents, if their name does not say it.', { default: 'tapedeck' }),
    ...MATCHING,
    record: list(
      text('A host whose requests are recorded, such as api.example.com or *.example.com. The default is every host.'),
    ),
    ignore: list(
      text('A host whose requests are passed on unread in a recording, and refused in a replay, such as *.sentry.io.'),
    ),
    upstream: namedMembers(
      'Base URLs of APIs, by name, where your environment names none; also of hosts. You confirm that a key may go there.',
      text('The base URL of this API.'),
    ),
  }),
  redact: table('What must not be recorded.', {
    patterns: list(
      text(
        'A regular expression for text that must stay out of tapes, artifacts, baselines, reports, and what agents read.',
      ),
    ),
  }),
  normalise: table('What counts as noise in a review.', {
    presets: list(
      text('A preset of values that are equal whatever they are. The default is all but `date`.', {
        enum: MASK_PRESETS.map(({ name }) => name),
      }),
    ),
    ignore: list(text('A path that is ignored, such as request.params.user; `*` stands for any one key.')),
    usage_tolerance: amount('The part by which token counts may differ: 0.1 for 10%.'),
    timing_tolerance: amount(
      'The part by which durations may differ: 0.5 for 50%. Without it, a duration is never a change.',
    ),
    patterns: list(PATTERN),
  }),
  verify: table('What `verify` reports besides what is wrong in a tape.', {
    cache_prefix: flag('Whether to report requests that break the prefix the provider could have cached.', false),
    exempt: list(
      table(
        'A tape that may break a rule. It is still listed, with the reason.',
        {
          rule: text('The rule.', { enum: ['cache-prefix'] }),
          tape: text('The path of a tape, or of a folder of tapes, from the root of the project.'),
          reason: text('Why.'),
        },
        ['rule', 'tape', 'reason'],
      ),
    ),
  }),
  prices: namedMembers(
    'Prices of models in US dollars per million tokens, which take precedence over the list prices.',
    PRICE,
  ),
});

/** Without the remarks on what MoFA reads: this file is Tapedeck's own. */
function ofProject(schema: TableSchema): TableSchema {
  const { description, properties, items } = schema;
  return {
    ...schema,
    description: description.replace(' Tapedeck only.', ''),
    ...(items && { items: ofProject(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, member]) => [key, ofProject(member)])),
    }),
  };
}
