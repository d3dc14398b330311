import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** A folder with Heddle as npm installs it, its dependencies, and the scripts that it is compared with. */
export class Installed {
  readonly folder = mkdtempSync(join(tmpdir(), 'heddle-bench-cli-'));
  readonly home = join(this.folder, 'home');
  readonly work = join(this.folder, 'work');
  readonly heddle = join(this.folder, 'node_modules', 'heddle', 'bin', 'heddle.js');
  /** The settings and caches of the person who runs the bench are not its own. */
  readonly env = {
    ...process.env,
    HEDDLE_HOME: this.home,
    HEDDLE_CONFIG: undefined,
    TEMPORAL_ADDRESS: undefined,
    XDG_CONFIG_HOME: join(this.folder, 'config'),
  };

  constructor() {
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, 'scripts', 'build.ts')]);
    const modules = join(this.folder, 'node_modules');
    mkdirSync(join(modules, 'heddle'), { recursive: true });
    mkdirSync(this.work);
    for (const part of ['bin', 'dist', 'package.json']) {
      cpSync(join(root, part), join(modules, 'heddle', part), { recursive: true });
    }
    for (const name of readdirSync(join(root, 'node_modules'))) {
      if (name !== 'heddle' && !name.startsWith('.'))
        symlinkSync(join(root, 'node_modules', name), join(modules, name));
    }
  }

  /** A script beside `node_modules`. */
  script(name: string, code: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, code);
    return path;
  }

  /** The text that it printed. */
  run(...args: string[]): string {
    return execFileSync(process.execPath, args, { cwd: this.work, env: this.env, encoding: 'utf8', stdio: 'pipe' });
  }

  remove(): void {
    this.run(this.heddle, 'down', '--force');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
