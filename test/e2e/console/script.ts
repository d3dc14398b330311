import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const plan = {
  subtasks: [
    { id: 'inspect', description: 'Look at what is there' },
    { id: 'tidy', description: 'Remove what is old', dependsOn: ['inspect'], deliverables: ['notes.md'] },
    { id: 'announce', description: 'Write to the readers', dependsOn: ['tidy'], deliverables: ['out.md'] },
  ],
};

const write = (path: string, content: string): object => ({ tool: 'write_file', input: { path, content } });
const finish = (notes: string, touched: string[]): object => ({
  tool: 'finish',
  input: { status: 'success', notes, deliverablesTouched: touched },
});

/** A model that plans three subtasks, wants to delete a folder in the second, and asks a question in the third. */
const script = [
  { when: { role: 'planner' }, times: 3, reply: { text: JSON.stringify(plan) } },
  { when: { subtask: 'inspect', turn: 1 }, reply: { calls: [{ tool: 'list_folder', input: {} }] } },
  { when: { subtask: 'inspect', turn: 2 }, reply: { calls: [finish('Two folders are there.', [])] } },
  {
    when: { subtask: 'tidy', turn: 1 },
    reply: {
      text: 'Nothing uses the old folder, and it is in the way.',
      calls: [
        write('notes.md', '# Notes\n\nThe old folder is not needed.\n'),
        { tool: 'shell', input: { command: 'rm -rf old' } },
      ],
    },
  },
  { when: { subtask: 'tidy', turn: 2 }, reply: { calls: [finish('Tidied up.', ['notes.md'])] } },
  {
    when: { subtask: 'announce', turn: 1 },
    reply: {
      calls: [{ tool: 'ask_user', input: { question: 'Which readers is it for?', options: ['users', 'developers'] } }],
    },
  },
  {
    when: { subtask: 'announce', turn: 2 },
    reply: { calls: [write('out.md', 'Dear users\n'), finish('Written.', ['out.md'])] },
  },
];

const config = `[providers.script]
kind = "scripted"
script = "script.yaml"
[models.all]
provider = "script"
price = { in = 1.0, out = 5.0 }
`;

/** Puts the model and two folders into a workspace. */
export function writeScriptedWorkspace(folder: string): void {
  writeFileSync(join(folder, 'script.yaml'), JSON.stringify(script));
  writeFileSync(join(folder, 'heddle.toml'), config);
  for (const name of ['old', 'older']) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'a.txt'), 'a\n');
  }
}
