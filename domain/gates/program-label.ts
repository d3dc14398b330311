import { verbsOf } from './programs/verbs.ts';
import { readGit } from './shell/read-git.ts';
import { isCertain, programName, type Word } from './shell/word.ts';

/** Programs with commands of their own, which are as different as programs. */
const withVerbs = new Set(
  'npm pnpm yarn bun npx docker podman kubectl helm cargo go pip pipx uv poetry gh glab make just task gradle gradlew mvn mvnw dotnet terraform aws gcloud az systemctl apt apt-get brew rustup deno bundle rake composer conda mix flutter dart swift bazel nx turbo lerna hg svn jj'.split(
    ' ',
  ),
);

/** How a program is named in a signature: by its command where it has some, by its place where it is a file of the workspace. */
export function labelOf(
  words: readonly Word[],
  nameOfPath: (path: string) => string,
  script: Word | undefined,
): { name: string; verb?: string } {
  const text = words[0]?.text ?? '';
  const name = text.includes('/') ? nameOfPath(text) : text;
  const verb = verbOf(programName(text), words) ?? (isCertain(script) ? nameOfPath(script.text) : undefined);
  return verb === undefined ? { name } : { name, verb };
}

function verbOf(name: string, words: readonly Word[]): string | undefined {
  const verb = name === 'git' ? readGit(words).verb : withVerbs.has(name) ? verbsOf(words)[0]?.[0] : undefined;
  return verb !== undefined && /^[A-Za-z][\w:.-]*$/.test(verb) ? verb : undefined;
}
