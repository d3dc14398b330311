import { expect, test } from 'vitest';
import { isSecretPath } from '../../../domain/workspace/secret-path.ts';

test.each(
  '.env .ENV .env.local config/.env.production .envrc .npmrc .netrc id_rsa keys/server.pem app.key credentials.json .ssh/config .aws/credentials secrets.yaml'.split(
    ' ',
  ),
)('%s is where secrets are kept', (path) => {
  expect(isSecretPath(path)).toBe(true);
});

test.each(
  'server.envoy .env.example environment.ts src/env.ts keyboard.ts monkey secrets.md docs/ssh.md credentials-form.tsx .envoy/x'.split(
    ' ',
  ),
)('%s is not', (path) => {
  expect(isSecretPath(path)).toBe(false);
});
