import assert from 'node:assert/strict';
import { toNode } from '../../../src/core/json/jsonNode';
import { formatDrift } from '../../../src/core/match/formatDrift';
import { createMatcher } from '../../../src/core/match/matcher';
import { recordedRequests } from '../../../src/core/match/recordings';
import type { TapeFormat } from '../../../src/core/tapes/format';
import { reynFormat } from '../../../src/core/tapes/formats/reyn/index';
import { digestReynRequest, reynKeyOf } from '../../../src/core/tapes/formats/reyn/keys';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';

const FORMAT: TapeFormat = reynFormat;
const tool = (name: string, description: string) => ({ type: 'function', function: { name, description } });
const BODY = {
  model: 'gpt-4o-mini',
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Where is it?' },
  ],
  tools: [tool('search', 'Search.'), tool('lookup', 'Look up.')],
};

/** A fixture as Reyn records it through litellm, whose models have the provider before their names. */
function fixtureOf(body: typeof BODY): string {
  const model = `openai/${body.model}`;
  const { messages, tools } = digestReynRequest(toNode(body));
  return `${JSON.stringify({
    key: reynKeyOf(toNode(body), 'llm', model),
    kind: 'completion',
    model,
    prompt_preview: 'Where is it?',
    key_components: { model, tool_choice: '', messages, tools },
    response: { choices: [{ message: { role: 'assistant', content: 'On its way.' } }] },
  })}\n`;
}

function take(body: object, recorded: typeof BODY = BODY) {
  const tape = reynFormat.read(tapeFileFromText(fixtureOf(recorded)));
  const matcher = createMatcher(recordedRequests(tape, FORMAT), { match: 'keyed', masks: [], format: FORMAT });
  return matcher.take({
    method: 'POST',
    url: '/v1/chat/completions',
    headers: [['content-type', 'application/json']],
    body: new TextEncoder().encode(JSON.stringify(body)),
  });
}

describe('a tape of keys', () => {
  it('serves the recorded request, whose model is sent without the name of its provider', () => {
    assert.equal(take(BODY).kind, 'exact');
    assert.equal(take({ ...BODY, temperature: 0.5, stream: true }).kind, 'exact', 'what is not in the key');
  });

  it('is not served where a tool can choose from other servers, which the key leaves out', () => {
    const withServers = (...names: string[]) => ({
      ...BODY,
      tools: [
        {
          type: 'function',
          function: {
            name: 'call',
            description: '',
            parameters: { properties: { server: { type: 'string', enum: names } } },
          },
        },
      ],
    });
    const recorded = withServers('fs', 'web');
    assert.equal(take(recorded, recorded).kind, 'exact');
    const missed = take(withServers('fs'), recorded);
    assert.ok(missed.kind === 'drifted');
    assert.match(formatDrift(missed.explain(), { tape: 'a.jsonl' }), /\n {4}tool call changed$/);
  });

  it('names the parts of which the key was made that differ', () => {
    const changed = {
      ...BODY,
      messages: [BODY.messages[0], { role: 'user', content: 'Where is mine?' }, { role: 'user', content: 'Hello?' }],
      tools: [tool('search', 'Search it.'), tool('brew_tea', 'Brew.')],
      tool_choice: 'required',
    };
    const missed = take(changed);
    assert.ok(missed.kind === 'drifted');
    assert.deepEqual(formatDrift(missed.explain(), { tape: 'a.jsonl' }).split('\n').slice(4), [
      '    parameter tool_choice: added, "required"',
      '    message 2 (user) edited',
      '    message 3 (user) added',
      '    tool search changed',
      '    tool lookup removed',
      '    tool brew_tea added',
    ]);
    const other = take({ ...BODY, model: 'gpt-4.1' });
    assert.ok(other.kind === 'drifted');
    assert.deepEqual(other.explain().changes?.model, { before: 'openai/gpt-4o-mini', after: 'gpt-4.1' });
  });
});
