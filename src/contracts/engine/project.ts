import { shape, text, where } from '../../core/schema/schema';

/** The absolute path of the project's root, where `.tapedeck/` and `tapedeck.toml` are. */
export const ROOT = { root: text() };

/** A path from the root that stays inside it, with `/`: pages name files by such paths. */
export const innerPath = where(
  text(),
  (path) => path !== '' && !path.startsWith('/') && !path.split(/[\\/]/).includes('..'),
);

/** A file of a project. */
export const PLACE = { ...ROOT, path: innerPath };

/** The file name of a take as it is kept. */
export const takeName = where(text(), (name) => /^[\dT.-]+Z\.json$/.test(name));

export const inProject = shape(ROOT);
