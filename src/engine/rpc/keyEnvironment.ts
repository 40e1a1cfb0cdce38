/** The variables of the environment, and where it has none the keys that came with a call. */
export function keyEnvironment(keys: Readonly<Record<string, string>>): (name: string) => string | undefined {
  return (name) => process.env[name] || (Object.hasOwn(keys, name) ? keys[name] : undefined);
}
