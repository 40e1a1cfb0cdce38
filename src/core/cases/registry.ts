import type { CaseKind } from './caseKind';
import { flakestormConfigKind, flakestormProfileKind, flakestormSessionKind } from './flakestorm/kinds';
import { loaderKind } from './loader/loaderScenario';
import { mofaAgentScenarioKind } from './mofa/agentScenario';
import { mofaGoldenKind } from './mofa/golden';
import { mofaScenarioKind } from './mofa/scenarioSpec';
import { mofaAssertionsKind } from './mofa/semanticAssertions';
import { recordedTapeKinds } from './recordedTape/kinds';
import { tomlKind } from './toml/kind';
import { unreadableKind } from './unreadable/unreadableKind';

const readableKinds: readonly CaseKind[] = [
  tomlKind,
  mofaAgentScenarioKind,
  mofaScenarioKind,
  mofaAssertionsKind,
  mofaGoldenKind,
  flakestormConfigKind,
  flakestormProfileKind,
  flakestormSessionKind,
  loaderKind,
  ...recordedTapeKinds,
];

/** Every kind of case. README.md describes how to add one. */
export const caseKinds: readonly CaseKind[] = [...readableKinds, unreadableKind(readableKinds)];

/** The kind of a file by its content; undefined when it contains no case. `path` has `/`. */
export function caseKindOf(text: string, path: string): CaseKind | undefined {
  return caseKinds.find((kind) => kind.looksLike(text, path));
}

/** Whether only cases have such a path, so that a file there that cannot be read is a broken case. */
export function isCasePlace(path: string): boolean {
  return readableKinds.some(({ places }) => places?.test(path));
}
