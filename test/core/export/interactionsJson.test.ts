import assert from 'node:assert/strict';
import { interactionJson, interactionsJson } from '../../../src/core/export/interactionJson';
import type { Message } from '../../../src/core/model/message';
import { detectFormat } from '../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { corpusSuite } from '../../corpus';
import { readSamples } from '../tapes/corpusSamples';

/** A session of Claude Code, of so many questions with their answers. */
function session(turns: number): string {
  const lines = Array.from({ length: 2 * turns }, (_, at) => {
    const role = at % 2 === 0 ? 'user' : 'assistant';
    const message = { role, content: `text ${at}`, ...(at % 2 === 1 && { id: `msg_${at}`, model: 'claude' }) };
    return { type: role, uuid: `u${at}`, parentUuid: at === 0 ? null : `u${at - 1}`, sessionId: 's', message };
  });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

const interactionsOf = (text: string) => {
  const file = tapeFileFromText(text, 'a.jsonl');
  return detectFormat(file)?.read(file).interactions ?? [];
};

/** The messages of each request, of what a program is given. */
function messagesOf(printed: ReturnType<typeof interactionsJson>): readonly (readonly Message[])[] {
  const requests: (readonly Message[])[] = [];
  for (const { request } of printed) {
    const { repeats, messages = [] } = request ?? {};
    const before = repeats === undefined ? [] : (requests[repeats.interaction]?.slice(0, repeats.messages) ?? []);
    requests.push([...before, ...messages]);
  }
  return requests;
}

describe('the interactions of a tape as JSON', () => {
  it('have a message once that the file has once', () => {
    const size = (turns: number) => JSON.stringify([...interactionsJson(interactionsOf(session(turns)))]).length;
    assert.ok(size(400) < 2.2 * size(200), `${size(200)} and ${size(400)} characters`);
    const interactions = interactionsOf(session(50));
    assert.equal(interactions.length, 50);
    assert.deepEqual(
      messagesOf(interactionsJson(interactions)),
      interactions.map(({ request }) => request?.messages),
    );
  });

  it('have every message with each request where the file has it so', () => {
    const chat = (messages: readonly object[]) => ({ messages, model: 'm', tool_names: [] });
    const said = { role: 'user', content: 'a', tool_call_id: null, tool_calls: [] };
    const tape = {
      version: 1,
      case_name: 'c',
      interactions: [[said], [said, said]].map((messages) => ({
        request: chat(messages),
        response: 'b',
        tool_calls: [],
        usage: null,
      })),
    };
    const file = tapeFileFromText(JSON.stringify(tape), 'a.tape.json');
    const { interactions = [] } = detectFormat(file)?.read(file) ?? {};
    assert.equal(interactions.length, 2);
    assert.deepEqual(
      [...interactionsJson(interactions)],
      interactions.map((interaction) => interactionJson(interaction)),
    );
  });
});

corpusSuite('the interactions of the corpus as JSON', (corpus) => {
  it('say every message of every request', () => {
    for (const { path, file } of readSamples(corpus)) {
      const { interactions = [] } = detectFormat(file)?.read(file) ?? {};
      const read = interactions.map(({ request }) => request?.messages ?? []);
      assert.deepEqual(messagesOf(interactionsJson(interactions)), read, path);
    }
  });
});
