import { ask, quoteWord, type GateFinding } from '../findings/finding.ts';
import type { ShellWord } from '../shell/words/word.ts';

const always = new Set(
  'mke2fs mkswap swapon swapoff fdisk sfdisk cfdisk gdisk sgdisk parted wipefs blkdiscard hdparm losetup cryptsetup lvremove vgremove pvremove lvcreate vgcreate pvcreate mdadm zpool badblocks nvme sg_format format flashrom efibootmgr grub-install diskutil newfs'.split(
    ' ',
  ),
);

/** Programs for disks; what others write to a device is found by its path. */
export function devices(name: string, words: readonly ShellWord[]): GateFinding[] {
  const onlyLists =
    words.length > 1 && words.slice(1).every(({ text }) => /^(?:-l|--list|-V|--version|--help)$/.test(text));
  if (onlyLists || (!always.has(name) && !name.startsWith('mkfs'))) return [];
  return [ask('device', `${quoteWord(name)} changes disks or devices.`)];
}
