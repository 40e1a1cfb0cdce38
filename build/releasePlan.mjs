// What `release.mjs` decides, without doing it.

/** @typedef {'major' | 'minor' | 'patch' | 'pre-release'} Step */

const UNRELEASED = '## Unreleased\n';

/**
 * The version after `current`. The marketplace takes no suffix such as `-beta`, and recommends odd minor numbers for pre-releases, and
 * even ones for releases; who has chosen pre-releases gets whichever is higher.
 * @param {string} current
 * @param {Step} step
 */
export function nextVersion(current, step) {
  const numbers = /^(\d+)\.(\d+)\.(\d+)$/.exec(current)?.slice(1).map(Number);
  if (numbers === undefined) throw new Error(`${current} is no version of three numbers`);
  const [major = 0, minor = 0, patch = 0] = numbers;
  const isOdd = minor % 2 === 1;
  if (step === 'major') return `${major + 1}.0.0`;
  if (step === 'pre-release') return isOdd ? `${major}.${minor}.${patch + 1}` : `${major}.${minor + 1}.0`;
  if (step === 'minor') return `${major}.${minor + (isOdd ? 1 : 2)}.0`;
  if (isOdd) throw new Error(`${current} has the odd minor number of pre-releases. Say minor, or --pre-release.`);
  return `${major}.${minor}.${patch + 1}`;
}

/**
 * The changelog with what is not released yet under a version. Throws where there is nothing.
 * @param {string} changelog
 * @param {string} version
 * @param {string} date as 2026-01-31
 */
export function releasedChangelog(changelog, version, date) {
  const [before, rest] = changelog.split(UNRELEASED);
  if (rest === undefined) throw new Error('CHANGELOG.md has no part "Unreleased"');
  const [entries = ''] = rest.split(/^## /m);
  if (entries.trim() === '') throw new Error('CHANGELOG.md has nothing below "Unreleased"');
  return `${before}${UNRELEASED}\n## ${version} – ${date}\n${rest}`;
}

/**
 * A manifest, or its lock file, with another version; everything else stays as it is written.
 * @param {string} json
 * @param {string} version
 */
export function withVersion(json, version) {
  const own = JSON.parse(json).version;
  // The manifest has it once. A lock file has it again for the package in its root, before those of all others.
  const times = 'lockfileVersion' in JSON.parse(json) ? 2 : 1;
  let text = json;
  for (let done = 0, from = 0; done < times; done += 1) {
    const at = text.indexOf(`"version": "${own}"`, from);
    if (at < 0) throw new Error(`the version ${own} is not written as it was expected`);
    text = `${text.slice(0, at)}"version": "${version}"${text.slice(at + `"version": "${own}"`.length)}`;
    from = at + 1;
  }
  return text;
}
