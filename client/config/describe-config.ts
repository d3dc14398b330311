import { isUntrusted } from '../../domain/config/trust.ts';
import type { ConfigFile } from '../../domain/config/layer.ts';
import type { ShownConfig } from './show-folder-config.ts';

/** The config of a folder as JSON. Values that look like secrets are hidden in it. */
export const describeConfig = ({ files, values }: Pick<ShownConfig, 'files' | 'values'>) => ({
  files: files.map(describeFile),
  values: values.map(({ key, value, origin, untrusted }) => ({
    ...{ key, value, ...origin },
    ...(untrusted === undefined ? {} : { trusted: false as const }),
  })),
});

const describeFile = (file: ConfigFile) => ({
  ...{ kind: file.kind, path: file.path, found: file.layer !== undefined },
  ...(file.kind === 'project' && file.sensitive.length > 0 ? { trusted: !isUntrusted(file) } : {}),
});
