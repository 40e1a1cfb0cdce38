import type { TestRecorder } from './testTapeUse';

export type PytestMode = 'replay' | 'record';
/** The two plugins that know `@pytest.mark.vcr`. They exclude each other. */
export type VcrPlugin = 'pytest-recording' | 'pytest-vcr';

/** How to start pytest for one test. */
export interface PytestRun {
  /** Behind `pytest`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The recorder has no switch: it records where there is no tape, so the tape has to be put aside first. */
  readonly needsTapeAside: boolean;
}

/** The recorder's own way to replay a test, without the network where it has a switch for that, or to record it anew. */
export function pytestRun(recorder: TestRecorder, id: string, mode: PytestMode, plugin: VcrPlugin): PytestRun {
  switch (recorder) {
    case 'reyn':
      return { args: [id], env: { REYN_LLM_RECORD: mode === 'record' ? '1' : '0' }, needsTapeAside: false };
    case 'vcr':
      return { args: [id, vcrSwitch(mode, plugin)], env: {}, needsTapeAside: false };
    default:
      return { args: [id], env: {}, needsTapeAside: mode === 'record' };
  }
}

function vcrSwitch(mode: PytestMode, plugin: VcrPlugin): string {
  if (plugin === 'pytest-vcr') return `--vcr-record=${mode === 'record' ? 'all' : 'none'}`;
  return `--record-mode=${mode === 'record' ? 'rewrite' : 'none'}`;
}

/** The plugin that a project asks for in its requirements; pytest-recording where it does not say. */
export function vcrPluginOf(requirements: string): VcrPlugin {
  return /\bpytest-vcr\b/.test(requirements) && !/\bpytest-recording\b/.test(requirements)
    ? 'pytest-vcr'
    : 'pytest-recording';
}
