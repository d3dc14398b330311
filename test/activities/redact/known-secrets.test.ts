// Credentials that are known by their form, and words that only look a little like them.
import { describe, expect, test } from 'vitest';

import { redactKnownSecrets } from '../../../activities/redact/known-secrets.ts';

const pem = (kind: string, body: string): string =>
  `-----BEGIN ${kind}PRIVATE KEY-----\n${body}\n-----END ${kind}PRIVATE KEY-----`;

describe('is hidden', () => {
  test.each([
    ['sk-ant-api03-Ab12Cd34Ef56Gh78Ij90', '[api-key]'],
    [`sk-proj-${'aB3_'.repeat(20)}`, '[api-key]'],
    [`ghp_${'aB3d'.repeat(9)}`, '[github-token]'],
    [`github_pat_${'aB3d_'.repeat(8)}`, '[github-token]'],
    ['AKIAIOSFODNN7EXAMPLE', '[aws-key]'],
    ['xoxb-123456789012-abcdefghijkl', '[slack-token]'],
    [pem('RSA ', 'MIIEpAIBAAKCAQEA\nabc+/='), '[private-key]'],
    [pem('EC ', 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AB\n\nMIIE'), '[private-key]'],
    [pem('OPENSSH ', 'b3BlbnNzaC1rZXktdjEAAAAA'), '[private-key]'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N', '[jwt]'],
  ])('%s', (secret, shown) => {
    expect(redactKnownSecrets(`before ${secret} after`)).toBe(`before ${shown} after`);
    expect(redactKnownSecrets(`{"key":"${secret}"}`)).toBe(`{"key":"${shown}"}`);
  });

  test('a private key whose end is missing', () => {
    expect(redactKnownSecrets('-----BEGIN PRIVATE KEY-----\nMIIEabc')).toBe('[private-key]');
  });
});

test.each([
  'task-sk-is-a-word-and-another-one-follows',
  'sk-learn-and-scikit-are-python-packages',
  'the risk-averse-people-of-the-north-sea-coast',
  'ghp_short',
  'AKIA',
  'xoxb-',
  '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
  'eyJ.eyJ.x',
  'sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
])('%s is left as it is', (text) => {
  expect(redactKnownSecrets(text)).toBe(text);
});

test('takes no longer than its text is long', () => {
  for (const hostile of ['-----BEGIN PRIVATE KEY-----', 'eyJ', 'sk-', 'eyJaaaaaaaaa.', 'xoxb-']) {
    const began = performance.now();
    redactKnownSecrets(hostile.repeat(Math.ceil(400_000 / hostile.length)));
    expect(performance.now() - began).toBeLessThan(5_000);
  }
});
