import { readScenarioSpec } from '../../scenarios/scenarioSpec';
import { mofaScenarioFormat } from '../../tapes/formats/mofaScenario';
import { textFile } from '../../tapes/tapeFile';
import type { CaseKind } from '../caseKind';

export const NO_PROMPTS =
  'the scenario says what the model answers, but not what it is asked: add prompts: ["…"] to it, which MoFA ignores';

/** Scenario specs: model and tools are mocked in the file, so there is no tape. */
export const mofaScenarioKind: CaseKind = {
  id: 'mofa-scenario',
  label: mofaScenarioFormat.label,
  looksLike: (text) => mofaScenarioFormat.looksLike(textFile(text)),
  list(text) {
    const { value, problems } = readScenarioSpec(text);
    if (value === undefined) return { cases: [], problems };
    const { name, span, tools, prompts } = value;
    const words = tools.map((tool) => tool.name);
    const lacks = prompts.length === 0 ? { lacks: NO_PROMPTS } : {};
    return { cases: [{ name, span, tapes: [], words, tags: ['mofa'], ...lacks }], problems };
  },
};
