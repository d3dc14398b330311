import { createInterface } from 'node:readline';
import { startTemplate, configTemplate } from '../../../domain/config/template.ts';
import { codecConfigKeys } from '../../../domain/config/keys/codec-keys.ts';
import { serverKeys } from '../../../domain/config/keys/server-keys.ts';
import { keyProviders, providerNames } from '../../../domain/llm/built-in-models.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Context } from '../shared/context.ts';

/** The service whose models are written as an example where nobody chose one. */
const exampleProvider = keyProviders[0]?.name ?? '';

/** Asks on a terminal which service to use; elsewhere the first that is there is taken, and undefined means that none is. */
export async function chooseProvider({ ports, output }: Context): Promise<string | undefined> {
  const settings = (await ports.findModels())?.settings;
  const [first] = Object.keys(settings?.providers ?? {});
  if (output.json || ports.stdin.isTTY !== true || ports.stdout.isTTY !== true) return first;
  const preset = first ?? exampleProvider;
  const reader = createInterface({ input: ports.stdin, output: ports.stdout });
  try {
    const ask = (): boolean => ports.stdout.write(`Whose models? ${providerNames.join(', ')} [${preset}] `);
    ask();
    for await (const line of reader) {
      const name = line.trim() === '' ? preset : line.trim().toLowerCase();
      if (providerNames.includes(name)) return name;
      ask();
    }
    // The input has ended without a choice.
    return first;
  } finally {
    reader.close();
  }
}

/** Builds the text of a heddle.toml. No setting is in it twice, so that any line can be uncommented. */
export async function buildConfigText(
  ports: Pick<Ports, 'buildSettings'>,
  { provider, all }: { provider: string | undefined; all: boolean },
): Promise<string> {
  const isExample = provider === undefined;
  const settings = (await ports.buildSettings(provider ?? exampleProvider)) ?? { providers: {}, models: {} };
  const start = startTemplate(settings, { isExample });
  if (!all) return start;
  const written = [...start.matchAll(/^#?([\w.-]+) =/gm)].map(([, key = '']) => key);
  // A project cannot set what is about the machine.
  const ofMachine = [...serverKeys, ...codecConfigKeys].map(({ key }) => key);
  return `${start}\n${configTemplate([...written, ...ofMachine])}`;
}

export const describeText = (provider: string | undefined): string =>
  provider === undefined ? 'Its models are an example, commented out.' : `Its models are those of ${provider}.`;
