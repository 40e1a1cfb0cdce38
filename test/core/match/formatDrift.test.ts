import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../../src/core/json/json';
import { formatDrift } from '../../../src/core/match/formatDrift';
import { createMatcher } from '../../../src/core/match/matcher';
import { projectFolder } from '../../corpus';

const property = (type: string): Json => ({ type: 'object', properties: { id: { type } } });
const tool = (name: string, type = 'string'): Json => ({
  type: 'function',
  function: { name, parameters: property(type) },
});
const RECORDED = {
  model: 'gpt-4o',
  temperature: 0,
  messages: [
    { role: 'system', content: 'You help the customers of a book shop. Be brief.' },
    { role: 'user', content: 'Please refund order 17, it came on 2026-04-04 and was damaged.' },
  ],
  tools: [tool('get_order'), tool('refund')],
};

/** What is said when this is asked of a tape that has the request above, twice served or not at all. */
function explained(body: Json, servedBefore = 0): string {
  const request = (asked: Json) => ({
    method: 'POST',
    url: '/v1/chat/completions',
    headers: [],
    body: new TextEncoder().encode(JSON.stringify(asked)),
  });
  const wire = () => ({ address: 'POST /chat/completions', body: RECORDED });
  const matcher = createMatcher([{ index: 0, kind: 'llm', wire }], { match: 'exact', masks: [] });
  for (let served = 0; served < servedBefore; served += 1) matcher.take(request(RECORDED));
  const missed = matcher.take(request(body));
  assert.ok('explain' in missed);
  return formatDrift(missed.explain(), { tape: 'refund.tape.json' });
}

const [system, user] = RECORDED.messages;
const EXAMPLES: readonly string[] = [
  explained({
    ...RECORDED,
    model: 'gpt-4o-mini',
    temperature: 0.7,
    messages: [system ?? null, { role: 'user', content: user?.content.replace('order 17', 'order 18') ?? '' }],
    tools: [tool('get_order', 'integer'), tool('brew_tea')],
  }),
  explained({
    ...RECORDED,
    messages: [system ?? null, { role: 'user', content: user?.content.replace('2026-04-04', '2026-11-22') ?? '' }],
  }),
  explained(RECORDED, 1),
];

describe('the wording of an explanation', () => {
  it('is in the manual as it is (UPDATE=1 writes it)', () => {
    const path = join(projectFolder, 'docs/drift.md');
    const section = /(?<=<!-- drift -->\n)[\s\S]*?(?=<!-- \/drift -->)/;
    const wanted = EXAMPLES.map((text) => `\`\`\`\n${text}\n\`\`\`\n`).join('\n');
    if (process.env.UPDATE)
      writeFileSync(
        path,
        readFileSync(path, 'utf8').replace(section, () => wanted),
      );
    assert.equal(section.exec(readFileSync(path, 'utf8'))?.[0], wanted);
  });
});
