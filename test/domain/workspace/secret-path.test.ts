import { expect, test } from 'vitest';
import { isSecretPath } from '../../../domain/workspace/secret-path.ts';

test.each(
  '.env .ENV .env.local config/.env.production .envrc .npmrc .netrc id_rsa keys/server.pem app.key credentials.json .ssh/config .aws/credentials secrets.yaml SECRETS.txt prod.env secrets.env config/prod.env app.env.local credentials.csv client_secret.json client_secret_123.apps.json client-secrets.json .htpasswd htpasswd terraform.tfstate infra/terraform.tfstate.backup prod.tfvars terraform.tfvars kubeconfig kubeconfig.yaml prod-kubeconfig.yml prod-secrets.yaml aws-credentials.txt db_password.txt passwords.csv passwords.txt api-keys.json apikeys.txt service-account.json serviceAccountKey.json service_account-prod.json application_default_credentials.json .my.cnf .s3cfg .vault-token x.kdbx x.ppk credentials_prod.json secret.txt secrets/prod.yaml config/credentials/prod.json env.prod env.production aws_credentials gcp-key.json firebase-adminsdk-1.json private_key private-key token.json .token access_token auth_token.txt auth.json .composer/auth.json rclone.conf wp-config.php local.settings.json keystore.properties .dev.vars ssh_host_rsa_key id_rsa.bak .env~ app.key.old AuthKey.p8 vpn.ovpn .azure/token .secrets jwt.secret'.split(
    ' ',
  ),
)('%s holds secrets', (path) => {
  expect(isSecretPath(path)).toBe(true);
});

test.each(
  'server.envoy .env.example environment.ts src/env.ts keyboard.ts monkey secrets.md docs/ssh.md credentials-form.tsx .envoy/x secretsanta.md secretsanta.txt credentials-guide.md credentials.ts secrets.test.ts src/secrets.ts password.tsx passwordless.json tokens.json design-tokens.json tokenizer.json secrets.example.json credentials-template.json secrets.yaml.example prod.env.example terraform.tf main.tf kubeconfig.md kubeconfig-docs.html ca.crt server.crt env.d.ts vite-env.d.ts environment.yml process.env.md client_secret.md api-keys.md htpasswd.md keys.ts monkey.txt account.json service.json src/secrets/index.ts secrets/README.md src/token src/auth/token.ts notes.old a.bak report.md~ env.ts gradle.properties i18n/keys.json keymap.json translation-key.json'.split(
    ' ',
  ),
)('%s holds no secrets', (path) => {
  expect(isSecretPath(path)).toBe(false);
});
