import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '#src/config.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

/** What an operator enters. */
const ENTERED: Readonly<Record<string, string>> = {
  DOMAIN: 'prices.example.com',
  POSTGRES_PASSWORD: 'ab12cd34ef56ab78',
  PRICEWRIGHT_SECRET_KEY: '0f'.repeat(32),
};
/** As set in the image. */
const OF_IMAGE = Object.fromEntries(
  [...read('deploy/Containerfile').matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').map((pair) => pair.split('=') as [string, string]),
  ),
);

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
}

function servicesOf(file: string): Record<string, Service> {
  const text = read(`deploy/${file}`).replace(
    /\$\{(\w+)(?::\?[^}]*)?\}/g,
    (_, name: string) => ENTERED[name] ?? '',
  );
  return (parse(text, { merge: true }) as { services: Record<string, Service> }).services;
}

const COMPOSE = ['compose.yaml', 'compose.caddy.yaml', 'compose.postgres.yaml'];
const OURS = COMPOSE.flatMap((file) =>
  Object.entries(servicesOf(file))
    .filter(([, { image }]) => image === 'pricewright')
    .map(([name, service]) => ({ file, name, service })),
);

test('the image copies only what exists', () => {
  const copied = [...read('deploy/Containerfile').matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(
    ([, line = '']) => line.split(' ').slice(0, -1),
  );
  expect(copied.length).toBeGreaterThan(10);
  expect(copied.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  const built = [...read('deploy/Containerfile').matchAll(/^COPY --from=build \/app\/(src\S+) /gm)];
  expect(built.map(([, path = '']) => path).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

describe.each(OURS)('$name of $file', ({ service, file, name }) => {
  test('starts with the variables that it gets', () => {
    const result = readConfig({ ...OF_IMAGE, ...service.environment });
    expect(result).toMatchObject({ ok: true });
    if (!result.ok) return;
    // Beyond this machine only behind TLS, and then the address of a client is the one that the proxy reports.
    const isLocal = (service.ports ?? []).every((port) => port.startsWith('127.0.0.1:'));
    if (name === 'work') return;
    expect(isLocal).toBe(true);
    expect(service.ports === undefined).toBe(result.config.publicUrl?.startsWith('https://') === true);
    const subnet = /subnet: (\S+?) /.exec(read(`deploy/${file}`))?.[1];
    expect(service.environment?.TRUSTED_PROXIES).toBe(subnet);
  });

  test('is an ordinary user with a read-only system and one volume', () => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp'] });
    expect(service.volumes).toHaveLength(1);
    expect(service.volumes?.[0]).toMatch(/^\w+:\/data$/);
    expect(read('deploy/Containerfile')).toMatch(/^USER 10001:10001$/m);
  });
});

test('the manifests of Kubernetes start both halves, with the checks that the program answers', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes/pricewright.yaml')).map((each) => each.toJS());
  const map = documents.find(({ kind }) => kind === 'ConfigMap').data;
  const secret = {
    DATABASE_URL: 'postgres://a:b@postgres.example.com/pricewright',
    PRICEWRIGHT_SECRET_KEY: ENTERED.PRICEWRIGHT_SECRET_KEY,
  };
  expect(readConfig({ ...OF_IMAGE, ...map, ...secret })).toMatchObject({ ok: true });
  const halves = documents.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
  const pods = halves.map(({ spec }) => spec.template.spec);
  expect(pods.map(({ containers }) => containers[0].args)).toEqual([['serve'], ['work']]);
  for (const { securityContext, containers } of pods) {
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001, fsGroup: 10_001 });
    expect(containers[0].image).toBe(`pricewright:${version}`);
    expect(containers[0].securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
  }
  const [serve] = pods;
  const probes = ['readinessProbe', 'livenessProbe', 'startupProbe'].map(
    (probe) => serve.containers[0][probe].httpGet.path,
  );
  expect(probes).toEqual(['/readyz', '/healthz', '/readyz']);
  const services = documents.filter(({ kind }) => kind === 'Service');
  expect(services).toHaveLength(2);
  for (const { spec } of services) {
    expect(halves.map((half) => half.spec.selector.matchLabels)).toContainEqual(spec.selector);
  }
});

test('the units of systemd start programs that the build has', () => {
  for (const unit of ['pricewright.service', 'pricewright-backup.service']) {
    const text = read(`deploy/systemd/${unit}`);
    expect(text).toMatch(/^ExecStart=\/usr\/bin\/node dist\/server\/main\.js( backup .*)?$/m);
    expect(text).toMatch(/^User=pricewright$/m);
    expect(text).toMatch(/^NoNewPrivileges=yes$/m);
  }
});

test('the dashboard of Grafana asks for metrics that exist', () => {
  const dashboard = JSON.parse(read('deploy/grafana/pricewright.json'));
  const requested = new Set(
    JSON.stringify(dashboard).match(/\b(?:pricewright|http|nodejs|process)_[a-z0-9_]+/g),
  );
  const served = read('src/server/store-metrics.ts') + read('src/server/metrics.ts');
  const own = [...requested]
    .filter((name) => name.startsWith('pricewright_'))
    .map((name) => name.slice('pricewright_'.length));
  expect(own.length).toBeGreaterThan(8);
  expect(
    own.filter((name) => !served.includes(`'${name}'`) && !served.includes(`'pricewright_${name}'`)),
  ).toEqual([]);
});
