// `npm run check`: everything that is checked without running it, two at a time; what each prints is shown when it ends.
import { spawn } from 'node:child_process';

/** The longest first, so that the others fit beside it. */
const steps = ['lint', 'typecheck', 'walls', 'words', 'unused', 'api-docs -- --check', 'pages', 'format:check'];

function run(step: string): Promise<number> {
  const child = spawn('npm', ['run', '--silent', ...step.split(' ')], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      process.stdout.write(`${code === 0 ? 'ok' : 'FAILED'}: ${step}\n${output}`);
      resolve(code ?? 1);
    });
  });
}

async function runAll(waiting: string[]): Promise<number> {
  let worst = 0;
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) worst = Math.max(worst, await run(step));
  return worst;
}

const waiting = [...steps];
process.exitCode = Math.max(...(await Promise.all([runAll(waiting), runAll(waiting)])));
