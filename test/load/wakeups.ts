import { Ftrace } from './ftrace.ts';

const SWITCH = / (\d+\.\d+): sched_switch: .* prev_pid=(\d+) .* next_pid=(\d+) /g;

interface Switch {
  /** CLOCK_MONOTONIC. */
  readonly ns: number;
  readonly isRunning: boolean;
}

/** When a thread had a processor. */
export class ThreadRuns {
  readonly switches: Switch[] = [];

  /** That time if the thread had a processor then, else when it was next given one; in ns of CLOCK_MONOTONIC. */
  runningFrom(ns: number): number {
    const after = this.switches.findIndex((each) => each.ns > ns);
    if (after < 0 || this.switches[after - 1]?.isRunning) return ns;
    return this.switches[after]!.ns;
  }
}

/**
 * When the threads of a command were given a processor, as ftrace saw it. On a virtual machine whose host is busy,
 * that may be milliseconds after they were woken.
 */
export class Wakeups {
  private readonly ftrace: Ftrace;

  /** `comm`: name of the threads, at most 15 bytes. */
  constructor(comm: string) {
    this.ftrace = new Ftrace({
      'sched/sched_switch': `prev_comm == "${comm}" || next_comm == "${comm}"`,
    });
  }

  /** Ends the trace. Throws if ftrace lost any event. */
  read(): ReadonlyMap<number, ThreadRuns> {
    const text = this.ftrace.read();
    const threads = new Map<number, ThreadRuns>();
    const of = (pid: string): ThreadRuns => {
      const tid = Number(pid);
      if (!threads.has(tid)) threads.set(tid, new ThreadRuns());
      return threads.get(tid)!;
    };
    for (const [, seconds, left, entered] of text.matchAll(SWITCH)) {
      const ns = Math.round(Number(seconds) * 1e9);
      of(left!).switches.push({ ns, isRunning: false });
      of(entered!).switches.push({ ns, isRunning: true });
    }
    return threads;
  }

  dispose(): void {
    this.ftrace.dispose();
  }
}
