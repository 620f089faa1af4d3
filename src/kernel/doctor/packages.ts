/** How a distribution's package manager installs libbpf 1.x. */
interface Distribution {
  /** Values of `ID`, or words of `ID_LIKE`, in os-release. */
  readonly ids: readonly string[];
  readonly install: string;
  /** By `ID`, the first `VERSION_ID` with a package of libbpf 1.0 or newer. */
  readonly since?: Readonly<Record<string, string>>;
}

const DISTRIBUTIONS: readonly Distribution[] = [
  {
    ids: ['debian', 'ubuntu'],
    install: 'apt install libbpf1',
    since: { debian: '12', ubuntu: '23.04' },
  },
  {
    ids: ['fedora', 'rhel', 'centos', 'amzn'],
    install: 'dnf install libbpf',
    since: { rhel: '9.2', centos: '9', rocky: '9.2', almalinux: '9.2' },
  },
  { ids: ['alpine'], install: 'apk add libbpf' },
  {
    ids: ['suse', 'opensuse', 'sles'],
    install: 'zypper install libbpf1',
    since: { sles: '15.5', 'opensuse-leap': '15.5' },
  },
  { ids: ['arch'], install: 'pacman -S libbpf' },
];

const GENERAL = 'install libbpf 1.0 or newer';

/** The command that installs libbpf.so.1, from the text of `/etc/os-release`. */
export function libbpfRemedy(osRelease: string): string {
  const fields = parseOsRelease(osRelease);
  const id = fields.get('ID') ?? '';
  const ids = [id, ...(fields.get('ID_LIKE') ?? '').split(' ')].filter((word) => word !== '');
  const distribution = DISTRIBUTIONS.find((candidate) =>
    ids.some((word) => candidate.ids.includes(word)),
  );
  if (distribution === undefined) return GENERAL;
  const since = distribution.since?.[id];
  const version = fields.get('VERSION_ID');
  // A rolling release has no version.
  if (since === undefined || version === undefined || !isBefore(version, since)) {
    return distribution.install;
  }
  const name = fields.get('PRETTY_NAME') ?? `${id} ${version}`;
  return `${name} has only libbpf 0.x: upgrade to ${id} ${since}, or build libbpf 1.x from source`;
}

function isBefore(version: string, since: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [sinceMajor = 0, sinceMinor = 0] = since.split('.').map(Number);
  return major < sinceMajor || (major === sinceMajor && minor < sinceMinor);
}

function parseOsRelease(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split('\n').flatMap((line) => {
      const match = /^([A-Z_]+)=(["']?)(.*)\2$/.exec(line.trim());
      return match === null ? [] : [[match[1] ?? '', match[3] ?? ''] as const];
    }),
  );
}
