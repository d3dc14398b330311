import type { FrozenConfig } from '../config/layers.ts';
import { HeddleError } from '../errors/heddle-error.ts';
import { quoteName } from '../input/problem.ts';
import type { Config } from '../schema/config-schema.ts';
import { nearest } from '../text/nearest.ts';
import type { Model, ModelRole } from '../types/llm.ts';
import {
  promptNames,
  type PromptChanges,
  type SectionChange,
  type SectionChanges,
} from '../types/basic/prompt-sections.ts';
import type { FilledProcess } from '../types/process.ts';

/** The config of a task as its process changes it. Its models stay: they may not be found yet. */
export function configUnderProcess<C extends FrozenConfig>(config: C, process: FilledProcess): C {
  const { values } = config;
  const roles = mergeRoles(values.roles, process.roles);
  const prompts = mergePrompts(values.prompts, process.prompts);
  return {
    ...config,
    values: {
      ...values,
      ...(Object.keys(roles).length === 0 ? {} : { roles }),
      ...(Object.keys(prompts).length === 0 ? {} : { prompts }),
    },
    process,
  };
}

type Roles = NonNullable<Config['roles']>;

/** The process's word comes first. Both personas are told, the process's before the config's. */
function mergeRoles(ofConfig: Roles = {}, ofProcess: Roles): Roles {
  const merged = Object.entries(ofProcess).map(([name, role]) => {
    const below = Object.hasOwn(ofConfig, name) ? ofConfig[name] : undefined;
    const personas = [role.persona, below?.persona].filter((text) => text !== undefined);
    const persona = personas.length === 0 ? {} : { persona: personas.join('\n\n') };
    return [name, { ...below, ...role, ...persona }] as const;
  });
  return { ...ofConfig, ...Object.fromEntries(merged) };
}

/** The process adds its words after the config's. */
function mergePrompts(ofConfig: PromptChanges = {}, ofProcess: PromptChanges): PromptChanges {
  const merged: PromptChanges = { ...ofConfig };
  for (const name of promptNames) {
    const added = ofProcess[name];
    if (added !== undefined) merged[name] = mergeSections(ofConfig[name], added);
  }
  return merged;
}

function mergeSections(below: SectionChanges = {}, added: SectionChanges): SectionChanges {
  const entries = Object.entries(added).map(([section, change]) => {
    const before: SectionChange | undefined = Object.entries(below).find(([name]) => name === section)?.[1];
    return [section, joinChanges(before, change)] as const;
  });
  return { ...below, ...Object.fromEntries(entries) };
}

function joinChanges(before: SectionChange | undefined, added: SectionChange): SectionChange {
  const text = typeof added === 'string' ? added : added.replace;
  if (before === undefined) return text;
  return typeof before === 'string' ? `${before}\n${text}` : { replace: `${before.replace}\n${text}` };
}

const namedRoles = ['planner', 'verifier', 'extractor', 'compactor'] as const satisfies readonly ModelRole[];

/** A model that the process names for a role is the only one that serves it. Throws where it names a model that is not there. */
export function routeModels(models: readonly Model[], { name: process, models: named }: FilledProcess): Model[] {
  let routed = [...models];
  for (const role of namedRoles) {
    const name = named[role];
    if (name !== undefined) routed = routeTo(routed, { role, name, process });
  }
  return routed;
}

function routeTo(
  models: readonly Model[],
  { role, name, process }: { role: ModelRole; name: string; process: string },
): Model[] {
  const chosen = models.find((model) => model.name === name);
  if (chosen?.roles.includes(role) !== true) {
    const names = models.map((model) => model.name);
    const near = nearest(name, names);
    throw new HeddleError({
      code: 'MODEL_NOT_FOUND',
      message: `The process ${process} names the model ${quoteName(name)} for the role \`${role}\`, and ${chosen === undefined ? 'there is none of that name' : 'it does not serve that role'}.`,
      where: `process ${process}, models.${role}`,
      hint:
        near === undefined || chosen !== undefined ? `Models: ${names.join(', ') || 'none'}.` : `Write \`${near}\`.`,
    });
  }
  return models.map((model) =>
    model === chosen ? model : { ...model, roles: model.roles.filter((each) => each !== role) },
  );
}
