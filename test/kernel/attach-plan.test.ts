import { describe, expect, it } from 'vitest';
import { planAttach, type PlanOptions } from '../../src/kernel/attach/attach-plan.ts';
import { parseBtf } from '../../src/kernel/abi/btf.ts';
import { findJournalTypes } from '../../src/kernel/attach/journal-types.ts';
import { buildBtf } from './fixtures/btf-builder.ts';
import { must } from '../must.ts';

function plan(
  tracepoints: Record<string, number>,
  functions = ['bpf_task_pt_regs'],
  options: PlanOptions = {},
) {
  const btf = must(parseBtf(Buffer.from(buildBtf(tracepoints, functions))));
  return planAttach(btf, { waits: true, calls: false, ...options });
}

const JOURNALS = { jbd2_handle_stats: 8, jbd2_commit_flushing: 2 };
const JOURNAL_PROGRAMS = ['journal_fill', 'journal_commit'];
const COMMON = { block_rq_complete: 3, sched_switch: 4 };
const WITHOUT_JOURNALS = {
  ...COMMON,
  block_bio_queue: 1,
  block_rq_issue: 1,
  block_rq_merge: 1,
  block_rq_requeue: 1,
  writeback_dirty_folio: 2,
  block_bio_complete: 2,
  balance_dirty_pages: 8,
};
const NEW = { ...WITHOUT_JOURNALS, ...JOURNALS };
const OLD = {
  ...COMMON,
  block_bio_queue: 2,
  block_rq_issue: 2,
  block_rq_merge: 2,
  block_rq_requeue: 2,
  writeback_dirty_page: 2,
  block_bio_complete: 2,
  ...JOURNALS,
  balance_dirty_pages: 12,
};

/** Attached in reverse: what runs first comes last. */
const VOLUMES = ['bio_complete_again', 'bio_complete'];

