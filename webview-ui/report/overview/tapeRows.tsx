import type { VNode } from 'preact';
import type { TapeCount } from '../../../src/core/search/overview';

interface TapeRowsProps {
  readonly tapes: readonly TapeCount[];
  readonly names: Readonly<Record<string, string>>;
  /** What is said of a tape beside its name. */
  readonly about?: (tape: TapeCount) => string;
  onOpen(path: string): void;
}

/** Tapes, each of which opens as a transcript. */
export function TapeRows({ tapes, names, about, onOpen }: TapeRowsProps): VNode {
  return (
    <ul class="rows">
      {tapes.map((tape) => (
        <li key={tape.path} class="row tape-row">
          <button type="button" class="link name" onClick={() => onOpen(tape.path)}>
            {names[tape.path] ?? tape.path}
          </button>
          {about !== undefined && <span class="detail">{about(tape)}</span>}
        </li>
      ))}
    </ul>
  );
}
