import { mayNameSecret } from '../../workspace/secret-path.ts';
import { isSecretPlace } from '../../workspace/secret-place.ts';
import { ask, quoteWord, type GateFinding } from '../findings/finding.ts';
import type { GateFacts } from '../../types/basic/gate.ts';
import type { UsedPath } from '../findings/places.ts';
import type { ProgramCall, CommandReading } from '../shell/words/command-reading.ts';
import { programName } from '../shell/words/word.ts';

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
  { words, folders }: ProgramCall,
  { resolve }: Pick<GateFacts, 'resolve'>,
): GateFinding[] {
  if (!isSender(name, words)) return [];
  const texts = words.slice(1).map(({ text }) => text);
  if (texts.some((text) => token.test(text) || header.test(text) || login.test(text)))
    return [ask('secret', `${quoteWord(name)} is given a secret in its own words, and may send it.`)];
  const file = texts
    .flatMap((text) => text.split(/[=@,;<\s]/))
    .find((piece) => isFile(piece) && folders.some((folder) => isSecretPlace(resolve(piece, folder))));
  return file === undefined
    ? []
    : [ask('secret', `${quoteWord(name)} is given ${quoteWord(file)}, where secrets are kept, and may send it.`)];
}

const isSender = (name: string, words: ProgramCall['words']): boolean =>
  senders.has(name) &&
  (!mayBeLocal.test(name) || words.slice(1).some(({ text }) => /^[\w.@[\]-]+:|^\w+:\/\//.test(text)));

/**
 * A command that reads where secrets are kept and sends: by a pipe, a variable, an expansion or a file in between, of which nobody can say
 * what goes through. It is asked about each time.
 */
export function gatheredSecrets(
  { calls, files }: Pick<CommandReading, 'calls' | 'files'>,
  uses: readonly UsedPath[],
  { resolve }: Pick<GateFacts, 'resolve'>,
): GateFinding[] {
  const sender = calls.find(({ words, guess }) => !guess && isSender(programName(words[0]?.text ?? ''), words));
  if (sender === undefined) return [];
  const read = [...uses.filter(({ role }) => role !== 'writes'), ...files.filter(({ writes }) => !writes)];
  const secret = read.find(
    ({ word: { text }, folders }) =>
      mayNameSecret(text) || folders.some((folder) => isSecretPlace(resolve(text, folder))),
  );
  if (secret === undefined) return [];
  const name = quoteWord(programName(sender.words[0]?.text ?? ''));
  return [ask('secret', `It reads ${quoteWord(secret.word.text)}, where secrets are kept, and ${name} may send it.`)];
}

const isFile = (piece: string): boolean => piece !== '' && !piece.startsWith('-') && !piece.includes('://');
