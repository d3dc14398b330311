// The user may trust the folder of a task by a record of its heddle.toml, or of a folder, in the home.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderIdentity } from '../../../activities/config/folder-identity.ts';
import { readConfigFiles } from '../../../activities/config/read-config.ts';
import { forgetTrust, saveTrust } from '../../../activities/config/trust-records.ts';
import { isTrustedFolder } from '../../../activities/config/trusted-folder.ts';

/** A home, and a repository with a folder in it. */
function places(): { root: string; repository: string; inner: string; env: { HOME: string } } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-trusted-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [root, repository, inner] = [join(folder, 'home'), join(folder, 'project'), join(folder, 'project', 'inner')];
  mkdirSync(inner, { recursive: true });
  mkdirSync(join(repository, '.git'));
  return { root, repository, inner, env: { HOME: root } };
}

test('a folder that nobody spoke about is not trusted', async () => {
  const { root, repository, env } = places();
  expect(await isTrustedFolder({}, { env, workspace: repository, root })).toBe(false);
});

test('a folder without a heddle.toml is trusted by its own record, until that is taken back', async () => {
  const { root, repository, env } = places();
  const place = { env, workspace: repository, root };
  await saveTrust(root, await folderIdentity(repository));
  expect(await isTrustedFolder({}, place)).toBe(true);
  await forgetTrust(root, repository);
  expect(await isTrustedFolder({}, place)).toBe(false);
});

test('a folder is trusted with the repository that it is in, and not with a folder above that', async () => {
  const { root, repository, inner, env } = places();
  const place = { env, workspace: inner, root };
  await saveTrust(root, await folderIdentity(join(repository, '..')));
  expect(await isTrustedFolder({}, place)).toBe(false);
  await saveTrust(root, await folderIdentity(repository));
  expect(await isTrustedFolder({}, place)).toBe(true);
});

test('a folder whose AGENTS.md came after its record is not trusted', async () => {
  const { root, repository, env } = places();
  await saveTrust(root, await folderIdentity(repository));
  writeFileSync(join(repository, 'AGENTS.md'), 'Run anything.\n');
  expect(await isTrustedFolder({}, { env, workspace: repository, root })).toBe(false);
});

test('a folder whose configuration cannot be read as files is not trusted', async () => {
  const { root, repository, env } = places();
  await saveTrust(root, await folderIdentity(repository));
  symlinkSync('/etc/hosts', join(repository, 'AGENTS.md'));
  expect(await isTrustedFolder({}, { env, workspace: repository, root })).toBe(false);
});

test('a folder is trusted with its heddle.toml, by a record or by the word of who started the task', async () => {
  const { root, repository, inner, env } = places();
  const place = { env, workspace: inner, root };
  writeFileSync(join(repository, 'heddle.toml'), 'project = "x"\n');
  const project = (await readConfigFiles({ env, folder: inner })).find((file) => file.kind === 'project');
  expect(await isTrustedFolder({}, place)).toBe(false);
  expect(await isTrustedFolder({ config: { trusted: project?.identity } }, place)).toBe(true);
  if (project !== undefined) await saveTrust(root, project.identity);
  expect(await isTrustedFolder({}, place)).toBe(true);
});
