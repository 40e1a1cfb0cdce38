import { readAgentScenarios } from '../../scenarios/agentScenario';
import { mofaAgentScenarioFormat } from '../../tapes/formats/mofaAgentScenario';
import { textFile } from '../../tapes/tapeFile';
import { type CaseKind, defaultTape } from '../caseKind';

/** Agent scenarios, each variant of a parameterised one a case of its own. */
export const mofaAgentScenarioKind: CaseKind = {
  id: 'mofa-agent-scenario',
  label: mofaAgentScenarioFormat.label,
  looksLike: (text) => mofaAgentScenarioFormat.looksLike(textFile(text)),
  list(text, path) {
    const { value, problems } = readAgentScenarios(text);
    if (value === undefined) return { cases: [], problems };
    const cases = value.scenarios.map(({ variant, agentId, tools, tape: named }) => {
      const tape = named ?? defaultTape(path, variant);
      return {
        ...(variant === undefined ? {} : { id: variant }),
        name: variant === undefined ? agentId : `${agentId}: ${variant}`,
        span: value.span,
        tapes: [tape],
        recordedTape: tape,
        words: tools,
        tags: ['mofa'],
      };
    });
    return { cases, problems };
  },
};
