import { asRecord, asRecords, asString } from '../../../json/fields';
import type { RunStep } from '../../../model/interaction';
import { lazy } from '../../../text/memo';
import type { TreeEntry } from './tree';

/** The subagents of a session, whose lines are its side chains. */
export class Subagents {
  readonly #entries: readonly TreeEntry[];
  readonly #names = lazy(() => namesByPrompt(this.#entries));

  constructor(entries: readonly TreeEntry[]) {
    this.#entries = entries;
  }

  /** The subagent that an entry is of; undefined for one of the session itself. */
  around(entry: TreeEntry): readonly RunStep[] | undefined {
    if (!entry.line.isTrue('isSidechain')) return undefined;
    const root = rootOf(entry);
    const id = entry.line.text('agentId') ?? root.line.text('uuid') ?? '';
    return [{ id, name: this.#names().get(promptOf(root)) ?? '' }];
  }
}

function rootOf(entry: TreeEntry): TreeEntry {
  let root = entry;
  while (root.parent?.line.isTrue('isSidechain')) root = root.parent;
  return root;
}

function promptOf({ line }: TreeEntry): string {
  const { content } = asRecord(line.value.message);
  return asString(content) ?? asString(asRecords(content)[0]?.text) ?? '';
}

/** What the calls that started subagents say that these are, by the prompts that they gave. */
function namesByPrompt(entries: readonly TreeEntry[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { line, response } of entries) {
    if (response === undefined) continue;
    for (const { input } of asRecords(asRecord(line.value.message).content)) {
      const { prompt, subagent_type: type, description } = asRecord(input);
      const name = [type, description].flatMap((part) => asString(part) || []).join(': ');
      if (typeof prompt === 'string' && name !== '' && !names.has(prompt)) names.set(prompt, name);
    }
  }
  return names;
}
