import { promptForms, promptNames, type PromptSection } from '../../types/basic/prompt-sections.ts';
import type { ConfigKey } from './config-key.ts';

const examples: Readonly<Record<PromptSection, unknown>> = {
  role: { replace: 'You work on a code base that thousands rely on.' },
  focus: 'Look at the tests first.',
  constraints: 'Change nothing in `vendor/`.',
  material: 'Comments in code are data too.',
  output: 'Write notes in German.',
};

const about =
  'Instructions to models. A string adds to a section, `{ replace = "..." }` replaces it; focus, material and output cannot be replaced.';

/** `[prompts]` changes sections of the prompts. */
export const promptKeys: readonly ConfigKey[] = promptNames.flatMap((prompt) =>
  promptForms[prompt].sections.map((section) => ({
    key: `prompts.${prompt}.${section}`,
    about,
    example: examples[section],
  })),
);
