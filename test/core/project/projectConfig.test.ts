import assert from 'node:assert/strict';
import { NO_CONFIG } from '../../../src/core/project/projectConfig';
import { readConfig } from '../../../src/core/project/readConfig';
import { LineIndex } from '../../../src/core/text/source';

describe('readConfig', () => {
  it('reads the provider', () => {
    const { value, problems } = readConfig('[provider]\nkind = "practice"\nseed = 2\n\n');
    assert.deepEqual(problems, []);
    assert.deepEqual(value, {
      ...NO_CONFIG,
      provider: { kind: 'practice', stream: false, timeoutMs: 60_000, seed: 2 },
    });
  });

  it('reads on over keys that it does not know, and warns of misspelt ones at the key', () => {
    const text = '[later]\nx = 1\n[normalize]\npresets = []\n[prices."a.b"]\ninput = 1\noutput = 2\noutptu = 3\n';
    const { value, problems } = readConfig(text);
    assert.ok(value);
    assert.deepEqual(
      problems.map(({ severity, message, span }) => [severity, message, text.slice(span.start, span.end)]),
      [
        ['info', 'unknown key `later` is ignored', 'later'],
        ['warning', 'unknown key `normalize` is ignored', 'normalize'],
        ['warning', 'unknown key `outptu` under [prices.a.b] is ignored', 'outptu'],
      ],
    );
  });

  it('is content with an empty file', () => {
    assert.deepEqual(readConfig(''), { value: NO_CONFIG, problems: [] });
  });

  it('reads what the review is to take for the same', () => {
    const { value, problems } = readConfig(
      '[normalise]\npresets = ["uuid"]\nignore = ["request.params.user"]\nusage_tolerance = 0.1\n' +
        '[[normalise.patterns]]\nname = "build"\npattern = "build-[0-9]+"\n',
    );
    assert.deepEqual(problems, []);
    const rules = value?.normalise;
    assert.deepEqual(
      rules && { ...rules, patterns: rules.patterns.map(({ name, pattern }) => [name, pattern.source]) },
      {
        presets: ['uuid'],
        patterns: [['build', 'build-[0-9]+']],
        ignore: ['request.params.user'],
        usageTolerance: 0.1,
      },
    );
  });

  const wrong: readonly (readonly [text: string, line: number, column: number, message: string])[] = [
    ['provider = "practice"', 1, 12, '`provider` must be a table'],
    ['# c\n[provider]\nmodel = "m"', 2, 2, 'missing field `kind`'],
    ['[provider]\nkind = "openai"', 2, 8, 'unsupported llm provider kind: openai'],
    ['[provider]\nkind = "open_ai_compatible"', 1, 2, 'open_ai_compatible needs `base_url`'],
    ['provider.kind = "open_ai_compatible"', 1, 1, 'open_ai_compatible needs `base_url`'],
    ['[normalise]\npresets = ["uid"]', 2, 12, 'unknown preset: uid'],
    ['[[normalise.patterns]]\nname = "x"\npattern = "("', 3, 11, 'invalid regular expression: ('],
    ['[provider\nkind = "x"', 1, 10, 'invalid TOML: illegal character in key'],
  ];
  for (const [text, line, column, message] of wrong) {
    it(`reports ${message} at ${line}:${column}`, () => {
      const { value, problems } = readConfig(text);
      assert.equal(value, undefined);
      assert.deepEqual(
        problems.map((problem) => problem.message),
        [message],
      );
      assert.deepEqual(new LineIndex(text).position(problems[0]?.span.start ?? -1), { line, column });
    });
  }
});
