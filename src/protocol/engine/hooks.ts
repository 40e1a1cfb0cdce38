import { isOneOf, isShape, isText } from '../rpc/guards';
import type { Guards } from '../rpc/rpc';
import type { RootParams } from './engineReviews';

/** The engine's calls about the pre-commit hook of a project's repository. */
export type HooksApi = {
  hook(params: RootParams): Promise<HookState>;
  /** Writes or removes the gate, and gives the state after that. */
  changeHook(params: ChangeHookParams): Promise<HookState>;
};

export interface ChangeHookParams extends RootParams {
  readonly change: 'install' | 'remove';
}

export interface HookState {
  /** What runs the hooks of this repository. */
  readonly manager: 'git' | 'husky' | 'lefthook' | 'pre-commit';
  /** Absolute: the hook, or the configuration of the manager. */
  readonly file: string;
  /** `other`: there is a hook without the gate; `script`: such a hook that is no shell script, or is shared by all repositories. */
  readonly state: 'absent' | 'installed' | 'other' | 'script';
  /** What the user adds by hand where Tapedeck does not write. */
  readonly lines: string;
}

export const hooksGuards: Guards<HooksApi> = {
  hook: isShape<RootParams>({ root: isText }),
  changeHook: isShape<ChangeHookParams>({ root: isText, change: isOneOf('install', 'remove') }),
};
