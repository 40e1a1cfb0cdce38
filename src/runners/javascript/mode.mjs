/** As the command line of Tapedeck calls them. */
const ENGINE_MODES = { replay: 'none', record: 'rewrite', auto: 'new', passthrough: 'off' };
const MODES = ['none', 'once', 'new', 'rewrite', 'off'];

/**
 * Where responses come from: by `-u` of the runner, else by TAPEDECK_MODE. In CI, only the command line can choose to record.
 * @param {Record<string, string | undefined>} environment
 * @param {boolean} isUpdate
 */
export function modeOf({ TAPEDECK_MODE: given, CI }, isUpdate) {
  if (isUpdate) return 'rewrite';
  const isCi = CI !== undefined && CI !== '' && CI !== 'false' && CI !== '0';
  const mode = ENGINE_MODES[given] ?? given ?? 'once';
  if (mode !== '' && !MODES.includes(mode)) throw new Error(`TAPEDECK_MODE is not valid: ${given}`);
  return isCi && mode !== 'off' ? 'none' : mode || 'once';
}
