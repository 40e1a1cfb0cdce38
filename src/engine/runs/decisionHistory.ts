import { readFile, rm } from 'node:fs/promises';
import { asideFolder, caseFiles } from '../project/caseFiles';
import { UserError } from '../project/userError';
import { writeAtomically } from '../recording/atomicWrite';
import { unlessMissing } from '../recording/fileErrors';

interface CaseAddress {
  readonly root: string;
  readonly casePath: string;
}

/** The two files that a decision writes; absent where there is none. */
interface Snapshot {
  readonly baseline: string | undefined;
  readonly decision: string | undefined;
}

interface Step {
  readonly before: Snapshot;
  readonly after: Snapshot;
}

/** What decisions did to files, so that they can be taken back, the last one first. It lasts as long as the process. */
export class DecisionHistory {
  readonly #steps = new Map<string, Step[]>();

  /** Carries out a decision and remembers it. */
  async during(address: CaseAddress, decide: () => Promise<void>): Promise<void> {
    const before = await snapshot(address);
    await decide();
    const after = await snapshot(address);
    this.#steps.set(address.casePath, [...(this.#steps.get(address.casePath) ?? []), { before, after }]);
  }

  /** How many decisions about a case can be taken back. */
  count({ casePath }: CaseAddress): number {
    return this.#steps.get(casePath)?.length ?? 0;
  }

  /** Puts the files back to what they were. Refuses when somebody wrote them since. */
  async undo(address: CaseAddress): Promise<void> {
    const steps = this.#steps.get(address.casePath) ?? [];
    const last = steps.at(-1);
    const { name, baseline, decision } = caseFiles(address.root, address.casePath);
    if (last === undefined) throw new UserError(`${name}: nothing to take back`, 'Decisions of earlier sessions stay.');
    const now = await snapshot(address);
    if (now.baseline !== last.after.baseline || now.decision !== last.after.decision)
      throw new UserError(`${name}: its baseline has changed since this decision`, 'Look at it again and decide anew.');
    await put(address.root, baseline, last.before.baseline);
    await put(address.root, decision, last.before.decision);
    this.#steps.set(address.casePath, steps.slice(0, -1));
  }
}

async function snapshot({ root, casePath }: CaseAddress): Promise<Snapshot> {
  const { baseline, decision } = caseFiles(root, casePath);
  const read = (path: string) => unlessMissing(readFile(path, 'utf8'));
  return { baseline: await read(baseline), decision: await read(decision) };
}

async function put(root: string, path: string, text: string | undefined): Promise<void> {
  if (text === undefined) await rm(path, { force: true });
  else await writeAtomically(path, text, { asideFolder: asideFolder(root) });
}
