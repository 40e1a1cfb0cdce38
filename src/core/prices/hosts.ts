/** A host whose prices are not those of the makers of its models. */
interface PricedHost {
  readonly hosts: RegExp;
  /** Its table in `HOST_PRICES`; absent where no list of its prices is known, so that a call has none but what its response reports. */
  readonly prices?: string;
  /** What its table does not have costs what its maker asks. */
  readonly hasMakersPrices?: true;
  /** The names under which its table may have a model, the most precise first. By default those of every list. */
  namesOf?(model: string): readonly string[];
}

const HOSTS: readonly PricedHost[] = [
  { hosts: /^bedrock-runtime(?:-fips)?\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/, prices: 'aws', namesOf: bedrockNames },
  {
    hosts: /(?:^|\.)(?:openai\.azure\.com|azure-api\.net|(?:cognitiveservices|services\.ai)\.azure\.com)$/,
    prices: 'azure',
    hasMakersPrices: true,
  },
  { hosts: /^api\.cerebras\.ai$/, prices: 'cerebras' },
  { hosts: /^api\.fireworks\.ai$/, prices: 'fireworks' },
  { hosts: /^api\.groq\.com$/, prices: 'groq' },
  { hosts: /^api\.together\.(?:xyz|ai)$/, prices: 'together' },
  {
    hosts:
      /(?:^|\.)(?:openrouter\.ai|ai-gateway\.vercel\.sh|router\.huggingface\.co|novita\.ai|deepinfra\.com|baseten\.co|nebius\.(?:com|ai)|sambanova\.ai|hyperbolic\.xyz|api\.cloudflare\.com|githubcopilot\.com|models\.github\.ai|replicate\.com|siliconflow\.(?:com|cn)|volces\.com|aliyuncs\.com|modal\.(?:run|direct)|ovh\.net|api\.nvidia\.com|friendli\.ai|requesty\.ai)$/,
  },
];

/** The prices of the host of a URL, where it has its own. A gateway or a server of one's own has none: its models cost what their makers ask. */
export function hostPricesOf(url: string): PricedHost | undefined {
  const [, host = ''] = /^https?:\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(url) ?? [];
  return HOSTS.find(({ hosts }) => hosts.test(host.toLowerCase()));
}

/** A model that stays in a region costs more than one that `global.` lets run anywhere. */
function bedrockNames(model: string): readonly string[] {
  const name = model.replace(/^.*\//, '').replace(/^(?:us|us-gov|eu|apac|jp|au|ca|in)\./, '');
  const family = name.replace(/-v\d+(?::\d+)?$/, '');
  return [model, name, family, family.replace(/-\d{8}$/, '')];
}
