import { asString, isBlank, omitUndefined } from '../../../json/fields';
import { type JsonLine, readJsonLines, startsWithObjectLine } from '../../../json/jsonLines';
import { jsonOutline } from '../../../json/jsonOutline';
import type { Tape } from '../../../model/tape';
import { t } from '../../../text/l10n';
import { readResponseJson } from '../../../wire/read/readExchange';
import type { TapeFormat } from '../../format';
import { type InteractionReading, interactionProblems, LazyInteraction, LazyTape } from '../../lazyTape';
import { notRead } from '../../notRead';
import { type TapeFile, textParts } from '../../tapeFile';
import { exchangeProblems } from '../shared/httpInteraction';

/**
 * The responses that gemini-cli replays with `--fake-responses` and writes with `--record-responses`: one call per
 * line, `{"method", "response"}`, with a streamed response as a list of its pieces. Requests are not recorded.
 */
export const geminiCliFormat = {
  id: 'gemini-cli',
  label: 'Gemini CLI responses',
  family: 'session',
  extensions: ['responses'],
  ownEndings: ['responses'],
  syntax: 'json',
  looksLike,
  read,
} satisfies TapeFormat;

const METHOD = /"method"\s*:\s*"(?:generateContent|generateContentStream|countTokens|embedContent)"/;

function looksLike(file: TapeFile): boolean {
  const text = textParts(file);
  const outline = jsonOutline(text);
  if (outline.isWhole && !outline.has('method')) return false;
  return METHOD.test(text.slice(0, 4096)) && startsWithObjectLine(text) && /"response"\s*:/.test(file.text);
}

function read(file: TapeFile): Tape {
  const text = textParts(file);
  const { lines, problems } = readJsonLines(text);
  const interactions = lines.map((line, index) => new LazyInteraction(index, line.source, () => readCall(line)));
  return new LazyTape({ format: 'gemini-cli', interactions }, () => [
    ...problems,
    ...interactionProblems(interactions),
  ]);
}

function readCall({ value, source }: JsonLine): InteractionReading {
  const method = asString(value.method);
  if (method === undefined || value.response === undefined) {
    const message = t('a recorded call needs `{0}`', method === undefined ? 'method' : 'response');
    const fix = t('Use the form of gemini-cli: {"method": "generateContent", "response": …}.');
    return { content: { kind: 'http' }, problems: [{ severity: 'error', message, fix, span: source }] };
  }
  const { problems, kind, summary, ...reading } = readResponseJson(value.response);
  const content = omitUndefined({
    kind,
    ...reading,
    summary: kind === 'llm' ? summary : (summary ?? method),
    id: method,
  });
  const isUnread = kind === 'http' && /^generateContent/.test(method) && !isBlank(value.response);
  const unread = isUnread ? [notRead(t('the response of {0}', method), source)] : [];
  return { content, problems: [...exchangeProblems(problems, source), ...unread] };
}
