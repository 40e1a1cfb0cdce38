import * as assert from 'node:assert/strict';
import { pseudo, sourceMessages } from '../../../build/l10n.mjs';
import { reviewText } from '../../../src/core/export/reviewText';
import { editorTranscript, transcriptTexts } from '../../../src/core/export/transcriptText';
import type { Change } from '../../../src/core/model/change';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { ENGLISH, useTranslation } from '../../../src/core/text/l10n';
import { PLAIN_STYLE } from '../../../src/core/text/textStyle';
import { entryParts } from '../../../src/core/transcript/searchTranscript';
import { readTranscript } from '../../../src/core/transcript/transcriptReader';
import { textsIn, withoutMessages } from '../../harness/pages/shownTexts';
import { codingTape, ordersTape } from '../../ui/transcriptPageTapes';
import { wireTape } from '../../ui/wireTape';

const wordsOf = (text: string): readonly string[] => text.match(/\p{L}{2,}/gu) ?? [];
const withoutIndents = (text: string): string => text.replaceAll(/\n\s+/g, '\n');

function change(id: string, more: Partial<Change>): Change {
  const sides = { before: 'one', after: 'two', language: 'plaintext' } as const;
  const rest = { kind: 'edited', subject: 'text', weight: 'behaviour', repeats: [], rules: [] } as const;
  return { id, title: id, place: { before: 0, after: 0, path: [] }, ...sides, ...rest, ...more };
}

describe('what a screen reader reads', () => {
  it('has every text of a transcript that the page shows, reasoning and failures too', () => {
    for (const text of [ordersTape(), codingTape(), wireTape()]) {
      const file = typeof text === 'string' ? tapeFileFromText(text) : text;
      const read = withoutIndents([...transcriptTexts('t', file, { ink: PLAIN_STYLE })].join(''));
      const bodies = readTranscript(file)?.bodies ?? [];
      const parts = bodies.flatMap(({ entries }) => entries.flatMap(entryParts));
      assert.ok(parts.length > 5);
      for (const part of parts) assert.ok(read.includes(withoutIndents(part.text).trim()), part.text);
    }
  });

  it('says what is left out of a very long transcript', () => {
    const turn = (content: string) => ({ request: { messages: [{ role: 'user', content: 'Hi' }] }, response: content });
    const tape = (...turns: unknown[]) =>
      tapeFileFromText(JSON.stringify({ version: 1, case_name: 'n', interactions: turns }));
    const read = (...turns: unknown[]) => editorTranscript('t', tape(...turns), { ink: PLAIN_STYLE });
    const [long, longest] = ['word '.repeat(200_000), 'word '.repeat(210_000)];
    assert.match(read(turn(longest)), /…\n\s+\(1,424 more characters\)\n$/);
    const all = read(...Array.from({ length: 12 }, () => turn(long)));
    assert.ok(all.includes('interaction 10 of 12') && !all.includes('interaction 12 of 12'));
    assert.match(all, /\n… The rest is left out\. To see all of it: tapedeck inspect t\n$/);
  });

  it('has what the agent did in a recording that is new or gone, and the file where that is cut short', () => {
    const read = (more: Partial<Change>) => {
      const changes = [{ ...change('Tape added', { subject: 'file', ...more }), decision: 'open' as const }];
      return reviewText({ name: 't', compared: 'Compared with the last commit', changes, hidden: [], notices: [] });
    };
    const step = (text: string) => ({ title: 'Assistant', text, language: 'plaintext' as const });
    const added = read({ kind: 'added', before: '', after: '{"raw":1}', recording: [step('It is shipped.')] });
    assert.match(added, /\+ Tape added .*\n {2}\+ Assistant\n {2}\+ It is shipped\.\n/);
    assert.doesNotMatch(added, /raw/);
    const gone = read({ kind: 'removed', before: '{"raw":1}', after: '', recording: [step('It is shipped.')] });
    assert.match(gone, /\n {2}- It is shipped\.\n/);
    const long = read({ kind: 'added', before: '', after: '{"raw":1}', recording: [step(`${'x'.repeat(2000)}…`)] });
    assert.match(long, /\n {2}\+ All of it\n {2}\+ \{"raw":1\}\n/);
  });

  it('has every change of a review in full, with its decision', () => {
    const long = Array.from({ length: 200 }, (_, line) => `line ${line}`).join('\n');
    const text = reviewText({
      name: 'order_status',
      compared: 'Compared with the baseline',
      changes: [
        { ...change('Response', {}), decision: 'accepted' },
        { ...change('Assistant', { before: '', after: long, kind: 'added' }), decision: 'open' },
      ],
      hidden: [change('Time', { rules: ['time'] })],
      notices: ['Only the beginning was compared.'],
    });
    assert.match(text, /^Review of order_status\nCompared with the baseline · 1 pending · 1 accepted\n\n/);
    assert.match(text, /~ Response · interaction 1 · accepted\n {2}- one\n {2}\+ two\n/);
    assert.ok(text.includes('  + line 199\n'));
    assert.match(text, /~ Time · interaction 1 \[ignored: time\]\n/);
    assert.match(text, /Only the beginning was compared\.\n2 differences\n$/);
  });
});

describe('what a screen reader reads, in a language in which a forgotten text stands out', () => {
  before(() => {
    const messages = Object.fromEntries(sourceMessages().map((message) => [message, pseudo(message)]));
    useTranslation({ language: 'qps-ploc', messages });
  });
  after(() => useTranslation(ENGLISH));

  function assertSpoken(text: string, ...data: readonly unknown[]): void {
    assert.match(text, /⟦/);
    const known = new Set(wordsOf(textsIn(data)));
    const forgotten = withoutMessages(text)
      .split('\n')
      .filter((line) => !wordsOf(line).every((word) => known.has(word)));
    assert.deepEqual(forgotten, []);
  }

  it('is in it: a transcript, with its problems and what is left out', () => {
    const long = { request: { messages: [{ role: 'user', content: 'word '.repeat(210_000) }] }, response: 5 };
    const tapes = [
      ordersTape(),
      codingTape(),
      wireTape(),
      JSON.stringify({ version: 1, case_name: '', interactions: Array.from({ length: 12 }, () => long) }),
    ];
    for (const text of tapes) {
      const file = tapeFileFromText(text);
      const read = editorTranscript('t.json', file, { ink: PLAIN_STYLE });
      const bodies = readTranscript(file)?.bodies ?? [];
      const parts = bodies.flatMap(({ entries }) => entries.flatMap(entryParts).map((part) => part.text));
      assertSpoken(read, text, parts, ['MoFA tape', 'Tapedeck tape', 't.json', 'tapedeck inspect', 'http']);
    }
  });

  it('is in it: a review, with what is decided and ignored', () => {
    const step = { title: 'Assistant', text: `${'x'.repeat(2000)}…`, language: 'plaintext' as const };
    const places = { before: 0, after: 1, path: [] };
    const changes = [
      { ...change('Status', { place: places, repeats: [places] }), decision: 'accepted' },
      { ...change('Address', { place: { before: 2, path: [] } }), decision: 'rejected' },
      { ...change('Tape', { kind: 'added', before: '', after: '{}', recording: [step] }), decision: 'open' },
    ] as const;
    const hidden = [change('Time', { rules: ['time'] })];
    const data = [changes, hidden, 'order_status'];
    for (const isComparison of [false, true]) {
      const text = reviewText({ name: 'order_status', compared: '', isComparison, changes, hidden, notices: [] });
      assertSpoken(text, data);
    }
    assertSpoken(reviewText({ name: 'order_status', compared: '', changes: [], hidden: [], notices: [] }), data);
  });
});
