import { isSecretPlace } from '../../workspace/secret-place.ts';
import { ask, quote, type Finding } from '../finding.ts';
import type { GateFacts } from '../../model/gate.ts';
import type { Call } from '../shell/sheet.ts';

/** Programs that send what they are given to another machine. */
const senders = new Set(
  'curl wget http https httpie xh scp sftp ftp lftp tftp ssh rsync nc ncat netcat socat telnet mail mailx mutt sendmail msmtp aws gsutil gcloud az rclone s3cmd mc gh glab doctl heroku fly flyctl vercel netlify croc wormhole'.split(
    ' ',
  ),
);
/** These also copy from one folder of this machine to another. */
const mayBeLocal = /^(?:rsync|scp)$/;

const token =
  /(?<![A-Za-z0-9])(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,}|eyJ[\w-]{10,}\.eyJ[\w-]+)/;
const header =
  /^(?:proxy-)?authorization:\s*(?:bearer|basic|token)\s+\S|^(?:x-)?(?:api-key|auth-token|access-token):\s*\S/i;
const login = /^[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@]+@/i;

/** A secret, or the file of one, among the words of a program that sends. It is asked about each time, with and without a sandbox. */
export function sentSecrets(
  name: string,
  { words, folders }: Call,
  { resolve }: Pick<GateFacts, 'resolve'>,
): Finding[] {
  if (!senders.has(name)) return [];
  const texts = words.slice(1).map(({ text }) => text);
  if (mayBeLocal.test(name) && !texts.some((text) => /^[\w.@[\]-]+:|^\w+:\/\//.test(text))) return [];
  if (texts.some((text) => token.test(text) || header.test(text) || login.test(text)))
    return [ask('secret', `${quote(name)} is given a secret in its own words, and may send it.`)];
  const file = texts
    .flatMap((text) => text.split(/[=@,;<\s]/))
    .find((piece) => isFile(piece) && folders.some((folder) => isSecretPlace(resolve(piece, folder))));
  return file === undefined
    ? []
    : [ask('secret', `${quote(name)} is given ${quote(file)}, where secrets are kept, and may send it.`)];
}

const isFile = (piece: string): boolean => piece !== '' && !piece.startsWith('-') && !piece.includes('://');
