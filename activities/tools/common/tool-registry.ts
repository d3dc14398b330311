import * as z from 'zod';
import { nearest } from '../../../domain/text/nearest.ts';
import { formatList } from '../../../domain/text/text.ts';
import type { ToolSchema } from '../../llm/ports/model.ts';
import { mostNamed, readArguments, type Arguments } from './read-arguments.ts';
import type { Tool } from './tool.ts';

/**
 * The tools that a worker has, by name. It may grow while tasks run: the frame of a conversation has the names that its model may call,
 * and each call looks its tool up here.
 */
export class ToolRegistry {
  readonly #tools = new Map<string, Tool>();

  constructor(tools: Iterable<Tool>) {
    for (const tool of tools) this.add(tool);
  }

  /** Adds a tool. A name never changes its meaning, since conversations refer to tools by name. */
  add(tool: Tool): void {
    if (this.#tools.has(tool.name)) throw new Error(`there is a tool "${tool.name}" already`);
    this.#tools.set(tool.name, tool);
  }

  /** The same tools, and others that one conversation alone has. */
  with(tools: Iterable<Tool>): ToolRegistry {
    return new ToolRegistry([...this.#tools.values(), ...tools]);
  }

  /** The tool of a call, or a text for the model that lists the tools that it has. */
  find(name: string, names: readonly string[]): Tool | string {
    const available = names.filter((each) => this.#tools.has(each));
    const tool = available.includes(name) ? this.#tools.get(name) : undefined;
    if (tool !== undefined) return tool;
    const nearestName = nearest(name, available);
    const hint = nearestName === undefined ? '' : ` Did you mean ${nearestName}?`;
    return `There is no tool of that name.${hint} You have ${formatList(available, mostNamed)}.`;
  }

  /** Schemas of the named tools as a model is sent them, once per request, in the order of the registry: as short as they can be. */
  schemas(names: readonly string[]): ToolSchema[] {
    return [...this.#tools.values()]
      .filter((tool) => names.includes(tool.name))
      .map(({ name, description, schema }) => ({ name, description, input: buildInputSchema(schema) }));
  }

  /** Reads the arguments that a model wrote. They are never repaired for a tool that changes something. */
  read(tool: Tool, input: string): Arguments<unknown> {
    return readArguments(tool, input);
  }
}

/** Bounds and unknown keys are checked when a call arrives; a model hardly ever needs to know them. */
const omittedKeys = [
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
      for (const key of omittedKeys) Reflect.deleteProperty(jsonSchema, key);
    },
  });
  Reflect.deleteProperty(input, '$schema');
  return input;
}
