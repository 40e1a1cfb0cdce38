import { asString } from '../../../json/fields';
import { nonBlankLines } from '../../../json/jsonLines';
import type { TextParts } from '../../../text/textParts';
import { usageFromCounts } from '../../../wire/shared/usage';
import type { ConversationDescription, ConversationRecord, Said } from '../shared/conversationFormat';

/** The history of Aider (`.aider.chat.history.md`): what the user said as headings, what Aider said as quotations, and all else by the model. */
export const aider: ConversationDescription = {
  id: 'aider',
  label: 'Aider history',
  files: ['aider.chat.history.md'],
  ownEndings: ['aider.chat.history.md'],
  marks: /^\s*# aider chat started at \d/,
  split,
  says({ kind, text: said }) {
    const text = asString(said) ?? '';
    // Each start is a conversation of its own.
    if (kind === 'start') return { messages: [], replaces: true };
    if (kind === 'note') return noteSays(text);
    // Commands are for Aider, unless they ask the model something.
    if (kind === 'user' && /^\/(?!(?:ask|code|architect|context)\s)/.test(text)) return {};
    return { messages: [{ role: kind === 'user' ? 'user' : 'assistant', content: text }] };
  },
};

/** What Aider says is a quotation. It ends with a line break of Markdown, unless these were removed; those of the model have none. */
const NOTE_WITH_BREAK = /^>.* {2}\r?$/m;

const KINDS = [
  { kind: 'start', begins: '# aider chat started at ' },
  { kind: 'user', begins: '####' },
  { kind: 'note', begins: '> ' },
] as const;

/** Lines of a kind that follow each other. What the user said ends at an empty line: in it, one is a heading without a text. */
function split(text: TextParts): readonly ConversationRecord[] {
  const groups: { kind: string; begins: string; start: number; end: number }[] = [];
  const hasBreaks = NOTE_WITH_BREAK.test(text.slice(0, 4096));
  for (const { start, end } of nonBlankLines(text)) {
    const found = KINDS.find((one) => text.startsWith(one.begins, start));
    const isQuoted = found?.kind === 'note' && hasBreaks && !NOTE_WITH_BREAK.test(text.slice(start, end));
    const { kind, begins } = found === undefined || isQuoted ? { kind: 'said', begins: '' } : found;
    const last = groups.at(-1);
    const isNext = last?.kind === kind && (kind !== 'user' || /^\r?\n$/.test(text.slice(last.end, start)));
    if (isNext) last.end = end;
    else groups.push({ kind, begins, start, end });
  }
  const records = groups.map(({ kind, begins, start, end }) => {
    const lines = text.slice(start, end).split(/\r?\n/);
    const plain = begins === '' ? lines : lines.map((line) => line.slice(begins.length).trim());
    return { source: { start, end }, value: { kind, text: plain.join('\n').trim() } };
  });
  // Aider writes the question of a command once more, as what it sends.
  return records.filter(({ value }, at) => value.text.replace(/^\/\w+\s+/, '') !== records[at + 1]?.value.text);
}

/** What Aider says of its models, and of the tokens of the answer before. */
function noteSays(text: string): Said {
  const [, model] = /^(?:Main model|Model|Models): (\S+)/m.exec(text) ?? [];
  const [, sent = '', received = ''] = /^Tokens: ([\d.,]+k?) sent,.*?([\d.,]+k?) received/m.exec(text) ?? [];
  return { model, usage: usageFromCounts({ prompt: countOf(sent), completion: countOf(received) }) };
}

function countOf(text: string): number | undefined {
  const count = Number(text.replace(/k$/, '').replaceAll(',', ''));
  if (text === '' || !Number.isFinite(count)) return undefined;
  return Math.round(text.endsWith('k') ? count * 1000 : count);
}
