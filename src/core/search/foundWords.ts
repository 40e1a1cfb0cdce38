import type { FoundInteraction } from '../model/found';
import { formatDollars } from '../prices/formatDollars';
import { ageText } from '../text/age';
import { message, t } from '../text/l10n';

/** What identifies a found interaction besides its number: its model, or its kind. */
export function foundName({ model, kind, tools }: FoundInteraction): string {
  return model ?? (kind === 'mcp' || kind === 'tool' ? tools[0] : undefined) ?? t(KINDS[kind]);
}

const KINDS: Readonly<Record<FoundInteraction['kind'], string>> = {
  llm: message('model call'),
  embedding: message('embedding'),
  tool: message('tool call'),
  mcp: message('MCP message'),
  http: message('HTTP request'),
  environment: message('environment'),
  frame: message('frame'),
  script: message('scripted step'),
};

/** Its facts in a few words: `lookup_order · 429 · $0.013 · 5 days ago`. */
export function foundFacts({ tools, status, isFailed, cost, recordedAt }: FoundInteraction, now: number): string {
  const facts = [
    ...(tools.length > 0 ? [tools.join(', ')] : []),
    ...(status === undefined || (status < 400 && !isFailed) ? [] : [String(status)]),
    ...(isFailed && status === undefined ? [t('failed')] : []),
    ...(cost === undefined ? [] : [formatDollars(cost)]),
    ...(recordedAt === undefined ? [] : [ageText(now - recordedAt)]),
  ];
  return facts.join(' · ');
}
