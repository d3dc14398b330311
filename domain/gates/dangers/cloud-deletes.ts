import { ask, quoteWord, type GateFinding } from '../findings/finding.ts';
import type { ShellWord } from '../shell/words/word.ts';
import { isInTable, onlyShows, type VerbRule, type VerbTable } from './find-verb.ts';

/*
 * A resource that is deleted at a provider is gone for everybody. Their command lines have hundreds of commands, of which nearly all that delete say so in
 * one word: `gcloud compute instances delete`, `aws rds delete-db-instance`, `heroku apps:destroy`.
 */

const wordy = new Set(
  'gcloud az oci ibmcloud doctl linode-cli hcloud scw civo exo yc aliyun openstack fly flyctl vercel netlify wrangler railway supabase neonctl neon pscale turso eksctl kops kind k3d minikube multipass lxc incus colima limactl virsh upctl vultr-cli koyeb render eas amplify copilot sam appwrite tsh confluent astro databricks snow upstash ory auth0 okteto nomad consul vault influx heroku firebase sst gh glab tea hub azd chalice velero rancher nova atlas mongocli cf cloudflared flarectl temporal tctl ntl vc now planetscale rabbitmqadmin ampx nats pct qm bw infisical stripe algolia'.split(
    ' ',
  ),
);
const verb =
  /^(?:[\w-]+[:-])*(?:delete|destroy|purge|terminate|undefine|erase|obliterate|delete-batch|delete-all|delete-by-\w+)$/;
const mostVerbs = 6;

/** In Amazon's, one word of each command is the verb with its object. */
const amazon =
  /^(?:(?:delete|terminate|purge|destroy|deregister|batch-delete|schedule-key-deletion|release-address)(?:-|$)|(?:close|remove)-account\b)/;
const amazonPrograms = /^(?:aws|awslocal|aws2)$/;

const viaApi: VerbRule = { verbs: 'api', option: /^(?:-X=?|--method=)?DELETE$/i };
const amazonStore: VerbTable[string] = [
  's3 rb',
  's3 rm',
  { verbs: 's3 sync', option: /^--del/ },
  { verbs: 's3 mv', option: /^--rec/ },
];

