// Started as a process of its own: a worker that is killed while a command runs, after the command has armed a repository.
import { execFileSync } from 'node:child_process';
import { watchCommands } from '../../../activities/repositories/watch-commands.ts';

const [root = '', workspace = ''] = process.argv.slice(2);
const port = await watchCommands(
  {
    sandboxed: false,
    walled: false,
    reachesMachine: false,
    keepsSettings: false,
    run: () => {
      execFileSync('git', ['init', '-q'], { cwd: workspace });
      execFileSync('git', ['config', 'core.fsmonitor', './evil'], { cwd: workspace });
      process.kill(process.pid, 'SIGKILL');
      return new Promise(() => undefined);
    },
  },
  {
    ...{
      root,
      workspace,
      hidden: [],
      path: process.env['PATH'] ?? '',
      task: 't',
      subtask: 'agent',
      mostFolders: 1_000,
    },
    onChange: () => undefined,
  },
);
await port.run({ argv: ['true'], timeout: 1_000, signal: new AbortController().signal });
