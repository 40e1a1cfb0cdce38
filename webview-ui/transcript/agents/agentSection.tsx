import type { ComponentType, VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TranscriptOverview } from '../../../src/contracts/transcript/transcript';
import { t } from '../../../src/core/text/l10n';
import { countLanes } from '../../../src/core/transcript/agents/agentTree';
import { Icon } from '../../base/icon';
import { keyNames } from '../commands';
import { useActions } from '../state/actions';
import type { AgentTreeProps } from './agentTreeView';

interface AgentSectionProps {
  readonly transcript: TranscriptOverview;
  readonly isOpen: boolean;
  onGo(interaction: number): void;
}

/** The agents and conversations of a tape that has several, in a line that opens. Their tree is loaded when it is first shown. */
export function AgentSection({ transcript, isOpen, onGo }: AgentSectionProps): VNode | null {
  const { interactions, family } = transcript;
  const { change } = useActions();
  const lanes = useMemo(() => countLanes(interactions), [interactions]);
  // A page that is shown again leaves the focus where it was.
  const isRestored = useRef(isOpen);
  if (!isOpen) isRestored.current = false;
  const Tree = useTreeView(isOpen && lanes > 1);
  if (lanes < 2) return null;
  return (
    <section class="agents" aria-label={t('Agents')}>
      <button
        type="button"
        class="agents-toggle"
        aria-expanded={isOpen}
        title={`${t('Toggle Agents')} (${keyNames('agents')[0]})`}
        onClick={() => change({ type: 'agents', open: !isOpen })}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        {t('{0} agents or conversations', lanes)}
      </button>
      {isOpen && Tree !== undefined && (
        <Tree summaries={interactions} recordsEnd={family === 'session'} takesFocus={!isRestored.current} onGo={onGo} />
      )}
    </section>
  );
}

/** The component that draws the tree, once it is wanted and loaded. */
function useTreeView(isWanted: boolean): ComponentType<AgentTreeProps> | undefined {
  const [view, set] = useState<{ readonly Tree: ComponentType<AgentTreeProps> }>();
  useEffect(() => {
    if (isWanted && view === undefined) void import('./agentTreeView').then(({ AgentTree: Tree }) => set({ Tree }));
  }, [isWanted]);
  return view?.Tree;
}
