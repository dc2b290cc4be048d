import { chmod, chown, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { main, PlainError, root, run, say } from './project.mjs';

/**
 * Builds the container and uses it as an operator would: `npm run proof:container`, as root, on Debian with podman,
 * buildah and debootstrap. Its base is made by debootstrap with the Node.js that runs this; `-- BASE` names another image.
 * From `podman run` to a login in under 60 s, as an ordinary user, without a writable path but the volume and /tmp, and a
 * stop in good order that keeps the data. Takes minutes.
 *
 * PRICEWRIGHT_PODMAN: the program with its global options, where those of this machine do not do.
 */
const PODMAN = (process.env.PRICEWRIGHT_PODMAN ?? 'podman').split(' ');
const MADE_BASE = 'localhost/pricewright-proof-base';
const IMAGE = 'localhost/pricewright-proof';
const NAME = 'pricewright-proof';
const PORT = 5_987;
const HOME = `http://127.0.0.1:${PORT}`;
const LONGEST_START = 60_000;
const PASSWORD = 'harbor lanterns at nine';
const USER = 10_001;

/** Runs inside: every folder that can be written to, apart from the system's own. */
const FIND_WRITABLE = `
  const { accessSync, constants, readdirSync } = require('node:fs');
  const found = [];
  const look = (folder) => {
    if (['/proc', '/sys', '/dev', '/run'].includes(folder)) return;
    try { accessSync(folder, constants.W_OK); found.push(folder); } catch {}
    let entries = [];
    try { entries = readdirSync(folder, { withFileTypes: true }); } catch {}
    for (const entry of entries)
      if (entry.isDirectory()) look((folder === '/' ? '' : folder) + '/' + entry.name);
  };
  look('/');
  const top = found.filter((folder) => !found.some((other) => folder.startsWith(other + '/')));
  console.log(JSON.stringify({ uid: process.getuid(), writable: top.sort() }));`;

async function tryImage(data) {
  await mkdir(data);
  await chown(data, USER, USER);
  await chmod(data, 0o700);
  const begun = performance.now();
  await start(data);
  const link = await setupLink();
  const person = { username: 'owner@example.com', email: 'owner@example.com', password: PASSWORD };
  await post('/api/register', {
    ...person,
    fullName: 'Owner',
    phoneNumber: '+1 212 555 0100',
    setupToken: link,
  });
  await logIn();
  const seconds = (performance.now() - begun) / 1_000;
  if (seconds > LONGEST_START / 1_000)
    throw new PlainError(`From podman run to a login it took ${seconds.toFixed(1)} s.`);

  const { uid, writable } = JSON.parse(lastLine(await podman('exec', NAME, 'node', '-e', FIND_WRITABLE)));
  if (uid !== USER) throw new PlainError(`The container runs as user ${uid}.`);
  if (writable.join() !== '/data,/tmp') throw new PlainError(`It can write to ${writable.join(', ')}.`);
  await podman('exec', NAME, 'pricewright', 'doctor');
  await podman('exec', NAME, 'pricewright', 'backup');

  await podman('stop', '--time', '90', NAME);
  const code = lastLine(await podman('inspect', '--format', '{{.State.ExitCode}}', NAME));
  if (code !== '0') throw new PlainError(`After SIGTERM the exit code was ${code}.`);
  await podman('rm', NAME);
  await start(data);
  await ready();
  await logIn();
  const size = Number(lastLine(await podman('image', 'inspect', '--format', '{{.Size}}', IMAGE)));
  say(
    `From podman run to a login: ${seconds.toFixed(1)} s. User ${uid}; writable: ${writable.join(', ')}. ` +
      `Stopped with 0, and the same account logged in again. Image with its base: ${Math.round(size / 1e6)} MB.`,
  );
}

function start(data) {
  const limits = [
    '--read-only',
    '--read-only-tmpfs=false',
    '--tmpfs',
    '/tmp',
    '--cap-drop',
    'ALL',
    '--security-opt',
    'no-new-privileges',
  ];
  const handles = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=1024:1024'];
  const variables = ['--env', `PORT=${PORT}`, '--env', 'HOST=127.0.0.1'];
  // The network of this machine: bridges need rights that a container or a CI job rarely has.
  const options = [
    '--detach',
    '--log-driver',
    'k8s-file',
    '--name',
    NAME,
    '--network',
    'host',
    '--volume',
    `${data}:/data`,
  ];
  return podman('run', ...options, ...limits, ...handles, ...variables, IMAGE);
}

/** The token of the setup link, which the start prints once it is ready. */
async function setupLink() {
  await ready();
  const token = /setup=([\w-]+)/.exec(await podman('logs', NAME))?.[1];
  if (token === undefined) throw new PlainError('The start printed no setup link.');
  return token;
}

async function ready() {
  for (const deadline = performance.now() + LONGEST_START; ; await pause(200)) {
    if (
      await fetch(`${HOME}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    if (performance.now() > deadline) {
      throw new PlainError(
        `Not ready after a minute. Its last lines:\n${await podman('logs', '--tail', '20', NAME)}`,
      );
    }
  }
}

const logIn = () =>
  post('/api/login', { username: 'owner@example.com', password: PASSWORD, twoFactorToken: '' });

async function post(address, body) {
  const headers = { 'content-type': 'application/json', origin: HOME };
  const answer = await fetch(`${HOME}${address}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new PlainError(`${address} answered ${answer.status}: ${await answer.text()}`);
}

/** Debian's smallest system with this Node.js and its npm; kept for the next time. */
async function madeBase() {
  if ((await tried('image', 'exists', MADE_BASE)).code === 0) return MADE_BASE;
  const folder = await mkdtemp(path.join(tmpdir(), 'pricewright-base-'));
  try {
    await must('debootstrap', ['--variant=minbase', 'bookworm', folder]);
    await cp(process.execPath, path.join(folder, 'usr/local/bin/node'));
    const npm = path.join(path.dirname(process.execPath), '../lib/node_modules/npm');
    await cp(npm, path.join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true });
    await must('ln', [
      '-s',
      '../lib/node_modules/npm/bin/npm-cli.js',
      path.join(folder, 'usr/local/bin/npm'),
    ]);
    await must('sh', ['-c', `tar -C "$0" -c . | ${PODMAN.join(' ')} import - ${MADE_BASE}`, folder]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return MADE_BASE;
}

/** The certificates that Node.js trusts here besides its own, for npm in the build. */
function certificates() {
  const file = process.env.NODE_EXTRA_CA_CERTS;
  return file === undefined ? [] : ['--volume', `${file}:${file}:ro`, '--env', `NODE_EXTRA_CA_CERTS=${file}`];
}

/** Without podman's warnings, which come before. */
const lastLine = (output) => output.trim().split('\n').at(-1);

const [program, ...global] = PODMAN;
const tried = (...args) => run(program, [...global, ...args], { cwd: root, capture: true });
const podman = (...args) => must(program, [...global, ...args]);

/** @returns its output */
async function must(command, args) {
  const { code, error, output } = await run(command, args, { cwd: root, capture: true });
  if (code !== 0) {
    const why = error === null ? '' : ` (${error})`;
    throw new PlainError(`${command} ${args.slice(0, 8).join(' ')} failed${why}:\n${output.slice(-3_000)}`);
  }
  return output;
}

await main(async () => {
  const [base = await madeBase()] = process.argv.slice(2);
  const folder = await mkdtemp(path.join(tmpdir(), 'pricewright-container-'));
  try {
    await podman(
      'build',
      '--network',
      'host',
      '--build-arg',
      `BASE=${base}`,
      ...certificates(),
      '-t',
      IMAGE,
      '-f',
      'deploy/Containerfile',
      '.',
    );
    await tryImage(path.join(folder, 'data'));
  } finally {
    await tried('rm', '--force', NAME);
    await rm(folder, { recursive: true, force: true });
  }
});
