import { readGlob } from '../text/glob.ts';

const folders = new Set(['.ssh', '.gnupg', '.aws', '.kube', '.docker', '.azure', '.password-store']);

/** Folders whose data files are secrets; code and guides in them are not. */
const dataFolders = /^\.?(?:secrets?|credentials)$/;

/** Example files hold no secret. */
const examples = /\.(?:example|sample|template|dist)$/;
const exampleData = /[._-](?:example|sample|template)\.[a-z]+$/;

const names =
  /^(?:\.env(?:\..+)?|\.envrc|\.npmrc|\.pypirc|\.netrc|\.pgpass|\.git-credentials|credentials(?:\.json|\.toml|\.ya?ml)?|secrets?\.(?:json|toml|ya?ml)|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|key|p8|p12|pfx|keystore|jks|agekey|ovpn))$/;

/** Extensions of data files: a guide to secrets in Markdown, or code about them, holds none. */
const data = '(?:json|toml|ya?ml|txt|csv|tsv|ini|cfg|conf|env|xml|properties|enc|xlsx?|bak|old)';

/** Endings that are put behind the name of a copy. */
const copied = /(?:\.(?:bak|backup|old|orig|save|copy)|~)+$/;
const dataEnding = new RegExp(String.raw`\.${data}$`);

/** Names of data files that say what is in them. */
const dataNames: readonly RegExp[] = [
  // `prod.env`, `app.env.local`.
  /^.+\.env(?:\.(?:local|prod|production|staging))?$/,
  new RegExp(
    String.raw`^\.?(?:[\w.-]+[._-])?(?:credentials?|secrets?|passwords?|api[_-]?keys?)(?:[._-][\w-]+)?\.${data}$`,
  ),
  /^client[_-]secrets?(?:[._-].+)?\.json$/,
  /^(?:service[_-]?account(?:[_-]?key)?|application_default_credentials)(?:[._-][\w-]+)?\.json$/,
  // Without an ending, or with one of their own.
  /^(?:[\w-]+[._-])?(?:credentials|private[_-]?key|(?:access|auth|refresh|api|bot|deploy)[_-]?token)$/,
  /^(?:\.|[\w-]+[._-])?(?:access|auth|refresh|api|bot|deploy)[_-]?tokens?\.(?:json|txt)$/,
  /^(?:\.token|token\.(?:json|txt)|auth\.json|secrets|\.secrets?|.+\.secrets?)$/,
  /^env\.(?:local|prod(?:uction)?|staging)$/,
  /^(?:gcp|gcs|google|firebase)(?:[_-][\w-]+)?[_-]key\.json$/,
  /^[\w-]*firebase-adminsdk[\w-]*\.json$/,
  /^(?:\.dev\.vars(?:\..+)?|local\.settings\.json|keystore\.properties|rclone\.conf|wp-config\.php|\.ftppass)$/,
  /^ssh_host_\w+_key$/,
  /^\.?(?:htpasswd|htdigest)$/,
  /^\.(?:my\.cnf|dockercfg|dockerconfigjson|boto|s3cfg|vault-token|vault_pass|terraformrc)$/,
  /^(?:_netrc|passwords|secrets)$/,
  /^.+\.tfstate(?:\.backup|\.\d+(?:\.backup)?)?$/,
  /^.+\.tfvars(?:\.json)?$/,
  /^(?:.+[._-])?kubeconfig(?:[_-][\w-]+)?(?:\.(?:ya?ml|json|conf))?$/,
  /^.+\.(?:ppk|kdbx)$/,
];

/** Names that a pattern is tested with: a pattern that matches one of them may mean secrets. */
const secretExamples: readonly string[] = [
  ...['.env', '.env.local', '.envrc', '.npmrc', '.pypirc', '.netrc', '.pgpass', '.git-credentials', '.ssh', '.gnupg'],
  ...['.aws', '.kube', '.docker', 'id_rsa', 'id_ed25519', 'credentials', 'secrets.json', '.htpasswd', 'kubeconfig'],
];

/** Recognises paths of the workspace that usually hold secrets. Case is ignored, as some file systems do. */
export function isSecretPath(path: string): boolean {
  const parts = path.toLowerCase().split('/');
  const name = (parts.at(-1) ?? '').replace(copied, '');
  const holdsData = parts.slice(0, -1).some((part) => dataFolders.test(part)) && dataEnding.test(name);
  if (parts.some((part) => folders.has(part))) return true;
  if (examples.test(name)) return false;
  if (exampleData.test(name)) return names.test(name);
  return names.test(name) || holdsData || dataNames.some((one) => one.test(name));
}

/** Recognises a pattern that names a secret, or begins like one and matches it: `.e*`. */
export function mayNameSecret(pattern: string): boolean {
  const name = pattern.split('/').at(-1) ?? '';
  if (isSecretPath(name.replaceAll('\\', ''))) return true;
  const start = /^[^*?[\\]+/.exec(name)?.[0];
  const glob = readGlob(name);
  return start !== undefined && secretExamples.some((one) => one.startsWith(start) && glob?.(one) === true);
}
