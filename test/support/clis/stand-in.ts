import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CliProgram } from '../../../domain/types/llm.ts';

/** The plan that a stand-in makes of any goal. */
const plan = { subtasks: [{ id: 'fix', description: 'Correct sum.cjs', verify: ['npm test'] }] };

/** The output of each program for one text, in the form of its recordings (test/corpora/clis). */
const lines: Readonly<Record<CliProgram, string>> = {
  claude: `[{ type: 'result', subtype: 'success', is_error: false, result: text, session_id: 's1', total_cost_usd: 0.01, usage: { input_tokens: 900, output_tokens: 100 } }]`,
  codex: `[{ type: 'thread.started', thread_id: 't1' }, { type: 'turn.started' }, { type: 'item.completed', item: { type: 'agent_message', text } }, { type: 'turn.completed', usage: { input_tokens: 900, output_tokens: 100 } }]`,
  gemini: `[{ type: 'init', session_id: 's1' }, { type: 'message', role: 'assistant', content: text }, { type: 'result', status: 'success', stats: { total_tokens: 1000 } }]`,
  opencode: `[{ type: 'step_start', sessionID: 's1' }, { type: 'text', part: { text } }, { type: 'step_finish', part: { reason: 'stop', tokens: { total: 1000 }, cost: 0.01 } }]`,
};

const judgement = { passed: true, confidence: 0.9, outcome: 'pass', issues: [], feedback: '', missingEvidence: [] };

/**
 * Installs a script in the place of an agent program. It plans, judges and corrects `sum.cjs` like a model would, and notes the role, the
 * folder and the arguments of each call in `calls.jsonl` beside it. While a file `refuses` is there, it fails like one whose login is gone.
 */
export function installStandIn(bin: string, program: CliProgram): string {
  mkdirSync(bin, { recursive: true });
  const place = join(bin, program);
  const refusal = `{ type: 'result', subtype: 'success', is_error: true, api_error_status: 401, result: 'Invalid API key' }`;
  const script = `#!${process.execPath}
const fs = require('node:fs');
const prompt = fs.readFileSync(0, 'utf8');
const role = prompt.includes('You plan the work of others') ? 'planner' : prompt.includes('You judge the work') ? 'judge' : 'executor';
fs.appendFileSync(${JSON.stringify(`${bin}/calls.jsonl`)}, JSON.stringify({ role, cwd: process.cwd(), argv: process.argv.slice(2), files: fs.readdirSync('.') }) + '\\n');
if (role === 'executor' && prompt.includes('Correct sum.cjs')) fs.writeFileSync('sum.cjs', 'module.exports = (a, b) => a + b;\\n');
const text = role === 'planner' ? ${JSON.stringify(JSON.stringify(plan))} : role === 'judge' ? ${JSON.stringify(JSON.stringify(judgement))} : 'I looked and did it.';
const refuses = fs.existsSync(${JSON.stringify(`${bin}/refuses`)});
for (const line of refuses ? [${refusal}] : ${lines[program]}) console.log(JSON.stringify(line));
process.exitCode = refuses ? 1 : 0;
`;
  writeFileSync(place, script);
  chmodSync(place, 0o755);
  return place;
}

const loginFiles: Readonly<Record<CliProgram, Readonly<Record<string, object>>>> = {
  claude: { '.claude/.credentials.json': { claudeAiOauth: { accessToken: 'token-of-a-login', refreshToken: 'r' } } },
  codex: {
    '.codex/auth.json': { OPENAI_API_KEY: null, tokens: { access_token: 'token-of-a-login', refresh_token: 'r' } },
  },
  gemini: {
    '.gemini/oauth_creds.json': { access_token: 'token-of-a-login', refresh_token: 'r' },
    '.gemini/settings.json': { security: { auth: { selectedType: 'oauth-personal' } } },
  },
  opencode: { '.local/share/opencode/auth.json': { anthropic: { type: 'api', key: 'token-of-a-login' } } },
};

/** Writes the files by which a program is logged in. Returns their names. */
export function logIn(home: string, program: CliProgram): string[] {
  const files = Object.entries(loginFiles[program]);
  for (const [name, content] of files) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), JSON.stringify(content));
  }
  return files.map(([name]) => name);
}
