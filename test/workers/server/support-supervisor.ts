// The background service in small: takes the lock of HEDDLE_HOME, runs the server, says where, until it is killed.
import { tryLock } from '../../../workers/home/home-lock.ts';
import { heddleHome } from '../../../workers/home/home.ts';
import { superviseServer } from '../../../workers/server/supervise-server.ts';

const home = heddleHome(process.env);
const lock = tryLock(home);
if (lock === undefined) {
  console.log(JSON.stringify({ busy: true }));
} else {
  const server = await superviseServer({ home, env: process.env });
  console.log(JSON.stringify({ address: server.address, webUi: server.webUi, serverPid: server.serverPid() }));
}
