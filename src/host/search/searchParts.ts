import type { Uri } from 'vscode';
import type { Log } from '../base/log';
import type { EngineClient } from '../engine/engineClient';
import type { TapeStore } from '../stores/tapes/tapeStore';

export interface SearchParts {
  readonly extensionUri: Uri;
  readonly engine: Pick<EngineClient, 'call' | 'onSearchEvent'>;
  readonly tapes: Pick<TapeStore, 'load' | 'uris'>;
  /** The keys in VS Code's secret storage, by environment variable. */
  readonly storedKeys: () => Promise<Readonly<Record<string, string>>>;
  readonly log: Log;
}
