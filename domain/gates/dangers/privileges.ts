import { ask, quoteWord, type GateFinding } from '../findings/finding.ts';
import type { ShellWord } from '../shell/words/word.ts';

const always = new Set(
  [
    'sudo sudo-rs sudoedit doas please run0 calife su pkexec runuser gosu su-exec setpriv nsenter unshare chroot capsh setcap visudo vipw',
    'useradd userdel usermod adduser deluser groupadd groupdel groupmod passwd chpasswd newgrp sg',
    'chown chgrp lchown mount umount insmod rmmod modprobe kexec iptables ip6tables nft chattr',
  ].flatMap((names) => names.split(' ')),
);

/** Options that give a program the rights of the machine. */
const options: Readonly<Record<string, RegExp>> = {
  machinectl: /^(?:shell|login)$/,
  sysctl: /^(?:-w|--write|[\w.]+=)/,
};

/** Other rights than those that Heddle runs with. */
export function privileges(name: string, words: readonly ShellWord[]): GateFinding[] {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  const byOption = option !== undefined && words.some(({ text }, at) => at > 0 && option.test(text));
  return always.has(name) || byOption
    ? [ask('privilege', `${quoteWord(name)} changes who may do what on this machine.`)]
    : [];
}
