import type { CaseKind } from './caseKind';
import { flakestormConfigKind, flakestormProfileKind, flakestormSessionKind } from './flakestorm/kinds';
import { loaderKind } from './loader/loaderScenario';
import { mofaAgentScenarioKind } from './mofa/agentScenario';
import { mofaGoldenKind } from './mofa/golden';
import { mofaScenarioKind } from './mofa/scenarioSpec';
import { mofaAssertionsKind } from './mofa/semanticAssertions';
import { recordedTapeKinds } from './recordedTape/kinds';
import { tomlKind } from './toml/kind';

/** Every kind of case. README.md describes how to add one. */
export const caseKinds: readonly CaseKind[] = [
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

/** The kind of a file by its content; undefined when it contains no case. `path` has `/`. */
export function caseKindOf(text: string, path: string): CaseKind | undefined {
  return caseKinds.find((kind) => kind.looksLike(text, path));
}
