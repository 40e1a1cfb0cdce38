import assert from 'node:assert/strict';
import { counted, plural } from '../../../src/core/text/counts';
import { ENGLISH, t, useTranslation } from '../../../src/core/text/l10n';

describe('the messages', () => {
  afterEach(() => useTranslation(ENGLISH));

  it('are English with their values, where nothing is translated', () => {
    assert.equal(t('{0} has {1}', 'a.toml', 2), 'a.toml has 2');
    assert.equal(t('constructor'), 'constructor');
    assert.equal(plural(1200, 'tape'), '1,200 tapes');
  });

  it('come from the translation, in its order', () => {
    const messages = { '{0} has {1}': '{1}在{0}', '{0} tape': '{0} 盘', '{0} tapes': '{0} 盘' };
    useTranslation({ language: 'zh-cn', messages });
    assert.equal(t('{0} has {1}', 'a.toml', 2), '2在a.toml');
    assert.equal(plural(1, 'tape'), '1 盘');
    assert.equal(t('not translated: {0}', 1), 'not translated: 1');
  });

  it('leave values alone, whatever they contain', () => {
    assert.equal(t('{0} and {1}', '{1} $&', 'b'), '{1} $& and b');
    assert.equal(t('{"json": {}}'), '{"json": {}}');
    assert.equal(counted(2, '{0} of {1}', '{0} from {1}', 'x'), '2 from x');
  });
});
