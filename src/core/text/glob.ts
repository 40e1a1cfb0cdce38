import { compilePattern, isRefused, type Pattern } from './compilePattern';
import { escapePattern } from './pattern';

/**
 * Whether a path with `/` is one of a glob: `*` stands for any part of a name, `**` for any folders, `?` for a character, `{a,b}` for
 * either. A glob without a slash is the name of a file in any folder.
 */
export function matchesGlob(glob: string, path: string): boolean {
  return patternOf(glob)?.test(path) === true;
}

const known = new Map<string, Pattern | undefined>();

function patternOf(glob: string): Pattern | undefined {
  if (known.has(glob)) return known.get(glob);
  const whole = glob.includes('/') ? glob : `**/${glob}`;
  const compiled = compilePattern(`^${translated(whole.replace(/^\.?\//, ''))}$`, 'javascript');
  const pattern = isRefused(compiled) ? undefined : compiled;
  known.set(glob, pattern);
  return pattern;
}

const TOKEN = /\*\*\/|\*\*|\*|\?|\{[^{}]*\}|[^*?{]+|\{/g;

function translated(glob: string): string {
  return glob.replace(TOKEN, (token) => {
    if (token === '**/') return '(?:.*/)?';
    if (token === '**') return '.*';
    if (token === '*') return '[^/]*';
    if (token === '?') return '[^/]';
    if (token.length > 1 && token.startsWith('{'))
      return `(?:${token.slice(1, -1).split(',').map(translated).join('|')})`;
    return escapePattern(token);
  });
}
