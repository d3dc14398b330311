import { HeddleError } from '../errors/heddle-error.ts';
import { keyProviders } from '../llm/built-in-models.ts';
import { cliPrograms, type Model } from '../types/llm.ts';
import { formatList } from '../text/text.ts';

/** Decides if a model plans goals. */
export const hasPlanner = (models: readonly Model[]): boolean => models.some(({ roles }) => roles.includes('planner'));

/** Refuses a goal that no model can plan. `seen` names the keys, programs and servers of the machine. Throws `MODEL_NOT_CONFIGURED`. */
export function checkPlanner(models: readonly Model[], seen: readonly string[]): void {
  if (hasPlanner(models)) return;
  throw new HeddleError({ ...(models.length === 0 ? nothingFound(seen) : notServed(models)), seen });
}

const nothingFound = (seen: readonly string[]) => ({
  code: 'MODEL_NOT_CONFIGURED' as const,
  message: `A goal needs a model, and there is none: the config names no model, none of ${formatList(keyVariables)} is set, no agent CLI (${formatList(cliPrograms)}) is installed and logged in, and no Ollama server with a model runs here.${formatSeen(seen)}`,
  where: 'goal',
  hint: 'Give a key, such as `export ANTHROPIC_API_KEY=YOUR_KEY`, or log in to an agent CLI, then run it again. `heddle doctor` shows what is there.',
});

const notServed = (models: readonly Model[]) => ({
  code: 'MODEL_NOT_CONFIGURED' as const,
  message: `A goal needs a model that plans, and no model of the config serves \`planner\`; there are: ${formatList(models.map(({ name, roles }) => `${name} (${roles.join(', ')})`))}.`,
  where: 'goal',
  hint: 'Add `planner` to `roles` of a model in heddle.toml; `heddle models` shows which model serves what.',
});

const keyVariables = keyProviders.map(({ keyEnv }) => keyEnv);

const formatSeen = (seen: readonly string[]): string =>
  seen.length === 0 ? '' : ` Found, but they plan no goals: ${formatList(seen)}.`;
