import {
  FILE_NUMBER,
  fileNumber,
  fileText,
  folderText,
  isSeveralFiles,
  OTHER_FILES,
} from '../../model/file.ts';
import type { FileFacts } from '../../model/file.ts';
import type { FileTable } from '../../model/file-table.ts';
import type { Term } from '../filter.ts';
import { Verdict } from '../verdict.ts';
import { judgeFileInFolder } from './file-in-folder.ts';
import { meets } from './identity-facts.ts';
import { Verdicts } from './nodes.ts';
import type { FilterNode, KnownValues } from './nodes.ts';
import type { RowBlock } from './row-block.ts';

/** Marks files without a verdict; no verdict has this bit. */
const UNDECIDED = 4;

/** A condition on the file. It is decided once for each file, and again when files have got other paths. */
export class FileNode implements FilterNode {
  private readonly verdicts = new Verdicts();
  private known = new Uint8Array(256).fill(UNDECIDED);
  private renames = 0;

  constructor(
    private readonly term: Term,
    private readonly files: FileTable,
  ) {}

  /** I/O that was only counted may be of any file. */
  judge(_identity: number, _values: KnownValues, file: number | undefined): Verdict {
    return file === undefined ? Verdict.maybe : this.judgeFile(fileNumber(file));
  }

  judgeRows({ rows, from, count }: RowBlock): Verdicts {
    this.refresh();
    const { known } = this;
    const { bytes } = this.verdicts;
    let seen = 0;
    for (let i = 0; i < count; i++) {
      const verdict = known[rows.file[from + i]! & FILE_NUMBER]!;
      bytes[i] = verdict;
      seen |= verdict;
    }
    if ((seen & UNDECIDED) !== 0)
      for (let i = 0; i < count; i++)
        if (bytes[i] === UNDECIDED) bytes[i] = this.decide(rows.file[from + i]! & FILE_NUMBER);
    return this.verdicts;
  }

  private refresh(): void {
    const { files, known } = this;
    if (this.renames !== files.renames) known.fill(UNDECIDED);
    this.renames = files.renames;
    if (files.size <= known.length) return;
    this.known = new Uint8Array(Math.max(files.size, 2 * known.length)).fill(UNDECIDED);
    this.known.set(known);
  }

  private decide(number: number): Verdict {
    const verdict = this.judgeFile(number);
    this.known[number] = verdict;
    return verdict;
  }

  private judgeFile(number: number): Verdict {
    if (number === OTHER_FILES) return Verdict.maybe;
    const file = this.files.get(number);
    const asksFolder = this.term.field === 'folder';
    if (isSeveralFiles(file) && !asksFolder) return judgeFileInFolder(this.term, file);
    const names = asksFolder ? folderNames(file) : fileNames(file);
    return meets(this.term, names) ? Verdict.yes : Verdict.no;
  }
}

function fileNames(file: FileFacts): string[] {
  return file.kind === 'file' ? [fileText(file)] : [fileText(file), file.kind];
}

/** With and without the slash at the end; none for what is not in a folder, as a journal. */
function folderNames(file: FileFacts): string[] {
  const folder = folderText(file);
  if (folder === undefined) return [];
  return folder.length > 1 && folder.endsWith('/') ? [folder, folder.slice(0, -1)] : [folder];
}
