import { t } from '../../core/text/l10n';
import { noRecording } from '../errors/runErrors';
import { UserError } from '../errors/userError';
import { fileStatus } from '../files/fileStatus';
import type { LaneMode } from './session/lanePlan';
import type { ProxyMode } from './session/sessionOptions';

/** `once` records when the tape does not exist yet, and replays when it does. */
const WANTED_MODES = ['replay', 'record', 'auto', 'once', 'passthrough'] as const;
export type WantedMode = (typeof WANTED_MODES)[number];

interface ModeChoice {
  /** From the command line, which may choose any mode. */
  readonly flag?: WantedMode | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** From the case. */
  readonly otherwise?: WantedMode | undefined;
  readonly tapePath: string;
}

/**
 * The mode of a proxy whose lanes have tapes of their own, of which with `once` some may be there and others not, and that of its
 * lanes. Throws a `UserError`.
 */
export function chooseLaneMode({ flag, environment }: Omit<ModeChoice, 'tapePath'>): LaneModeChoice {
  const wanted = flag ?? fromEnvironment(environment.TAPEDECK_MODE) ?? 'replay';
  const mode = isCi(environment) && (flag === undefined || wanted === 'once') ? 'replay' : wanted;
  switch (mode) {
    case 'once':
      return { mode: 'auto', laneMode: 'once' };
    case 'record':
      return { mode, laneMode: 'rewrite' };
    case 'auto':
      return { mode, laneMode: 'new' };
    default:
      return { mode, laneMode: 'none' };
  }
}

interface LaneModeChoice {
  readonly mode: ProxyMode;
  readonly laneMode: LaneMode;
}

/**
 * The mode of a session: from the command line, else from `TAPEDECK_MODE`, else from the case. In CI, only the command
 * line can choose to record. Rejects with a `UserError`, or with a
 * `ProviderError` where only a tape that does not exist may be replayed.
 */
export async function chooseMode({ flag, environment, otherwise, tapePath }: ModeChoice): Promise<ProxyMode> {
  const wanted = flag ?? fromEnvironment(environment.TAPEDECK_MODE) ?? otherwise ?? 'replay';
  const inCi = isCi(environment);
  if (wanted === 'once') return once(tapePath, inCi);
  return inCi && flag === undefined ? 'replay' : wanted;
}

async function once(tapePath: string, inCi: boolean): Promise<ProxyMode> {
  if ((await fileStatus(tapePath)) !== undefined) return 'replay';
  if (!inCi) return 'record';
  throw noRecording(
    tapePath,
    () => t('{0} does not exist, and tapes are not recorded in CI', tapePath),
    () => t('Record it on your machine and commit it, or record here with --record.'),
  );
}

function fromEnvironment(text: string | undefined): WantedMode | undefined {
  if (text === undefined || text === '') return undefined;
  const mode = WANTED_MODES.find((known) => known === text);
  if (mode !== undefined) return mode;
  throw new UserError(
    () => t('TAPEDECK_MODE is not valid: `{0}`', text),
    () => t('Set it to one of {0}.', WANTED_MODES.join(', ')),
  );
}

function isCi({ CI }: ModeChoice['environment']): boolean {
  return CI !== undefined && CI !== '' && CI !== 'false' && CI !== '0';
}
