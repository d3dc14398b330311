// A small process that starts git for a large one. It ends with the process that asks it.
import type { GitRequest, GitReply } from './ask-git-starter.ts';
import { gitProcess, type GitEnd } from './git-process.ts';

process.once('disconnect', () => process.exit());
process.on('message', (request: GitRequest) => void answer(request));

async function answer({ id, run }: GitRequest): Promise<void> {
  const end = await gitProcess(run).catch((error: unknown): GitEnd => ({ how: 'not started', why: String(error) }));
  const reply: GitReply = { id, end };
  if (process.connected) process.send?.(reply);
}
