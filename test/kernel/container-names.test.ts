import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { cgroupTitle, containerTitle } from '../../src/kernel/machine/cgroup-title.ts';
import { readContainerNames } from '../../src/kernel/machine/container-names.ts';
import { readProcessCard } from '../../src/kernel/machine/process-card.ts';

const [WEB, DB] = ['0123456789ab'.padEnd(64, 'c0ffee'), 'fedcba987654'.padEnd(64, '0')];
const UID = '5f1b2c3d-0a1b-4c2d-8e3f-1234567890ab';
const STORAGE = 'var/lib/containers/storage/overlay-containers';
const TASKS = 'run/containerd/io.containerd.runtime.v2.task';

const roots: string[] = [];
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ioheat containers '));
  roots.push(root);
});

afterAll(() => {
  for (const one of roots) rmSync(one, { recursive: true });
});

function write(path: string, content: unknown): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

/** As Docker Engine writes it, shortened. */
function dockerConfig(id: string, name: string): object {
  return {
    ...{ StreamConfig: {}, State: { Running: true, Pid: 4321 }, ID: id, Created: '2026-01-02' },
    Config: { Hostname: id.slice(0, 12), Env: ['PASSWORD=secret'], Labels: {} },
    ...{ Name: name, Driver: 'overlay2' },
  };
}

/** An OCI bundle as containerd writes it, shortened. */
function bundle(annotations: Record<string, string>): object {
  return { ociVersion: '1.1.0', process: { args: ['nginx'] }, hostname: 'x', annotations };
}

function addDocker(id: string, name: string): void {
  write(`var/lib/docker/containers/${id}/config.v2.json`, dockerConfig(id, name));
}

function titleOf(path: string): string {
  return cgroupTitle(path, new Map(readContainerNames(root)));
}

describe('the name of a container', () => {
  it('the name of a container is that of Docker', () => {
    addDocker(WEB, '/web');
    expect(titleOf(`/system.slice/docker-${WEB}.scope`)).toBe('docker web');
    expect(titleOf(`/docker/${WEB}/init.scope`)).toBe('docker web/init.scope');
    expect(titleOf(`/system.slice/docker-${DB}.scope`)).toBe('docker fedcba987654');
    const names = new Map(readContainerNames(root));
    expect(containerTitle(`/docker/${WEB}/init.scope`, names)).toBe('docker web');
  });

  it('the name of a container is that of Podman, also with --rm and another storage driver', () => {
    const metadata = '{"image-name":"docker.io/library/nginx","name":"web"}';
    write(`${STORAGE}/containers.json`, [
      { id: WEB, names: ['web', 'alias'], image: DB, layer: DB, metadata, flags: {} },
    ]);
    write(`${STORAGE.replace('overlay', 'btrfs')}/volatile-containers.json`, [
      { id: DB, names: ['eager_gauss'], image: WEB, layer: WEB },
    ]);
    expect(titleOf(`/machine.slice/libpod-${WEB}.scope/container`)).toBe('podman web/container');
    expect(titleOf(`/machine.slice/libpod-${DB}.scope`)).toBe('podman eager_gauss');
  });

  it('the name of a container has the pod where Kubernetes started it', () => {
    write(
      `${TASKS}/k8s.io/${WEB}/config.json`,
      bundle({
        'io.kubernetes.cri.container-type': 'container',
        'io.kubernetes.cri.container-name': 'nginx',
        'io.kubernetes.cri.sandbox-name': 'web-7c9d8b6f5-xk2lp',
        'io.kubernetes.cri.sandbox-namespace': 'shop',
      }),
    );
    write(
      `${TASKS}/k8s.io/${DB}/config.json`,
      bundle({
        'io.kubernetes.cri.container-type': 'sandbox',
        'io.kubernetes.cri.sandbox-name': 'web-7c9d8b6f5-xk2lp',
      }),
    );
    const pod = `/kubepods.slice/kubepods-pod${UID.replaceAll('-', '_')}.slice`;
    expect(titleOf(`${pod}/cri-containerd-${WEB}.scope`)).toBe(
      'containerd nginx pod web-7c9d8b6f5-xk2lp',
    );
    expect(titleOf(`${pod}/cri-containerd-${DB}.scope`)).toBe(
      'containerd sandbox pod web-7c9d8b6f5-xk2lp',
    );
  });

  it('the name of a container has the pod also where CRI-O or Docker ran it', () => {
    write(`${STORAGE}/containers.json`, [
      { id: WEB, names: [`k8s_nginx_web-0_shop_${UID}_0`] },
      { id: DB, names: [`k8s_POD_web-0_shop_${UID}_0`] },
    ]);
    const pod = `/kubepods/besteffort/pod${UID}`;
    expect(titleOf(`${pod}/crio-${WEB}`)).toBe('cri-o nginx pod web-0');
    expect(titleOf(`${pod}/crio-${DB}`)).toBe('cri-o sandbox pod web-0');
  });

  it('the name of a container is that of nerdctl', () => {
    write(`${TASKS}/default/${WEB}/config.json`, bundle({ 'nerdctl/name': 'web' }));
    expect(titleOf(`/system.slice/nerdctl-${WEB}.scope`)).toBe('containerd web');
  });

  it('the name of a container is on the card of a process', () => {
    write('4321/cgroup', `0::/system.slice/docker-${WEB}.scope\n`);
    write('4321/status', 'Name:\tnginx\nUid:\t0\t0\t0\t0\n');
    mkdirSync(join(root, 'self/ns'), { recursive: true });
    symlinkSync('pid:[4026531836]', join(root, 'self/ns/pid'));
    const containers = new Map([[WEB.slice(0, 12), { name: 'web' }]]);
    const card = readProcessCard(4321, 'nginx', { proc: root, containers });
    expect(card?.['container']).toEqual({ known: 'docker web' });
  });
});

