import { basename } from 'node:path';
import { prettyJson } from '../../core/json/json';
import type { FailureKind, ReplayMiss } from '../../core/model/run';
import { t } from '../../core/text/l10n';
import { inWords, type Words } from '../../core/text/notice';
import { type ErrorTexts, errorTexts } from './userError';

/** A provider had no response. The message is about what happened, `fix` about what to do. */
export class ProviderError extends Error {
  readonly fix: string;
  readonly said: ErrorTexts;

  constructor(
    readonly kind: Extract<FailureKind, 'case' | 'replay' | 'provider' | 'unreachable'>,
    message: Words,
    fix: Words,
    readonly details: ProviderErrorDetails = {},
  ) {
    super(inWords(message));
    this.name = 'ProviderError';
    this.fix = inWords(fix);
    this.said = errorTexts(message, fix);
  }
}

interface ProviderErrorDetails {
  /** Of a request without a recording: the ways to continue. */
  readonly miss?: ReplayMiss | undefined;
  /** The recorded request and the one that was sent, where both are known. */
  readonly requests?: RequestTexts | undefined;
  /** The absolute path of the tape that does not exist, so that none of the requests has a recording. */
  readonly missingTape?: string | undefined;
}

/** A replay whose tape does not exist. */
export function noRecording(
  tapePath: string,
  message: Words = () => t('No recording yet: {0} does not exist', basename(tapePath)),
  fix: Words = () => t('Record it first, or correct its path.'),
): ProviderError {
  return new ProviderError('replay', message, fix, { missingTape: tapePath });
}

/** The agent itself failed, whatever the provider's responses were. `fix` is about what to do. */
export class AgentError extends Error {
  readonly fix: string;
  readonly said: ErrorTexts;

  constructor(
    readonly kind: Extract<FailureKind, 'case' | 'agent'>,
    message: Words,
    fix: Words,
  ) {
    super(inWords(message));
    this.name = 'AgentError';
    this.fix = inWords(fix);
    this.said = errorTexts(message, fix);
  }
}

/** A recorded request and the one that was sent instead, as pretty JSON, for a diff. */
export interface RequestTexts {
  readonly recorded: string;
  readonly sent: string;
}

const MOST_TO_COMPARE = 400_000;

/** The texts of two requests; undefined if they are too long for a diff. */
export function requestTexts(recorded: unknown, sent: unknown): RequestTexts | undefined {
  const texts = { recorded: prettyJson(recorded), sent: prettyJson(sent) };
  return texts.recorded.length + texts.sent.length > MOST_TO_COMPARE ? undefined : texts;
}
