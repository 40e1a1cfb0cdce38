import type { VNode } from 'preact';
import { useActions } from './actions';

interface StillPageProps {
  readonly title: string;
  readonly text: string;
}

/** A page for when there is no transcript to show: why, and the way to the file itself. */
export function StillPage({ title, text }: StillPageProps): VNode {
  const { openAsText } = useActions();
  return (
    <main class="still">
      <h1>{title}</h1>
      <p>{text}</p>
      <button type="button" class="button" onClick={openAsText}>
        Open in Text Editor
      </button>
    </main>
  );
}
