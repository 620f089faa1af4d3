import { readFileSync } from 'node:fs';

/** What the host of a virtual machine took of its processors since this was made (proc(5), `steal`). */
export class StolenTime {
  private readonly before = ticks();

  /** 0 to 1. */
  share(): number {
    const now = ticks();
    return (now.stolen - this.before.stolen) / Math.max(1, now.all - this.before.all);
  }
}

const STEAL_FIELD = 7;
/** user, nice, system, idle, iowait, irq, softirq, steal; the rest is counted in user and nice. */
const FIELDS = STEAL_FIELD + 1;

function ticks(): { readonly all: number; readonly stolen: number } {
  const [first] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const fields = first!.trim().split(/ +/).slice(1).map(Number);
  const all = fields.slice(0, FIELDS).reduce((sum, each) => sum + each, 0);
  return { all, stolen: fields[STEAL_FIELD]! };
}
