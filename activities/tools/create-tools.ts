import * as z from 'zod';
import { toolNames, type ToolName } from '../../domain/executors/agent.ts';
import type { ToolSchema } from '../llm/ports/model.ts';
import { deletePath } from './files/delete-path.ts';
import { editFile } from './files/edit-file.ts';
import { findFiles } from './files/find-files.ts';
import { listFolder } from './files/list-folder.ts';
import { askUser, finish, narrate, note, todo } from './loop-tools.ts';
import { movePath } from './files/move-path.ts';
import { readFile } from './files/read-file.ts';
import { runGit } from './shell/run-git.ts';
import { runShell } from './shell/run-shell.ts';
import { searchText } from './files/search-text.ts';
import type { Tool } from './common/tool.ts';
import { writeFile } from './files/write-file.ts';

/** A name without its tool does not compile. */
const tools: Readonly<Record<ToolName, Tool>> = {
  read_file: readFile,
  write_file: writeFile,
  edit_file: editFile,
  delete_path: deletePath,
  move_path: movePath,
  list_folder: listFolder,
  find_files: findFiles,
  search_text: searchText,
  shell: runShell,
  git: runGit,
  ask_user: askUser,
  note,
  narrate,
  todo,
  finish,
};

/** The named tools, in the order in which they are sent. */
export function createTools(names: readonly ToolName[]): Tool[] {
  return toolNames.filter((name) => names.includes(name)).map((name) => tools[name]);
}

/** What a model is told of them, once per request: as short as it can be. */
export function toolSchemas(some: readonly Tool[]): ToolSchema[] {
  return some.map(({ name, description, schema }) => ({ name, description, input: buildInputSchema(schema) }));
}

/** Bounds and unknown keys are checked when a call arrives; a model hardly ever needs to be told. */
const unsaid = [
  'additionalProperties',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
] as const;

function buildInputSchema(schema: z.ZodType): Record<string, unknown> {
  const input = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const key of unsaid) Reflect.deleteProperty(jsonSchema, key);
    },
  });
  Reflect.deleteProperty(input, '$schema');
  return input;
}
