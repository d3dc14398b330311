import * as z from 'zod';
import { cliPrograms, type Model } from '../types/llm.ts';

const price = z.object({ in: z.number(), out: z.number(), cached: z.number().exactOptional() });

/** A model as the conversation began with it. The config's own schema checks what a user may write. */
export const frameModelSchema: z.ZodType<Model> = z.object({
  name: z.string(),
  id: z.string(),
  provider: z.object({
    name: z.string(),
    kind: z.enum(['anthropic', 'openai', 'openai-compatible', 'ollama', 'scripted', 'cli']),
    keyEnv: z.string().exactOptional(),
    baseUrl: z.string().exactOptional(),
    script: z.string().exactOptional(),
    program: z.enum(cliPrograms).exactOptional(),
    args: z.array(z.string()).exactOptional(),
  }),
  tier: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  roles: z.array(z.enum(['planner', 'executor', 'verifier', 'extractor', 'compactor'])),
  context: z.number(),
  output: z.number(),
  thinking: z.enum(['off', 'budget', 'effort']),
  stream: z.boolean(),
  images: z.literal(true).exactOptional(),
  price: price.exactOptional(),
});
