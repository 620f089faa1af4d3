import { DuckDBInstance } from '@duckdb/node-api';

/** Statements of a document, in their order. */
export function sqlIn(document: string): string[] {
  return [...document.matchAll(/```sql\n(.*?)```/gs)].map(([, sql]) => sql ?? '');
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
