import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type OutgoingHttpHeaders, request } from 'node:http';

export interface Place {
  host: string;
  port: number;
}

interface Question {
  method: string;
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: string;
}

/** The status of an answer. Unlike `fetch` it sends any header to any port. */
export function ask(place: Place, { method, path, headers = {}, body = '' }: Question): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) };
    const asked = request({ ...place, method, path, agent: false, timeout: 5_000, headers: { ...headers, ...length } });
    asked.once('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.once('timeout', () => asked.destroy(new Error('no answer')));
    asked.once('error', reject);
    asked.end(body);
  });
}

/** The body by which Temporal's HTTP API and the Web UI start a workflow. */
export function startOf(workflowId: string): string {
  return JSON.stringify({
    workflowId,
    workflowType: { name: 'task' },
    taskQueue: { name: 'nobody' },
    identity: 'evil',
  });
}

/** All that a process listens on (IPv4), as the kernel says. */
export function listeners(pid: number): Place[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return '';
      }
    }),
  );
  const listening = '0A';
  return readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === listening && sockets.has(`socket:[${fields[9]}]`))
    .map(([, local = '']) => {
      const [address = '', port = ''] = local.split(':');
      const bytes = address.match(/../g) ?? [];
      return {
        host: bytes
          .reverse()
          .map((byte) => parseInt(byte, 16))
          .join('.'),
        port: parseInt(port, 16),
      };
    });
}
