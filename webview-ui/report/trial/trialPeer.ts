import type { Connected } from '../../../src/contracts/contract';
import type { trialPage } from '../../../src/contracts/pages/trialPage';

export type TrialPeer = Connected<typeof trialPage>;
