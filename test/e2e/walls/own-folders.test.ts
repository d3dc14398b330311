// A user who works in the home folder has Heddle's own folders below the workspace: no tool and no command of an agent reaches them.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { eventsOf } from '../../support/events.ts';
import { useRig } from '../../support/rig.ts';
import { modes, needsSandbox, play, type Turn } from './support-walls.ts';

const canary = 'canary-of-heddle';
const home = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-user-')));
const own = {
  data: '.local/share/heddle',
  state: '.local/state/heddle',
  cache: '.cache/heddle',
  settings: '.config/heddle',
};
const rig = useRig({
  env: {
    HOME: home,
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_CONFIG_HOME: join(home, '.config'),
  },
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** `settings` is not there yet: whoever made it would say which programs run. */
function fillHome(): void {
  rmSync(home, { recursive: true, force: true });
  for (const folder of [own.data, own.state, own.cache]) {
    mkdirSync(join(home, folder), { recursive: true });
    writeFileSync(join(home, folder, 'kept'), canary);
  }
  mkdirSync(join(home, '.config'));
  writeFileSync(join(home, 'note.txt'), 'a note');
}

const tries = (folder: string): Turn[] => [
  [['read_file', { path: `${folder}/kept` }]],
  [['list_folder', { path: folder }]],
  [['write_file', { path: `${folder}/planted`, content: 'x' }]],
  [['edit_file', { path: `${folder}/kept`, old: canary, new: 'changed' }]],
  [['delete_path', { path: `${folder}/kept` }]],
  [['move_path', { from: 'note.txt', to: `${folder}/planted` }]],
  [['move_path', { from: folder, to: 'taken' }]],
  [['move_path', { from: folder.slice(0, folder.lastIndexOf('/')), to: 'taken' }]],
];

describe.for(modes)('mode %s', (mode) => {
  test.for(Object.entries(own))("tools on files neither read nor write Heddle's %s", async ([, folder], context) => {
    await needsSandbox(mode, context);
    fillHome();
    const turns = [
      ...tries(folder),
      [['search_text', { pattern: 'canary' }]],
      [['find_files', { pattern: '**/kept' }]],
    ];
    const { state, task, requests } = await play(rig, { workspace: home, mode, turns: turns as Turn[] });
    expect(state).toBe('completed');
    const { items } = await task.allEvents();
    expect(eventsOf(items, 'tool.refused')).toHaveLength(tries(folder).length);
    for (const text of requests)
      expect(text.replaceAll(`"old":"${canary}"`, '').replaceAll(`\\"old\\":\\"${canary}\\"`, '')).not.toContain(
        canary,
      );
    expect(existsSync(join(home, folder, 'planted'))).toBe(false);
    if (folder !== own.settings) expect(readFileSync(join(home, folder, 'kept'), 'utf8')).toBe(canary);
  });

  test('a command neither sees nor changes them', async (context) => {
    await needsSandbox(mode, context);
    fillHome();
    const places = Object.values(own).map((folder) => join(home, folder));
    // The gate reads what a command says; the sandbox holds what it does not say.
    const spoken = places.map((place) => `cat ${place}/kept; echo x > ${place}/planted`);
    const unspoken =
      'cd .; for d in .l* .c*; do grep -r canary $d; for e in $(find $d -name h"ed"dle); do echo x > $e/planted; done; mkdir -p .config/hed""dle; echo x > .config/hed""dle/planted; done';
    const commands = mode === 'auto' ? [...spoken, unspoken] : spoken;
    const { state, requests } = await play(rig, {
      workspace: home,
      mode,
      turns: commands.map((command): Turn => [['shell', { command }]]),
    });
    expect(state).toBe('completed');
    for (const text of requests) expect(text).not.toContain(canary);
    expect(places.map((place) => existsSync(join(place, 'planted')))).toEqual([false, false, false, false]);
  });
});

test('in the sandbox no folder on the way to them can be moved away', async (context) => {
  await needsSandbox('auto', context);
  fillHome();
  const attack = [
    'for d in .l""ocal .c""ache .c""onfig; do mv $d moved$d; done; mv .local/share moved-share',
    'for d in .local/share .local/state .cache .config; do mkdir -p $d/hed""dle; echo x > $d/hed""dle/planted; done',
    'touch .config/other && mv .config/other . && echo done > done',
  ].join('\n');
  writeFileSync(join(home, 'attack.sh'), attack);
  const turns: Turn[] = [[['shell', { command: 'bash attack.sh' }]]];
  const { state } = await play(rig, { workspace: home, mode: 'auto', turns });
  expect(state).toBe('completed');
  expect(existsSync(join(home, 'done'))).toBe(true);
  expect(existsSync(join(home, 'other'))).toBe(true);
  for (const folder of Object.values(own)) expect(existsSync(join(home, folder, 'planted'))).toBe(false);
  expect(readFileSync(join(home, own.data, 'kept'), 'utf8')).toBe(canary);
});