describe('files of container engines', () => {
  it('files of container engines give no name where they are absent or not as expected', () => {
    expect(readContainerNames(root)).toEqual([]);
    const contents = ['', '{"Name":', '[]', '"text"', 'null', '{"Name":7}', '{"Name":"/"}'];
    for (const [i, content] of contents.entries())
      write(`var/lib/docker/containers/${`${i}`.repeat(64)}/config.v2.json`, content);
    write(`var/lib/docker/containers/not-an-id/config.v2.json`, { Name: '/web' });
    write(`${TASKS}/k8s.io/${WEB}/config.json`, { annotations: ['web'] });
    write(`${STORAGE}/containers.json`, [null, { id: 7 }, { id: WEB }, { id: '../x', names: [] }]);
    expect(readContainerNames(root)).toEqual([]);
  });

  it('files of container engines give no name with characters that engines do not allow', () => {
    addDocker(WEB, '/web\u001b[2J');
    addDocker(DB, `/${'x'.repeat(300)}`);
    expect(readContainerNames(root)).toEqual([]);
  });

  it('files of container engines are read up to a megabyte, and nothing but names is taken from them', () => {
    write(`var/lib/docker/containers/${WEB}/config.v2.json`, {
      ...{ Name: '/web', Padding: 'x'.repeat(2 ** 20) },
    });
    addDocker(DB, '/db');
    expect(readContainerNames(root)).toEqual([['fedcba987654', { name: 'db' }]]);
  });

  it('files of container engines give as many names as the handover has room for', () => {
    const containers = Array.from({ length: 3000 }, (_, i) => ({
      id: i.toString(16).padStart(12, '0').padEnd(64, '0'),
      names: [`a-container-with-a-long-name-${i}`],
    }));
    write(`${STORAGE}/containers.json`, containers);
    const names = readContainerNames(root);
    expect(JSON.stringify(names).length).toBeLessThanOrEqual(48 * 1024 + 1);
    expect(names.length).toBeGreaterThan(500);
  });
});
