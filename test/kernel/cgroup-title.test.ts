import { describe, expect, it } from 'vitest';
import { cgroupTitle, containerTitle } from '../../src/kernel/machine/cgroup-title.ts';

const ID = '0123456789ab'.padEnd(64, 'c0ffee');
const UID = '5f1b2c3d-0a1b-4c2d-8e3f-1234567890ab';

describe('the container of a cgroup', () => {
  it('the container of a cgroup is named by engine and short id, also from a cgroup inside it', () => {
    expect(containerTitle(`/system.slice/docker-${ID}.scope`)).toBe('docker 0123456789ab');
    expect(containerTitle(`/docker/${ID}/init.scope`)).toBe('docker 0123456789ab');
  });

  it('the container of a cgroup is absent where a service runs on the host', () => {
    expect(containerTitle('/system.slice/mysql.service')).toBeUndefined();
    expect(containerTitle('/')).toBeUndefined();
  });
});

describe('the title of a cgroup', () => {
  it('a cgroup of systemd is named by its unit', () => {
    expect(cgroupTitle('/system.slice/mysql.service')).toBe('mysql.service');
    expect(cgroupTitle('/system.slice/system-getty.slice/getty@tty1.service')).toBe(
      'getty@tty1.service',
    );
    expect(cgroupTitle('/user.slice/user-1000.slice/session-3.scope')).toBe('session-3.scope');
    expect(
      cgroupTitle('/user.slice/user-1000.slice/user@1000.service/app.slice/app-editor.scope'),
    ).toBe('app-editor.scope');
    expect(cgroupTitle('/system.slice/dev-disk-by\\x2dlabel-root.swap')).toBe(
      'dev-disk-by-label-root.swap',
    );
  });

  it('the name of a cgroup keeps what a service created below itself', () => {
    expect(cgroupTitle('/system.slice/ci.service/job-7')).toBe('ci.service/job-7');
  });

  it('the cgroup of a container is named by engine and short ID, however they are written', () => {
    expect(cgroupTitle(`/system.slice/docker-${ID}.scope`)).toBe('docker 0123456789ab');
    expect(cgroupTitle(`/docker/${ID}`)).toBe('docker 0123456789ab');
    expect(cgroupTitle(`/machine.slice/libpod-${ID}.scope`)).toBe('podman 0123456789ab');
    expect(cgroupTitle(`/system.slice/cri-containerd-${ID}.scope`)).toBe('containerd 0123456789ab');
    expect(cgroupTitle(`/system.slice/newengine-${ID}.scope`)).toBe('newengine 0123456789ab');
  });

  it('the name of a unit inside a container has the container', () => {
    expect(cgroupTitle(`/machine.slice/libpod-${ID}.scope/system.slice/nginx.service`)).toBe(
      'podman 0123456789ab/system.slice/nginx.service',
    );
  });

  it('the name of a container in a pod has the pod', () => {
    const pod = `kubepods-burstable-pod${UID.replaceAll('-', '_')}.slice`;
    const slice = `/kubepods.slice/kubepods-burstable.slice/${pod}`;
    expect(cgroupTitle(`${slice}/cri-containerd-${ID}.scope`)).toBe(
      'containerd 0123456789ab pod 5f1b2c3d',
    );
    expect(cgroupTitle(`${slice}/crio-${ID}.scope`)).toBe('cri-o 0123456789ab pod 5f1b2c3d');
    expect(cgroupTitle(`/kubepods/besteffort/pod${UID}/${ID}`)).toBe(
      'container 0123456789ab pod 5f1b2c3d',
    );
    expect(cgroupTitle(slice)).toBe(`pod ${UID}`);
    expect(cgroupTitle(`/kubepods/pod${'ab'.repeat(16)}`)).toBe(`pod ${'ab'.repeat(16)}`);
  });

  it('a named container or machine gives its cgroup that name', () => {
    expect(cgroupTitle('/lxc.payload.web')).toBe('lxc web');
    expect(cgroupTitle('/lxc/web/system.slice/nginx.service')).toBe(
      'lxc web/system.slice/nginx.service',
    );
    expect(cgroupTitle('/machine.slice/machine-build\\x2dhost.scope')).toBe('machine build-host');
  });

  it('an unknown cgroup is named by its path', () => {
    expect(cgroupTitle('/')).toBe('/');
    expect(cgroupTitle('/user.slice')).toBe('/user.slice');
    expect(cgroupTitle(`/mine/${ID}`)).toBe(`/mine/${ID}`);
    expect(cgroupTitle('/mine/batch')).toBe('/mine/batch');
  });
});
