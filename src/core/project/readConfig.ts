import { Fields } from '../cases/fields';
import { readProvider } from '../cases/readCase';
import { readRules } from '../review/readRules';
import type { Problem, Reading } from '../text/source';
import { readToml } from '../toml/tomlDocument';
import type { ProjectConfig, ProxyConfig } from './projectConfig';
import { readPrices } from './readPrices';

/** Reads `tapedeck.toml`; there is a value only when nothing is wrong. */
export function readConfig(text: string): Reading<ProjectConfig> {
  const { value: document, problems: syntax } = readToml(text);
  if (document === undefined) return { value: undefined, problems: syntax };
  const problems: Problem[] = [];
  const root = new Fields(document, problems);
  const provider = root.table('provider');
  const prices = root.table('prices');
  const config: ProjectConfig = {
    ...(provider && { provider: readProvider(provider) }),
    ...(prices && { prices: readPrices(prices) }),
    proxy: readProxy(root),
    normalise: readRules(root.table('normalise')),
  };
  return { value: problems.length === 0 ? config : undefined, problems };
}

function readProxy(root: Fields): ProxyConfig {
  const proxy = root.table('proxy');
  const format = proxy?.text('format');
  return {
    ...(format === undefined ? {} : { format }),
    upstreams: proxy?.table('upstream')?.textMembers() ?? {},
    redactPatterns: readPatterns(root.table('redact')),
  };
}

function readPatterns(redact: Fields | undefined): readonly string[] {
  const patterns = redact?.texts('patterns') ?? [];
  for (const pattern of patterns) {
    if (!isPattern(pattern)) redact?.report(`this is no regular expression: ${pattern}`, 'Correct it.', 'patterns');
  }
  return patterns.filter(isPattern);
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'g').global;
  } catch {
    return false;
  }
}
