/** The facts that an error's body gives. */
export interface ErrorBody {
  /** Codes and types, as the service spells them. */
  names: string[];
  message: string;
  /** Gateways put the status of the service behind them into the body. */
  status?: number;
}

/** Services nest their error: `{error: {...}}`, `{response: {error}}`, a list of one. Deeper than this nobody does. */
const depth = 4;

const longestName = 100;

/** Reads the error of any provider: Anthropic, OpenAI, Google, Ollama, gateways. A body that is no JSON has only words. */
export function readErrorBody(body: string): ErrorBody {
  try {
    return readErrorValue(JSON.parse(body));
  } catch {
    return { names: [], message: /^\s*</.test(body) ? '' : body.trim() };
  }
}

export function readErrorValue(value: unknown): ErrorBody {
  const read: ErrorBody = { names: [], message: '' };
  collect(value, read, 0);
  return read;
}

function collect(value: unknown, read: ErrorBody, level: number): void {
  if (level > depth) return;
  if (typeof value === 'string') {
    read.message ||= value;
    return;
  }
  if (Array.isArray(value)) {
    collect(value[0], read, level + 1);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const fields: Partial<Record<string, unknown>> = Object.fromEntries(Object.entries(value));
  // The innermost names are the most exact: they come first.
  for (const inner of [fields['error'], fields['response']]) collect(inner, read, level + 1);
  for (const name of [fields['code'], fields['type'], fields['status'], fields['reason']]) take(name, read);
  for (const text of [fields['message'], fields['detail'], fields['msg']]) {
    if (typeof text === 'string') read.message ||= text;
    // FastAPI lists what is wrong, each with the input: only the sentence is taken.
    else if (Array.isArray(text)) collect(text[0], read, level + 1);
  }
}

function take(name: unknown, read: ErrorBody): void {
  const status = typeof name === 'string' && /^\d{3}$/.test(name) ? Number(name) : name;
  if (typeof status === 'number' && status >= 400 && status <= 599) read.status ??= status;
  else if (typeof name === 'string' && name !== '' && name.length <= longestName && !read.names.includes(name))
    read.names.push(name);
}
