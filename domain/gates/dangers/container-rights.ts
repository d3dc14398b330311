import { ask, quoteWord, type GateFinding } from '../findings/finding.ts';
import { readArguments, listOptionValues, type OptionSpec } from '../shell/words/options.ts';
import type { ShellWord } from '../shell/words/word.ts';

const engines = new Set(['docker', 'podman', 'nerdctl', 'docker-compose', 'podman-compose']);

/** Options that share a part of the machine; without `=`, their value is the next word. */
const shares = ['pid', 'net', 'network', 'ipc', 'uts', 'userns', 'cgroupns'];
const spec: OptionSpec = { values: 'v', long: [...shares, 'cap-add', 'device', 'security-opt', 'volume', 'mount'] };

/** Places by which a container has the machine in its hands. */
const machine =
  /^(?:\/|\/(?:etc|root|home|var|boot|dev|proc|sys|usr|bin|lib|run|mnt)\/?|.*\/docker\.sock|.*\/containerd\.sock|.*\/podman\.sock)$/;

const openSecurity =
  /^(?:seccomp[=:]unconfined|apparmor[=:]unconfined|label[=:]disable|systempaths=unconfined|no-new-privileges[=:]false)$/;

/** The source of `-v /a:/b` and of `--mount type=bind,source=/a,target=/b`. */
const readMountSource = (text: string): string =>
  /(?:^|,)(?:source|src)=([^,]*)/.exec(text)?.[1] ?? text.split(':')[0] ?? '';

/** The findings about a container that is given rights of the machine that runs it. */
export function containerRights(name: string, words: readonly ShellWord[]): GateFinding[] {
  if (!engines.has(name)) return [];
  const given = readArguments(words, spec);
  const isShared = listOptionValues(given, { long: shares }).some(({ text }) => text === 'host');
  const adds = listOptionValues(given, { long: ['cap-add', 'device'] }).length > 0;
  const opens = listOptionValues(given, { long: 'security-opt' }).some(({ text }) => openSecurity.test(text));
  const mounts = listOptionValues(given, { letter: 'v', long: ['volume', 'mount'] }).some(({ text }) =>
    machine.test(readMountSource(text)),
  );
  const isPrivileged = given.options.some(({ text }) => /^--privileged(?:=true)?$/.test(text));
  return isShared || adds || opens || mounts || isPrivileged
    ? [ask('privilege', `${quoteWord(name)} gives a container rights of this machine.`)]
    : [];
}
