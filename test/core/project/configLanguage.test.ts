import assert from 'node:assert/strict';
import { completeConfig, describeConfigKey } from '../../../src/core/project/configLanguage';

function labels(marked: string): readonly string[] {
  const offset = marked.indexOf('|');
  return completeConfig(marked.replace('|', ''), offset).map(({ label }) => label);
}

describe('writing tapedeck.toml', () => {
  it('offers its tables in an empty file, and their keys', () => {
    assert.deepEqual(labels('|'), [
      '[provider]',
      '[replay]',
      '[agent]',
      '[proxy]',
      '[proxy.upstream]',
      '[tapes]',
      '[[tapes.layout]]',
      '[redact]',
      '[normalise]',
      '[[normalise.patterns]]',
      '[verify]',
      '[[verify.exempt]]',
      '[prices]',
    ]);
    assert.ok(labels('[provider]\nkind = "practice"\nm|').includes('model'));
    assert.ok(labels('[normalise]\n|').includes('usage_tolerance'));
  });

  it('offers values: providers, presets, formats, and models with their prices', () => {
    assert.deepEqual(labels('[provider]\nkind = |'), ['"open_ai_compatible"', '"ollama"', '"practice"', '"vscode_lm"']);
    assert.ok(labels('[normalise]\npresets = ["|"]').includes('"temp-path"'));
    assert.ok(labels('[replay]\nmask = |').includes('"uuid"'));
    assert.ok(labels('[proxy]\nformat = "|"').includes('"vcrpy"'));
    assert.ok(labels('[prices]\n|').includes('gpt-4o-mini'));
    assert.deepEqual(labels('[prices]\nmine = { input = 1, | }'), ['output', 'cached_input', 'cache_write']);
  });

  it('describes tables and keys, those of a named member too', () => {
    const text = '[replay]\non_drift = "warn"\n[prices]\n"a.b" = { input = 1, output = 2 }\n';
    const at = (word: string) => describeConfigKey(text, text.indexOf(word) + 1);
    assert.match(at('replay')?.about ?? '', /How requests are matched/);
    assert.deepEqual(at('on_drift')?.choices, ['fail', 'warn']);
    assert.equal(at('output')?.title, 'prices.a.b.output');
    assert.match(at('output')?.about ?? '', /output tokens/);
  });
});
