import { createServer } from 'node:net';
import { HeddleError } from '../../domain/errors/heddle-error.ts';

export interface MetricsAddress {
  host: string;
  port: number;
}

/** `HOST:PORT`, an IPv6 host in brackets. */
export function parseMetricsAddress(text: string): MetricsAddress {
  const match = /^(?:\[([\da-fA-F:.]+)\]|([\d.]+|localhost)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535 || port === 0) {
    throw new HeddleError({
      code: 'CONFIG_WRONG_TYPE',
      message: `${text} is not an address for metrics`,
      where: '--metrics or HEDDLE_METRICS',
      hint: 'Write an IP address and a port, such as 127.0.0.1:9464.',
    });
  }
  const host = match[1] ?? match[2] ?? '';
  return { host: host === 'localhost' ? '127.0.0.1' : host, port };
}

/** Says who is at fault: the exporter itself would only say that it did not start. */
export function checkAddressIsFree({ host, port }: MetricsAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) =>
      reject(
        new HeddleError({
          code: 'METRICS_ADDRESS_TAKEN',
          message: `The metrics cannot be served at ${host}:${port}: ${error.message}`,
          where: '--metrics or HEDDLE_METRICS',
          hint: 'Give each worker on a machine its own address.',
        }),
      ),
    );
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });
}
