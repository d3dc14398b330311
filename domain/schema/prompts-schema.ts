import * as z from 'zod';
import { fixedSections, promptForms, promptNames } from '../types/basic/prompt-sections.ts';
import type {
  PromptChanges,
  PromptName,
  PromptSection,
  SectionChange,
  SectionChanges,
} from '../types/basic/prompt-sections.ts';
import { planLimits } from '../input/limits.ts';
import { map, addRefusal, formatChoice, text } from '../input/values.ts';

/* `[prompts]` of the config: the user's additions to prompts, and replacements. */

const sectionText = text().max(planLimits.promptSection, {
  error: `a string of at most ${planLimits.promptSection} characters`,
});

const replacement = map({ replace: sectionText }, 'a map such as `{ replace: ... }`');

/** A string is added to the built-in section. */
const section = (prompt: PromptName, name: PromptSection): z.ZodType<SectionChange> =>
  z.union([sectionText, replacement], { error: 'a string, or a map such as `{ replace: ... }`' }).check((context) => {
    const why = fixedSections[name];
    if (why === undefined || typeof context.value === 'string') return;
    addRefusal(context, context.value, {
      code: 'CONFIG_PROMPT_FIXED',
      message: `\`prompts.${prompt}.${name}\` cannot be replaced: ${why}.`,
      hint: `Add to it: \`prompts.${prompt}.${name} = "..."\`.`,
    });
  });

const sections = (prompt: PromptName): z.ZodType<SectionChanges> => {
  const names = promptForms[prompt].sections;
  const shape = Object.fromEntries(names.map((name) => [name, section(prompt, name).exactOptional()]));
  return map(shape, `a table with ${formatChoice(names)}`);
};

export const promptsSchema: z.ZodType<PromptChanges> = map(
  Object.fromEntries(promptNames.map((name) => [name, sections(name).exactOptional()])),
  `a table with ${formatChoice(promptNames)}`,
);
