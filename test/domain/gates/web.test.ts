// Rules about hosts of the web: deny, then ask, then allow, and everything else is refused.
import { describe, expect, test } from 'vitest';
import { assessWeb, opensWeb } from '../../../domain/gates/assess-web.ts';
import { readHost } from '../../../domain/gates/host-pattern.ts';
import { offerTools } from '../../../domain/gates/offer-tools.ts';
import { toolNames } from '../../../domain/executors/agent.ts';
import type { GateRules } from '../../../domain/types/basic/gate.ts';

const rules = (given: Partial<GateRules>): GateRules => ({ allow: [], ask: [], deny: [], ...given });
const kindOf = (host: string, given: Partial<GateRules>, allowed: string[] = []): string =>
  assessWeb(readHost(host) ?? '', { rules: rules(given), allowed }).kind;

describe('a host of the web', () => {
  test.each<[host: string, given: Partial<GateRules>, kind: string]>([
    ['a.example', {}, 'deny'],
    ['a.example', { allow: ['web:a.example'] }, 'allow'],
    ['A.Example.', { allow: ['web:a.example'] }, 'allow'],
    ['a.example', { allow: ['web:A.EXAMPLE.'] }, 'allow'],
    ['b.a.example', { allow: ['web:a.example'] }, 'deny'],
    ['b.a.example', { allow: ['web:*.a.example'] }, 'allow'],
    ['c.b.a.example', { allow: ['web:*.a.example'] }, 'allow'],
    ['a.example', { allow: ['web:*.a.example'] }, 'deny'],
    ['ba.example', { allow: ['web:*.a.example'] }, 'deny'],
    ['a.example.evil.test', { allow: ['web:a.example', 'web:*.a.example'] }, 'deny'],
    ['93.184.216.34', { allow: ['web:*'] }, 'allow'],
    ['0x7f.1', { allow: ['web:127.0.0.1'] }, 'allow'],
    ['[0:0::1]', { allow: ['web:[::1]'] }, 'allow'],
    ['bücher.example', { allow: ['web:xn--bcher-kva.example'] }, 'allow'],
    ['xn--bcher-kva.example', { allow: ['web:Bücher.example'] }, 'allow'],
    ['a.example', { ask: ['web:*'], allow: ['web:a.example'] }, 'ask'],
    ['a.example', { deny: ['web:*.example'], ask: ['web:*'], allow: ['web:*'] }, 'deny'],
    ['a.example', { allow: ['shell:curl a.example', 'write:a.example'] }, 'deny'],
  ])('%s under %j: %s', (host, given, kind) => {
    expect(kindOf(host, given)).toBe(kind);
  });

  test('is asked about with a signature that covers this host alone', () => {
    expect(assessWeb('a.example', { rules: rules({ ask: ['web:*'] }), allowed: [] })).toEqual({
      kind: 'ask',
      danger: 'web',
      why: 'It reads a page of `a.example`, and a rule of the config asks about that: `web:*`.',
      signature: 'gate:web:a.example',
    });
    expect(kindOf('a.example', { ask: ['web:*'] }, ['gate:web:a.example'])).toBe('allow');
    expect(kindOf('b.example', { ask: ['web:*'] }, ['gate:web:a.example'])).toBe('ask');
    expect(kindOf('a.example', { deny: ['web:*'], ask: ['web:*'] }, ['gate:web:a.example'])).toBe('deny');
  });
});

test('the web is open where a rule allows or asks about a host', () => {
  expect([{ allow: ['web:a.example'] }, { ask: ['web:*'] }].map((given) => opensWeb(rules(given)))).toEqual([
    true,
    true,
  ]);
  expect([{}, { deny: ['web:*'] }, { allow: ['shell:web'] }].map((given) => opensWeb(rules(given)))).toEqual([
    ...[false, false, false],
  ]);
});

test('tools of the web are offered only where it is open', () => {
  const names = [...toolNames];
  expect(names.filter((name) => !offerTools(names, rules({})).includes(name))).toEqual([
    ...['web_fetch', 'read_artifact', 'save_artifact'],
  ]);
  expect(offerTools(names, rules({ ask: ['web:*'] }))).toEqual(names);
});
