/** Names of environment variables whose values are secrets. */
const SECRET_VARIABLE =
  /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|AUTH|COOKIE|ORG|ORG_ID|ORGANIZATION|PROJECT_ID)$/i;

/** The values of an environment that must reach no file. */
export function environmentSecrets(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    const plain = value === undefined || !/[^a-z_/.-]/.test(value);
    return SECRET_VARIABLE.test(name) && !plain ? [value] : [];
  });
}
