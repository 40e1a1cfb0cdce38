import { diffText } from '../diff/diffText';
import { prettyJson } from '../json/json';
import type { Interaction } from '../model/interaction';
import { t } from '../text/l10n';
import { type BrokenPart, type PrefixBreak, prefixBreak } from './cachePrefix';
import type { SilentChange } from './conversations/silentChange';
import { type DescribedChange, describeSilentChange, type InteractionAt } from './describeSilentChange';

/**
 * Describes the silent changes of a request, with the tokens that could not be read from the cache because of the first. If the
 * prefix is broken by something without meaning, such as another id of a call, that comes last.
 */
export function describeChanges(
  changes: readonly SilentChange[],
  base: number | undefined,
  after: Interaction,
  at: InteractionAt,
): readonly DescribedChange[] {
  const described = changes.map((change) => describeSilentChange(change, at));
  const before = base === undefined ? undefined : at(base);
  const broken = before && prefixBreak(before, after);
  if (before === undefined || broken === undefined) return described;
  const found = changes.findIndex((change) => isAt(change, broken.part));
  if (found === -1) return [...described, describeResent(broken, before, after)];
  return described.map((one, index) => (index === found ? { ...one, uncached: broken.lostTokens } : one));
}

function isAt(change: SilentChange, part: BrokenPart): boolean {
  if ('name' in change) {
    if (part.type === 'tool') return change.type === 'tools-reordered' || change.name === part.name;
    return part.type === 'model' ? change.type === 'model-changed' : change.name === nameOf(part);
  }
  const place = 'after' in change ? change.after : change.before;
  return part.type === 'message' && place.message === part.index;
}

function nameOf(part: BrokenPart): string | undefined {
  return part.type === 'parameter' ? part.name : undefined;
}

function describeResent({ part, lostTokens }: PrefixBreak, before: Interaction, after: Interaction): DescribedChange {
  return {
    type: 'resent',
    title: t('{0} sent differently', partName(part)),
    since: before.index,
    uncached: lostTokens,
    diff: diffText(partText(part, before), partText(part, after)),
  };
}

/** Such as `Message 3`, with messages counted from 1. */
export function partName(part: BrokenPart): string {
  if (part.type === 'message') return t('Message {0}', part.index + 1);
  if (part.type === 'model') return t('Model');
  return part.type === 'tool' ? t('Tool {0}', part.name) : t('Parameter {0}', part.name);
}

function partText(part: BrokenPart, { request }: Interaction): string {
  if (request === undefined) return '';
  if (part.type === 'model') return request.model ?? '';
  if (part.type === 'parameter') return prettyJson(request.params[part.name] ?? null);
  const sent =
    part.type === 'tool' ? request.tools.find(({ name }) => name === part.name) : request.messages[part.index];
  return sent === undefined ? '' : prettyJson({ ...sent });
}
