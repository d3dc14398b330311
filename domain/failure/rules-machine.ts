import type { FailureRule } from './rule.ts';
import { statusForms, headline, errorNamed, statusSentences } from './error-forms.ts';

/* Errors of the machine and the network. System error names count as whole words, with their call or their colon. */

const named = (names: string): RegExp[] => [
  new RegExp(
    `\\b(?:connect|getaddrinfo|read|write|open|spawn|listen|mkdir|fork|socket|bind|copyfile|rename|scandir|query\\w{1,6}) (?:${names})\\b`,
  ),
  new RegExp(`\\b(?:${names}): `),
  new RegExp(`^npm (?:error|ERR!) (?:code|errno) (?:${names})\\b`),
];

const network =
  'ENOTFOUND|EAI_AGAIN|EAI_FAIL|ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT|ERR_SOCKET_TIMEOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN';

export const environmentRules: readonly FailureRule[] = [
  {
    type: 'environment',
    cause: 'The disk is full.',
    sentences: [
      /\b(?:ENOSPC|EDQUOT)\b/,
      /\bno space left on device\b/i,
      /\bdisk quota exceeded\b/i,
      /\bdisk (?:is )?full\b/i,
      /\bnot enough (?:free )?(?:disk )?space\b/i,
    ],
    formed: [...named('ENOSPC|EDQUOT'), /\[Errno 28\]/, /\bNo space left on device \(os error 28\)/],
  },
  {
    type: 'environment',
    cause: 'The machine is out of memory.',
    sentences: [
      /\bENOMEM\b/,
      /\bcannot allocate memory\b/i,
      /\b(?:fork|clone|spawn)\b.{0,40}\bresource temporarily unavailable\b/i,
    ],
    formed: [...named('ENOMEM'), /\[Errno 12\]/],
  },
  {
    type: 'environment',
    cause: 'The machine has too many files open.',
    sentences: [/\b(?:EMFILE|ENFILE)\b/, /\btoo many open files\b/i],
    formed: [...named('EMFILE|ENFILE'), /\[Errno 24\]/],
  },
  {
    type: 'environment',
    cause: 'Something else holds a lock that it needs.',
    sentences: [
      /\bcould not get lock\b/i,
      /\bunable to (?:acquire|lock) the (?:dpkg|administration|package)\b/i,
      /\b(?:frontend|database|package|cache) lock was locked by another process\b/i,
      /\bdatabase is locked\b/i,
      /\b(?:lock is|is locked|lock) held(?: by\b|$|[.:;])/i,
      /\b(?:failed|unable|timed out) (?:to acquire|to obtain|acquiring|waiting for) (?:the |a )?(?:\w+ )?lock\b/i,
      /\berror acquiring the state lock\b/i,
      /\banother (?:app|process|instance) is (?:currently )?(?:holding|using|running)\b/i,
      /\bcould not lock config file\b/i,
    ],
    formed: [
      /\bunable to create '[^'\n]{1,500}\.lock': file exists/i,
      /^Another git process seems to be running in this repository/,
      /^E: Could not get lock /,
      /^dpkg: error: dpkg frontend lock/,
    ],
  },
  {
    type: 'environment',
    cause: 'The network, or a host that it needs, is not responding.',
    sentences: [
      new RegExp(`\\b(?:${network})\\b`),
      /\btemporary failure (?:in name resolution|resolving)\b/i,
      /\bname or service not known\b/i,
      /\bnodename nor servname provided\b/i,
      /\bcould not resolve (?:host|hostname|proxy)\b/i,
      /\bno such host\b/i,
      /\bconnection (?:was )?(?:refused|timed out|reset(?: by peer)?|aborted)(?= |\.|,|;|:|\)|$)/i,
      /\b(?:connect|connection|network|read|socket|handshake|i\/o) time(?:d )?-?out\b/i,
      /\bread timed out\b/i,
      /\bcould(?: not|n't) connect to\b/i,
      /\bfailed to connect to \S+ port \d+/i,
      headline('network error|fetch failed|socket hang up'),
      /\bdns (?:lookup|resolution) (?:failed|failure|error)\b/i,
      /\b(?:could not|cannot|unable to|failed to) reach\b/i,
      /\bcannot connect to the docker daemon\b/i,
      /\bno route to host\b/i,
      /\bnetwork (?:is )?(?:unreachable|down)\b/i,
      /\bproblem related to network connectivity\b/i,
      /\btrouble with your network connection\b/i,
      /\bspurious network error\b/i,
      /\bfailed to establish a new connection\b/i,
      /\bregistry (?:did not|does not|is not) (?:answer|respond|responding|reachable|available)\b/i,
    ],
    formed: [
      ...named(network),
      /^curl: \((?:5|6|7|28|35|52|56)\) /,
      /^WARNING: Retrying \(Retry\(.{0,200}\)\) after connection broken by /,
      /\bdial tcp\b.{0,200}\b(?:no such host|connection refused|i\/o timeout|network is unreachable)/,
      /^npm (?:error|ERR!) network /,
    ],
  },
];

