import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

import { openWeb, type Handler } from './web-rig.ts';

const page: Handler = (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('hello');

describe('a fetch', () => {
  test('brings a page into a file', async () => {
    const web = await openWeb(page);
    expect(await web.fetch('http://a.example/x#part')).toEqual({
      ...{ kind: 'page', url: 'http://a.example/x', status: 200, type: 'text/plain', bytes: 5 },
    });
    expect(readFileSync(web.options.path, 'utf8')).toBe('hello');
    expect(web.requests).toEqual(['a.example/x']);
  });

  test('sends neither cookies nor what the environment names, and asks for Markdown first', async () => {
    let headers: unknown;
    const web = await openWeb((request, response) => {
      headers = request.headers;
      response.writeHead(200, { 'set-cookie': 'a=1' }).end();
    });
    await web.fetch('http://a.example/');
    await web.fetch('http://a.example/');
    expect(headers).toMatchObject({ accept: 'text/markdown, text/html, */*;q=0.5', 'user-agent': 'heddle' });
    expect(headers).not.toHaveProperty('cookie');
  });

  test.each([
    ['ftp://a.example/', 'Only http and https are fetched, not ftp:'],
    ['file:///etc/passwd', 'Only http and https are fetched, not file:'],
    ['http://user:pass@a.example/', 'An address with a user name or a password is not fetched.'],
    ['http://a.example:22/', 'Port 22 is not fetched: only 80, 443 and those from 1024 on are.'],
    ['docs', 'It is not an address: write it whole, such as https://docs.python.org/3/.'],
    [`http://a.example/${'x'.repeat(5_000)}`, 'The address cannot be used.'],
  ])('of %.40s is refused by its text', async (url, problem) => {
    const web = await openWeb(page);
    expect(await web.fetch(url)).toBe(problem);
    expect(web.dialled).toEqual([]);
  });

  test('of a private address is refused', async () => {
    const web = await openWeb(page);
    expect(await web.fetch('http://127.0.0.1:8080/')).toEqual({
      ...{ kind: 'failed', text: '127.0.0.1 is not a public address.', refused: true },
    });
    expect(web.requests).toEqual([]);
  });
});

describe('a redirect', () => {
  const hops: Handler = (request, response) => {
    const to = new URL(request.url ?? '', 'http://x').searchParams.get('to');
    if (to === null) response.end('here');
    else response.writeHead(302, { location: to }).end('moved');
  };
  const via = (to: string): string => `http://a.example/?to=${encodeURIComponent(to)}`;

  test('is followed to a host that the rules let through', async () => {
    const web = await openWeb(hops);
    expect(await web.fetch(via('http://b.example/y'))).toMatchObject({ kind: 'page', url: 'http://b.example/y' });
    expect(web.dialled).toEqual(['93.184.216.34', '93.184.216.35']);
  });

  test('to another host is told and not followed where the rules do not let it through', async () => {
    const web = await openWeb(hops);
    const mayFollow = (host: string): boolean => host === 'a.example';
    const elsewhere = { kind: 'elsewhere', to: 'http://b.example/y', why: '' };
    expect(await web.fetch(via('http://b.example/y'), { mayFollow })).toEqual(elsewhere);
    expect(await web.fetch(via('//b.example/y'), { mayFollow })).toEqual(elsewhere);
    expect(web.dialled).toEqual(['93.184.216.34', '93.184.216.34']);
  });

  test.each([
    'http://127.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost:8080/',
    'http://[::ffff:127.0.0.1]/',
    'http://2130706433/',
    '//0x7f.1/',
    'http://10.example/',
  ])('to %s dials nothing', async (to) => {
    const web = await openWeb(hops, { '10.example': [['10.0.0.1']] });
    expect(await web.fetch(via(to))).toMatchObject({ kind: 'failed', refused: true });
    expect(web.dialled).toEqual(['93.184.216.34']);
  });

  test.each(['file:///etc/passwd', 'ftp://a.example/', 'http://u:p@a.example/', 'http://a.example:22/', 'data:,x'])(
    'to %s is told and not followed',
    async (to) => {
      const web = await openWeb(hops);
      expect(await web.fetch(via(to))).toMatchObject({ kind: 'elsewhere', to });
      expect(web.requests.length).toBe(1);
    },
  );

  test('loop ends after five hops', async () => {
    const web = await openWeb((_, response) => response.writeHead(302, { location: '/again' }).end());
    expect(await web.fetch('http://a.example/')).toMatchObject({ text: 'It leads on and on: more than 5 redirects.' });
    expect(web.requests.length).toBe(6);
  });
});

describe('a name that leads elsewhere the second time', () => {
  test('is refused at the second connection', async () => {
    const rebinding = { 'c.example': [['93.184.216.34'], ['127.0.0.1']] };
    const web = await openWeb((_, response) => {
      response.writeHead(302, { location: 'http://c.example/', connection: 'close' }).end();
    }, rebinding);
    expect(await web.fetch('http://c.example/')).toMatchObject({ kind: 'failed', refused: true });
    expect(web.dialled).toEqual(['93.184.216.34']);
  });
});

describe('a fetch tries again', () => {
  const failing = (times: number, answer: Handler) => {
    let left = times;
    return openWeb((request, response) => {
      left -= 1;
      if (left >= 0) answer(request, response);
      else page(request, response);
    });
  };

  test('after trouble that may pass, three times in all', async () => {
    const answers = [429, 502, 503, 504].map(
      (status): Handler =>
        (_, response) =>
          response.writeHead(status, { 'retry-after': '0' }).end('busy'),
    );
    const cut: Handler = (_, response) => response.destroy();
    const short: Handler = (_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('x', () => response.destroy());
    };
    const passing = await Promise.all([...answers, cut].map((answer) => failing(1, answer)));
    const lasting = await Promise.all([...answers, cut, short].map((answer) => failing(5, answer)));
    const ends = await Promise.all(passing.map((web) => web.fetch('http://a.example/')));
    const trouble = await Promise.all(lasting.map((web) => web.fetch('http://a.example/')));
    expect(ends).toMatchObject(ends.map(() => ({ kind: 'page', status: 200 })));
    expect(trouble).toMatchObject([
      ...[429, 502, 503, 504].map((status) => ({ kind: 'page', status, bytes: 4 })),
      { kind: 'failed', text: 'It ended the connection before the page was whole.' },
      { kind: 'failed', text: 'It ended the connection before the page was whole.' },
    ]);
    expect([...passing, ...lasting].map(({ requests }) => requests.length)).toEqual([
      ...passing.map(() => 2),
      ...lasting.map(() => 3),
    ]);
  });

  test('not where the server asks for more than 5 seconds, nor after any other status', async () => {
    const later = await failing(5, (_, response) => response.writeHead(503, { 'retry-after': '6' }).end());
    const broken = await failing(5, (_, response) => response.writeHead(500).end());
    expect([await later.fetch('http://a.example/'), await broken.fetch('http://a.example/')]).toMatchObject([
      { status: 503 },
      { status: 500 },
    ]);
    expect([later.requests.length, broken.requests.length]).toEqual([1, 1]);
  });

  test('not when its attempt is stopped', async () => {
    const stop = new AbortController();
    const web = await openWeb(() => stop.abort(new Error('stopped')));
    await expect(web.fetch('http://a.example/', { signal: stop.signal })).rejects.toThrow('stopped');
    expect(web.requests.length).toBe(1);
  });
});

describe('a hostile server', () => {
  const mb = 1024 * 1024;

  test('cannot announce or send more than 64 MB', async () => {
    const announced = await openWeb((_, response) => response.writeHead(200, { 'content-length': 1e12 }).write('x'));
    const piece = Buffer.alloc(mb, 'x');
    const endless = await openWeb((_, response) => {
      const write = (): void => void (response.destroyed || (response.write(piece) ? setImmediate(write) : 0));
      response.on('drain', write);
      write();
    });
    const text = 'It is longer than 64 MB.';
    expect(await announced.fetch('http://a.example/')).toMatchObject({ kind: 'failed', text });
    expect(await endless.fetch('http://a.example/')).toMatchObject({ kind: 'failed', text });
  });

  test('cannot unpack more than 64 MB', async () => {
    const bomb = gzipSync(Buffer.alloc(300 * mb));
    const web = await openWeb((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    const before = process.memoryUsage().rss;
    const started = performance.now();
    expect(await web.fetch('http://a.example/')).toMatchObject({ text: 'It is longer than 64 MB.' });
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * mb);
  });

  test('cannot lie about the coding, nor send long headers', async () => {
    const coded = await openWeb((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not'));
    const coats = await openWeb((_, response) =>
      response.writeHead(200, { 'content-encoding': Array(20).fill('gzip').join(', ') }).end('x'),
    );
    const headed = await openWeb((_, response) => response.writeHead(200, { x: 'y'.repeat(20_000) }).end());
    const ends = await Promise.all([coded, coats, headed].map(async (web) => web.fetch('http://a.example/')));
    expect(ends.map((end) => (typeof end === 'object' ? end.kind : end))).toEqual(Array(3).fill('failed'));
    expect(ends[2]).toMatchObject({ text: 'The headers of its reply are too long.' });
  });
});
