import type { GateCase } from '../support.ts';

/** In a sandbox with walls: what would be written outside is refused, since a yes could not make it last. The workspace is `/ws`. */
export const walledCases: readonly GateCase[] = [
  ['echo x > ../escaped', 'deny'],
  ['echo x > /srv/escaped', 'deny'],
  ['echo x > ~/escaped', 'deny'],
  ['echo x >> ~/.ssh/authorized_keys', 'deny'],
  ['cp a /etc/cron.d/a', 'deny'],
  ['mkdir -p /opt/tool', 'deny'],
  ['touch out/x', 'deny'],
  ['chmod 600 /srv/x', 'deny'],
  ['sed --i s/a/b/ /srv/x', 'deny'],
  ['sort -o /srv/x y', 'deny'],
  ['tee ~/x < y', 'deny'],
  ['git clone https://example.com/x ../x', 'deny'],
  ['git init /srv/x', 'deny'],
  ['git worktree add ../x', 'deny'],
  ['git config --global user.name x', 'deny'],
  ['git archive -o ../x.tar HEAD', 'deny'],
  ['bash -c "echo x > ../escaped"', 'deny'],
  ['cd .. && touch x', 'deny'],
  // Its own scratch folder.
  ['echo x > /tmp/x', 'allow'],
  ['mkdir -p /tmp/build && cp a /tmp/build/a', 'allow'],
  ['echo x > /dev/null', 'allow'],
  ['echo x > y', 'allow'],
  // Reads there are asked about.
  ['cat /srv/x', 'ask', 'outside'],
  ['dd if=x of=/dev/sda', 'ask', 'device'],
  ['rm -rf build', 'ask', 'delete'],
];

/** The same where the workspace is `/tmp/mine/ws`. */
export const walledInTemporary: readonly GateCase[] = [
  ['echo x > ../escaped', 'deny'],
  ['echo x > ../../escaped', 'deny'],
  ['echo x > /tmp/mine/other', 'deny'],
  ['cp a /tmp/mine/other/a', 'deny'],
  ['cd .. && touch x', 'deny'],
  ['echo x > /tmp/x', 'allow'],
  ['echo x > /tmp/mine/ws/x', 'allow'],
  ['echo x > ./x', 'allow'],
];
