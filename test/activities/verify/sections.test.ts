import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findMissingSections } from '../../../activities/verify/checks/find-missing-sections.ts';
import { activityLimits } from '../../../activities/limits/activity-limits.ts';
import { codesOf, VerifyRig } from './rig.ts';

// Required sections: which lines count as a heading of that name, and where they are looked for.

describe('a section is found as', () => {
  test.each([
    ['an ATX heading', '# Changes'],
    ['a deeper one', 'text\n\n###### Changes\n'],
    ['one with closing marks', '## Changes ##'],
    ['another case', '## CHANGES'],
    ['with trailing punctuation', '## Changes:'],
    ['in bold', '## **Changes**'],
    ['as a bold line', '**Changes:**'],
    ['as code', '## `Changes`'],
    ['as a link', '## [Changes](#changes)'],
    ['with an anchor', '## <a id="x"></a>Changes'],
    ['as HTML', '  <h2 class="a">Changes</h2>'],
    ['numbered', '## 2. Changes'],
    ['numbered deeper', '### 1.2) Changes'],
    ['setext', 'Changes\n======='],
    ['setext of level two', 'Changes\r\n-------\r\n'],
    ['the literal line', 'before\nChanges\nafter'],
    ['AsciiDoc', '== Changes'],
    ['inside a fenced document', '```markdown\n## Changes\n```'],
    ['inside a fence without a language', '```\n## Changes\n```'],
    ['after a block of code', '```sh\nls\n```\n## Changes'],
    ['after a block with a longer end', '```sh\nls\n`````\n## Changes'],
  ])('%s', (_, text) => {
    expect(findMissingSections(['Changes'], [text])).toEqual([]);
  });

  test('several texts together, and names of any kind', () => {
    const names = ['Changes', '## Upgrade', 'Änderungen & Ü', 'C++', 'C#', '变更', '***', 'What is new?'];
    const texts = ['# changes\n# upgrade\n# Änderungen & ü', '# C++\n## C#\n# 变更：\n***\n### what is new'];
    expect(findMissingSections(names, texts)).toEqual([]);
  });
});

describe('a section is missing where there is', () => {
  test.each([
    ['nothing', ''],
    ['a sentence with the word', 'The Changes are many.'],
    ['a longer heading', '## Changes and more'],
    ['a part of the name', '## Change'],
    ['a comment in a shell script', '```sh\n# Changes\n```'],
    ['a seventh level', '####### Changes'],
    ['a year that looks like a number', '## 2024 Changes'],
  ])('only %s', (_, text) => {
    expect(findMissingSections(['Changes'], [text])).toEqual(['Changes']);
  });

  test('another language of the same spirit', () => {
    expect(findMissingSections(['C++', 'C#', 'C'], ['# C'])).toEqual(['C++', 'C#']);
  });
});

describe('whatever the text', () => {
  test('nothing throws, and a heading that is there is found', () => {
    const name = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(fc.array(name, { maxLength: 5 }), fc.array(fc.string({ unit: 'binary' })), (names, texts) => {
        const missing = findMissingSections(names, texts);
        expect(missing.every((one) => names.includes(one))).toBe(true);
      }),
    );
    const words = fc.stringMatching(/^[A-Za-z][A-Za-z ]{0,20}[A-Za-z]$/);
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 6 }), fc.array(words), (title, level, prose) => {
        const text = `${prose.map((line) => `. ${line}`).join('\n')}\n${'#'.repeat(level)} ${title}\n`;
        expect(findMissingSections([title], [text])).toEqual([]);
      }),
    );
  });

  test.each(['<', '[', '*', '#', ' ', '`', '[]('])('megabytes of %j take no time', (unit) => {
    const start = performance.now();
    findMissingSections(['Changes'], [unit.repeat(2_000_000 / unit.length), `${unit.repeat(100)}\n`.repeat(20_000)]);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

describe('the check', () => {
  let rig: VerifyRig;
  beforeEach(async () => {
    rig = await VerifyRig.make();
  });
  afterEach(() => rig.remove());

  test('names all missing sections in one issue', async () => {
    await rig.write({ 'NOTES.md': '# Changes\n' });
    const verdict = await rig.verify({
      deliverables: ['NOTES.md'],
      requiredSections: ['Changes', 'Upgrade', 'Thanks'],
    });
    expect(verdict.issues).toEqual([
      {
        code: 'missing-sections',
        severity: 'hard',
        message:
          'Required sections are missing in NOTES.md: write a heading of exactly that name for Upgrade and Thanks.',
        details: 'Upgrade\nThanks',
      },
    ]);
  });

  test('looks into all text deliverables and the files of folders', async () => {
    await rig.write({ 'a.md': '# Changes\n', 'docs/b.md': 'Upgrade\n---\n', 'c.png': Buffer.from([0, 1]) });
    const asked = { deliverables: ['a.md', 'docs', 'c.png'], requiredSections: ['Changes', 'Upgrade'] };
    expect((await rig.verify({ ...asked, stdout: '' })).outcome).toBe('pass');
  });

  test('looks at stdout only where there is no text deliverable', async () => {
    await rig.write({ 'a.md': 'text\n', 'c.png': Buffer.from([0, 1]) });
    const asked = { stdout: '# Changes\n', requiredSections: ['Changes'] };
    expect((await rig.verify(asked)).outcome).toBe('pass');
    expect((await rig.verify({ ...asked, deliverables: ['c.png'] })).outcome).toBe('pass');
    expect(codesOf(await rig.verify({ ...asked, deliverables: ['a.md'] }))).toEqual(['hard missing-sections']);
  });

  test('a text that is too large to be read is a warning', async () => {
    await rig.write({ 'large.md': 'x'.repeat(activityLimits.maxCheckedBytes + 1) });
    const verdict = await rig.verify({ deliverables: ['large.md'], requiredSections: ['Changes'] });
    expect(codesOf(verdict)).toEqual(['advisory missing-sections']);
  });
});
