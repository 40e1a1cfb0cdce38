import type { RunStep } from '../model/interaction';

/** A step of a run in which interactions are, such as a subagent. */
export interface Lane {
  /** From 0, in the order in which lanes begin. */
  readonly id: number;
  /** The lane that it is in. */
  readonly parent?: number;
  /** Empty if the tape does not name it. */
  readonly name: string;
}

/** The place of an interaction in the tree of a run. */
export interface LanePlace {
  /** Absent outside of any step. */
  readonly lane?: number;
  /** The lanes that begin with it: its own, and its ancestors. */
  readonly opens?: readonly Lane[];
}

/** Numbers the steps of a run, so that each step is described only with its first interaction. */
export class LaneTracker {
  readonly #ids = new Map<string, number>();

  place(within: readonly RunStep[] | undefined): LanePlace {
    const opens: Lane[] = [];
    let lane: number | undefined;
    for (const { id, name } of within ?? []) {
      const known = this.#ids.get(id);
      if (known === undefined) opens.push({ id: this.#ids.size, ...(lane !== undefined && { parent: lane }), name });
      lane = known ?? this.#ids.size;
      this.#ids.set(id, lane);
    }
    return { ...(lane !== undefined && { lane }), ...(opens.length > 0 && { opens }) };
  }
}
