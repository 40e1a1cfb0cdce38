import { readChaosProfile } from '../../flakestorm/chaos';
import { type FlakestormConfig, type LangSmithSource, readFlakestormConfig } from '../../flakestorm/config';
import { readSessions } from '../../flakestorm/session';
import { hasMembers } from '../../syntax/textDocument';
import { formatById } from '../../tapes/registry';
import { tapeFileFromText } from '../../tapes/tapeFile';
import { t } from '../../text/l10n';
import { shellWord } from '../../text/shellWord';
import { type CaseKind, defaultTape, fileStem, type ListedCase } from '../caseKind';

/** The cases of `flakestorm.yaml`: golden prompts, chaos, the contract under its matrix, and sessions. */
export const flakestormConfigKind: CaseKind = {
  id: 'flakestorm-config',
  label: formatById('flakestorm-config').label,
  places: /(?:^|\/)flakestorm\.ya?ml$/i,
  looksLike: (text) => hasMembers(text, 'agent', 'golden_prompts'),
  list(text, path) {
    const { value, problems } = readFlakestormConfig(text);
    return { cases: value === undefined ? [] : casesOf(value, path), problems };
  },
};

function casesOf(config: FlakestormConfig, path: string): readonly ListedCase[] {
  const { goldenPrompts, chaos, contract, sessions, sources, agent, span } = config;
  const tapes = goldenPrompts.map((_, index) => promptTape(path, index));
  const ownAgent = agent.type === 'unknown' ? {} : { asks: t('your agent, {0}', agent.endpoint) };
  const common = { words: [], tags: ['flakestorm'], ...ownAgent };
  const [tape] = tapes;
  const recorded = tape === undefined ? {} : { recordedTape: tape };
  return [
    { id: 'prompts', name: 'golden prompts', span: goldenPrompts[0]?.span ?? span, tapes, ...recorded, ...common },
    ...(chaos === undefined ? [] : [{ id: 'chaos', name: 'golden prompts under chaos', span, tapes, ...common }]),
    ...(contract === undefined
      ? []
      : [{ id: 'contract', name: contract.name || 'contract', span: contract.span, tapes, ...common }]),
    ...sessions.flatMap(({ session: { id, name, file, toolResponses }, span: place }): ListedCase[] => {
      // A session in a file of its own is listed there.
      if (file !== undefined) return [];
      const own = defaultTape(path, id);
      const words = toolResponses.map(({ tool }) => tool);
      return [
        { ...common, id: `session:${id}`, name: name || id, span: place, tapes: [own], recordedTape: own, words },
      ];
    }),
    ...sources.map((source, index) => ({ ...common, ...sourceCase(source), id: `source:${index + 1}`, tapes: [] })),
  ];
}

/** Sessions that have not been imported. `flakestorm ci --live` fetches those of `auto_import` from LangSmith. */
function sourceCase(source: LangSmithSource): Pick<ListedCase, 'name' | 'span' | 'lacks'> {
  const [what, option] =
    source.type === 'run'
      ? [`LangSmith run ${source.runId}`, `--from-langsmith ${source.runId}`]
      : [`LangSmith project ${source.project}`, `--from-langsmith-project ${shellWord(source.project)}`];
  const lacks = t('the sessions of {0} have not been imported: run tapedeck flakestorm import {1}', what, option);
  return { name: what, span: source.span, lacks };
}

/** The tape of the agent's response to a golden prompt. */
export function promptTape(path: string, index: number): string {
  return defaultTape(path, `prompt-${index + 1}`);
}

const FAULTS = /^ +(?:tool_faults|llm_faults|context_attacks)[ \t]*:/m;

/** Chaos profiles: named sets of faults for the runs of a configuration. */
export const flakestormProfileKind: CaseKind = {
  id: 'flakestorm-profile',
  label: 'Flakestorm chaos profile',
  looksLike: (text) => hasMembers(text, 'name', 'chaos') && !hasMembers(text, 'agent') && FAULTS.test(text),
  list(text, path) {
    const { value, problems } = readChaosProfile(text);
    if (value === undefined) return { cases: [], problems };
    const name = value.name || fileStem(path);
    const lacks = t(
      'a chaos profile is not a test: apply it to a configuration with tapedeck flakestorm ci -c flakestorm.yaml --profile {0}',
      path.slice(path.lastIndexOf('/') + 1),
    );
    return {
      cases: [{ name, span: { start: 0, end: 0 }, tapes: [], words: [], tags: ['flakestorm'], lacks }],
      problems,
    };
  },
};

const sessionFormat = formatById('flakestorm');

/** Replay sessions: failures that are run again and checked against a contract. */
export const flakestormSessionKind: CaseKind = {
  id: 'flakestorm-session',
  label: sessionFormat.label,
  places: /(?:^|\/)replays\/(?:.*\/)?[^/]*\.(?:ya?ml|json)$|\.session\.(?:ya?ml|json)$/i,
  looksLike: (text) => sessionFormat.looksLike(tapeFileFromText(text)),
  list(text, path) {
    const { value, problems } = readSessions(text);
    if (value === undefined) return { cases: [], problems };
    const isOne = value.length === 1;
    const cases = value.map(({ session: { id, name, toolResponses }, tape: named, span }) => {
      const tape = named ?? defaultTape(path, isOne ? undefined : id);
      return {
        ...(isOne ? {} : { id }),
        name: name || id || fileStem(path),
        span,
        tapes: [tape],
        recordedTape: tape,
        asks: t("the agent of flakestorm.yaml, or the project's provider"),
        words: toolResponses.map(({ tool }) => tool),
        tags: ['flakestorm'],
      };
    });
    return { cases, problems };
  },
};
