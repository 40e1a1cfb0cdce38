// What the scripts that package share: where the project is published, and the texts that are shown there.
import { posix } from 'node:path';

/** A picture of a text, with its words in a comment below it. */
const PICTURE = /!\[([^\]]*)\]\(([^)]+)\)\n(?:<!-- in words\n([\s\S]*?)-->\n)?/g;
const LINK = /(?<!!)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;
const isRelative = (/** @type {string} */ target) => !/^(?:[a-z][a-z\d+.-]*:|#)/i.test(target);

/**
 * The option that both scripts take. No address is written in the project, because a copy of it may be published from elsewhere.
 */
export const REPOSITORY = /** @type {const} */ ({ type: 'string', default: process.env.TAPEDECK_REPOSITORY ?? '' });

/**
 * The fields of a manifest that name the project's repository, as it is laid out on GitHub, or GitLab. None without an address.
 * @param {string} repository such as https://HOST/OWNER/NAME
 */
export function manifestFields(repository) {
  if (repository === '') return {};
  const url = addressOf(repository);
  return {
    repository: { type: 'git', url: `${url}.git` },
    homepage: `${url}#readme`,
    bugs: { url: `${url}${isGitLab(url) ? '/-' : ''}/issues` },
  };
}

/**
 * A text as it can be shown outside of the project. A link to another text of the same package stays relative. With an address, all other
 * relative links and pictures are absolute. Without one, a link gives way to its title, and a picture to its words: VS Code's details page
 * shows pictures from https addresses alone, and drops those that come with an extension, and those in `data:` URIs.
 * @param {string} markdown
 * @param {object} places
 * @param {string} [places.repository]
 * @param {string} [places.pictures] where the folder `media` can be loaded from, if elsewhere
 * @param {string} [places.from] the path of the text in the project; by default at its root
 * @param {string} [places.to] its path in the package; by default at its root
 * @param {ReadonlyMap<string, string>} [places.packaged] where other texts of the project are in the package
 */
export function publishedText(
  markdown,
  { repository = '', pictures = '', from = 'README.md', to = 'README.md', packaged = new Map() },
) {
  const url = repository === '' ? '' : addressOf(repository);
  const files = isGitLab(url) ? `${url}/-` : url;
  const inProject = (/** @type {string} */ target) => posix.join(posix.dirname(from), target);
  return markdown
    .replace(PICTURE, (whole, alt, target, words = '') => {
      if (!isRelative(target)) return whole;
      const file = inProject(target);
      if (pictures !== '')
        return `![${alt}](${new URL(file.replace(/^media\//, ''), `${pictures}/`.replace(/\/+$/, '/'))})\n`;
      return url === '' ? words : `![${alt}](${files}/raw/HEAD/${file})\n`;
    })
    .replace(LINK, (whole, title, target) => {
      if (!isRelative(target)) return whole;
      const [, path = '', anchor = ''] = /^([^#]*)(.*)$/.exec(target) ?? [];
      const place = packaged.get(inProject(path));
      if (place !== undefined) return `[${title}](${posix.relative(posix.dirname(to), place)}${anchor})`;
      return url === '' ? title : `[${title}](${files}/blob/HEAD/${inProject(target)})`;
    });
}

/** @param {string} repository */
function addressOf(repository) {
  const { protocol, href, search, hash } = new URL(repository);
  if (protocol !== 'https:' || search !== '' || hash !== '')
    throw new Error(`${repository} is no https address of a repository`);
  return href.replace(/(?:\.git)?\/*$/, '');
}

/** @param {string} url */
function isGitLab(url) {
  return url !== '' && new URL(url).hostname.startsWith('gitlab.');
}
