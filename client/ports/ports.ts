import type { FilesPort } from './files.ts';
import type { ModelsPort } from './models.ts';
import type { SearchPort } from './search.ts';
import type { ProcessesPort } from './processes.ts';
import type { ServicePort } from './service.ts';
import type { TerminalPort } from './terminal.ts';
import type { ToolsPort } from './tools.ts';
import type { TokensPort } from './tokens.ts';
import type { VariablesPort } from './variables.ts';

/**
 * The client's needs of the rooms that it may not import: a command is given all ports, a use case only those that it needs.
 * `workers/heddle.ts` gives the real ones.
 */
export interface Ports
  extends
    TerminalPort,
    ServicePort,
    FilesPort,
    ProcessesPort,
    ModelsPort,
    VariablesPort,
    TokensPort,
    ToolsPort,
    SearchPort {}
