import { SHORT_ID } from './container-names.ts';
import type { ContainerNames } from './container-names.ts';

/**
 * A name for a cgroup that people recognize, from its path below the root of the hierarchy. Container engines put
 * the container's id into the last part that matters, in one of a few formats; where the engine's name of the container
 * is not known, twelve digits of the id are kept, as the engines' own tools print them. Deeper parts are kept, because
 * they are other cgroups.
 *
 *   /system.slice/mysql.service                              mysql.service
 *   /system.slice/docker-<id>.scope                          docker 0123456789ab
 *   /kubepods.slice/…-pod<uid>.slice/cri-containerd-<id>.scope   containerd 0123456789ab pod 5f1b2c3d
 *   /machine.slice/libpod-<id>.scope/container               podman 0123456789ab/container
 *
 * With names: `docker web`, `containerd nginx pod web-0`.
 */
export function cgroupTitle(path: string, names?: ContainerNames): string {
  const parts = path.split('/').filter((part) => part !== '');
  // Containers come first: a container may have units inside, which have the same names as units outside.
  const titleOf = (some: readonly string[]): string | undefined => titleOfContainer(some, names);
  return titled(parts, titleOf) ?? titled(parts, unitTitle) ?? `/${parts.join('/')}`;
}

/** The container, pod or machine that a cgroup belongs to; undefined outside of any. */
export function containerTitle(path: string, names?: ContainerNames): string | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  for (let depth = parts.length; depth > 0; depth--) {
    const title = titleOfContainer(parts.slice(0, depth), names);
    if (title !== undefined) return title;
  }
  return undefined;
}

/** The title of the deepest part that has one, followed by the parts below it. */
function titled(
  parts: readonly string[],
  titleOf: (parts: readonly string[]) => string | undefined,
): string | undefined {
  for (let depth = parts.length; depth > 0; depth--) {
    const title = titleOf(parts.slice(0, depth));
    if (title !== undefined) return [title, ...parts.slice(depth)].join('/');
  }
  return undefined;
}

const SHORT_UID = 8;

/** Names of the engines, by the word before the id. */
const ENGINES: Readonly<Record<string, string>> = {
  docker: 'docker',
  libpod: 'podman',
  crio: 'cri-o',
  'cri-containerd': 'containerd',
  nerdctl: 'containerd',
  containerd: 'containerd',
  buildkit: 'buildkit',
};

/** The title of a container, a pod or a machine. */
function titleOfContainer(parts: readonly string[], names?: ContainerNames): string | undefined {
  const last = parts.at(-1)!;
  const pod = podUid(parts);
  const container = containerOf(last, parts.at(-2), pod !== undefined);
  if (container !== undefined) {
    const { engine, id } = container;
    const known = names?.get(id);
    const inPod = known?.pod ?? pod?.slice(0, SHORT_UID);
    const title = `${engine} ${known?.name ?? id}`;
    return inPod === undefined ? title : `${title} pod ${inPod}`;
  }
  if (podUid([last]) !== undefined) return `pod ${pod!}`;
  return machineOf(last, parts.at(-2));
}

/** `<engine>-<id>.scope` under systemd, `<engine>/<id>` otherwise; in a pod, `<id>` alone. */
function containerOf(
  last: string,
  parent: string | undefined,
  isInPod: boolean,
): { readonly engine: string; readonly id: string } | undefined {
  const match = /^(?:(.+)-)?([0-9a-f]{64})(?:\.scope)?$/.exec(last);
  if (match === null) return undefined;
  const [, prefix, id] = match;
  const engine = ENGINES[prefix ?? parent ?? ''] ?? prefix;
  if (engine === undefined && !isInPod) return undefined;
  return { engine: engine ?? 'container', id: id!.slice(0, SHORT_ID) };
}

/** systemd does not allow dashes in a name, so a uid has underscores there. */
function podUid(parts: readonly string[]): string | undefined {
  for (const part of parts.toReversed()) {
    const match = /(?:^|-)pod([0-9a-f]{8}[-_][0-9a-f_-]{27}|[0-9a-f]{32})(?:\.slice)?$/.exec(part);
    if (match !== null) return match[1]!.replaceAll('_', '-');
  }
  return undefined;
}

/** Containers and virtual machines registered by name. */
function machineOf(last: string, parent: string | undefined): string | undefined {
  const lxc = /^lxc\.(?:payload\.)?(.+)$/.exec(last)?.[1] ?? (parent === 'lxc' ? last : undefined);
  if (lxc !== undefined) return `lxc ${lxc}`;
  const machine = /^machine-(.+)\.scope$/.exec(last)?.[1];
  return machine === undefined ? undefined : `machine ${unescapeUnit(machine)}`;
}

/** The name of a unit. Slices only group units, so their names are not used. */
function unitTitle(parts: readonly string[]): string | undefined {
  const last = parts.at(-1)!;
  return /\.(?:service|scope|socket|mount|swap)$/.test(last) ? unescapeUnit(last) : undefined;
}

/** `\x2d` is a dash that does not mean "below". */
function unescapeUnit(name: string): string {
  return name.replaceAll(/\\x([0-9a-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
