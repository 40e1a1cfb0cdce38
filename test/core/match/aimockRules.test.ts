import assert from 'node:assert/strict';
import { type ChatCompletionRequest, type Fixture, Journal, matchFixture } from '@copilotkit/aimock';
import fc from 'fast-check';
import { createMatcher } from '../../../src/core/match/matcher';
import { recordedRequests } from '../../../src/core/match/recordings';
import { aimockFormat } from '../../../src/core/tapes/formats/aimock/index';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';

const words = fc.constantFrom('plan', 'plan my trip', 'trip', 'book', 'A', 'B', 'A\nB');
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });

const match = fc.record({
  userMessage: optional(words),
  systemMessage: optional(fc.oneof(words, fc.array(words, { minLength: 1, maxLength: 2 }))),
  model: optional(fc.constantFrom('gpt-4o', 'gpt-4o-mini', 'gpt-4o-2024-08-06')),
  toolCallId: optional(fc.constantFrom('c1', 'c2')),
  toolResultContains: optional(fc.constantFrom('sunny', 'rain')),
  toolName: optional(fc.constantFrom('weather', 'search')),
  turnIndex: optional(fc.nat(3)),
  hasToolResult: optional(fc.boolean()),
  sequenceIndex: optional(fc.nat(2)),
});

const message = fc.oneof(
  fc.record({ role: fc.constantFrom('system' as const, 'developer' as const), content: words }),
  fc.record({ role: fc.constant('user'), content: words }),
  fc.record({ role: fc.constant('user'), content: fc.tuple(fc.record({ type: fc.constant('text'), text: words })) }),
  fc.record({
    role: fc.constant('user'),
    content: fc.constant([{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }]),
  }),
  fc.record({ role: fc.constant('assistant'), content: words }),
  fc.record({
    role: fc.constant('tool'),
    tool_call_id: fc.constantFrom('c1', 'c2'),
    content: fc.constantFrom('sunny', 'rain'),
  }),
);
const tools = fc.uniqueArray(fc.constantFrom('weather', 'search'), { maxLength: 2 });
const request = fc.record({
  model: fc.constantFrom('gpt-4o', 'gpt-4o-mini', 'gpt-4o-2024-08-06'),
  messages: fc.array(message, { minLength: 1, maxLength: 5 }),
  tools: tools.map((names) => names.map((name) => ({ type: 'function', function: { name, parameters: {} } }))),
});

describe('rules of aimock', () => {
  it('are served as aimock itself serves them', () => {
    fc.assert(
      fc.property(
        fc.array(match, { minLength: 1, maxLength: 5 }),
        fc.array(request, { minLength: 1, maxLength: 5 }),
        (matches, requests) => {
          const text = JSON.stringify({
            fixtures: matches.map((one) => ({ match: one, response: { content: 'ok' } })),
          });
          const { fixtures } = JSON.parse(text) as { fixtures: Fixture[] };
          const tape = aimockFormat.read(tapeFileFromText(text, 'f.json'));
          const recorded = recordedRequests(tape, aimockFormat);
          const matcher = createMatcher(recorded, { match: 'recorder', masks: [], format: aimockFormat });
          const journal = new Journal();
          for (const body of requests) {
            const taken = matcher.take({
              method: 'POST',
              url: 'https://api.openai.com/v1/chat/completions',
              headers: [],
              body: new TextEncoder().encode(JSON.stringify(body)),
            });
            const counts = journal.getFixtureMatchCountsForTest('one');
            const own = matchFixture(fixtures, body as unknown as ChatCompletionRequest, counts);
            if (own !== null) journal.incrementFixtureMatchCount(own, fixtures, 'one');
            assert.equal('index' in taken ? taken.index : -1, own === null ? -1 : fixtures.indexOf(own));
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
