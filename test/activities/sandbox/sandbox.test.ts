// A command in the sandbox sees, reaches and changes little: everything that is tried here is tried by a real program.
import { createServer } from 'node:net';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bubblewrap, makeCommandRig } from './support.ts';

describe.skipIf(bubblewrap === undefined)('in the sandbox', () => {
  test('a command runs in the workspace, and its exit is an answer', async () => {
    const { runText, workspace } = await makeCommandRig(bubblewrap);
    expect(await runText('pwd; echo err >&2; exit 3')).toEqual({ exit: 3, text: `${workspace}\nerr\n` });
    expect(await runText('echo made > made; cat made')).toEqual({ exit: 0, text: 'made\n' });
    expect(readFileSync(join(workspace, 'made'), 'utf8')).toBe('made\n');
    expect(await runText('kill -SEGV $$')).toEqual({ exit: 139, text: '' });
  });

  test('it has a small environment of its own', async () => {
    const { runText, mark } = await makeCommandRig(bubblewrap);
    const { text } = await runText('env | sort | cut -d= -f1 | tr "\\n" " "; echo; echo $HOME $TERM; id -un; hostname');
    expect(text).toMatch(
      /^GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0 HOME LANG PATH PWD SHLVL TERM _ \n\/tmp\/home dumb\nagent\nsandbox\n$/,
    );
    const others = await runText('cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep -v "^[A-Z]*=/" | sort -u');
    expect(others.text).not.toContain('sesame');
    expect(others.text).toContain(`HEDDLE_TEST_MARK=${mark}`);
  });

  test('programs of the machine work', async () => {
    const { runText } = await makeCommandRig(bubblewrap);
    const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
    expect(await runText('node -e "console.log(6 * 7)"; command -v node', { environment: { PATH } })).toEqual({
      exit: 0,
      text: `42\n${process.execPath}\n`,
    });
    expect(
      await runText('echo a | tee >(cat >&2) > /dev/null; cat <(echo b); echo c > /dev/stdout; mktemp'),
    ).toMatchObject({
      exit: 0,
    });
  });

  test.each([
    ['a key of the user', 'cat $H/.ssh/id_rsa; cat ~/.ssh/id_rsa; cat /root/.ssh/*'],
    ['the store', 'cat $H/store/object; ls $H/store'],
    ['users of the machine', 'grep -v -e ^root: -e ^agent: -e ^nobody: /etc/passwd; cat /etc/shadow'],
    ['what others run', 'ps -e -o args= | grep -v -e bwrap -e bash -e ps -e grep -e sort'],
    ['another folder', 'ls $H/.. | grep -v work; ls /home /root /var/lib /opt /srv /mnt'],
    ['a way through a link', 'ln -s $H/.ssh link; cat link/id_rsa'],
    ['a way through another process', 'cat /proc/*/root$H/.ssh/id_rsa /proc/*/cwd/../home/.ssh/id_rsa'],
  ])('it does not see %s', async (_, script) => {
    const { runText, home } = await makeCommandRig(bubblewrap);
    const { text } = await runText(`H=${home}; { ${script}; } 2>/dev/null; true`);
    expect(text).toBe('');
  });

  test.each([
    ['a file beside the workspace', 'echo x > ../beside; echo x > $H/x; mkdir -p $H && echo x > $H/x'],
    ['a file behind a link', 'ln -s ../home/store/object out; echo x > out'],
    ['programs', 'echo x > /usr/bin/x; echo x > /bin/x; echo x > /etc/x; echo x > /x; echo x > /dev/x'],
    ['settings of the kernel', 'f=/proc/sys/kernel/core_pattern; v=$(cat $f); printf %s "$v" > $f && touch changed'],
    [
      'its own walls',
      'mount -t tmpfs x /mnt && touch changed; unshare -Ur true && touch changed; chroot / true && touch changed',
    ],
  ])('it cannot change %s', async (_, script) => {
    const { runText, home, workspace } = await makeCommandRig(bubblewrap);
    await runText(`H=${home}; { ${script}; } 2>/dev/null; true`);
    expect(existsSync(join(workspace, 'changed'))).toBe(false);
    expect(existsSync(join(workspace, '..', 'beside'))).toBe(false);
    expect(existsSync(join(home, 'x'))).toBe(false);
    expect(readFileSync(join(home, 'store', 'object'), 'utf8')).toBe('STORED\n');
    expect(['/usr/bin/x', '/etc/x', '/x', '/dev/x'].filter((path) => existsSync(path))).toEqual([]);
  });

  test('it has no special rights and can get none', async () => {
    const { runText } = await makeCommandRig(bubblewrap);
    const { text } = await runText('grep -E "^(CapPrm|CapEff|CapBnd|NoNewPrivs)" /proc/self/status | tr -d "\\t"');
    const none = '0'.repeat(16);
    expect(text.trim().split('\n')).toEqual([`CapPrm:${none}`, `CapEff:${none}`, `CapBnd:${none}`, 'NoNewPrivs:1']);
  });

  test('of a tool in a home only the folder of its programs is seen', async () => {
    const { runText, workspace } = await makeCommandRig(bubblewrap);
    const tools = join(workspace, '..', 'user', '.cargo');
    mkdirSync(join(tools, 'bin'), { recursive: true });
    writeFileSync(join(tools, 'bin', 'tool'), '#!/bin/sh\necho works\n', { mode: 0o755 });
    writeFileSync(join(tools, 'credentials'), 'token\n');
    const environment = { PATH: `${join(tools, 'bin')}:/usr/bin:/bin`, HOME: join(workspace, '..', 'user') };
    const script = `tool; cat ${tools}/credentials 2>/dev/null; ls -A ${tools}; { echo x > ${tools}/bin/x; } 2>/dev/null || echo closed`;
    expect(await runText(script, { environment })).toEqual({ exit: 0, text: 'works\nbin\nclosed\n' });
  });

  test('the network is closed, unless it is open', async () => {
    const { runText } = await makeCommandRig(bubblewrap);
    let met = 0;
    const server = createServer((socket) => {
      met += 1;
      socket.end('hello\n');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const script = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
    expect(await runText(`{ ${script}; } 2>/dev/null`)).toMatchObject({ exit: 1, text: '' });
    expect(met).toBe(0);
    expect(await runText(script, { network: true })).toEqual({ exit: 0, text: 'hello\n' });
    expect(met).toBe(1);
  });

  const keyrings = { x64: [248, 249, 250], arm64: [217, 218, 219] }[process.arch as string];

  test.runIf(keyrings !== undefined)('the keyrings of the user are closed', async () => {
    const { runText } = await makeCommandRig(bubblewrap);
    for (const number of keyrings ?? []) {
      // Asks for the session's keyring, or for a key of a type that there is not: without a filter neither is EPERM.
      const script = `perl -e 'my $s = "x"; syscall(${number}, ${number === keyrings?.[2] ? '0, -3, 0' : '$s, $s, 0, 0, 0'}); print $!+0'`;
      expect(await runText(script)).toEqual({ exit: 0, text: '1' });
    }
  });

  test('sockets of other programs are not seen, in the workspace and in read roots', async () => {
    const { runText, workspace, home } = await makeCommandRig(bubblewrap);
    const folders = [join(workspace, 'sub'), join(workspace, '..', 'data')] as const;
    let met = 0;
    for (const folder of folders) {
      mkdirSync(folder);
      const server = createServer(() => (met += 1)).listen(join(folder, 'agent.sock'));
      onTestFinished(() => void server.close());
      await once(server, 'listening');
    }
    const script = folders
      .map(
        (folder) =>
          `test -S ${folder}/agent.sock && echo seen; perl -MIO::Socket::UNIX -e 'print IO::Socket::UNIX->new(Peer => "${folder}/agent.sock") ? "open" : "closed"'`,
      )
      .join('; ');
    expect(await runText(script, { readRoots: [folders[1]], hidden: [home] })).toEqual({
      exit: 0,
      text: 'closedclosed',
    });
    expect(met).toBe(0);
    // By whatever name the program knows it.
    symlinkSync(folders[0], join(workspace, '..', 'by-link'));
    const linked = createServer(() => (met += 1)).listen(join(workspace, '..', 'by-link', 'other.sock'));
    onTestFinished(() => void linked.close());
    await once(linked, 'listening');
    expect(await runText('test -S sub/other.sock && echo seen; true')).toEqual({ exit: 0, text: '' });
    // A socket of its own is its own.
    const own = `perl -MIO::Socket::UNIX -e 'my $s = IO::Socket::UNIX->new(Local => "own.sock", Listen => 1) or die; print IO::Socket::UNIX->new(Peer => "own.sock") ? "open" : "closed"; unlink "own.sock"'`;
    expect(await runText(own)).toEqual({ exit: 0, text: 'open' });
  });

  test('read roots are seen, by the name of a link too, and not written; the home stays hidden in them', async () => {
    const { runText, workspace, home } = await makeCommandRig(bubblewrap);
    const above = join(workspace, '..');
    mkdirSync(join(above, 'data'));
    writeFileSync(join(above, 'data', 'a'), 'readable\n');
    symlinkSync(join(above, 'data'), join(above, 'link'));
    const readRoots = [join(above, 'link')];
    expect(await runText(`cat ../link/a ../data/a; echo x > ../data/a`, { readRoots })).toMatchObject({
      exit: 1,
      text: expect.stringMatching(/^readable\nreadable\n.*Read-only file system\n$/s) as string,
    });
    const all = await runText(`ls ..; ls -A ${home}; touch here`, { readRoots: [above] });
    expect(all).toEqual({ exit: 0, text: 'data\nhome\nlink\nwork\n' });
  });

  test('a home inside of the workspace is hidden, a workspace inside of the home is not', async () => {
    const { runText, workspace } = await makeCommandRig(bubblewrap);
    mkdirSync(join(workspace, '.heddle', 'store'), { recursive: true });
    expect(
      await runText('ls -A .heddle; touch .heddle/x 2>&1; ls -A', { hidden: [join(workspace, '.heddle')] }),
    ).toMatchObject({
      text: expect.stringMatching(/^touch: .*\n\.heddle\n$/) as string,
    });
    expect(await runText('touch inside; ls -A ..', { hidden: [join(workspace, '..')] })).toEqual({
      exit: 0,
      text: 'work\n',
    });
  });

  test('nothing of one command is there for the next, but the workspace', async () => {
    const { runText } = await makeCommandRig(bubblewrap);
    await runText('touch /tmp/t ~/h /dev/shm/s kept');
    expect(await runText('ls -A ~ /dev/shm . /tmp/t 2>/dev/null')).toEqual({
      exit: 2,
      text: '.:\nkept\n\n/dev/shm:\n\n/tmp/home:\n.gitconfig\n',
    });
  });
});
