import type { RecordedInteraction } from '../../core/model/interaction';
import type { SecretLeft } from '../../core/secrets/secretsLeft';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { interactionName } from './unheldError';

/** A secret in a tape that was about to be written, and the interaction that it stands in. */
export interface UnhiddenSecret {
  readonly left: SecretLeft;
  /** The one of those that were to be written; absent around them. */
  readonly interaction?: RecordedInteraction;
  /** Of the interaction on the tape, from 1. */
  readonly number: number;
}

/** A tape was not written, because secrets in it cannot be hidden. */
export class UnhiddenError extends UserError {
  constructor(
    path: string,
    readonly unhidden: readonly [UnhiddenSecret, ...UnhiddenSecret[]],
  ) {
    const [first] = unhidden;
    super(
      () => t('{0} is not written: {1}', path, unhiddenText(first)),
      () => t('Keep the secret out of what the agent sends and receives, or record in another format.'),
    );
    this.name = 'UnhiddenError';
  }
}

/** What cannot be hidden, and where. */
export function unhiddenText({ left, interaction, number }: UnhiddenSecret): string {
  const { what, excerpt } = left;
  return interaction === undefined
    ? t('{0} cannot be hidden ({1})', t(what), excerpt)
    : t('{0} in interaction {1}, {2}, cannot be hidden ({3})', t(what), number, interactionName(interaction), excerpt);
}

/** The line for an interaction that was left out of a recording. */
export function leftOutText(secret: UnhiddenSecret): string {
  return t('not recorded: {0}', unhiddenText(secret));
}
