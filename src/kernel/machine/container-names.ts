import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { jsonIfValid } from '../../base/json-if-valid.ts';
import { isSystemError } from '../../base/system-error.ts';
import { readText } from './read-text.ts';

/** The name of a container in its engine. */
export interface ContainerName {
  readonly name: string;
  /** The pod, in Kubernetes. */
  readonly pod?: string;
}

/** Names by the first digits of the id. */
export type ContainerNames = ReadonlyMap<string, ContainerName>;

/** Digits of a container's id that are shown, as many as by the engines' own tools. */
export const SHORT_ID = 12;

/** Size of the names: they are passed in one environment variable of at most 128 KiB, together with other data. */
const MOST_NAME_BYTES = 48 * 1024;
/** Maximum number of files: reading one takes 0.2 ms, during which nothing is traced. */
const MOST_FILES = 1_000;
/** Maximum size of a file: a longer one would be truncated, and is not JSON then. */
const MOST_BYTES = 1024 * 1024;

/**
 * The names of this machine's containers, from the files of their engines. Only root may read these, so call it before
 * root is dropped. Everything on the way to these files belongs to root, so no path that users control is opened;
 * rootless containers keep their ids. A file that is not as expected gives no name.
 */
export function readContainerNames(root = '/'): [id: string, name: ContainerName][] {
  const names = new Map<string, ContainerName>();
  let bytes = 0;
  for (const [id, name] of [...ofDocker(root), ...ofContainerd(root), ...ofStorage(root)]) {
    const short = id.slice(0, SHORT_ID);
    if (names.has(short)) continue;
    bytes += JSON.stringify([short, name]).length + 1;
    if (bytes > MOST_NAME_BYTES) break;
    names.set(short, name);
  }
  return [...names];
}

type Found = readonly [id: string, name: ContainerName];

/** `config.v2.json` has the name with a slash before it. */
function ofDocker(root: string): Found[] {
  const folder = join(root, 'var/lib/docker/containers');
  return idsIn(folder).flatMap((id) => {
    const name = text(field(readJson(join(folder, id, 'config.v2.json')), 'Name'));
    return found(id, name?.replace(/^\//, ''));
  });
}

/** Annotations of the CRI plugin and of nerdctl; Docker's own namespace has none. */
function ofContainerd(root: string): Found[] {
  const tasks = join(root, 'run/containerd/io.containerd.runtime.v2.task');
  return namesIn(tasks)
    .filter((namespace) => namespace !== 'moby')
    .flatMap((namespace) => {
      const folder = join(tasks, namespace);
      return idsIn(folder).flatMap((id) => {
        const notes = field(readJson(join(folder, id, 'config.json')), 'annotations');
        const note = (name: string): string | undefined => text(field(notes, name));
        const isSandbox = note('io.kubernetes.cri.container-type') === 'sandbox';
        const name = isSandbox ? 'sandbox' : note('io.kubernetes.cri.container-name');
        return found(id, name ?? note('nerdctl/name'), note('io.kubernetes.cri.sandbox-name'));
      });
    });
}

/** Podman and CRI-O: all containers of a storage driver are in one list, those with `--rm` in another. */
function ofStorage(root: string): Found[] {
  const storage = join(root, 'var/lib/containers/storage');
  const folders = namesIn(storage).filter((name) => name.endsWith('-containers'));
  const files = folders.flatMap((name) =>
    ['containers.json', 'volatile-containers.json'].map((file) => join(storage, name, file)),
  );
  return files.flatMap((file) =>
    elements(readJson(file)).flatMap((container) => {
      const id = text(field(container, 'id'));
      const name = text(elements(field(container, 'names'))[0]);
      return id !== undefined && ID.test(id) ? found(id, name) : [];
    }),
  );
}

const ID = /^[0-9a-f]{64}$/;
/** What engines allow in names. */
const NAME = /^[\w.-]{1,253}$/;

/** `k8s_nginx_web-0_default_UID_0`: container, pod, namespace; Kubernetes allows no `_` in them. */
const OF_KUBERNETES = /^k8s_([^_]+)_([^_]+)_[^_]+_[^_]+_\d+$/;

function found(id: string, name: string | undefined, pod?: string): Found[] {
  if (name === undefined || !NAME.test(name)) return [];
  const [, ofPod, itsPod] = OF_KUBERNETES.exec(name) ?? [];
  if (ofPod !== undefined && itsPod !== undefined)
    return [[id, { name: ofPod === 'POD' ? 'sandbox' : ofPod, pod: itsPod }]];
  return [[id, { name, ...(pod !== undefined && NAME.test(pod) && { pod }) }]];
}

function idsIn(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => ID.test(name))
    .slice(0, MOST_FILES);
}

/** The names in a folder; empty if there is no such engine. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    if (isSystemError(cause)) return [];
    throw cause;
  }
}

function readJson(path: string): unknown {
  const read = readText(path, MOST_BYTES);
  return 'text' in read ? jsonIfValid(read.text) : undefined;
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