export const machineRules: readonly FailureRule[] = [
  ...environmentRules,
  {
    type: 'permission',
    sentences: [
      ...statusSentences(403),
      /\b(?:EACCES|EPERM|EROFS)\b/,
      /\bpermission (?:to \S+ )?(?:was |is )?denied\b/i,
      headline('forbidden'),
      /\boperation not permitted\b/i,
      /\baccess (?:is |was )?denied\b/i,
      /\bread-only file system\b/i,
      /\b(?:is|are) not writ(?:e)?able\b/i,
      headline('(?:\\w+ )?(?:directory|folder|file|path) not write?able'),
      /(?:\b(?:you are|user|account|principal)|(?=\w)(?<=(?<!\S)[^\w\s]*)\S+ is) not (?:authorized|allowed|permitted) to\b/i,
      /\bdo(?:es)? not have (?:the )?(?:\w+ ){0,2}(?:permissions?|access|rights)\b/i,
      /\binsufficient (?:permissions?|privileges?|scopes?|access rights)\b/i,
      /\bresource not accessible by (?:integration|personal access token)\b/i,
    ],
    formed: [
      ...statusForms(403),
      ...named('EACCES|EPERM'),
      errorNamed('permission_error|PERMISSION_DENIED|AccessDenied'),
    ],
  },
  {
    type: 'context-missing',
    cause: 'A program that it calls is not installed.',
    sentences: [
      headline('command not found'),
      /: (?:command )?not found$/i,
      /\bexecutable file not found in \$PATH\b/,
      /\bis not recognized as an internal or external command\b/i,
      /\bspawn \S+ ENOENT\b/,
      /: no such file or directory: (?:exec|spawn)\b/i,
    ],
  },
  {
    type: 'context-missing',
    cause: 'A setting or a file that it is configured by is missing.',
    sentences: [
      /\b(?:environment|env) (?:variable|var)s? (?:\S+ )?(?:is |are |was )?(?:not set|missing|required|not defined|undefined|empty|unset)\b/i,
      /\b(?:missing|required|unset) (?:required )?(?:environment|env) (?:variable|var)s?\b/i,
      /\bmissing (?:required )?(?:configuration|config|setting)\b/i,
      /\b(?:config(?:uration)?|settings) file (?:\S+ )?(?:is |was )?(?:not found|missing|does not exist)\b/i,
      /\b(?:no|cannot find|could not find|couldn't find|unable to find|cannot read) (?:a |the |any )?(?:\w+ )?(?:config(?:uration)? file|settings file)\b/i,
      /\bnot a git repository\b/i,
      /\bnot running in a trusted directory\b/i,
      /\bissue with the selected model\b/i,
      /\bgo\.mod file not found\b/i,
      /\bcould not (?:find|open|read) (?:requirements file|package\.json|a package\.json)/i,
    ],
    formed: [
      /^(?:error: )?could not find `Cargo\.toml` in /,
      /^npm (?:error|ERR!) enoent Could not read package\.json/,
      /^ERROR: Could not open requirements file:/,
    ],
  },
];
