// Values of variables in texts and streams: every form of them, at every cut, in linear time, and nothing else.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EnvironmentSecrets } from '../../../activities/redact/secrets.ts';
import { activityLimits } from '../../../activities/limits/activity-limits.ts';
import { Redactor } from '../../../activities/redact/redactor.ts';
import { listVariables } from '../../../domain/executors/kinds.ts';
import type { Executor } from '../../../domain/types/subtask.ts';
import { pemKey } from './support.ts';

const url = 'postgres://u:p4ssw0rd@h/db';

function inPieces(redactor: Redactor, bytes: Buffer, sizes: readonly number[]): string {
  const stream = redactor.stream();
  const shown: Buffer[] = [];
  let turn = 0;
  for (let at = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    shown.push(stream.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return Buffer.concat([...shown, stream.end()]).toString();
}

describe('which variables', () => {
  test('whatever its name: eight characters make a secret, seven do not', () => {
    const redactor = new Redactor({ DATABASE_URL: url, GH_PAT: 'ghp_0123', SLACK_WEBHOOK: '1234567' });
    expect(redactor.text(`${url} ghp_0123 1234567`)).toBe('[DATABASE_URL] [GH_PAT] 1234567');
  });

  test('harmless ones stay, by the built-in list or by one that is given', () => {
    const variables = { NODE_ENV: 'production', REGION: 'eu-central-1' };
    expect(new Redactor(variables).text('production eu-central-1')).toBe('production [REGION]');
    expect(new Redactor(variables, ['REGION']).text('production eu-central-1')).toBe('[NODE_ENV] eu-central-1');
  });

  test('those that any of the subtasks names, with or without a question mark; an activity names none', () => {
    const command = (env: string[]): Executor => ({
      ...{ kind: 'command', run: ['x'], prompt: 'stdin', timeout: 1, env, onCrash: 'rerun' },
    });
    const activity: Executor = { kind: 'activity', name: 'a', taskQueue: 'q', timeout: 1 };
    const secrets = new EnvironmentSecrets({ ONE: 'value-one', TWO: 'value-two', OTHER: 'value-other' });
    const redactor = secrets.redactor([command(['ONE', 'ABSENT']), command(['TWO?']), activity].flatMap(listVariables));
    expect(redactor.text('value-one value-two value-other')).toBe('[ONE] [TWO] value-other');
    expect(secrets.redactor(['ONE'], ['ONE']).text('value-one')).toBe('value-one');
  });

  test('of two variables with one value, and of two of which one holds the other, no rest stays', () => {
    const redactor = new Redactor({ A: 'same-value', B: 'same-value', LONG: 'with same-value in it' });
    expect(redactor.text('same-value, with same-value in it')).toBe('[A], [LONG]');
    expect(redactor.text('with same-value in another place')).toBe('with [A] in another place');
  });

  test('secrets that overlap go as one', () => {
    const redactor = new Redactor({ LEFT: 'abcdefghij', RIGHT: 'ghijklmnop' });
    expect(redactor.text('<abcdefghijklmnop>')).toBe('<[LEFT]>');
  });
});

describe('which forms', () => {
  const secret = 'a/b&c "d"<é>+ü p4ss';
  const redactor = new Redactor({ KEY: secret });
  const ascii = JSON.stringify(secret).replace(/[^\x00-\x7f]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);
  test.each([
    ['as it is', secret],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['JSON of PHP', JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
    ['JSON of Python', ascii.slice(1, -1)],
    ['part of a URL', encodeURIComponent(secret)],
    ['part of a URL, small letters', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ['a form', encodeURIComponent(secret).replaceAll('%20', '+')],
    ['HTML', 'a/b&amp;c &quot;d&quot;&lt;é&gt;+ü p4ss'],
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64 for URLs', Buffer.from(secret).toString('base64url')],
  ])('%s', (_, form) => {
    expect(redactor.text(`before ${form} after`)).toBe('before [KEY] after');
  });

  test.each(['', 'u', 'us', 'usr', 'x-access-token:'])(
    'in the base64 of a longer text that begins with "%s"',
    (before) => {
      const shown = new Redactor({ PAT: 'ghp_0123456789abcdef' }).text(
        Buffer.from(`${before}ghp_0123456789abcdef and more`).toString('base64'),
      );
      expect(shown).toContain('[PAT]');
      // The rest of the group that the value shares with its neighbours reveals next to nothing of it.
      const rest = shown.split('[PAT]').map((part) => Buffer.from(part, 'base64').toString('latin1'));
      expect(rest.join(' ')).not.toMatch(/ghp|p_0|_01|cde|def/);
    },
  );

  test('base64 with line breaks, as programs print it', () => {
    const key = pemKey();
    const redactor = new Redactor({ TLS_KEY: key });
    const plain = Buffer.from(key).toString('base64');
    for (const width of [64, 76]) {
      const lines = plain.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
      const shown = redactor.text(lines.join('\n'));
      for (const line of lines.filter(({ length }) => length >= 8)) expect(shown).not.toContain(line);
    }
  });

  test('each line of a key by itself, also indented, quoted and with other line ends', () => {
    const key = pemKey();
    const redactor = new Redactor({ TLS_KEY: `${key}\n` });
    const lines = key.split('\n');
    for (const text of [
      key,
      key.replaceAll('\n', '\r\n'),
      JSON.stringify({ key }),
      lines.map((l) => `  > ${l}`).join('\n'),
    ]) {
      const shown = redactor.text(text);
      for (const line of lines.filter(({ length }) => length >= 8)) expect(shown).not.toContain(line);
    }
    expect(redactor.text(lines[3] ?? '')).toBe('[TLS_KEY]');
    expect(redactor.text(key)).toMatch(/^(\[TLS_KEY\])+$/);
  });

  test.each([
    ['the password of a URL', url, 'password "p4ssw0rd" is wrong', 'password "[V]" is wrong'],
    ['an encoded password of a URL', 'mysql://u:p4ss%40word@h/db', 'p4ss@word p4ss%40word', '[V] [V]'],
    ['a token in the place of the user', 'https://ghp_abcdef01@github.com/x', 'ghp_abcdef01', '[V]'],
    ['a URL of several hosts', 'postgres://u:p4ssw0rd@a:1,b:2/db', 'p4ssw0rd', '[V]'],
    [
      'a webhook by its path',
      'https://hooks.example.org/services/T0/B0/aB3dE5gH7jK9mN1p',
      'POST aB3dE5gH7jK9mN1p',
      'POST [V]',
    ],
    ['a signed URL', 'https://h.example.org/x?sig=abcd%2Fefgh&v=1', 'abcd/efgh', '[V]'],
    ['a connection string', 'host=h user=u password=hunter2hunter2', 'hunter2hunter2', '[V]'],
    ['an account key', 'Name=n;AccountKey=abcd1234efgh==;End=x', 'abcd1234efgh==', '[V]'],
    ['words of a URL that are no secret', url, 'postgres://other/db and h/db', 'postgres://other/db and h/db'],
  ])('%s', (_, value, text, shown) => {
    expect(new Redactor({ V: value }).text(text)).toBe(shown);
  });
});

describe('in streams', () => {
  test('nothing of a secret is out before the whole is known, and nothing else is held back', () => {
    const stream = new Redactor({ DATABASE_URL: url }).stream();
    expect(stream.push(Buffer.from('connecting to postgres://u:p4ss')).toString()).toBe('connecting to ');
    expect(stream.push(Buffer.from('w0rd@h/db failed\n')).toString()).toBe('[DATABASE_URL] failed\n');
    expect(stream.push(Buffer.from(`now ${url}`)).toString()).toBe('now [DATABASE_URL]');
    expect(stream.push(Buffer.from('postgres://u:p4ss is not it\n')).toString()).toBe('postgres://u:p4ss is not it\n');
  });

  test('a secret that the end of the stream cuts off is not shown; a few characters of it are', () => {
    const of = (text: string): string => inPieces(new Redactor({ DATABASE_URL: url }), Buffer.from(text), [3]);
    expect(of('to postgres://u:p4ss')).toBe('to [DATABASE_URL]');
    expect(of('to post')).toBe('to post');
  });

  test('a colour in the middle of a secret does not hide it', () => {
    const text = 'x postgres://u:\u001b[01;31mp4ss\u001b[m\u001b[Kw0rd@h/db y \u001b[1mbold\u001b[0m';
    const shown = 'x [DATABASE_URL] y \u001b[1mbold\u001b[0m';
    expect(new Redactor({ DATABASE_URL: url }).text(text)).toBe(shown);
    for (const size of [1, 2, 7]) {
      expect(inPieces(new Redactor({ DATABASE_URL: url }), Buffer.from(text), [size])).toBe(shown);
    }
  });

  test('bytes that are no text pass as they are', () => {
    const bytes = Buffer.from([0xff, 0x00, 0x1b, 0xfe, 0x1b, 0x5b, 0x80, 0x0a]);
    const stream = new Redactor({ KEY: 'some-secret' }).stream();
    expect(Buffer.concat([stream.push(bytes), stream.end()])).toEqual(bytes);
  });

  /** Few letters, so that secrets begin, break off and overlap all the time. */
  const word = (min: number, max: number) =>
    fc.array(fc.constantFrom('a', 'b', 'é'), { minLength: min, maxLength: max }).map((letters) => letters.join(''));

  test('whatever the cuts, the same is shown, and no secret is in it', () => {
    const given = fc.record({
      secrets: fc.array(word(8, 20), { minLength: 1, maxLength: 4 }),
      around: fc.array(word(0, 15), { minLength: 1, maxLength: 8 }),
      sizes: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6 }),
      pick: fc.array(fc.nat(3), { maxLength: 8 }),
    });
    fc.assert(
      fc.property(given, ({ secrets, around, sizes, pick }) => {
        const redactor = new Redactor(Object.fromEntries(secrets.map((secret, index) => [`V${index}`, secret])));
        const text = `${around.map((part, index) => `${part}${secrets[pick[index] ?? 9] ?? ''}`).join('')}.`;
        const shown = redactor.text(text);
        for (const secret of secrets) expect(shown).not.toContain(secret);
        expect(inPieces(redactor, Buffer.from(text), sizes)).toBe(shown);
        if (!secrets.some((secret) => text.includes(secret))) expect(shown).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});

describe('at any size', () => {
  test('a value above the length of a piece, and one above that of encoded forms, go whole', () => {
    for (const length of [activityLimits.redact.longestPiece + 3, activityLimits.redact.encoded + 5_000]) {
      const value = Array.from({ length }, (_, index) => ((index * index * 31 + index) % 36).toString(36)).join('');
      const shown = inPieces(new Redactor({ BIG: value }), Buffer.from(`a ${value} b`), [100]);
      expect(shown).toMatch(/^a (\[BIG\])+ b$/);
    }
  });

  test('the time grows with the text alone: secrets that nearly match everywhere cost no more', () => {
    const variables = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`V${index}`, `${'a'.repeat(900)}${index}-end`]),
    );
    const redactor = new Redactor(variables);
    const time = (megabytes: number): number => {
      const text = 'a'.repeat(megabytes * 1024 * 1024);
      const begin = performance.now();
      expect(redactor.text(text)).toBe(text);
      return performance.now() - begin;
    };
    time(1);
    expect(time(8)).toBeLessThan(8_000);
  });
});
