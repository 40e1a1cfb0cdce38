import { mkdir, writeFile } from 'node:fs/promises';
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
  'workbench.settings.enableNaturalLanguageSearch': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

/**
 * Writes the profile's User/settings.json.
 * @param {string} userDataDir
 * @param {Record<string, unknown>} [settings] the test's own, stronger than the quiet ones
 */
export async function writeSettings(userDataDir, settings = {}) {
  const folder = path.join(userDataDir, 'User');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'settings.json'), JSON.stringify({ ...quietSettings, ...settings }, undefined, 2));
}
