import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readMessages } from '../../../build/l10n.mjs';
import { counted } from '../../../src/core/text/counts';
import { cut, ENGLISH, t, useTranslation } from '../../../src/core/text/l10n';
import { noticeOf, type Said, says } from '../../../src/core/text/notice';

const messages = readMessages('l10n/bundle.l10n.zh-cn.json');
const stored = (said: Said): Said => JSON.parse(JSON.stringify(said));

function inChinese<T>(work: () => T): T {
  useTranslation({ language: 'zh-cn', messages });
  try {
    return work();
  } finally {
    useTranslation(ENGLISH);
  }
}

describe('a notice', () => {
  const made: readonly (readonly [words: () => string, chinese: string])[] = [
    [() => t('there is no such file'), '没有这样的文件'],
    [() => t('port {0} is in use', 80), '端口 80 已被占用'],
    [() => `tapes/a.json: ${t('there is no such file')}`, 'tapes/a.json: 没有这样的文件'],
    [() => t('could not reach {0}: {1}', 'api.openai.com', t('the disk is full')), '无法访问 api.openai.com：磁盘已满'],
    [() => [t('Matches baseline'), counted(2, '{0} assertion', '{0} assertions')].join(' · '), '与基线一致 · 2 个断言'],
    [() => 'status: failed', 'status: failed'],
  ];
  for (const [words, chinese] of made)
    it(`is made words when it is shown: ${words()}`, () => {
      const said = stored(noticeOf(words));
      assert.equal(says(said), words());
      assert.equal(
        inChinese(() => says(said)),
        chinese,
      );
    });

  it('is cut in each language by itself', () => {
    const words = () => cut(t('could not reach {0}: {1}', 'a.example', t('permission denied')), 20);
    const said = stored(noticeOf(words));
    assert.equal(says(said), 'could not reach a.ex…');
    assert.equal(
      inChinese(() => says(said)),
      inChinese(words),
    );
  });

  it('is the same in whatever language it was made', () => {
    const words = () => t('could not reach {0}: {1}', 'a', t('permission denied'));
    assert.deepEqual(
      inChinese(() => noticeOf(words)),
      noticeOf(words),
    );
  });

  it('of a text that was made before is that text', () =>
    assert.equal(noticeOf('permission denied'), 'permission denied'));

  it('is no longer made when the words threw', () => {
    assert.throws(() =>
      noticeOf(() => {
        throw new Error(t('permission denied'));
      }),
    );
    assert.equal(t('permission denied'), 'permission denied');
  });
});

/** What a program may write: anything, and above all what we say ourselves. */
const written = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...Object.keys(messages)),
  fc.constantFrom(...Object.keys(messages)).map((id) => t(id, 'a', 'b', 'c', 'd')),
  fc.constantFrom('status: failed', 'Output: Hello', '{0}', '{0}: {1}', '\uE0000\uE001'),
);

describe('what a program wrote', () => {
  it('is in every language what it was, wherever a message holds it', () => {
    fc.assert(
      fc.property(written, written, (one, other) => {
        const said = stored(noticeOf(() => `${one}: ${t('could not reach {0}: {1}', other, t('{0} years', one))}`));
        assert.equal(
          inChinese(() => says(said)),
          `${one}: 无法访问 ${other}：${one} 年`,
        );
        assert.equal(says(said), `${one}: could not reach ${other}: ${one} years`);
      }),
    );
  });

  it('says itself', () => {
    fc.assert(
      fc.property(written, (text) =>
        assert.equal(
          inChinese(() => says(stored(noticeOf(() => text)))),
          text,
        ),
      ),
    );
  });
});
