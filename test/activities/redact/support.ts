import { generateKeyPairSync } from 'node:crypto';

/** A private key of some thirty lines, new in each test. */
export function pemKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim();
}
