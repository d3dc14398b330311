import * as z from 'zod';
import { cliPrograms, type ModelRole, type ProviderKind, type ThinkingStyle } from '../types/llm.ts';
import { planLimits } from '../input/limits.ts';
import {
  argumentList,
  environmentName,
  list,
  map,
  name,
  numberBetween,
  buildEnum,
  addRefusal,
  formatChoice,
  text,
  tier,
  wholeNumber,
  yesNo,
} from '../input/values.ts';

/* `[providers.NAME]` and `[models.NAME]`. All keys are optional here, because a stronger layer may change a single one. */

export const providerKinds = [
  'anthropic',
  'openai',
  'openai-compatible',
  'ollama',
  'scripted',
  'cli',
] as const satisfies readonly ProviderKind[];

export const modelRoles = [
  'planner',
  'executor',
  'verifier',
  'extractor',
  'compactor',
] as const satisfies readonly ModelRole[];

const thinkingStyles = ['off', 'budget', 'effort'] as const satisfies readonly ThinkingStyle[];

const address = 'an http or https address, without a user name, a password or `?`';

/** A wrong address is never shown, because people put keys into addresses. */
const baseUrl = z
  .string({ error: address })
  .max(planLimits.address, { error: `${address}, of at most ${planLimits.address} characters` })
  .check((context) => {
    if (isPlainAddress(context.value)) return;
    addRefusal(context, context.value, {
      code: 'PLAN_WRONG_TYPE',
      message: `\`baseUrl\` should be ${address}.`,
      hint: 'Write it like `http://127.0.0.1:11434`; put a key into the variable that `keyEnv` names.',
    });
  })
  // Paths are appended to it.
  .transform((url) => url.replace(/\/+$/, ''));

function isPlainAddress(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false;
  return url.username === '' && url.password === '' && !/[?#\s]/.test(value);
}

export const providerSchema = map(
  {
    kind: buildEnum(providerKinds).exactOptional(),
    keyEnv: environmentName('keyEnv', { alone: true }).exactOptional(),
    baseUrl: baseUrl.exactOptional(),
    script: text('the path of a script file').exactOptional(),
    program: buildEnum(cliPrograms).exactOptional(),
    args: argumentList.exactOptional(),
  },
  'a table such as `{ kind: anthropic, keyEnv: ANTHROPIC_API_KEY }`',
);

const usd = numberBetween(0, planLimits.price);

export const priceSchema = map(
  { in: usd.exactOptional(), out: usd.exactOptional(), cached: usd.exactOptional() },
  'a table of USD per million tokens, such as `{ in: 1.0, out: 5.0, cached: 0.1 }`',
);

const rolesExpected = `a list of roles: ${formatChoice(modelRoles)}`;

export const modelSchema = map(
  {
    provider: name('the name of a provider').exactOptional(),
    id: name("the provider's name of a model").exactOptional(),
    tier: tier.exactOptional(),
    roles: list(buildEnum(modelRoles), rolesExpected).min(1, { error: rolesExpected }).exactOptional(),
    context: wholeNumber(planLimits.leastContext, planLimits.modelTokens).exactOptional(),
    output: wholeNumber(1, planLimits.modelTokens).exactOptional(),
    thinking: buildEnum(thinkingStyles).exactOptional(),
    stream: yesNo.exactOptional(),
    images: yesNo.exactOptional(),
    price: priceSchema.exactOptional(),
  },
  'a table such as `{ provider: anthropic, id: claude-haiku, tier: 1 }`',
);

export type ProviderInput = z.output<typeof providerSchema>;
export type ModelInput = z.output<typeof modelSchema>;
