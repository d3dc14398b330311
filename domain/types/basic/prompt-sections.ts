/** Parts of a prompt, in the order in which a model reads them. The task itself is the first message after them. */
const order = ['role', 'focus', 'constraints', 'material', 'output'] as const;

export type PromptSection = (typeof order)[number];

interface PromptForm {
  sections: readonly PromptSection[];
  /** Names that Heddle fills in: `{{name}}` in the file. */
  values: readonly string[];
}

const usual = ['role', 'constraints', 'material', 'output'] as const satisfies readonly PromptSection[];

/** Every prompt: what its file in `activities/prompts/templates/` is made of. */
export const promptForms = {
  planner: { sections: usual, values: ['subtasks', 'tools'] },
  replanner: { sections: usual, values: ['subtasks'] },
  diagnosis: { sections: usual, values: [] },
  escalation: { sections: usual, values: [] },
  executor: { sections: usual, values: [] },
  judge: { sections: order, values: ['lens'] },
  extractor: { sections: usual, values: [] },
  compactor: { sections: usual, values: [] },
} as const satisfies Record<string, PromptForm>;

export type PromptName = keyof typeof promptForms;

export const promptNames = Object.keys(promptForms) as PromptName[];

/** Values that a prompt is filled with. */
export type PromptValues<Name extends PromptName> = Readonly<
  Record<(typeof promptForms)[Name]['values'][number], string>
>;

/** Sections that a user may add to and not replace, and why. */
export const fixedSections: Readonly<Partial<Record<PromptSection, string>>> = {
  focus: 'each judge needs a focus of its own',
  material: 'it keeps models from obeying texts in files and results',
  output: 'Heddle reads replies in this form',
};

/** A config's change of a section: more words, or others in the place of ours. */
export type SectionChange = string | { replace: string };

export type SectionChanges = { [Section in PromptSection]?: SectionChange };

/** All that a config says about prompts. */
export type PromptChanges = { [Name in PromptName]?: SectionChanges };
