import { shape, text } from '../../core/schema/schema';
import { type Answers, call, returns } from '../contract';
import { inProject, ROOT } from './project';

/** The engine's calls about the pre-commit hook of a project's repository. */
export const hooksCalls = {
  hook: call(inProject, returns<HookState>()),
  /** Writes or removes the gate, and gives the state after that. */
  changeHook: call(shape({ ...ROOT, change: text('', { enum: ['install', 'remove'] }) }), returns<HookState>()),
};
export type HooksApi = Answers<typeof hooksCalls>;

export interface HookState {
  /** What runs the hooks of this repository. */
  readonly manager: 'git' | 'husky' | 'lefthook' | 'pre-commit';
  /** Absolute: the hook, or the configuration of the manager. */
  readonly file: string;
  /** `other`: there is a hook without the gate; `script`: one that Tapedeck does not change, as it is no shell script, or not the repository's own. */
  readonly state: 'absent' | 'installed' | 'other' | 'script';
  /** What the user adds by hand where Tapedeck does not write. */
  readonly lines: string;
}
