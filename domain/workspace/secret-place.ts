import { isSecretPath } from './secret-path.ts';

/** Folders of a home, or of the machine, in which programs keep keys, tokens and typed commands. */
const folders =
  /(?:^|\/)(?:\.config\/(?:gh|hub|glab-cli|gcloud|github-copilot|op|doctl|heroku|rclone|containers|fish|google-chrome|chromium|sops)|\.(?:azure|claude|codex|gemini|oci|password-store|mozilla|thunderbird|fly|netlify|vercel|terraform\.d|gem|cargo\/registry\/\.auth)|\.local\/share\/(?:keyrings|fish|op|gh)|library\/(?:keychains|application support\/(?:google|firefox|com\.heroku))|appdata\/(?:roaming|local)\/(?:gh|gcloud))(?:\/|$)/;
const files =
  /(?:^|\/)(?:\.claude\.json|\.\w*_history|\.history|\.histfile|fish_history|\.lesshst|\.viminfo|\.m2\/settings(?:-security)?\.xml|\.gradle\/gradle\.properties|\.wgetrc|\.curlrc|\.my\.cnf|\.mylogin\.cnf|\.boto|auth\.json|hosts\.yml)$/;
const system =
  /^\/(?:etc\/(?:g?shadow-?|sudoers(?:\.d(?:\/.*)?)?|ssh\/.*|ssl\/private(?:\/.*)?|krb5\.keytab|docker\/.*|kubernetes(?:\/.*)?)|proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem|maps|cmdline|fd(?:\/.*)?|root(?:\/.*)?|cwd(?:\/.*)?)|proc\/kcore|(?:var\/)?run\/(?:secrets|credentials|user)(?:\/.*)?|var\/(?:lib\/(?:kubelet|docker|sss)|backups|mail|spool\/(?:cron|mail))(?:\/.*)?|root\/\..*)$/;

/** Recognises places outside the workspace that hold secrets. A standing answer never covers them. */
export function isSecretPlace(place: string): boolean {
  const path = place.toLowerCase();
  return isSecretPath(path) || folders.test(path) || files.test(path) || system.test(path);
}

/** Folders that contain homes of people, or secrets of the machine. */
const wide =
  /^(?:~\w*|\/|\/(?:home|users|root|etc|proc|proc\/[^/]+|sys|var|var\/lib|run|mnt|media|private|srv|volumes)|\/(?:home|users|mnt|media|volumes)\/[^/]+|~\w*\/(?:\.config|\.local(?:\/share)?|library|appdata(?:\/\w+)?))\/?$/;

/** Recognises folders whose contents may include secrets. */
export const mayHoldSecrets = (folder: string): boolean => isSecretPlace(folder) || wide.test(folder.toLowerCase());
