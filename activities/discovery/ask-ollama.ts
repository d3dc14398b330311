import { tryParseJson } from '../../domain/util/try-parse-json.ts';
import { request } from 'node:http';
import * as z from 'zod';
import { activityLimits } from '../limits/activity-limits.ts';

/** A model server of this machine, and the model that it offers for agents. */
export interface OllamaServer {
  address: string;
  /** The largest of its models; undefined where it has none that writes text. */
  model?: string;
}

const usualAddress = 'http://127.0.0.1:11434';

const tagsSchema = z.object({
  models: z.array(
    z.object({
      name: z.string().min(1),
      size: z.number().catch(0),
      remote_host: z.string().optional(),
      details: z.object({ family: z.string().catch('') }).catch({ family: '' }),
    }),
  ),
});

/** Asks the Ollama server of this machine for its models. Undefined where none answers in time, or where it would be elsewhere. */
export async function askOllama(host: string | undefined): Promise<OllamaServer | undefined> {
  const address = resolveLoopback(host);
  if (address === undefined) return undefined;
  const answer = tagsSchema.safeParse(tryParseJson(await get(`${address}/api/tags`)));
  if (!answer.success) return undefined;
  const [largest] = answer.data.models.filter(writesText).sort((a, b) => b.size - a.size);
  return { address, ...(largest === undefined ? {} : { model: largest.name }) };
}

/** Models of embeddings write no text, and a model of another machine has a price that nobody here knows. */
const writesText = ({ name, remote_host: remote, details }: z.infer<typeof tagsSchema>['models'][number]): boolean =>
  remote === undefined && !/embed|:cloud$|-cloud$/.test(name) && !/bert/.test(details.family);

/**
 * Returns the address that OLLAMA_HOST means; undefined where that is another machine, which is never asked. A server that listens on
 * every address listens on the loopback address too.
 */
export function resolveLoopback(host = ''): string | undefined {
  const given = host.trim();
  if (given === '') return usualAddress;
  const url = URL.parse(
    /^https?:\/\//.test(given) ? given : `http://${given.startsWith(':') ? '0.0.0.0' : ''}${given}`,
  );
  if (url === null || url.protocol !== 'http:' || url.username !== '' || url.password !== '') return undefined;
  const port = url.port === '' ? (given.startsWith('http://') ? '80' : '11434') : url.port;
  if (['0.0.0.0', '[::]', 'localhost'].includes(url.hostname)) return `http://127.0.0.1:${port}`;
  return /^127(\.\d+){3}$|^\[::1\]$/.test(url.hostname) ? `http://${url.hostname}:${port}` : undefined;
}

/** No redirect is followed and no proxy is used, so that nothing but this machine is asked. */
function get(url: string): Promise<string> {
  const { patience, answerBytes } = activityLimits.discovery;
  return new Promise((resolve) => {
    const none = (): void => resolve('');
    const call = request(url, { agent: false, signal: AbortSignal.timeout(patience) }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
        if (text.length > answerBytes) response.destroy();
      });
      response.on('close', () => resolve(response.statusCode === 200 && response.complete ? text : ''));
      response.on('error', none);
    });
    call.on('error', none);
    call.end();
  });
}
