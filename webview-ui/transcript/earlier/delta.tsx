import type { VNode } from 'preact';

interface DeltaProps {
  /** Such as "+12"; nothing is shown without. */
  readonly by: string | undefined;
}

/** How much more or less a number is than before the tape changed. */
export function Delta({ by }: DeltaProps): VNode | null {
  if (by === undefined || by === '') return null;
  return (
    <span class="delta">
      <span class="visually-hidden">, against the recording before: </span>
      {by}
    </span>
  );
}
