import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Change } from '../../../src/core/model/change';
import { type DiffLayout, type DiffView, layoutFor } from './diffView';
import { loadMonacoDiff } from './loadMonacoDiff';

interface DiffPaneProps {
  readonly change: Change;
  readonly layout: DiffLayout;
  /** Called with the reason when Monaco cannot be used. */
  onFailure(reason: string): void;
}

/** The two texts of a change in Monaco's diff editor. One editor serves all changes. */
export function DiffPane({ change, layout, onFailure }: DiffPaneProps): VNode {
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

  const { sideBySide, folded } = layoutFor(change, layout);
  const { before, after, language } = change;
  useEffect(() => view?.show(change, { sideBySide, folded }), [view, before, after, language, sideBySide, folded]);

  return <div class="diff" ref={container} aria-busy={view === undefined} />;
}