describe('the programs for a kernel', () => {
  it('where bios cannot be seen ending, or not be seen queued, volumes are not traced', () => {
    for (const tracepoint of ['block_bio_complete', 'block_bio_queue']) {
      const { programs, seesVolumes, missing } = plan({
        ...NEW,
        ...{ block_io_start: 1, [tracepoint]: 7 },
      });
      expect(seesVolumes).toBe(false);
      expect(programs.filter((program) => VOLUMES.includes(program))).toEqual([]);
      expect(missing.map((one) => one.tracepoint)).toEqual([tracepoint]);
    }
  });

  it('since Linux 5.11 the programs get only the request', () => {
    expect(plan({ ...NEW, block_io_start: 1, block_getrq: 1 })).toEqual({
      programs: [
        ...['bio_queue', 'io_start', 'dirty', 'wait', 'pause', ...JOURNAL_PROGRAMS],
        ...['issue', 'complete', 'merge', 'requeue'],
        ...VOLUMES,
      ],
      ownerByBio: false,
      seesQueue: true,
      seesVolumes: true,
      seesWriters: true,
      seesJournals: true,
      hasJournalModule: false,
      seesWaits: true,
      seesCalls: false,
      seesUring: false,
      missing: [],
      countsWaiting: false,
    });
  });

  it('without block_io_start, programs find owners by bio', () => {
    const { programs, ownerByBio, missing } = plan({ ...NEW, block_getrq: 1 });
    expect(programs).toEqual([
      'bio_queue',
      'getrq',
      'dirty',
      'wait',
      'pause',
      ...JOURNAL_PROGRAMS,
      'issue',
      'complete',
      'merge',
      'requeue',
      ...VOLUMES,
    ]);
    expect(ownerByBio).toBe(true);
    expect(missing.map(({ tracepoint }) => tracepoint)).toEqual(['block_io_start']);
  });

  it('before Linux 5.11 the programs get the queue as well, attached one by one', () => {
    const { programs } = plan({ ...OLD, block_rq_merge: 1, block_getrq: 3 });
    expect(programs).toEqual([
      'bio_queue_old',
      'getrq_old',
      'dirty_old',
      'wait',
      'pause_old',
      ...JOURNAL_PROGRAMS,
      'issue_old',
      'complete',
      'merge',
      'requeue_old',
      ...VOLUMES,
    ]);
  });

  it('where pages cannot be seen dirtied, a warning says what is unknown', () => {
    const { programs, seesWriters, missing } = plan({
      ...NEW,
      block_io_start: 1,
      writeback_dirty_folio: 3,
    });
    expect(programs).not.toContain('dirty');
    expect(seesWriters).toBe(false);
    expect(missing).toEqual([
      { tracepoint: 'writeback_dirty_folio', lost: expect.stringContaining('wrote') as string },
    ]);
  });

  it.each(Object.keys(JOURNALS))(
    'without %s, nothing of the journal is attached, and a warning says what is unknown',
    (name) => {
      const { programs, seesJournals, missing } = plan({ ...NEW, block_io_start: 1, [name]: 9 });
      expect(programs.filter((program) => JOURNAL_PROGRAMS.includes(program))).toEqual([]);
      expect(seesJournals).toBe(false);
      expect(missing).toEqual([
        { tracepoint: name, lost: expect.stringContaining('journal') as string },
      ]);
    },
  );

  it('where jbd2 is a module, its tracepoints are found in the types of the module', () => {
    const kernel = Buffer.from(buildBtf({ ...WITHOUT_JOURNALS, block_io_start: 1 }));
    const types = must(parseBtf(kernel));
    const planWith = (files: Readonly<Record<string, Uint8Array>>) =>
      planAttach(types, { journals: findJournalTypes(types, (path) => files[path]) });
    const loaded = { '/sys/module/jbd2/initstate': Buffer.from('live\n') };
    const module = buildBtf(JOURNALS, [], kernel);

    const found = planWith({ ...loaded, '/sys/kernel/btf/jbd2': module });
    expect(found.programs).toEqual(expect.arrayContaining(JOURNAL_PROGRAMS));
    expect(found).toMatchObject({ seesJournals: true, hasJournalModule: true, missing: [] });
    // Linux 5.10 does not describe the types of modules.
    const untyped = planWith(loaded);
    expect(untyped.seesJournals).toBe(false);
    expect(untyped.missing.map(({ tracepoint }) => tracepoint)).toEqual(Object.keys(JOURNALS));
    expect(planWith({})).toMatchObject({ seesJournals: false, missing: [] });
  });

  it('where bios cannot be seen queued, times start later, and a warning says so', () => {
    const { programs, seesQueue, missing } = plan({
      ...NEW,
      block_bio_queue: 5,
      block_io_start: 1,
    });
    expect(programs[0]).toBe('io_start');
    expect(seesQueue).toBe(false);
    expect(missing).toEqual([
      { tracepoint: 'block_bio_queue', lost: expect.stringContaining('free request') as string },
    ]);
  });

  it('a tracepoint with unknown arguments is left out, and a warning says what is lost', () => {
    const { programs, missing } = plan({ ...NEW, block_rq_issue: 7, block_io_start: 1 });
    expect(programs).not.toContain('issue');
    expect(missing).toEqual([{ tracepoint: 'block_rq_issue', lost: 'device latency' }]);
  });

  it('before Linux 5.18 the state of the thread that stops is read from the thread', () => {
    expect(plan({ ...NEW, block_io_start: 1, sched_switch: 3 }).programs).toContain('wait_old');
  });

  it('where the registers of a thread cannot be read, its waits are not seen, and a warning says so', () => {
    const { programs, seesWaits, missing } = plan({ ...NEW, block_io_start: 1 }, []);
    expect(programs.filter((name) => name.startsWith('wait'))).toEqual([]);
    expect(seesWaits).toBe(false);
    expect(missing).toEqual([
      {
        tracepoint: 'sched_switch',
        lost: expect.stringContaining('wait') as string,
        lacks: 'bpf_task_pt_regs',
      },
    ]);
  });

  it('system calls are traced only if that is asked for, from their entry on, and before what they cause', () => {
    const tracepoints = { ...NEW, block_io_start: 1, sys_enter: 2, sys_exit: 2 };
    const functions = ['bpf_task_pt_regs', 'bpf_get_current_task_btf'];
    expect(plan(tracepoints, functions)).toMatchObject({ seesCalls: false, missing: [] });
    const { programs, seesCalls } = plan(tracepoints, functions, { calls: true });
    expect(seesCalls).toBe(true);
    expect(programs.filter((name) => name.startsWith('call'))).toEqual(['call_enter', 'call_exit']);
  });

  it('requests of io_uring are traced with system calls, by the tracepoints that the kernel has', () => {
    const functions = ['bpf_task_pt_regs', 'bpf_get_current_task_btf'];
    const calls = { ...NEW, block_io_start: 1, sys_enter: 2, sys_exit: 2 };
    const traced = (
      tracepoints: Record<string, number>,
      options: PlanOptions = { calls: true },
    ) => {
      const { programs, seesUring } = plan({ ...calls, ...tracepoints }, functions, options);
      const found = programs.filter((name) => name.startsWith('uring'));
      expect(seesUring).toBe(found.length > 0);
      return found;
    };
    expect(traced({ io_uring_submit_req: 1, io_uring_complete: 3 })).toEqual([
      'uring_submit',
      'uring_complete',
    ]);
    expect(traced({ io_uring_submit_sqe: 2, io_uring_complete: 7 })).toEqual([
      'uring_submit_sqe',
      'uring_complete_old',
    ]);
    expect(traced({ io_uring_submit_sqe: 7, io_uring_complete: 5 })).toEqual([
      'uring_submit_old',
      'uring_complete_old',
    ]);
    expect(traced({ io_uring_submit_req: 1, io_uring_complete: 3 }, {})).toEqual([]);
    // Linux 5.10 does not name the request.
    expect(traced({ io_uring_submit_sqe: 5, io_uring_complete: 4 })).toEqual([]);
    expect(
      plan({ ...calls, io_uring_submit_sqe: 5, io_uring_complete: 4 }, functions, { calls: true })
        .missing,
    ).toEqual(
      ['io_uring_submit_sqe', 'io_uring_complete'].map((tracepoint) => ({
        tracepoint,
        lost: expect.stringContaining('io_uring') as string,
      })),
    );
  });

  it('where their entry, their return or the thread cannot be seen, a warning says that calls are lost', () => {
    const functions = ['bpf_task_pt_regs', 'bpf_get_current_task_btf'];
    const lost = expect.stringContaining('calls') as string;
    const without = { ...NEW, block_io_start: 1, sys_enter: 2 };
    const noReturn = plan(without, functions, { calls: true });
    expect(noReturn.programs).not.toContain('call_enter');
    expect(noReturn.missing).toEqual([{ tracepoint: 'sys_exit', lost }]);
    const noThread = plan({ ...without, sys_exit: 2 }, ['bpf_task_pt_regs'], { calls: true });
    expect(noThread.missing).toEqual([
      { tracepoint: 'sys_enter', lost, lacks: 'bpf_get_current_task_btf' },
    ]);
  });

  it('without block_rq_complete there is no program to attach', () => {
    expect(plan({ block_io_start: 1 }).programs).not.toContain('complete');
  });
});

describe('type information', () => {
  it('invalid type information is refused', () => {
    expect(parseBtf(Buffer.from('no types at all, just text')).ok).toBe(false);
    expect(parseBtf(Buffer.alloc(0)).ok).toBe(false);
  });
});
