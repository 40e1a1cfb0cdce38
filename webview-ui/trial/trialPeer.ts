import type { RpcPeer } from '../../src/protocol/rpc';
import type { TrialHost } from '../../src/protocol/trialPage';

export type TrialPeer = RpcPeer<Record<string, never>, TrialHost>;
