/** A host of a `web:` rule: `docs.python.org`, `*.wikipedia.org` for all hosts below it, or `*`. */
interface HostPattern {
  exact: boolean;
  fits: (host: string) => boolean;
}

const below = /^\*\./;

/** The problem of a pattern of hosts, as the end of a sentence about its rule. */
export function hostProblem(pattern: string): string | undefined {
  if (pattern === '*') return undefined;
  if (/\/|^\w+:\/\//.test(pattern))
    return 'has more than a host: a rule is about a host, such as `web:docs.python.org`';
  if (pattern.replace(below, '').includes('*'))
    return 'has a star inside: it is a host, or `*.` and a host for all that are below it, or `*` for every host';
  const name = readHost(pattern.replace(below, 'a.'));
  if (name !== undefined && pattern !== '*.') return undefined;
  const isPort = /:\d+$/.test(pattern) && readHost(pattern.replace(/:\d+$/, '').replace(below, 'a.')) !== undefined;
  return isPort ? 'has a port: it is about a host, whatever the port' : 'names no host';
}

/** The pattern of a rule without a problem. */
export function readHostPattern(pattern: string): HostPattern {
  if (pattern === '*') return { exact: false, fits: () => true };
  if (!below.test(pattern)) {
    const name = readHost(pattern);
    return { exact: true, fits: (host) => host === name };
  }
  const name = readHost(pattern.replace(below, ''));
  const end = `.${name ?? ''}`;
  return { exact: false, fits: (host) => name !== undefined && host.endsWith(end) };
}

/** A host in the form in which rules are compared: as URL reads it, without a dot at its end. Undefined where it is no host. */
export function readHost(text: string): string | undefined {
  if (/[@/?#\\\s]/.test(text)) return undefined;
  const url = URL.parse(`http://${text}/`);
  // URL drops the default port, so the text is looked at too.
  if (url === null || url.port !== '' || /^(?:\[.*\]|[^[\]:]*):\d*$/.test(text)) return undefined;
  const host = url.hostname.replace(/\.$/, '');
  // URL takes other signs too, such as a star, but no name server knows a host with one.
  return /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(host) ? host : undefined;
}

/** `wiki.corp:443` as connections are compared with it; undefined where it has no host, no port, or more than both. */
export function readInternalHost(text: string): string | undefined {
  const [, name, port] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  const host = name === undefined ? undefined : readHost(name);
  return host === undefined || Number(port) < 1 || Number(port) > 65_535 ? undefined : `${host}:${Number(port)}`;
}
