import type { VNode } from 'preact';
import { useEditing } from './editing';

/** Says of a tape that cannot be changed here that it cannot, and why. */
export function ReadOnlyMark(): VNode | null {
  const { readOnly } = useEditing();
  if (readOnly === undefined) return null;
  return (
    <span class="read-only" title={readOnly}>
      Read-only<span class="visually-hidden">: {readOnly}</span>
    </span>
  );
}
