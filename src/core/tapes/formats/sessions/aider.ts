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

const KINDS = [
  { kind: 'start', begins: '# aider chat started at ' },
  { kind: 'user', begins: '####' },
  { kind: 'note', begins: '>' },
] as const;

/** Lines of a kind that follow each other. */
function split(text: TextParts): readonly ConversationRecord[] {
  const groups: { kind: string; begins: string; start: number; end: number }[] = [];
  for (const { start, end } of nonBlankLines(text)) {
    const { kind, begins } = KINDS.find((one) => text.startsWith(one.begins, start)) ?? { kind: 'said', begins: '' };
    const last = groups.at(-1);
    if (last?.kind === kind) last.end = end;
    else groups.push({ kind, begins, start, end });
  }
  return groups.map(({ kind, begins, start, end }) => {
    const lines = text.slice(start, end).split(/\r?\n/);
    const plain = begins === '' ? lines : lines.map((line) => line.slice(begins.length).trim());
    return { source: { start, end }, value: { kind, text: plain.join('\n').trim() } };
  });
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
