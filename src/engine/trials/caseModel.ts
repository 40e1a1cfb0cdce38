import { readCase } from '../../core/cases/toml/readCase';
import type { Case } from '../../core/model/case';
import { t } from '../../core/text/l10n';
import { applySplices } from '../../core/text/splice';
import { setTomlKey, tomlString } from '../../core/toml/editToml';
import { MODEL_VARIABLE } from '../../core/trials/recordingKey';
import { UserError } from '../errors/userError';

/** The key of a case that names its model. */
interface ModelPlace {
  readonly table: readonly string[];
  readonly key: string;
  modelOf(testCase: Case): string | undefined;
}

const OF_PROVIDER: ModelPlace = {
  table: ['llm', 'provider'],
  key: 'model',
  modelOf: ({ llm }) => llm.provider?.model,
};

const OF_OWN_AGENT: ModelPlace = {
  table: ['agent', 'env'],
  key: MODEL_VARIABLE,
  modelOf: ({ agent: { external } }) =>
    external?.kind === 'program' ? external.environment[MODEL_VARIABLE] : undefined,
};

/**
 * The text of a case with this model: that of its provider, or TAPEDECK_MODEL for the user's own program. Undefined if it already has
 * this model, or does not choose one. Throws a `UserError` if the text cannot be changed.
 */
export function textWithModel(text: string, model: string): string | undefined {
  const testCase = readCase(text).value;
  if (testCase === undefined) return undefined;
  const place = placeIn(testCase);
  if (place === undefined || place.modelOf(testCase) === model) return undefined;
  const { table, key, modelOf } = place;
  const changed = applySplices(text, [setTomlKey(text, table, key, tomlString(model))]);
  const read = readCase(changed).value;
  if (read !== undefined && modelOf(read) === model) return changed;
  throw new UserError(
    () => t('the model’s name cannot be changed in the case'),
    () => t('Set {0} to {1}, and adopt again.', [...table, key].join('.'), model),
  );
}

/** Undefined for a provider of `tapedeck.toml`, the practice model, a service, and cases that are not TOML. */
function placeIn({ agent, llm }: Case): ModelPlace | undefined {
  if (agent.external !== undefined) return agent.external.kind === 'program' ? OF_OWN_AGENT : undefined;
  return llm.provider === undefined || llm.provider.kind === 'practice' ? undefined : OF_PROVIDER;
}