const table: VerbTable = {
  ...{ aws: amazonStore, awslocal: amazonStore, aws2: amazonStore },
  gsutil: ['rb', 'rm', { verbs: 'rsync', option: /^-[a-zA-Z]*d/ }],
  gcloud: ['storage rm', { verbs: 'storage rsync', option: /^--delete/ }, 'storage buckets delete'],
  bq: ['rm'],
  azd: ['down'],
  zappa: ['undeploy'],
  k: ['delete', 'drain'],
  azcopy: ['remove', 'rm', { verbs: 'sync', option: /^--delete-destination/ }],
  mc: ['rb', { verbs: 'rm', option: /^(?:-[a-z]*r|--recursive|--force)/ }, { verbs: 'mirror', option: /^--remove/ }],
  s3cmd: ['rb', 'del', 'rm', { verbs: 'sync', option: /^--delete/ }],
  s5cmd: ['rm', 'rb'],
  rclone: ['delete', 'deletefile', 'purge', 'sync', 'rmdirs', 'cleanup', 'move'],
  borg: ['delete', 'prune', 'recreate'],
  restic: ['prune', 'rewrite', { verbs: 'forget', option: /^--prune/ }],
  b2: ['rm', 'delete-bucket', 'bucket delete'],
  cdk: ['destroy', 'gc'],
  cdktf: ['destroy'],
  serverless: ['remove'],
  sls: ['remove'],
  sst: ['remove'],
  terraform: ['destroy', { verbs: '*', option: /^--?destroy(?:=true)?$/ }, 'state rm', 'workspace delete'],
  tofu: ['destroy', { verbs: '*', option: /^--?destroy(?:=true)?$/ }, 'state rm', 'workspace delete'],
  terragrunt: [
    'destroy',
    'run-all destroy',
    'run destroy',
    'stack run destroy',
    { verbs: 'apply', option: /^--?destroy/ },
  ],
  pulumi: ['destroy', 'down', 'dn', 'stack rm', 'state delete'],
  eb: ['terminate'],
  'ecs-cli': ['down', 'compose down', 'compose service rm'],
  'linode-cli': ['* rm'],
  civo: ['* rm', '* remove'],
  ...{ vc: ['rm', 'remove'], now: ['rm', 'remove'] },
  cf: ['d', 'delete', 'delete-space', 'delete-org', 'delete-service'],
  nats: ['stream rm', 'stream purge', 'kv rm', 'kv del', 'kv purge'],
  'zkcli.sh': ['deleteall', 'rmr'],
  doctl: ['compute * rm', 'apps rm', 'databases rm', 'kubernetes cluster rm'],
  vagrant: ['destroy', 'box remove'],
  vercel: ['rm', 'remove', 'project rm', 'project remove', 'env rm', 'domains rm'],
  netlify: ['sites:delete', 'env:unset'],
  railway: ['down'],
  heroku: ['apps:destroy', 'apps:delete', 'pg:reset', 'addons:destroy', 'domains:clear'],
  firebase: ['firestore:delete', 'database:remove', 'functions:delete', 'hosting:disable', 'projects:delete'],
  supabase: ['projects delete', 'branches delete'],
  wrangler: ['delete', 'd1 delete', 'kv namespace delete', 'r2 bucket delete', 'r2 object delete', 'queues delete'],
  kubectl: ['delete', 'drain', { verbs: 'replace', option: /^--force/ }, { verbs: 'apply', option: /^--prune$/ }],
  oc: ['delete', 'adm drain'],
  helm: ['uninstall', 'delete', 'un', 'del'],
  helmfile: ['destroy', 'delete'],
  argocd: ['app delete'],
  flux: ['delete', 'uninstall'],
  istioctl: ['uninstall'],
  fly: ['apps destroy', 'volumes destroy', 'volumes rm', 'machine destroy'],
  flyctl: ['apps destroy', 'volumes destroy', 'machine destroy'],
  gh: [
    viaApi,
    'repo delete',
    'run delete',
    'cache delete',
    'secret delete',
    'secret remove',
    'variable remove',
    { verbs: 'pr close', option: /^(?:-d|--delete-branch)$/ },
    { verbs: 'pr merge', option: /^(?:-[a-z]*d|--delete-branch)$/ },
    { verbs: 'api graphql', option: /mutation[^]*\bdelete\w+/i },
    'gist delete',
    'issue delete',
    'repo archive',
  ],
  ...{ glab: [viaApi], hub: [viaApi] },
  etcdctl: ['rm', { verbs: 'del', option: /^--(?:prefix|from-key)/ }],
  nomad: [
    { verbs: 'job stop', option: /^--?purge/ },
    { verbs: 'stop', option: /^--?purge/ },
  ],
  consul: ['kv delete'],
  rabbitmqctl: ['delete_queue', 'delete_vhost', 'reset', 'force_reset', 'purge_queue'],
  'kafka-topics': [{ verbs: '', option: /^--delete$/ }],
  'kafka-topics.sh': [{ verbs: '', option: /^--delete$/ }],
};

/** One of the first words, all of them commands, may be a verb that deletes. */
function deletesByWord(words: readonly ShellWord[], pattern: RegExp): boolean {
  const operands = words.slice(1).filter(({ text }) => !text.startsWith('-'));
  for (const { text } of operands.slice(0, mostVerbs)) {
    if (pattern.test(text)) return true;
    if (!/^[a-z][a-z0-9:_-]*$/.test(text)) return false;
  }
  return false;
}

/** A request to delete at a host that is not this machine. */
function isDeleteRequest(name: string, words: readonly ShellWord[]): boolean {
  if (!/^(?:curl|curlie|wget|wget2|https?|httpie|xhs?)$/.test(name)) return false;
  const isDelete = words.some(
    ({ text }, at) =>
      /^(?:-[a-zA-Z]*X|--request=|--method=)DELETE$/i.test(text) ||
      (/^DELETE$/i.test(text) && (at === 1 || /^(?:-[a-zA-Z]*X|--request|--method)$/.test(words[at - 1]?.text ?? ''))),
  );
  return isDelete && !words.some(({ text }) => ownHost.test(text));
}

const ownHost = /^(?:https?:\/\/)?(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)?(?::\d+)?(?:\/|$)/;

export function cloudDeletes(name: string, words: readonly ShellWord[]): GateFinding[] {
  const isDelete =
    isInTable(name, words, table) ||
    (wordy.has(name) && deletesByWord(words, verb)) ||
    (amazonPrograms.test(name) && deletesByWord(words, amazon)) ||
    isDeleteRequest(name, words);
  // `help` is a command where it stands first; of Amazon's, also where it stands last.
  const isHelp = words[name === 'aws' ? words.length - 1 : 1]?.text === 'help';
  if (!isDelete || isHelp || onlyShows(words, /^--help$/)) return [];
  return [ask('delete', `${quoteWord(name)} deletes what a service keeps, for everybody.`)];
}
