import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { replaceFile } from '../../activities/system/durable-file.ts';
import { tryParseJson } from '../../domain/util/try-parse-json.ts';

const schema = z.record(z.string(), z.iso.datetime());

/** When each token was last used, by its hash. A record that cannot be read says nothing. */
export function readUses(file: string): Record<string, string> {
  try {
    const parsed = schema.safeParse(tryParseJson(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}

/** Milliseconds between two writes: `heddle auth token list` shows when a token was last used, to the minute. */
const writePause = 60_000;

/** Notes the uses of tokens in the home. */
export class TokenUses {
  private readonly noted = new Map<string, number>();
  private readonly file: string;
  private readonly failed: (error: unknown) => void;
  private writing: Promise<void> = Promise.resolve();

  constructor(file: string, failed: (error: unknown) => void) {
    this.file = file;
    this.failed = failed;
  }

  note(sha256: string): void {
    const now = Date.now();
    if (now - (this.noted.get(sha256) ?? 0) < writePause) return;
    this.noted.set(sha256, now);
    this.writing = this.writing.then(() => this.write(sha256, now)).catch(this.failed);
  }

  /** Resolves when all that was noted is written. */
  async settle(): Promise<void> {
    await this.writing;
  }

  private async write(sha256: string, at: number): Promise<void> {
    const uses = { ...readUses(this.file), [sha256]: new Date(at).toISOString() };
    await replaceFile(this.file, JSON.stringify(uses), { durable: false });
  }
}
