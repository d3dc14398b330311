import type { CommandPort } from '../sandbox/command.ts';
import { RepositoryWatcher, type Watch } from './repository-watcher.ts';

/** Commands after each of which nothing is left in the workspace that a later git of the user would run. */
export async function watchCommands(port: CommandPort, watch: Watch): Promise<CommandPort> {
  const { keepsSettings } = port;
  const watcher = new RepositoryWatcher(watch);
  await watcher.settleLeft();
  return {
    ...port,
    run: async (command) => {
      if (command.looks === true) return port.run(command);
      const { result, changes } = await watcher.during({ keepsSettings }, (repositories) =>
        port.run({ ...command, repositories }),
      );
      return result.kind === 'not-started' || changes.length === 0 ? result : { ...result, repositories: changes };
    },
  };
}

/** Another work in the workspace, such as a merge, which may put together a repository that no command has made. */
export async function watchWork<T>(watch: Watch, work: () => Promise<T>): Promise<T> {
  return (await new RepositoryWatcher(watch).during({ keepsSettings: false }, work)).result;
}
