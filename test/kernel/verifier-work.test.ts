import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { attachTracer } from '../../src/kernel/attach/attach.ts';
import { needs } from '../needs.ts';
import { must } from '../must.ts';

/** The kernel refuses a program when its verifier has taken a million steps. Some kernels need more than others. */
const MOST_STEPS = 200_000;

function verifierSteps(fd: number): number {
  const text = readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1');
  return Number(/^verified_insns:\s*(\d+)/m.exec(text)![1]);
}

describe('the kernel programs', needs('tracing'), () => {
  it('take the verifier a fifth of the steps that the kernel allows, at most', () => {
    const tracer = must(attachTracer({ waits: true, calls: true }));
    const { programs } = tracer.handover;
    const steps = programs.map(({ name, fd }) => ({ name, steps: verifierSteps(fd) }));
    tracer.dispose();
    expect(steps.map(({ name }) => name)).toContain('call_exit');
    expect(steps.filter((program) => program.steps > MOST_STEPS)).toEqual([]);
  });
});
