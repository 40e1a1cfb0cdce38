import type { FoundInteraction } from '../model/found';
import { formatDollars } from '../prices/formatDollars';
import { ageText } from '../text/age';

/** What tells a found interaction from others, besides its number: its model, or what it is. */
export function foundName({ model, kind, tools }: FoundInteraction): string {
  return model ?? (kind === 'mcp' || kind === 'tool' ? tools[0] : undefined) ?? KINDS[kind];
}

const KINDS: Readonly<Record<FoundInteraction['kind'], string>> = {
  llm: 'model call',
  embedding: 'embedding',
  tool: 'tool call',
  mcp: 'MCP message',
  http: 'HTTP request',
  environment: 'environment',
  frame: 'frame',
  script: 'scripted step',
};

/** Its facts in a few words: `lookup_order · 429 · $0.013 · 5 days ago`. */
export function foundFacts({ tools, status, isFailed, cost, recordedAt }: FoundInteraction, now: number): string {
  const facts = [
    ...(tools.length > 0 ? [tools.join(', ')] : []),
    ...(status === undefined || (status < 400 && !isFailed) ? [] : [String(status)]),
    ...(isFailed && status === undefined ? ['failed'] : []),
    ...(cost === undefined ? [] : [formatDollars(cost)]),
    ...(recordedAt === undefined ? [] : [ageText(now - recordedAt)]),
  ];
  return facts.join(' · ');
}
