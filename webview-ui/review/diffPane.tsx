import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Change } from '../../src/core/review/changes';
import type { DiffView } from './diffView';
import { loadMonacoDiff } from './loadMonacoDiff';

export interface DiffPaneProps {
  readonly change: Change;
  readonly sideBySide: boolean;
  /** Monaco cannot be used on this page, for the reason given. */
  onFailure(reason: string): void;
}

/** The two texts of a change in Monaco's diff editor. One editor serves all changes. */
export function DiffPane({ change, sideBySide, onFailure }: DiffPaneProps): VNode {
  const container = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<DiffView>();

  useEffect(() => {
    if (container.current === null) return;
    let gone = false;
    let created: DiffView | undefined;
    const fail = (reason: unknown): void => {
      if (!gone) onFailure(reason instanceof Error ? reason.message : String(reason));
    };
    loadMonacoDiff(container.current, fail).then((loaded) => {
      created = loaded;
      if (gone) loaded.dispose();
      else setView(loaded);
    }, fail);
    return () => {
      gone = true;
      created?.dispose();
    };
  }, []);

  useEffect(() => view?.setSideBySide(sideBySide && change.before !== ''), [view, sideBySide, change.before]);
  useEffect(() => view?.show(change), [view, change.field, change.before, change.after]);

  return <div class="diff" ref={container} aria-busy={view === undefined} />;
}
