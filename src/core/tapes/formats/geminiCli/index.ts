import { asString, isBlank, omitUndefined } from '../../../json/fields';
import type { JsonLine } from '../../../json/jsonLines';
import { t } from '../../../text/l10n';
import { readResponseJson } from '../../../wire/read/readExchange';
import type { InteractionReading } from '../../lazyTape';
import { notRead } from '../../notRead';
import { exchangeProblems } from '../shared/httpInteraction';
import { jsonLinesFormat } from '../shared/jsonLinesFormat';

/**
 * The responses that gemini-cli replays with `--fake-responses` and writes with `--record-responses`: one call per
 * line, `{"method", "response"}`, with a streamed response as a list of its pieces. Requests are not recorded.
 */
export const geminiCliFormat = jsonLinesFormat({
  id: 'gemini-cli',
  label: 'Gemini CLI responses',
  family: 'session',
  isReadWhole: true,
  files: ['responses'],
  ownEndings: ['responses'],
  syntax: 'json',
  marks: [
    'method',
    /"method"\s*:\s*"(?:generateContent|generateContentStream|countTokens|embedContent)"/,
    /"response"\s*:/,
  ],
  firstLines: 5,
  entry: readCall,
});

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
