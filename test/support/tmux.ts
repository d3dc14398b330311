import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { until, type Cli } from './cli.ts';

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

// CI must not pass without having looked.
if (!hasTmux && process.env['HEDDLE_REQUIRE_TMUX'] === '1')
  throw new Error('tmux was not found: install it (Debian: apt-get install tmux)');

/** The first line of the screen, from before the program: a drawing that goes too far up takes it away. */
const shellLine = '$ heddle';

interface Size {
  columns: number;
  rows: number;
}

/** `heddle` in a real terminal of a size that the test chooses; it ends with the test. */
export class Tmux {
  readonly #socket = `heddle-${randomUUID()}`;
  readonly #env: Record<string, string | undefined>;

  constructor(cli: Cli, { columns, rows }: Size, ...args: string[]) {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-tmux-'));
    this.#env = { ...cli.env, TMUX: undefined, TMUX_TMPDIR: folder, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color' };
    const size = ['-x', String(columns), '-y', String(rows)];
    const line = [process.execPath, inject('program'), ...args].map((word) => `'${word}'`).join(' ');
    // The shell outlives Ctrl-C, says what the program came to, and keeps the screen until the test has seen it.
    const shell = `trap : INT; echo '${shellLine}'; ${line}; echo "exit $?"; exec sleep 300`;
    this.#tmux(
      'new-session',
      '-d',
      '-c',
      cli.cwd,
      ...size,
      'sh',
      '-c',
      shell,
      ';',
      'set-option',
      '-g',
      'status',
      'off',
    );
    onTestFinished(() => {
      spawnSync('tmux', ['-L', this.#socket, 'kill-server'], { env: this.#env });
      rmSync(folder, { recursive: true, force: true });
    });
  }

  /** Keys by tmux's names: `Enter`, `Tab`, `C-c`. */
  keys(...names: string[]): void {
    this.#tmux('send-keys', ...names);
  }

  type(text: string): void {
    this.#tmux('send-keys', '-l', text);
  }

  paste(text: string): void {
    this.#tmux('set-buffer', text);
    this.#tmux('paste-buffer', '-p');
  }

  resize({ columns, rows }: Size): void {
    this.#tmux('resize-window', '-x', String(columns), '-y', String(rows));
  }

  /** The lines that a person sees, without the empty ones at the end. */
  screen(): string[] {
    const lines = this.#tmux('capture-pane', '-p').split('\n');
    return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1).map((line) => line.trimEnd());
  }

  /** The same with colours as the terminal was told them. */
  colours(): string {
    return this.#tmux('capture-pane', '-p', '-e');
  }

  /** The exit code of the program, once it has ended. */
  async exit(): Promise<number> {
    const screen = await this.shows(/^exit \d+$/m);
    return Number(screen.at(-1)?.replace('exit ', ''));
  }

  /** Waits until all of it is on the screen, and returns that screen. */
  async shows(...parts: readonly RegExp[]): Promise<string[]> {
    let screen: string[] = [];
    const look = (): boolean => {
      screen = this.screen();
      return parts.every((part) => part.test(screen.join('\n')));
    };
    // Each look starts a program.
    await until(String(parts), look, 30_000, 200).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${screen.join('\n')}`);
    });
    return screen;
  }

  #tmux(...args: string[]): string {
    return execFileSync('tmux', ['-L', this.#socket, '-f', '/dev/null', '-u', ...args], {
      env: this.#env,
      encoding: 'utf8',
      timeout: 60_000,
    });
  }
}
