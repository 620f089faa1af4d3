/** Past whatever still waits, such as a disk that does not answer. */
export async function exitAtOnce(code: number): Promise<never> {
  const { exitNow } = await import('../kernel/exit-now.ts');
  return exitNow(code);
}
