/** Does not wait for anything pending, such as a disk that does not answer. */
export async function exitAtOnce(code: number): Promise<never> {
  const { exitNow } = await import('../../kernel/native/exit-now.ts');
  return exitNow(code);
}
