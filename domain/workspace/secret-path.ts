const folders = new Set(['.ssh', '.gnupg', '.aws', '.kube', '.docker']);

/** Examples of them hold no secret. */
const examples = /\.(?:example|sample|template|dist)$/;

const names =
  /^(?:\.env(?:\..+)?|\.envrc|\.npmrc|\.pypirc|\.netrc|\.pgpass|\.git-credentials|credentials(?:\.json|\.toml|\.ya?ml)?|secrets?\.(?:json|toml|ya?ml)|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|key|p12|pfx|keystore|jks))$/;

/** Names that a pattern is tried on: one that fits them may mean secrets. */
export const secretExamples: readonly string[] = [
  ...['.env', '.env.local', '.envrc', '.npmrc', '.pypirc', '.netrc', '.pgpass', '.git-credentials', '.ssh', '.gnupg'],
  ...['.aws', '.kube', '.docker', 'id_rsa', 'id_ed25519', 'credentials', 'secrets.json'],
];

/** Whether a path of the workspace is where people keep secrets. Some file systems do not tell cases apart. */
export function isSecretPath(path: string): boolean {
  const parts = path.toLowerCase().split('/');
  const name = parts.at(-1) ?? '';
  return parts.some((part) => folders.has(part)) || (names.test(name) && !examples.test(name));
}
