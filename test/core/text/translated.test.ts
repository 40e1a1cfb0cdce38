import assert from 'node:assert/strict';
import { readMessages } from '../../../build/l10n.mjs';
import { ENGLISH, t, useTranslation } from '../../../src/core/text/l10n';
import { translated } from '../../../src/core/text/translated';

describe('a text that was kept in English', () => {
  before(() => useTranslation({ language: 'zh-cn', messages: readMessages('l10n/bundle.l10n.zh-cn.json') }));
  after(() => useTranslation(ENGLISH));

  const shown: readonly (readonly [kept: string, now: string])[] = [
    ['there is no such file', '没有这样的文件'],
    ['port 80 is in use', '端口 80 已被占用'],
    ['tapes/a.json: there is no such file', 'tapes/a.json: 没有这样的文件'],
    ['could not reach api.openai.com: host not found (ENOTFOUND)', '无法访问 api.openai.com：未找到主机 (ENOTFOUND)'],
    [
      'max_calls: the agent called the model 3 times, at most 2 are allowed (interaction 3)',
      'max_calls: 智能体调用了 3 次模型，最多允许 2 次（交互 3）',
    ],
    ['Matches baseline · 2 assertions', '与基线一致 · 2 个断言'],
    [
      'expected output to contain `permission denied`, got `none of them\nis it`',
      '期望输出包含 `permission denied`，实际为 `none of them\nis it`',
    ],
    ['Output: Hello[-!-]{+, Ada.+}', '输出: Hello[-!-]{+, Ada.+}'],
    ['Added user message: "Paris"', '新增 user 消息："Paris"'],
    ['message 2 (user) edited: "one" → "another"', '消息 2（user）已编辑: "one" → "another"'],
    ['`system` added: "Be brief."', '新增 `system`: "Be brief."'],
    ['$.a is not of type string: 5', '$.a 不是 string 类型：5'],
    [
      'a.json has no recordings\n  last user message: "there is no such file"',
      'a.json 没有录制\n  最后一条用户消息："there is no such file"',
    ],
  ];
  for (const [kept, now] of shown) it(`is found: ${JSON.stringify(kept)}`, () => assert.equal(translated(kept), now));

  it('stays as it is where it is none of ours, in all its lines', () => {
    for (const text of ['', 'Traceback (most recent call last):\npermission denied', 'Paris is in France', '{0}'])
      assert.equal(translated(text), text);
  });

  it('is not looked for in a language that is English', () => {
    useTranslation(ENGLISH);
    assert.equal(translated('port 80 is in use'), 'port 80 is in use');
    useTranslation({ language: 'zh-cn', messages: readMessages('l10n/bundle.l10n.zh-cn.json') });
  });

  it('is given up where it is long data', () => {
    const text = `${'could not reach a: '.repeat(200)}${': '.repeat(100_000)}`;
    assert.equal(translated(text), text);
  }).timeout(30_000);

  it('is what it would have been', () => {
    const [path, reason] = ['a b.json', 'it is outside the project'];
    const made = t('{0} was skipped: {1}', path, t(reason));
    assert.equal(translated(`${path} was skipped: ${reason}`), made);
  });
});
