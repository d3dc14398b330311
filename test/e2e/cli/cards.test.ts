// The end of a task, a failure, a question and an outage at the two usual sizes of a terminal: docs/terminal.md shows these screens.
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Cli, useSharedHome } from '../../support/cli.ts';
import { hasTmux, Tmux } from '../../support/tmux.ts';

const terminal = test.skipIf(!hasTmux);
const home = useSharedHome();

const contract = (notes: string): string =>
  `echo '${JSON.stringify({ status: 'success', notes, costUsd: 0.021, tokens: 4_200 })}'`;
const command = (script: string): object => ({ kind: 'command', run: ['sh', '-c', script] });

const draft = {
  id: 'draft',
  executor: command(
    `printf '# Changes\\n\\n- faster\\n' > NOTES.md; ${contract('Wrote NOTES.md from the last 12 commits.')}`,
  ),
  deliverables: ['NOTES.md'],
  verify: ["grep -q '^# Changes' NOTES.md"],
};
const publish = (script: string): object => ({
  id: 'publish',
  dependsOn: ['draft'],
  executor: command(script),
  verify: ['test -e published'],
});

const plans = {
  done: { subtasks: [draft, publish(`cp NOTES.md published; ${contract('Published the notes.')}`)] },
  failed: {
    ladder: [{ tier: 'assigned' }, { tier: 'assigned', feedback: true }],
    subtasks: [draft, publish('echo "error: the mirror refused the file" >&2; exit 1')],
  },
  asked: { subtasks: [draft, publish("echo '401 Unauthorized: the token has expired' >&2; exit 77")] },
} as const;

function draw(lines: readonly string[]): string {
  const plain = lines
    .filter((line) => !/^exit \d+$/.test(line))
    .map((line) =>
      line
        .replace(/\d+(?:\.\d+)? (?:s|min|h)\b(?: \d+ (?:s|min)\b)?/g, 'TIME')
        .replace(/http:\S+/, 'LINK')
        .replace(/^( {2}Folder +).*/, '$1FOLDER'),
    );
  return `${plain.join('\n')}\n`;
}

const sizes = [
  { columns: 80, rows: 24 },
  { columns: 110, rows: 36 },
] as const;

for (const { columns, rows } of sizes)
  for (const name of ['done', 'failed', 'asked'] as const)
    terminal(
      `a task that is ${name} fits into a terminal of ${columns}x${rows}`,
      async () => {
        const cli = new Cli({ HEDDLE_HOME: home(), NO_COLOR: '1' });
        writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify({ goal: 'Publish the notes', ...plans[name] }));
        const id = `${name}-${columns}`;
        const tmux = new Tmux(cli, { columns, rows }, 'run', 'plan.json', '--id', id);
        const isAsked = name === 'asked';
        if (!isAsked) expect(await tmux.exit()).toBe(name === 'done' ? 0 : 1);
        const screen = isAsked ? await tmux.shows(/❯/, /^publish needs credentials/m) : tmux.screen();
        if (!isAsked) expect(screen.join('\n')).toMatch(/^. (?:Completed|Failed) in /m);
        await expect(draw(screen)).toMatchFileSnapshot(join('screens', `${id}x${rows}.txt`));
        if (isAsked) expect((await cli.here('cancel', id, '--wait')).code).toBe(0);
      },
      90_000,
    );

/** A config whose provider is at a port where nobody listens. */
async function buildUnreachable(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `[providers.local]
kind = "openai-compatible"
baseUrl = "http://127.0.0.1:${port}/v1"
[models.small]
provider = "local"
id = "small"
[limits]
environmentWait = { first = "5m" }
`;
}

for (const { columns, rows } of sizes)
  terminal(
    `a wait for a provider counts down in a terminal of ${columns}x${rows}`,
    async () => {
      const cli = new Cli({ HEDDLE_HOME: home(), NO_COLOR: '1', HEDDLE_TRUST: '1' });
      writeFileSync(join(cli.cwd, 'heddle.toml'), await buildUnreachable());
      const id = `outage-${columns}`;
      const tmux = new Tmux(cli, { columns, rows }, 'run', 'Publish the notes', '--id', id);
      const screen = await tmux.shows(/Retrying in 4 min 5\d s/, /^Retrying in 5 min/m);
      await expect(draw(screen)).toMatchFileSnapshot(join('screens', `${id}x${rows}.txt`));
      expect((await cli.here('status', id)).stdout).toMatch(/^. Retrying in 4 min/);
      expect((await cli.here('cancel', id, '--wait')).code).toBe(0);
    },
    90_000,
  );
