import type { TapeTest, TestRecorder } from '../tapeTest';
import type { TestMode, TestProject, TestRun } from '../testRun';

/** The two plugins that define `@pytest.mark.vcr`. They exclude each other. */
type VcrPlugin = 'pytest-recording' | 'pytest-vcr';

/** Replays a test, without network access where its recorder has an option, or records it. */
export function pytestRun({ file, select, uses }: TapeTest, mode: TestMode, { requirements }: TestProject): TestRun {
  const id = `${file}::${select}`;
  const run = { program: 'pytest' as const, args: [id], env: {}, folder: '', needsTapeAside: false };
  const recorder: TestRecorder = uses[0]?.recorder ?? 'vcr';
  switch (recorder) {
    case 'reyn':
      return { ...run, env: { REYN_LLM_RECORD: mode === 'record' ? '1' : '0' } };
    case 'tapedeck':
      return { ...run, args: [id, `--tapedeck=${mode === 'record' ? 'rewrite' : 'none'}`] };
    case 'vcr':
      return { ...run, args: [id, vcrSwitch(mode, vcrPluginOf(requirements))] };
    default:
      return { ...run, needsTapeAside: mode === 'record' };
  }
}

function vcrSwitch(mode: TestMode, plugin: VcrPlugin): string {
  if (plugin === 'pytest-vcr') return `--vcr-record=${mode === 'record' ? 'all' : 'none'}`;
  return `--record-mode=${mode === 'record' ? 'rewrite' : 'none'}`;
}

/** The plugin in a project's requirements; pytest-recording by default. */
function vcrPluginOf(requirements: string): VcrPlugin {
  return /\bpytest-vcr\b/.test(requirements) && !/\bpytest-recording\b/.test(requirements)
    ? 'pytest-vcr'
    : 'pytest-recording';
}
