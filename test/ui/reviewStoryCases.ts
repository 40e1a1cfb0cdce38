import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedInteraction } from '../../src/core/model/interaction';
import { mofaFormat } from '../../src/core/tapes/formats/mofa/index';
import { say, turn } from '../core/review/recordings';
import type { Story } from '../harness/story';

/** Three cases of a shop's agent that have been recorded again: one has another response, one another request, one is the same. */
const CASES = ['invoice', 'parcel', 'returns'] as const;
type CaseName = (typeof CASES)[number];

export const tapeOf = (name: CaseName): string => `tapes/${name}.tape.json`;

interface Take {
  readonly order: string;
  readonly callId: string;
  readonly answer: string;
  readonly at: string;
}

const FIRST: Record<CaseName, Take> = {
  invoice: {
    order: '4711',
    callId: 'call_4f0a81c2',
    at: '2026-03-02T09:14:00Z',
    answer:
      'The invoice of order 4711 is over 129.00 EUR. It is due on 16 March, and can be paid by card or by transfer.',
  },
  parcel: {
    order: '4711',
    callId: 'call_77bd10e4',
    at: '2026-03-02T09:15:10Z',
    answer: 'Your parcel left our warehouse this morning. Nordpost brings it on Thursday.',
  },
  returns: {
    order: '4711',
    callId: 'call_90c3ee51',
    at: '2026-03-02T09:16:30Z',
    answer: 'You can send the lamp back within 30 days, free of charge.',
  },
};

const SECOND: Record<CaseName, Take> = {
  invoice: {
    ...FIRST.invoice,
    callId: 'call_b81d6c07',
    at: '2026-04-20T16:40:00Z',
    answer:
      'The invoice of order 4711 is over 129.00 EUR and is due on 16 March. You can pay by card, by transfer, or in three instalments.',
  },
  parcel: {
    ...FIRST.parcel,
    order: '4712',
    callId: 'call_0e5fa933',
    at: '2026-04-20T16:41:20Z',
    answer: 'I could not find that parcel. Please contact Nordpost.',
  },
  returns: { ...FIRST.returns, callId: 'call_5aa7d2f8', at: '2026-04-20T16:43:05Z' },
};

/** The cases with their first takes, committed; nothing else is in the workspace. */
export function commitCases(story: Story): void {
  story.git('rm', '-rq', 'cases', 'tapes');
  for (const folder of ['cases', 'tapes']) mkdirSync(join(story.workspace, folder), { recursive: true });
  for (const name of CASES) {
    writeFileSync(join(story.workspace, `cases/${name}.toml`), caseText(name));
    writeFileSync(join(story.workspace, tapeOf(name)), tapeText(name, FIRST[name]));
  }
  writeFileSync(join(story.workspace, '.gitignore'), '.tapedeck/\n');
  story.git('add', '-A');
  story.git('-c', 'user.name=Story', '-c', 'user.email=story@example.invalid', 'commit', '-qm', 'Three cases');
}

/** Records all three again. */
export function recordAgain(story: Story): void {
  for (const name of CASES) writeFileSync(join(story.workspace, tapeOf(name)), tapeText(name, SECOND[name]));
}

export const firstTake = (name: CaseName): string => tapeText(name, FIRST[name]);
export const secondTake = (name: CaseName): string => tapeText(name, SECOND[name]);

const PROMPTS: Record<CaseName, string> = {
  invoice: 'What do I have to pay, and how?',
  parcel: 'Where is my parcel?',
  returns: 'How do I send the lamp back?',
};

function caseText(name: CaseName): string {
  return `name = "${name}"
prompt = "${PROMPTS[name]}"

[[tools]]
name = "find_order"
description = "Find an order by its number."
schema = { type = "object", properties = { order = { type = "string" } } }
result = { found = true }

[llm]
tape = "../${tapeOf(name)}"

[llm.provider]
kind = "practice"
`;
}

function tapeText(name: CaseName, { order, callId, answer, at }: Take): string {
  const system = say('system', `You answer for a small web shop. It is ${at}.`);
  const asked = [system, say('user', PROMPTS[name])];
  const call = { id: callId, name: 'find_order', arguments: { order } };
  const result = { role: 'tool', content: '{"found":true}', toolCalls: [], toolCallId: callId };
  const turns: readonly RecordedInteraction[] = [
    turn(asked, null, { calls: [call] }),
    turn([...asked, { role: 'assistant', content: null, toolCalls: [call] }, result], answer),
  ];
  return mofaFormat.serialise(name, turns);
}
