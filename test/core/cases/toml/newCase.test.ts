import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type NewCaseAgent, newCaseText } from '../../../../src/core/cases/toml/newCase';
import { readCase } from '../../../../src/core/cases/toml/readCase';
import { tapedPrompt } from '../../../../src/core/cases/toml/tapedPrompt';
import { readTape } from '../../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';

const AGENTS: readonly NewCaseAgent[] = [
  ...(['practice', 'open_ai_compatible', 'ollama', 'vscode_lm'] as const).map((provider) => ({
    type: 'model' as const,
    provider,
  })),
  { type: 'command', command: ['python3', 'my agent.py'] },
  { type: 'service', url: 'http://127.0.0.1:8000/run' },
];

describe('a new case', () => {
  it('is valid as it comes, with each kind of agent, and selects the words of its prompt', () => {
    for (const agent of AGENTS) {
      const { text, prompt } = newCaseText({
        name: 'refund',
        agent,
        tape: '../tapes/refund.tape.json',
        isRecorded: false,
      });
      const { value, problems } = readCase(text);
      assert.deepEqual(problems, [], text);
      assert.equal(value?.llm.tape, '../tapes/refund.tape.json');
      assert.equal(text.slice(prompt.start, prompt.end), value?.prompt);
    }
  });

  it('takes prompt, system prompt, and tools from a tape', () => {
    const path = 'media/sample/tapes/order_status.tape.json';
    const file = tapeFileFromText(readFileSync(join(__dirname, '../../../..', path), 'utf8'), path);
    const taped = tapedPrompt(readTape(file)?.interactions ?? []);
    assert.ok(taped);
    const { text } = newCaseText({
      name: 'a',
      agent: { type: 'model', provider: 'practice' },
      tape: 'a',
      isRecorded: true,
      taped,
    });
    const { value, problems } = readCase(text);
    assert.deepEqual(problems, []);
    assert.equal(value?.prompt, 'Where is my order 4711?');
    assert.deepEqual(
      value?.tools.map(({ name }) => name),
      ['lookup_order'],
    );
    assert.match(text, /result = .*Nordpost/);
  });

  it('is valid whatever its name, its tape, and the recorded prompt are', () => {
    const words = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(words, words, words, fc.constantFrom(...AGENTS), (name, tape, said, agent) => {
        const taped = { prompt: said, tools: [] };
        const { text, prompt } = newCaseText({ name, agent, tape, isRecorded: true, taped });
        const { value } = readCase(text);
        assert.ok(value, text);
        assert.ok(prompt.start < prompt.end && prompt.end < text.length);
      }),
    );
  });
});
