import type { TrialHost } from '../../src/protocol/pages/trialPage';
import type { RpcPeer } from '../../src/protocol/rpc/rpc';

export type TrialPeer = RpcPeer<Record<string, never>, TrialHost>;
