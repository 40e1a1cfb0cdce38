import type { CaseKind } from './caseKind';
import { flakestormConfigKind } from './kinds/flakestormConfig';
import { flakestormProfileKind } from './kinds/flakestormProfile';
import { flakestormSessionKind } from './kinds/flakestormSession';
import { loaderKind } from './kinds/loader';
import { mofaAgentScenarioKind } from './kinds/mofaAgentScenario';
import { mofaAssertionsKind } from './kinds/mofaAssertions';
import { mofaGoldenKind } from './kinds/mofaGolden';
import { mofaScenarioKind } from './kinds/mofaScenario';
import { checkagentKind, reynKind } from './kinds/recordedTape';
import { tomlKind } from './kinds/toml';

/** Every kind of case. To add one: its file in `kinds/`, its id in `caseKind.ts`, its line here, what runs it in the engine. */
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
  checkagentKind,
  reynKind,
];

/** The kind of a file by its content; undefined when it holds no case. `path` has `/`. */
export function caseKindOf(text: string, path: string): CaseKind | undefined {
  return caseKinds.find((kind) => kind.looksLike(text, path));
}
