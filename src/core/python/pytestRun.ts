import type { TestRecorder } from './testTapeUse';

export type PytestMode = 'replay' | 'record';
/** The two plugins that define `@pytest.mark.vcr`. They exclude each other. */
export type VcrPlugin = 'pytest-recording' | 'pytest-vcr';

/** How to start pytest for one test. */
export interface PytestRun {
  /** The arguments after `pytest`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The recorder has no option for recording: it records where there is no tape, so the tape has to be moved away first. */
  readonly needsTapeAside: boolean;
}

/** The arguments with which the recorder replays a test, without network access where it has an option, or records it. */
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

/** The plugin in a project's requirements; pytest-recording by default. */
export function vcrPluginOf(requirements: string): VcrPlugin {
  return /\bpytest-vcr\b/.test(requirements) && !/\bpytest-recording\b/.test(requirements)
    ? 'pytest-vcr'
    : 'pytest-recording';
}
