import type { Interaction } from '../model/interaction';
import type { Tape } from '../model/tape';
import { t } from '../text/l10n';
import { type PrefixBreak, prefixBreak } from '../transcript/cachePrefix';
import { ConversationTracker } from '../transcript/conversations/conversationTracker';
import { partName } from '../transcript/describePrefixBreak';
import type { Finding } from './finding';

/** A tape that may break the rule `cache-prefix`, with the reason. */
export interface VerifyExemption {
  /** The path of a tape or of a folder of tapes, relative to the project root. */
  readonly tape: string;
  readonly reason: string;
}

/**
 * Reports requests whose beginning differs from that of the request before in their conversation, so that a provider could not
 * read it from its cache.
 */
export function findBrokenPrefixes({ interactions }: Tape, exemption?: VerifyExemption): readonly Finding[] {
  const conversations = new ConversationTracker();
  return interactions.flatMap((interaction, position) => {
    if (interaction.kind === 'mcp') return [];
    const continuation = conversations.follow(position, interaction.request, interaction.response);
    const { relation, base } = continuation ?? {};
    const before = base === undefined || relation === 'start' ? undefined : interactions[base];
    const broken = before && prefixBreak(before, interaction);
    return before === undefined || broken === undefined ? [] : [finding(before, interaction, broken, exemption)];
  });
}

function finding(
  before: Interaction,
  { index, source }: Interaction,
  { part, lostTokens }: PrefixBreak,
  exemption: VerifyExemption | undefined,
): Finding {
  const lost = t('about {0} tokens', lostTokens.toLocaleString('en'));
  const what = t('{0} of interaction {1} differs from interaction {2}', partName(part), index + 1, before.index + 1);
  return {
    severity: exemption === undefined ? 'warning' : 'info',
    rule: 'cache-prefix',
    message: t(
      '{0}, so {1} could not be read from the cache{2}',
      what,
      lost,
      exemption === undefined ? '' : t('; exempt: {0}', exemption.reason),
    ),
    fix:
      exemption === undefined
        ? t('Send what changes after what does not, or exempt the tape under [[verify.exempt]] in tapedeck.toml.')
        : t('Remove it from [[verify.exempt]] in tapedeck.toml when the reason has gone.'),
    span: { start: source.start, end: Math.min(source.end, source.start + 1) },
  };
}

/** The exemption of a tape, by its path from the root of the project. */
export function exemptionOf(path: string, exemptions: readonly VerifyExemption[]): VerifyExemption | undefined {
  return exemptions.find(({ tape }) => path === tape || path.startsWith(`${tape.replace(/\/$/, '')}/`));
}
