import type { VerbTable } from './find-verb.ts';

const containers: VerbTable[string] = [
  ...['system prune', 'volume rm', 'volume remove', 'volume prune', 'container prune', 'image prune', 'network prune'],
  ...['builder prune', 'buildx prune', 'stack rm', 'stack remove', 'system reset', 'pod prune', 'machine rm'],
  { verbs: 'rm', option: /^(?:-[a-z]*[fva]|--force|--volumes|--all)/ },
  { verbs: 'rmi', option: /^(?:-[a-z]*[fa]|--force|--all)/ },
  { verbs: 'container rm', option: /^(?:-[a-z]*[fva]|--force|--volumes|--all)/ },
  { verbs: 'container remove', option: /^(?:-[a-z]*[fva]|--force|--volumes|--all)/ },
  { verbs: 'image rm', option: /^(?:-[a-z]*[fa]|--force|--all)/ },
  { verbs: 'image remove', option: /^(?:-[a-z]*[fa]|--force|--all)/ },
  { verbs: 'pod rm', option: /^(?:-[a-z]*[fa]|--force|--all)/ },
  { verbs: 'swarm leave', option: /^(?:-f|--force)/ },
  // Behind values of its own options: `compose -f FILE -p NAME down -v`.
  ...['compose down', 'compose * down', 'compose * * down'].map((verbs) => ({
    verbs,
    option: /^(?:-v|--volumes|--rmi)/,
  })),
  ...['service rm', 'secret rm', 'config rm', 'node rm'],
  { verbs: 'compose rm', option: /^(?:-[a-z]*[fv]|--force|--volumes)/ },
];
const compose: VerbTable[string] = [
  { verbs: 'down', option: /^(?:-v|--volumes|--rmi)/ },
  { verbs: 'rm', option: /^(?:-[a-z]*[fv]|--force|--volumes)/ },
];

/** Commands that delete together with what is inside, or files that they were not named. */
export const localDeletes: VerbTable = {
  ...{ docker: containers, podman: containers, nerdctl: containers },
  ...{ 'docker-compose': compose, 'podman-compose': compose },
  cmake: [
    { verbs: 'remove_directory', option: /^-E/ },
    { verbs: 'rm', option: /^-E/ },
  ],
  fdupes: [{ verbs: '', option: /^(?:-[a-zA-Z]*[dN]|--de|--nop)/ }],
  jdupes: [{ verbs: '', option: /^(?:-[a-zA-Z]*[dN]|--delete|--noprompt)/ }],
  rdfind: [{ verbs: '', option: /^-deleteduplicates$/ }],
  fclones: ['remove'],
  bfs: [{ verbs: '', option: /^-(?:delete|rm)$/ }],
  ...Object.fromEntries(['7z', '7za', '7zr', '7zz'].map((name) => [name, [{ verbs: '', option: /^-sdel/ }]])),
  rar: [{ verbs: '', option: /^(?:m|mf|-df|-dw|-dr)$/ }],
  rsync: [{ verbs: '', option: /^--(?:del|remove-s)/ }],
  tar: [{ verbs: '', option: /^--rem/ }],
  zip: [{ verbs: '', option: /^(?:-[a-zA-Z]*m|--mo)/ }],
  robocopy: [{ verbs: '', option: /^\/(?:mir|purge|move)$/i }],
  tmpreaper: [''],
  tmpwatch: [''],
  'trash-empty': [''],
  gio: [{ verbs: 'trash', option: /^--empty/ }],
  btrfs: ['subvolume delete'],
  buildah: [
    { verbs: 'rm', option: /^(?:-a|--all)/ },
    { verbs: 'rmi', option: /^(?:-[a-z]*[fa]|--all|--force|--prune)/ },
  ],
  crictl: [
    { verbs: 'rmi', option: /^(?:-a|-q|--all|--prune)/ },
    { verbs: 'rm', option: /^(?:-[a-z]*[fa]|--all|--force)/ },
    { verbs: 'rmp', option: /^(?:-[a-z]*[fa]|--all|--force)/ },
  ],
  ctr: ['containers rm', 'containers delete', 'images rm', 'images delete', 'c rm', 'i rm', 'snapshots rm'],
  zfs: ['destroy', 'rollback'],
  conda: ['env remove', { verbs: 'remove', option: /^--all/ }],
  mamba: ['env remove', { verbs: 'remove', option: /^--all/ }],
  vboxmanage: [{ verbs: 'unregistervm', option: /^--delete/ }, 'closemedium'],
  bleachbit: [{ verbs: '', option: /^(?:-c|--clean|-s|--shred)/ }],
  npkill: [''],
  bazel: [{ verbs: 'clean', option: /^--expunge/ }],
};
