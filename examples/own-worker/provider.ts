// In your project: from '@heddle/heddle/activities';
import type { ProviderCall } from '../../workers/worker/create-heddle-activities.ts';

/** The reply of your service. */
interface Generated {
  text: string;
  calls: { name: string; arguments: object }[];
  tokens: { in: number; out: number };
}

/** A provider in your own code: one request, one reply. Heddle retries, counts and waits. */
export const askOurModel: ProviderCall = async ({ model, system, messages, tools, maxOutput, signal }) => {
  const response = await fetch(`${model.provider.baseUrl}/generate`, {
    method: 'POST',
    body: JSON.stringify({ model: model.id, system, messages, tools, maxOutput }),
    signal,
  });
  // Heddle classifies an error by its status, code and words, like that of any service.
  if (!response.ok) throw Object.assign(new Error(await response.text()), { status: response.status });
  const { text, calls, tokens } = (await response.json()) as Generated;
  return {
    parts: [
      { type: 'text', text },
      ...calls.map(({ name, arguments: given }, index) => ({
        ...{ type: 'call' as const, id: `call-${messages.length}-${index}` },
        ...{ tool: name, input: JSON.stringify(given) },
      })),
    ],
    finish: calls.length > 0 ? 'calls' : 'stop',
    usage: { input: tokens.in, output: tokens.out, cached: 0, reasoning: 0 },
  };
};
