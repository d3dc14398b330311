// A web search by a service's API, as a tool of your own. Set the address and the variable of your service:
//
//   [tools]
//   files = ["tools/web-search.ts"]
//   env = ["SEARCH_URL", "SEARCH_KEY"]
//   network = true
import * as z from 'zod';

const answer = z.object({
  results: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string().default('') })),
});

interface Helpers {
  signal: AbortSignal;
}

export const web_search = {
  description: 'Searches the web. Returns titles, addresses and snippets; read a page before you cite it.',
  input: z.object({ query: z.string().min(1), count: z.int().min(1).max(20).default(5) }),
  mutates: false,
  run: async ({ query, count }: { query: string; count: number }, { signal }: Helpers): Promise<string> => {
    const { SEARCH_URL: base = '', SEARCH_KEY: key = '' } = process.env;
    const url = new URL(base);
    url.searchParams.set('q', query);
    url.searchParams.set('count', String(count));
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` }, redirect: 'error', signal });
    if (!response.ok) throw new Error(`The search service answered ${response.status}.`);
    const { results } = answer.parse(await response.json());
    if (results.length === 0) return 'Nothing was found.';
    return results
      .slice(0, count)
      .map(({ title, url: address, snippet }) => `${title}\n${address}\n${snippet}`)
      .join('\n\n');
  },
};
