import type * as vscode from 'vscode';
import type { Log } from '../base/log';
import type { EngineClient } from '../engine/engineClient';
import type { HoldStore } from '../stores/runs/holdStore';
import type { WorkspaceStores } from '../stores/workspaceStores';
import type { Holds } from './holds';
import type { LastRecording } from './lastRecording';
import type { LiveTapes } from './liveTapes';

/** The provider keys that the editor keeps. */
interface StoredKeys {
  names(): readonly string[];
  stored(names: readonly string[]): Promise<Record<string, string>>;
}

export interface SessionParts {
  readonly context: vscode.ExtensionContext;
  readonly engine: Pick<EngineClient, 'call' | 'onSessionEvent' | 'onHeldEvent'>;
  readonly stores: Pick<WorkspaceStores, 'cases' | 'tapes' | 'runs'>;
  readonly keys: StoredKeys;
  readonly holds: HoldStore;
  readonly log: Log;
  readonly last: LastRecording;
  /** Made when it is first used. */
  live(): Promise<LiveTapes>;
  /** The same. */
  following(): Promise<Holds>;
}
