import { isCertain, type ShellWord } from '../shell/words/word.ts';

/** Settings of git that change what it shows or how it works inside, and nothing that it runs, sends or deletes. */
const harmless =
  /^(?:user\.(?:name|email)|author\.\w+|committer\.\w+|color\..*|column\..*|advice\..*|i18n\..*|grep\.\w+|blame\.\w+|status\.\w+|versionsort\..*|log\.(?:abbrevcommit|date|decorate|follow|mailmap|showroot|graphcolors|diffmerges)|diff\.(?:algorithm|colormoved|colormovedws|context|indentheuristic|interhunkcontext|mnemonicprefix|noprefix|renamelimit|renames|statgraphwidth|suppressblankempty|wordregex|wserrorhighlight|submodule|ignoresubmodules)|merge\.(?:conflictstyle|ff|renamelimit|renames|stat|log)|core\.(?:abbrev|autocrlf|compression|deltabasecachelimit|eol|filemode|fscache|ignorecase|logallrefupdates|longpaths|multipackindex|packedgitlimit|packedgitwindowsize|precomposeunicode|preloadindex|quotepath|safecrlf|symlinks|untrackedcache|whitespace|bigfilethreshold|commentchar)|pack\.(?:depth|threads|window|windowmemory|deltacachesize)|gc\.auto|gc\.autodetach|maintenance\.auto|index\.\w+|checkout\.(?:defaultremote|guess|workers)|commit\.(?:cleanup|status|verbose)|init\.defaultbranch|protocol\.version|http\.(?:postbuffer|lowspeedlimit|lowspeedtime|version|maxrequests)|fetch\.(?:parallel|writecommitgraph)|pull\.ff|rebase\.(?:autostash|autosquash|stat|updaterefs)|rerere\.\w+|tag\.sort|branch\.(?:sort|autosetupmerge|autosetuprebase|.+\.description)|push\.autosetupremote|format\.(?:pretty|signoff)|stash\.\w+)$/;

/** Settings that are harmless with one of some values. */
const harmlessWith: readonly { key: RegExp; value: RegExp }[] = [
  {
    key: /^(?:commit|tag)\.gpgsign$|^pull\.rebase$|^core\.fsmonitor$|^fetch\.prune$|^push\.followtags$/,
    value: /^(?:false|no|off|0)$/,
  },
  { key: /^core\.(?:pager|editor)$|^sequence\.editor$/, value: /^(?:cat|true|:|less|more|)$/ },
  { key: /^credential\.helper$/, value: /^$/ },
  { key: /^push\.default$/, value: /^(?:nothing|simple|current|upstream)$/ },
  { key: /^protocol\.ext\.allow$/, value: /^never$/ },
  { key: /^safe\.barerepository$/, value: /^explicit$/ },
];

/** Such a setting, which git is given for one call, or for good, does no harm. */
export function isHarmlessSetting({ key, value }: { key: string; value: ShellWord }): boolean {
  if (harmless.test(key)) return true;
  return harmlessWith.some((one) => one.key.test(key) && isCertain(value) && one.value.test(value.text));
}
