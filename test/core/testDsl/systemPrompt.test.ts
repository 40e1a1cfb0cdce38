import assert from 'node:assert/strict';
import { withoutSurroundings } from '../../../src/core/tapes/formats/mofa/systemPrompt';
import { dslDocument } from '../../../src/core/testDsl/dslDocument';
import { readSerdeToml } from '../../../src/core/testDsl/serdeToml';
import { mofaSystemPrompt } from '../../../src/core/testDsl/systemPrompt';
import { systemPrompt } from '../../../src/engine/execution/agentConversation';
import { syntheticCase } from '../../../src/engine/execution/syntheticCase';

const NOW = new Date('2026-04-04T14:22:59Z');
const AGENTS: readonly (readonly [string, string, { readonly name?: string; readonly description?: string }])[] = [
  ['no agent', '', {}],
  ['a name', '[agent]\nname = "Nora"', { name: 'Nora' }],
  ['a description alone', '[agent]\ndescription = "a bot"', { description: 'a bot' }],
  ['both', '[agent]\nname = "Nora"\ndescription = "a bot, and more"', { name: 'Nora', description: 'a bot, and more' }],
  ['an empty description', '[agent]\nname = "Nora"\ndescription = ""', { name: 'Nora', description: '' }],
];
const FILES = '[[bootstrap_files]]\npath = "A.md"\ncontent = "Be brief."\n';

describe("MoFA's system prompt", () => {
  it('has the time and the workspace', () => {
    const document = readSerdeToml('name = "n"', dslDocument);
    const prompt = mofaSystemPrompt(document, '/tmp/w', NOW);
    assert.match(prompt, /^# {2}Agent A helpful AI assistant\n\nYou are Agent, A helpful AI assistant\.\n\n/);
    assert.match(
      prompt,
      /\n## Current Time\n2026-04-04 14:22 \(Saturday\)\n\n## Workspace\nYour workspace is at: \/tmp\/w\n/,
    );
  });

  for (const [title, toml, agent] of AGENTS)
    for (const files of ['', FILES])
      it(`is that of our own agent without both: ${title}${files && ', with a file'}`, () => {
        const document = readSerdeToml(`name = "n"\n${files}${toml}`, dslDocument);
        const { agent: defaults } = syntheticCase({ name: 'n', prompt: 'p' });
        const bootstrapFiles = files ? [{ path: 'A.md', content: 'Be brief.' }] : [];
        const own = systemPrompt(
          syntheticCase({ name: 'n', prompt: 'p', agent: { ...defaults, ...agent }, bootstrapFiles }),
        );
        assert.equal(withoutSurroundings(mofaSystemPrompt(document, '/tmp/w', NOW)), own);
        assert.equal(withoutSurroundings(own), own);
      });

  it('leaves other prompts alone', () => {
    for (const text of [
      '',
      'Be brief.',
      '# A\n\n## Current Time\nnow',
      '#  A b\n\nYou are C, d.\n\n## Current Time\nx',
    ])
      assert.equal(withoutSurroundings(text), text);
  });
});
