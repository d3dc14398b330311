import { toolNames, type BuiltInTool } from '../../domain/executors/agent.ts';
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
import { ToolRegistry } from './common/tool-registry.ts';
import { fetchWeb } from './web/fetch-web.ts';
import { readArtifact } from './web/read-artifact.ts';
import { saveArtifact } from './web/save-artifact.ts';
import { writeFile } from './files/write-file.ts';

/** Tools that every worker has. A name without its tool does not compile, nor does a tool whose name no plan knows. */
const builtInTools: Readonly<Record<BuiltInTool, Tool>> = {
  read_file: readFile,
  write_file: writeFile,
  edit_file: editFile,
  delete_path: deletePath,
  move_path: movePath,
  list_folder: listFolder,
  find_files: findFiles,
  search_text: searchText,
  web_fetch: fetchWeb,
  read_artifact: readArtifact,
  save_artifact: saveArtifact,
  shell: runShell,
  git: runGit,
  ask_user: askUser,
  note,
  narrate,
  todo,
  finish,
};

/** A registry with the built-in tools, in the order in which models are sent them. */
export const createToolRegistry = (): ToolRegistry => new ToolRegistry(toolNames.map((name) => builtInTools[name]));
