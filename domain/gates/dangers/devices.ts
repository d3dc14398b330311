import { ask, quote, type Finding } from '../findings/finding.ts';
import type { Word } from '../shell/words/word.ts';

const always = new Set(
  'mke2fs mkswap swapon swapoff fdisk sfdisk cfdisk gdisk sgdisk parted wipefs blkdiscard hdparm losetup cryptsetup lvremove vgremove pvremove lvcreate vgcreate pvcreate mdadm zpool badblocks nvme sg_format format flashrom efibootmgr grub-install diskutil newfs'.split(
    ' ',
  ),
);

/** Programs for disks; what others write to a device is found by its path. */
export function devices(name: string, words: readonly Word[]): Finding[] {
  const onlyLists =
    words.length > 1 && words.slice(1).every(({ text }) => /^(?:-l|--list|-V|--version|--help)$/.test(text));
  if (onlyLists || (!always.has(name) && !name.startsWith('mkfs'))) return [];
  return [ask('device', `${quote(name)} changes disks or devices.`)];
}
