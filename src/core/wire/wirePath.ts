/** The path of an address, whether or not it has a host: without query, fragment and escapes of plain characters. */
export function wirePath(url: string): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#][\s\S]*$/, '');
  return path.replace(/%[2-7][0-9a-f]/gi, (escaped) => String.fromCharCode(Number.parseInt(escaped.slice(1), 16)));
}

const MODELS = [
  // Bedrock, Azure, Gemini and Vertex, Replicate, Cloudflare, Hugging Face.
  /\/model\/(.+)\/(?:invoke|converse)/,
  /\/deployments\/([^/]+)\//,
  /\/models\/([^/:]+):/,
  /\/models\/([^/]+\/[^/]+)\/predictions$/,
  /\/ai\/run\/(.+)$/,
  /\/models\/(?!chat\/)([^/]+\/[^/]+)$/,
];

/** The model that an address names; undefined where it names none. */
export function modelInPath(path: string): string | undefined {
  for (const pattern of MODELS) {
    const model = pattern.exec(path)?.[1];
    if (model !== undefined) return model;
  }
  return undefined;
}
