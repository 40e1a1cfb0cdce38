import type { LlmSpec } from '../../model/case';
import type { CaseKind } from '../caseKind';
import { agentSources } from './agentSources';
import { agentLabel } from './externalAgent';
import { looksLikeCase } from './looksLikeCase';
import { readCase } from './readCase';

/** The tape that Replay reads; `record_tape` where a case has only that. */
export function tapeToReplay({ tape, recordTape }: LlmSpec): string | undefined {
  return tape ?? recordTape;
}

/** The tape that Re-record replaces. */
export function tapeToRecord({ tape, recordTape }: LlmSpec): string | undefined {
  return recordTape ?? tape;
}

/** `mofa test-dsl` cases, with Tapedeck's additions. */
export const tomlKind: CaseKind = {
  id: 'toml',
  label: 'MoFA test case',
  places: /(?:^|\/)cases\/(?:.*\/)?[^/]*\.toml$/i,
  looksLike: (text, path) => /\.toml$/i.test(path) && looksLikeCase(text),
  list(text) {
    const { value, problems } = readCase(text);
    if (value === undefined) return { cases: [], problems };
    const { name, nameSpan: span, llm, tools, tags, agent, semantic } = value;
    const recorded = llm.script === undefined ? tapeToRecord(llm) : undefined;
    const { onMiss = 'fail' } = llm.replay ?? {};
    const listed = {
      name,
      span,
      tapes: tapesOf(llm),
      ...(recorded === undefined ? {} : { recordedTape: recorded }),
      ...(onMiss !== 'fail' && { onMiss }),
      ...(llm.tapeSpan && { tapeSpan: llm.tapeSpan }),
      ...(llm.provider === undefined ? {} : { provider: llm.provider }),
      ...(agent.external && { ownAgent: agentLabel(agent.external), sources: agentSources(agent.external) }),
      ...(semantic !== undefined && { reads: [semantic] }),
      words: [llm.provider?.model, llm.provider?.kind, ...tools.map((tool) => tool.name)].filter(
        (word) => word !== undefined,
      ),
      tags,
    };
    return { cases: [listed], problems };
  },
};

/** The tape that is replayed, and the one that is recorded, if it is another one. */
function tapesOf(llm: LlmSpec): readonly string[] {
  const names = new Set([tapeToReplay(llm), tapeToRecord(llm)]);
  return [...names].filter((name) => name !== undefined);
}
