import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** User settings of every test profile: nothing opens by itself, nothing asks, nothing looks anything up. */
const quietSettings = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.autofetch': false,
  'git.openRepositoryInParentFolders': 'never',
  'http.proxySupport': 'off',
  'npm.fetchOnlinePackageInfo': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.commandCenter': true,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  // In the browser VS Code saves by itself; on a computer it does not.
  'files.autoSave': 'off',
  'workbench.settings.enableNaturalLanguageSearch': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

/**
 * @param {string} file
 * @returns {Promise<Record<string, unknown>>}
 */
async function readSettings(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}

/**
 * Writes the profile's User/settings.json; what is there already stays.
 * @param {string} userDataDir
 * @param {Record<string, unknown>} [settings] the test's own, stronger than the quiet ones
 */
export async function writeSettings(userDataDir, settings = {}) {
  const file = path.join(userDataDir, 'User/settings.json');
  const present = await readSettings(file);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ ...quietSettings, ...present, ...settings }, undefined, 2));
}
