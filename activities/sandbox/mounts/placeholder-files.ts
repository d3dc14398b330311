import { activityLimits } from '../../limits/activity-limits.ts';
import type { Mount } from './mount.ts';

/** The user that a command runs as, who is none of this machine's. */
export const agentId = 1000;
export const agentHome = '/tmp/home';

const { temporaryBytes, homeBytes, sharedBytes } = activityLimits.commands;

/** Places that every program expects, and that are only the command's own. */
export const commandFolders: readonly Mount[] = [
  { kind: 'memory', at: '/tmp', bytes: temporaryBytes, mode: '1777' },
  { kind: 'memory', at: '/var/tmp', bytes: temporaryBytes, mode: '1777' },
  { kind: 'memory', at: agentHome, bytes: homeBytes },
  { kind: 'processes', at: '/proc' },
  { kind: 'devices', at: '/dev' },
  { kind: 'memory', at: '/dev/shm', bytes: sharedBytes, mode: '1777' },
];

/** Names for the few ids that there are; a command has no use for the machine's own list of users. */
export const commandFiles: readonly Mount[] = [
  {
    kind: 'text',
    at: '/etc/passwd',
    text: [
      'root:x:0:0:root:/root:/bin/sh',
      `agent:x:${agentId}:${agentId}:agent:${agentHome}:/bin/sh`,
      'nobody:x:65534:65534:nobody:/nonexistent:/bin/false',
      '',
    ].join('\n'),
  },
  { kind: 'text', at: '/etc/group', text: `root:x:0:\nagent:x:${agentId}:\nnogroup:x:65534:\n` },
];

/** Without a network there is only the command itself to talk to. */
export const commandHosts: Mount = {
  kind: 'text',
  at: '/etc/hosts',
  text: '127.0.0.1 localhost sandbox\n::1 localhost\n',
};
