import { createContext, type VNode } from 'preact';
import { useContext, useEffect, useMemo } from 'preact/hooks';
import type { ShownHeld, ShownHolds } from '../../../src/contracts/transcript/transcriptHolds';
import type { InteractionKind } from '../../../src/core/model/interaction';
import type { TapeFamily } from '../../../src/core/model/tape';
import { t } from '../../../src/core/text/l10n';
import { announce } from '../../base/announcements';
import { useActions } from '../state/actions';

interface Holds {
  /** Null if no session could stop at one. */
  readonly breakpoints: ReadonlySet<number> | null;
  readonly held: readonly ShownHeld[];
}

const NO_HOLDS: Holds = { breakpoints: null, held: [] };

export const HoldsContext = createContext<Holds>(NO_HOLDS);

/** The families of tapes that a proxy replays. */
const REPLAYED: ReadonlySet<TapeFamily> = new Set<TapeFamily>(['http', 'conversation']);
/** The interactions that are requests to it. */
const REQUESTED: ReadonlySet<InteractionKind> = new Set<InteractionKind>(['llm', 'embedding', 'http']);

/** The breakpoints of this tape and what is held of it, as the host shows them. */
export function useShownHolds(shown: ShownHolds | undefined, family: TapeFamily | undefined): Holds {
  const holds = useMemo(() => {
    return shown === undefined ? NO_HOLDS : { ...shown, breakpoints: shown.breakpoints && new Set(shown.breakpoints) };
  }, [shown]);
  const [first] = holds.held;
  const key = first && `${first.session} ${first.id}`;
  useEffect(() => {
    if (first !== undefined) announce(`${heldName(first)} ${first.headline}`);
  }, [key]);
  return family !== undefined && REPLAYED.has(family) ? holds : { ...holds, breakpoints: null };
}

export function useHolds(): Holds {
  return useContext(HoldsContext);
}

/** What is held, as a sentence. */
function heldName({ interaction, stage }: ShownHeld): string {
  const number = interaction + 1;
  return stage === 'request' ? t('Held: request of #{0}.', number) : t('Held: response of #{0}.', number);
}

interface BreakpointProps {
  readonly interaction: number;
  readonly kind: InteractionKind;
}

/** The button that sets or removes the breakpoint of an interaction. */
export function BreakpointButton({ interaction, kind }: BreakpointProps): VNode | null {
  const { breakpoints } = useHolds();
  const { toggleBreakpoint } = useActions();
  if (breakpoints === null || !REQUESTED.has(kind)) return null;
  return (
    <button
      type="button"
      class="button-quiet breakpoint"
      aria-label={t('Breakpoint on Interaction {0}', interaction + 1)}
      aria-pressed={breakpoints.has(interaction)}
      title={`${breakpoints.has(interaction) ? t('Remove Breakpoint') : t('Add Breakpoint: holds its request in a replay or a recording')} (F9)`}
      onClick={() => toggleBreakpoint({ interaction })}
    >
      <span class="breakpoint-dot" aria-hidden="true" />
    </button>
  );
}

/** Marks the interaction with which a held request is compared. */
export function HeldMark({ interaction }: { readonly interaction: number }): VNode | null {
  const { held } = useHolds();
  return held.some((one) => one.interaction === interaction) ? <span class="held-mark">{t('Held')}</span> : null;
}
