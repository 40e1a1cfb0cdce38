import { sha256Hex } from '../hash/digest';
import { canonicalJson } from '../json/canonicalJson';
import type { Json } from '../json/json';
import type { Case, ExternalAgent, ProviderSpec } from '../model/case';

/** What a recording of a case depends on, besides the model. */
export interface RecordingInputs {
  /** The parsed case, or the whole file for kinds that are not parsed. */
  readonly content: Json;
  readonly provider: ProviderSpec | undefined;
  /** Further files that it reads, and the source of the user's own agent, by their digests. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  /** Where the requests of the user's own agent go; null for the built-in one. */
  readonly upstreams: Json;
}

const KEY_LENGTH = 12;

/** The key of a cell. A case that changes gets another key, so that older recordings do not count for it. */
export function recordingKey({ content, provider, files, upstreams }: RecordingInputs, model: string): string {
  const at = provider === undefined ? null : { ...provider, model };
  const inputs = canonicalJson({
    content,
    model,
    provider: asJson(at),
    files: files.map(({ path, sha256 }) => [path, sha256]),
    upstreams,
  });
  return sha256Hex(inputs).slice(0, KEY_LENGTH);
}

/** The variable that tells the user's own agent which model to call. A case that adopted a model sets it. */
export const MODEL_VARIABLE = 'TAPEDECK_MODEL';

/**
 * The case without what its recordings do not depend on: positions in the file, tags, tapes, rules of a replay, the number of
 * samples that must pass, what is noise in a review, and its own model, which a trial replaces.
 */
export function recordedContent(testCase: Case): Json {
  const { nameSpan: _, tags: __, llm: ___, sampling: ____, normalise: _____, agent, assertions, ...rest } = testCase;
  return asJson({
    ...rest,
    agent: { ...agent, external: agent.external && withoutModel(agent.external) },
    assertions: assertions.map(({ kind, expected }) => ({ kind, expected })),
  });
}

function withoutModel(agent: ExternalAgent): ExternalAgent {
  if (agent.kind === 'service') return agent;
  const { [MODEL_VARIABLE]: _, ...environment } = agent.environment;
  return { ...agent, environment };
}

/** As in JSON: without undefined members. */
function asJson(value: unknown): Json {
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== 'object' || value === null) return (value ?? null) as Json;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [key, asJson(member)]));
}
