import type { HeldRelease, ReleaseHeldParams, SetHoldsParams } from '../holds';
import {
  isAnything,
  isIndex,
  isListOf,
  isMapOf,
  isMaybe,
  isNothing,
  isOneOf,
  isShape,
  isText,
  isTrue,
} from '../rpc/guards';
import type { Guards } from '../rpc/rpc';
import { isTapeEdit } from '../transcript/transcriptEditing';
import { agentCasesGuards } from './agentCases';
import { comparisonsGuards } from './comparisons';
import type {
  CallToolParams,
  CreateRepositoryParams,
  EngineApi,
  RunParams,
  SelfCheckParams,
  SinceParams,
  StabilityParams,
} from './engine';
import { engineReviewsGuards } from './engineReviews';
import { forksGuards } from './forks';
import { hooksGuards } from './hooks';
import { interruptedRecordingsGuards } from './interruptedRecordings';
import { makeCaseGuards } from './makeCase';
import { proxySessionsGuards } from './proxySessions';
import { recordingCostsGuards } from './recordingCosts';
import { recordingTargetsGuards } from './recordingTargets';
import { searchGuards } from './search';
import { takesGuards } from './takes';
import { trialsGuards } from './trials';

/** What the engine validates: the editor, which only calls it, does not load this. */
export const engineGuards: Guards<EngineApi> = {
  ...engineReviewsGuards,
  ...comparisonsGuards,
  ...takesGuards,
  ...interruptedRecordingsGuards,
  ...agentCasesGuards,
  ...recordingTargetsGuards,
  ...recordingCostsGuards,
  ...searchGuards,
  ...proxySessionsGuards,
  setHolds: isShape<SetHoldsParams>({
    session: isText,
    interactions: isListOf(isIndex),
    next: (value): value is boolean => typeof value === 'boolean',
  }),
  releaseHeld: isShape<ReleaseHeldParams>({
    session: isText,
    held: isIndex,
    release: isShape<HeldRelease>({
      type: isOneOf('continue', 'step', 'ask', 'respond', 'stop'),
      edits: isMaybe(isListOf(isTapeEdit)),
      body: isMaybe(isText),
    }),
  }),
  ...hooksGuards,
  ...trialsGuards,
  ...forksGuards,
  ...makeCaseGuards,
  hello: isNothing,
  run: isShape<RunParams>({
    runId: isText,
    root: isText,
    casePaths: isListOf(isText),
    mode: isOneOf('replay', 'record', 'live'),
    debug: isMaybe(isTrue),
    from: isMaybe((value): value is number | 'drift' => value === 'drift' || isIndex(value)),
    keys: isMapOf(isText),
  }),
  createRepository: isShape<CreateRepositoryParams>({ root: isText, message: isText }),
  selfCheck: isShape<SelfCheckParams>({ folder: isMaybe(isText), storedKeys: isListOf(isText) }),
  changesSince: isShape<SinceParams>({ root: isText, revision: isText }),
  stability: isShape<StabilityParams>({
    root: isText,
    casePath: isText,
    runId: isText,
    times: isIndex,
    keys: isMapOf(isText),
  }),
  callTool: isShape<CallToolParams>({ root: isText, name: isText, input: isMapOf(isAnything), keys: isMapOf(isText) }),
};
