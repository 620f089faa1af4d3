import { DuckDBInstance } from '@duckdb/node-api';

/** Statements of a document, or of a part of it that has this heading, in their order. */
export function sqlIn(document: string, heading = ''): string[] {
  const from = heading === '' ? 0 : document.indexOf(`\n## ${heading}\n`) + 1;
  const to = heading === '' ? -1 : document.indexOf('\n## ', from);
  const part = document.slice(from, to < 0 ? undefined : to);
  return [...part.matchAll(/```sql\n(.*?)```/gs)].map(([, sql]) => sql ?? '');
}

/** The rows of a statement, whose files are in `folder`. */
export async function query(folder: string, sql: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    await connection.run(`set file_search_path = '${folder}'`);
    const reader = await connection.runAndReadAll(sql);
    return reader.getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
