import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A private key of some thirty lines, new in each test. */
export function pemKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim();
}

export type Secrets = Record<'DATABASE_URL' | 'GH_PAT' | 'SLACK_WEBHOOK' | 'TLS_KEY', string>;

export function makeSecrets(): Secrets {
  return {
    DATABASE_URL: 'postgres://u:p4ssw0rd@h/db',
    GH_PAT: 'ghp_0123456789abcdefghij',
    SLACK_WEBHOOK: 'https://hooks.example.org/services/T012/B345/aB3dE5gH7jK9mN1pQ2rS4tU6',
    TLS_KEY: `${pemKey()}\n`,
  };
}

/** A Node program that tells every secret in every way, slowly, to both streams, and ends as it is told. */
export function tellingProgram(ending: string): string {
  return `
    const { DATABASE_URL, GH_PAT, SLACK_WEBHOOK, TLS_KEY } = process.env;
    const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
    const halves = async (stream, text) => {
      stream.write(text.slice(0, text.length - 6));
      await sleep(1_300);
      stream.write(text.slice(text.length - 6));
    };
    console.log('DATABASE_URL=' + DATABASE_URL + ' GH_PAT=' + GH_PAT);
    console.error('hook ' + SLACK_WEBHOOK + ' ' + new URL(SLACK_WEBHOOK).pathname);
    console.error(TLS_KEY.split('\\n').map((line) => '  | ' + line).join('\\n'));
    console.log(Buffer.from('x-access-token:' + GH_PAT).toString('base64'), encodeURIComponent(DATABASE_URL));
    console.log(JSON.stringify({ TLS_KEY, password: new URL(DATABASE_URL).password }));
    console.log('postgres://u:\\u001b[31mp4ss\\u001b[0mw0rd@h/db');
    await halves(process.stdout, 'pat ' + GH_PAT);
    await halves(process.stderr, 'x'.repeat(190) + DATABASE_URL);
    process.stdout.write('\\n');
    await sleep(100);
    console.error('\\n' + DATABASE_URL + ' is refused');
    await sleep(1_300);
    ${ending}
  `;
}

/** The end of a program that reports a failure, with secrets wherever a completion contract has a text. */
export const failingEnd = `
  const notes = 'cannot log in with ' + DATABASE_URL + ' or ' + GH_PAT + ' or ' + TLS_KEY;
  console.log(JSON.stringify({ status: 'failed', notes, deliverablesTouched: ['keys/' + GH_PAT, TLS_KEY] }));
  process.exit(1);
`;

/** Every piece of a secret that is found in a text, in whatever form; a search of its own, not that of the redactor. */
export function leaksIn(text: string, secrets: Secrets): string[] {
  const { DATABASE_URL, GH_PAT, SLACK_WEBHOOK, TLS_KEY } = secrets;
  const lines = TLS_KEY.split('\n').filter((line) => line.length >= 8);
  const plain = [DATABASE_URL, 'p4ssw0rd', GH_PAT, SLACK_WEBHOOK, 'aB3dE5gH7jK9mN1pQ2rS4tU6', ...lines];
  const forms = plain.flatMap((value) => [
    value,
    encodeURIComponent(value),
    value.replaceAll('/', '\\/'),
    Buffer.from(value).toString('base64').replace(/=+$/, '').slice(0, -1),
    // Half a secret is not shown either.
    value.slice(0, Math.max(16, value.length - 6)),
  ]);
  const visible = text.replace(/(?:\u001b|\\u001b)\[[0-9;]*[A-Za-z]/g, '');
  return [...new Set(forms)].filter((form) => text.includes(form) || visible.includes(form));
}

/** All files below a folder as one text each. */
export function filesBelow(folder: string): { path: string; text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: readFileSync(path, 'latin1') }));
}
